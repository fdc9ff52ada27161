//! The schema that decides about arguments where decoding alone does not.

use std::borrow::Cow;

use crate::contract::{SchemaPair, Tool};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::{Node, NodeKind};
use crate::formats::{Formats, StringFormat};
use crate::ir::Validation;
use crate::lower::formats;
use crate::pattern::{self, Dialect};
use crate::schema::{self, schemas_inside, subschemas_mut};
use crate::source::Span;

/// What decides about a tool's arguments, if not their type.
///
/// A validator refuses a schema that is malformed in any place, and so would refuse every call: what says nothing is
/// left out for it, and what it cannot read is an error. Where it asserts formats at all, it must have no others.
pub(super) fn validation(tool: &Tool, formats: Option<&Formats>, found: &mut Diagnostics) -> Validation {
    // What there is to say about the dialect was said when the contract was read.
    let mut schema = schema::known(&tool.input.wire, &mut Diagnostics::default()).into_owned();
    older_spellings(&schema, found);
    leave_out_malformed(&mut schema);
    if let Some(formats) = formats {
        formats::leave_out_others(&mut schema, formats);
    }
    if let Some(rules) = &tool.rules {
        enforce(rules, &mut schema);
    }
    if !refers_to_patterns(&schema) {
        spell_out(&mut schema);
    }
    let text = schema.to_json();
    if text == tool.input.wire.to_json() { Validation::Definition } else { Validation::Schema(text) }
}

/// The schema by which refused arguments or results are judged, where the definition's does not say it all: rules stand
/// in its description only, and whoever judges knows neither dialects of an author's own nor schemas with a URI inside others.
/// Nor does it know that a format is asserted for the other schema of the tool only.
pub(super) fn judged(
    pair: &SchemaPair,
    rules: Option<&Node>,
    (asserted, formats): (&[StringFormat], &Formats),
) -> Option<String> {
    let mut schema = if has_resources(&pair.wire) {
        Cow::Owned(pair.typed.clone())
    } else {
        schema::known(&pair.wire, &mut Diagnostics::default())
    };
    if let Some(rules) = rules {
        enforce(rules, schema.to_mut());
    }
    if asserted.iter().any(|format| !formats.asserts(*format)) {
        formats::leave_out_others(schema.to_mut(), formats);
    }
    // What nobody touched is the definition's.
    let Cow::Owned(schema) = schema else { return None };
    let text = schema.to_json();
    (text != pair.wire.to_json()).then_some(text)
}

/// Whether a schema inside has a URI of its own, from which references start.
fn has_resources(root: &Node) -> bool {
    let mut open: Vec<&Node> = schemas_inside(root);
    while let Some(schema) = open.pop() {
        if schema.get("$id").is_some() {
            return true;
        }
        open.extend(schemas_inside(schema));
    }
    false
}

/// Reports what was spelled so in older dialects, and is no schema in this one.
fn older_spellings(root: &Node, found: &mut Diagnostics) {
    let dialect = root.get("$schema").and_then(Node::as_str).unwrap_or("2020-12");
    let mut open = vec![root];
    while let Some(schema) = open.pop() {
        for (key, value) in schema.members().unwrap_or_default() {
            let since = match (key.name.as_str(), &value.kind) {
                ("exclusiveMinimum" | "exclusiveMaximum", NodeKind::Bool(_)) if !dialect.contains("draft-04") => {
                    "draft-06"
                }
                ("items", NodeKind::Array(_)) if dialect.contains("2020-12") => "2020-12",
                _ => continue,
            };
            let message = format!("`{}` is no longer spelled so since {since}", key.name);
            let finding = Diagnostic::error(Code::DIALECT, value.span, message);
            found.push(finding.help("name the schema's dialect by `$schema`, or use the spelling of 2020-12"));
        }
        open.extend(schemas_inside(schema));
    }
}

/// Leaves out annotations of another type than they should have.
fn leave_out_malformed(schema: &mut Node) {
    if let NodeKind::Object(members) = &mut schema.kind {
        members.retain(|(key, value)| match key.name.as_str() {
            "$comment" | "contentEncoding" | "contentMediaType" => value.as_str().is_some(),
            "deprecated" | "readOnly" | "writeOnly" => value.as_bool().is_some(),
            "examples" => value.items().is_some(),
            _ => true,
        });
    }
    for inside in subschemas_mut(schema) {
        leave_out_malformed(inside);
    }
}

/// Every pattern in some schemas.
pub(super) fn patterns<'n>(schemas: impl Iterator<Item = &'n Node>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open: Vec<&Node> = schemas.collect();
    while let Some(schema) = open.pop() {
        for (key, value) in schema.members().unwrap_or_default() {
            match (key.name.as_str(), &value.kind) {
                ("pattern", NodeKind::String(pattern)) => found.push(pattern.clone()),
                ("patternProperties", NodeKind::Object(properties)) => {
                    found.extend(properties.iter().map(|(pattern, _)| pattern.name.clone()));
                }
                _ => {}
            }
        }
        open.extend(schemas_inside(schema));
    }
    found.sort();
    found.dedup();
    found
}

/// Says the rules of a short form in keywords, which only the validator gets to see.
fn enforce(rules: &Node, schema: &mut Node) {
    let mut all = Vec::new();
    for group in rules.get("one_of").and_then(Node::items).unwrap_or_default() {
        all.push(object("oneOf", array(names(group).map(|name| required(&[name])).collect())));
    }
    for (key, needed) in rules.get("requires").and_then(Node::members).unwrap_or_default() {
        let needed = array(names(needed).map(|name| Node::string(name, Span::default())).collect());
        all.push(object("dependentRequired", object(&key.name, needed)));
    }
    for group in rules.get("conflicts").and_then(Node::items).unwrap_or_default() {
        let names: Vec<&str> = names(group).collect();
        for (index, one) in names.iter().enumerate() {
            all.extend(names[index + 1..].iter().map(|other| object("not", required(&[one, other]))));
        }
    }
    if !all.is_empty() {
        schema.push("allOf", array(all));
    }
}

fn names(group: &Node) -> impl Iterator<Item = &str> {
    group.items().unwrap_or_default().iter().filter_map(Node::as_str)
}

fn required(names: &[&str]) -> Node {
    object("required", array(names.iter().map(|name| Node::string(name, Span::default())).collect()))
}

fn array(items: Vec<Node>) -> Node {
    Node::new(NodeKind::Array(items), Span::default())
}

fn object(key: &str, value: Node) -> Node {
    let mut object = Node::object(Span::default());
    object.push(key, value);
    object
}

/// Writes patterns so that the validator's engines read them as ECMA-262 does.
fn spell_out(schema: &mut Node) {
    let respell = |pattern: &mut String| {
        if let Ok(node) = pattern::parse(pattern) {
            *pattern = pattern::print(&node, Dialect::Common);
        }
    };
    let NodeKind::Object(members) = &mut schema.kind else { return };
    for (key, value) in members {
        match (key.name.as_str(), &mut value.kind) {
            ("pattern", NodeKind::String(pattern)) => respell(pattern),
            ("patternProperties", NodeKind::Object(properties)) => {
                for (pattern, _) in properties {
                    respell(&mut pattern.name);
                }
            }
            _ => {}
        }
    }
    for inside in subschemas_mut(schema) {
        spell_out(inside);
    }
}

/// Whether a reference goes through a pattern, which must then stay as it is.
fn refers_to_patterns(schema: &Node) -> bool {
    schema.to_json().contains("/patternProperties/")
}
