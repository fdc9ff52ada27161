//! Where schemas of OpenAPI, of 3.0 above all, are not what JSON Schema 2020-12 has.

use std::collections::BTreeSet;

use crate::document::{Key, Node, NodeKind};
use crate::schema::{JsonType, Takes, refusal, same, takes};
use crate::source::Span;

/// Longer scalars are worth a definition of their own.
const MAX_INLINE: usize = 600;

/// `true`
pub(super) fn anything() -> Node {
    Node::object(Span::default())
}

/// Keywords about the document that the schema stood in.
pub(super) fn is_bookkeeping(keyword: &str) -> bool {
    keyword.starts_with('$') && keyword != "$comment" || keyword == "definitions"
}

/// What nobody misses.
pub(super) fn is_quiet(keyword: &str, value: &Node) -> bool {
    value.is_null() || value.as_bool() == Some(false) || keyword.starts_with("x-") || is_bookkeeping(keyword)
}

/// A schema that holds no other: it is shorter where it is used than as a definition.
pub(super) fn is_scalar(schema: &Node) -> bool {
    let holds_none = |(key, value): &(Key, Node)| match takes(&key.name) {
        Some(Takes::Schema | Takes::SchemaMap | Takes::SchemaList | Takes::SchemaOrList | Takes::Needs) => false,
        _ => key.name != "$ref" && !(key.name == "type" && is_structure(value)),
    };
    let members = schema.members().unwrap_or_default();
    !members.is_empty() && members.iter().all(holds_none) && schema.to_json().len() <= MAX_INLINE
}

fn is_structure(ty: &Node) -> bool {
    let names = ty.items().unwrap_or(std::slice::from_ref(ty));
    names.iter().any(|name| matches!(name.as_str(), Some("object" | "array")))
}

/// The types that there are; nothing where none is left.
pub(super) fn known_types(ty: &Node) -> Option<Node> {
    let is_known = |name: &&Node| name.as_str().and_then(JsonType::named).is_some();
    match ty.items() {
        None => Some(ty).filter(is_known).cloned(),
        Some(names) => {
            let known: Vec<Node> = names.iter().filter(is_known).cloned().collect();
            (!known.is_empty()).then(|| Node::new(NodeKind::Array(known), ty.span))
        }
    }
}

/// `example` of 3.0 as one of `examples`.
pub(super) fn put_example(schema: &mut Node, example: &Node) {
    const MAX_EXAMPLE: usize = 200;
    if schema.get("examples").is_none() && !example.is_null() && example.to_json().len() <= MAX_EXAMPLE {
        schema.push("examples", Node::new(NodeKind::Array(vec![example.clone()]), example.span));
    }
}

pub(super) fn put_required(schema: &mut Node, required: &Node, left_out: &BTreeSet<String>) {
    let mut names: Vec<Node> = Vec::new();
    for name in required.items().unwrap_or_default() {
        let is_new = |text: &str| !left_out.contains(text) && names.iter().all(|known| known.as_str() != Some(text));
        if name.as_str().is_some_and(is_new) {
            names.push(name.clone());
        }
    }
    if !names.is_empty() {
        schema.push("required", Node::new(NodeKind::Array(names), required.span));
    }
}

/// Whether the bound's neighbor says, as in 3.0, that it is itself outside.
pub(super) fn is_exclusive(schema: &Node, bound: &str) -> bool {
    let neighbor = if bound == "minimum" { "exclusiveMinimum" } else { "exclusiveMaximum" };
    schema.get(neighbor).and_then(Node::as_bool) == Some(true)
}

/// `minimum: 0` with `exclusiveMinimum: true` is `exclusiveMinimum: 0`.
pub(super) fn exclusive(from: &Node, keyword: &str, value: &Node, schema: &mut Node) {
    let bound = if keyword == "exclusiveMinimum" { "minimum" } else { "maximum" };
    if value.as_bool() == Some(true)
        && let Some(bound) = from.get(bound).filter(|bound| bound.as_number().is_some())
    {
        schema.push(keyword, bound.clone());
    }
}

/// The same, or null.
pub(super) fn nullable(mut schema: Node) -> Node {
    let span = schema.span;
    let null = || Node::string("null", span);
    let names = schema.get("type").map(|ty| ty.items().map_or_else(|| vec![ty.clone()], <[Node]>::to_vec));
    let has_choice = ["$ref", "allOf", "anyOf", "oneOf", "const"].iter().any(|keyword| schema.get(keyword).is_some());
    match names {
        Some(mut names) if !has_choice => {
            if names.iter().all(|name| name.as_str() != Some("null")) {
                names.push(null());
            }
            let ty = Node::new(NodeKind::Array(names), span);
            schema.put(&Key { name: "type".to_owned(), span }, ty);
            if let Some(values) = schema.get("enum").and_then(Node::items)
                && !values.iter().any(Node::is_null)
            {
                let mut values = values.to_vec();
                values.push(Node::new(NodeKind::Null, span));
                schema.put(&Key { name: "enum".to_owned(), span }, Node::new(NodeKind::Array(values), span));
            }
            schema
        }
        None if !has_choice => schema,
        _ => {
            // What is said for people is said of both.
            let mut outer = Node::object(span);
            if let NodeKind::Object(members) = &mut schema.kind {
                let (said, kept): (Vec<_>, Vec<_>) = std::mem::take(members).into_iter().partition(|(key, _)| {
                    ["title", "description", "deprecated", "examples"].contains(&key.name.as_str())
                });
                *members = kept;
                for (key, value) in said {
                    outer.put(&key, value);
                }
            }
            let mut or_null = Node::object(span);
            or_null.push("type", null());
            outer.push("anyOf", Node::new(NodeKind::Array(vec![schema, or_null]), span));
            outer
        }
    }
}

/// Leaves out what contradicts the rest: values that stand twice, a default that the schema itself refuses.
pub(super) fn tidy(schema: &mut Node) {
    if let Some(values) = schema.get("enum").and_then(Node::items) {
        let mut kept: Vec<Node> = Vec::new();
        for value in values {
            if !kept.iter().any(|known| same(known, value)) {
                kept.push(value.clone());
            }
        }
        let span = schema.span;
        schema.put(&Key { name: "enum".to_owned(), span }, Node::new(NodeKind::Array(kept), span));
    }
    let refused = |value: &Node| refusal(schema, value, schema).is_some();
    let is_bad_default = schema.get("default").is_some_and(|value| value.is_null() || refused(value));
    if is_bad_default && let NodeKind::Object(members) = &mut schema.kind {
        members.retain(|(key, _)| key.name != "default");
    }
}
