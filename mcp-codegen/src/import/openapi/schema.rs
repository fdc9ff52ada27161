//! Schemas of OpenAPI → schemas of JSON Schema 2020-12 that stand alone.
//!
//! What a schema refers to comes along in `$defs`, under the name that the description gives it; what is only a scalar is
//! written where it is used.

use std::collections::{BTreeMap, BTreeSet};

use super::docs::{At, Docs, Target};
use super::rule;
use crate::diagnostic::Diagnostics;
use crate::document::{Key, Node, NodeKind};
use crate::pattern;
use crate::schema::{JsonType, Takes, refusal, same, takes};
use crate::source::Span;

/// Schemas inside each other; what is deeper may be anything.
const MAX_DEPTH: usize = 60;

/// Longer scalars are worth a definition of their own.
const MAX_INLINE: usize = 600;

/// Definitions of one tool, at most.
const MAX_DEFS: usize = 2_000;

/// Who sends what the schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Direction {
    Request,
    Response,
}

/// All schemas of a description, each converted once for each direction.
pub(super) struct Schemas<'d> {
    docs: &'d Docs,
    is_30: bool,
    defs: BTreeMap<(Direction, Target), Definition>,
    names: BTreeMap<Target, String>,
    taken: BTreeSet<String>,
    /// Keywords that say nothing to a client and were left out.
    pub(super) dropped: BTreeSet<String>,
    pub(super) found: Diagnostics,
}

#[derive(Clone, Debug)]
struct Definition {
    schema: Node,
    refers_to: BTreeSet<Target>,
}

/// A schema whose references are names of definitions.
#[derive(Clone, Debug)]
pub(super) struct Converted {
    pub(super) schema: Node,
    refers_to: BTreeSet<Target>,
}

impl Converted {
    /// A schema that refers to nothing.
    pub(super) fn of(schema: Node) -> Self {
        Self { schema, refers_to: BTreeSet::new() }
    }
}

impl<'d> Schemas<'d> {
    pub(super) fn new(docs: &'d Docs, is_30: bool) -> Self {
        let (defs, names, taken) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        Self { docs, is_30, defs, names, taken, dropped: BTreeSet::new(), found: Diagnostics::default() }
    }

    /// Converts a schema that stands in an operation.
    pub(super) fn convert(&mut self, at: At<'_>, direction: Direction) -> Converted {
        let mut refers_to = BTreeSet::new();
        let schema = self.schema(at, (direction, 0), &mut refers_to);
        Converted { schema, refers_to }
    }

    /// The schema with `$defs` for all that it refers to.
    pub(super) fn complete(&mut self, converted: &[&Converted], mut root: Node, direction: Direction) -> Node {
        let mut needed = BTreeSet::new();
        let mut open: Vec<Target> = converted.iter().flat_map(|one| one.refers_to.iter().cloned()).collect();
        while let Some(target) = open.pop() {
            if needed.len() < MAX_DEFS && needed.insert(target.clone()) {
                open.extend(self.definition(&target, direction).refers_to.iter().cloned());
            }
        }
        let mut defs: Vec<(String, Node)> = needed
            .into_iter()
            .map(|target| (self.name(&target), self.definition(&target, direction).schema.clone()))
            .collect();
        if !defs.is_empty() {
            defs.sort_by(|a, b| a.0.cmp(&b.0));
            let mut table = Node::object(Span::default());
            defs.into_iter().for_each(|(name, schema)| table.push(&name, schema));
            root.push("$defs", table);
        }
        root
    }

    /// A schema that begins with a reference, taken apart: the definition's own text in its place.
    pub(super) fn opened(&mut self, mut converted: Converted, direction: Direction) -> Converted {
        for _ in 0..16 {
            let reference = converted.schema.get("$ref").and_then(Node::as_str).map(str::to_owned);
            let Some(name) = reference.as_deref().and_then(|text| text.strip_prefix("#/$defs/")) else { break };
            let Some(target) = self.names.iter().find(|(_, known)| *known == name).map(|(target, _)| target.clone())
            else {
                break;
            };
            let Definition { schema, refers_to } = self.definition(&target, direction).clone();
            let mut opened = schema;
            for (key, value) in
                converted.schema.members().unwrap_or_default().iter().filter(|(key, _)| key.name != "$ref")
            {
                opened.put(key, value.clone());
            }
            converted = Converted { schema: opened, refers_to };
        }
        converted
    }

    fn definition(&mut self, target: &Target, direction: Direction) -> &Definition {
        let key = (direction, target.clone());
        if !self.defs.contains_key(&key) {
            let mut refers_to = BTreeSet::new();
            let at = self.docs.resolve(target.file, &format!("#{}", target.pointer.replace('%', "%25")));
            let schema = match at {
                Ok((_, at)) => self.schema(at, (direction, 0), &mut refers_to),
                Err(_) => anything(),
            };
            self.defs.insert(key.clone(), Definition { schema, refers_to });
        }
        &self.defs[&key]
    }

    /// The name of a definition: that of the component, or the end of the path that leads to it.
    fn name(&mut self, target: &Target) -> String {
        if let Some(name) = self.names.get(target) {
            return name.clone();
        }
        let last = target.pointer.rsplit('/').find(|step| !step.is_empty()).unwrap_or("root");
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let plain: String = last.chars().map(|c| if is_plain(c) { c } else { '_' }).take(100).collect();
        let numbered = (2..).map(|number| format!("{plain}_{number}"));
        let name = std::iter::once(plain.clone()).chain(numbered).find(|name| !self.taken.contains(name));
        let name = name.unwrap_or(plain);
        self.taken.insert(name.clone());
        self.names.insert(target.clone(), name.clone());
        name
    }

    fn schema(&mut self, at: At<'_>, (direction, depth): (Direction, usize), refers_to: &mut BTreeSet<Target>) -> Node {
        let members = match &at.node.kind {
            NodeKind::Bool(value) => return Node::new(NodeKind::Bool(*value), at.node.span),
            NodeKind::Object(members) if depth < MAX_DEPTH => members,
            _ => return anything(),
        };
        let mut schema = Node::object(at.node.span);
        if let Some(reference) = at.node.get("$ref") {
            self.reference(at, reference, (direction, depth, &mut schema), refers_to);
            // Up to 3.0 nothing that stands beside a reference counts.
            if self.is_30 {
                return schema;
            }
        }
        let hidden = if direction == Direction::Request { "readOnly" } else { "writeOnly" };
        let left_out = self.properties_with(at, hidden);
        for (key, value) in members {
            let value = at.of(value);
            match key.name.as_str() {
                "$ref" | "nullable" | "readOnly" | "writeOnly" => {}
                "example" => put_example(&mut schema, value.node),
                "exclusiveMinimum" | "exclusiveMaximum" if value.node.as_bool().is_some() => {
                    exclusive(at.node, &key.name, value.node, &mut schema);
                }
                "minimum" | "maximum" if is_exclusive(at.node, &key.name) => {}
                "required" => put_required(&mut schema, value.node, &left_out),
                "properties" => {
                    let mut properties = Node::object(value.node.span);
                    for (name, property) in value.node.members().unwrap_or_default() {
                        if !left_out.contains(&name.name) {
                            properties.put(name, self.schema(at.of(property), (direction, depth + 1), refers_to));
                        }
                    }
                    schema.put(key, properties);
                }
                _ => self.keyword(key, value, (direction, depth, &mut schema), refers_to),
            }
        }
        // 3.1 no longer has it, but who still writes it means it.
        if at.is("nullable") {
            schema = nullable(schema);
        }
        tidy(&mut schema);
        schema
    }

    fn reference(
        &mut self,
        at: At<'_>,
        reference: &Node,
        (direction, depth, schema): (Direction, usize, &mut Node),
        refers_to: &mut BTreeSet<Target>,
    ) {
        let text = reference.as_str().unwrap_or_default();
        let docs = self.docs;
        let (target, found) = match docs.resolve(at.file, text) {
            Ok(resolved) => resolved,
            Err(why) => {
                self.found.push(rule::reference(reference.span, why));
                return;
            }
        };
        if is_scalar(found.node) {
            *schema = self.schema(found, (direction, depth + 1), refers_to);
            return;
        }
        let name = self.name(&target);
        schema.push("$ref", Node::string(&format!("#/$defs/{name}"), reference.span));
        refers_to.insert(target);
    }

    /// The properties that are marked as only read, or only written.
    fn properties_with(&self, at: At<'_>, mark: &str) -> BTreeSet<String> {
        let is_marked = |property: At<'_>| {
            let target = || {
                let reference = property.text("$ref")?;
                self.docs.resolve(property.file, reference).ok().map(|(_, at)| at)
            };
            property.is(mark) || target().is_some_and(|target| target.is(mark))
        };
        at.members("properties").filter(|(_, property)| is_marked(*property)).map(|(name, _)| name.to_owned()).collect()
    }

    /// A keyword that means the same in both, if its value is what it takes.
    fn keyword(
        &mut self,
        key: &Key,
        value: At<'_>,
        (direction, depth, schema): (Direction, usize, &mut Node),
        refers_to: &mut BTreeSet<Target>,
    ) {
        let inside = (direction, depth + 1);
        let node = value.node;
        let kept = match takes(&key.name) {
            _ if is_bookkeeping(&key.name) => None,
            Some(Takes::Any) => Some(node.clone()),
            Some(Takes::Bool) => node.as_bool().filter(|value| *value).map(|_| node.clone()),
            Some(Takes::BoolOrNumber | Takes::Number | Takes::Count) => {
                let is_count = takes(&key.name) == Some(Takes::Count);
                let fits = |text: &str| !is_count || crate::schema::as_integer(text).is_some_and(|count| count >= 0);
                node.as_number().filter(|text| fits(text)).map(|_| node.clone())
            }
            Some(Takes::List) => node.items().filter(|items| !items.is_empty()).map(|_| node.clone()),
            Some(Takes::Text) => node.as_str().map(|_| node.clone()),
            Some(Takes::Texts) => None,
            Some(Takes::Type) => known_types(node),
            Some(Takes::Schema | Takes::SchemaOrList) if node.items().is_none() => {
                Some(self.schema(value, inside, refers_to))
            }
            Some(Takes::SchemaOrList | Takes::SchemaList) => {
                let items = node.items().filter(|items| !items.is_empty());
                items.map(|items| {
                    let converted = items.iter().map(|item| self.schema(value.of(item), inside, refers_to));
                    Node::new(NodeKind::Array(converted.collect()), node.span)
                })
            }
            Some(Takes::SchemaMap) => node.members().map(|members| {
                let mut map = Node::object(node.span);
                for (name, inner) in members {
                    map.put(name, self.schema(value.of(inner), inside, refers_to));
                }
                map
            }),
            Some(Takes::Needs) if key.name == "dependentRequired" => Some(node.clone()),
            Some(Takes::Needs | Takes::Schema) | None => None,
        };
        let readable =
            |node: &Node| key.name != "pattern" || node.as_str().is_some_and(|text| pattern::parse(text).is_ok());
        let kept = kept.filter(readable);
        match kept {
            // A list of schemas for the first items was spelled so once.
            Some(kept) if key.name == "items" && kept.items().is_some() => schema.push("prefixItems", kept),
            Some(kept) => schema.put(key, kept),
            None if !is_quiet(&key.name, node) => {
                self.dropped.insert(key.name.clone());
            }
            None => {}
        }
    }
}

/// `true`
fn anything() -> Node {
    Node::object(Span::default())
}

/// Keywords about the document that the schema stood in.
fn is_bookkeeping(keyword: &str) -> bool {
    keyword.starts_with('$') && keyword != "$comment" || keyword == "definitions"
}

/// What nobody misses.
fn is_quiet(keyword: &str, value: &Node) -> bool {
    value.is_null() || value.as_bool() == Some(false) || keyword.starts_with("x-") || is_bookkeeping(keyword)
}

/// A schema that holds no other: it is shorter where it is used than as a definition.
fn is_scalar(schema: &Node) -> bool {
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
fn known_types(ty: &Node) -> Option<Node> {
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
fn put_example(schema: &mut Node, example: &Node) {
    const MAX_EXAMPLE: usize = 200;
    if schema.get("examples").is_none() && !example.is_null() && example.to_json().len() <= MAX_EXAMPLE {
        schema.push("examples", Node::new(NodeKind::Array(vec![example.clone()]), example.span));
    }
}

fn put_required(schema: &mut Node, required: &Node, left_out: &BTreeSet<String>) {
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
fn is_exclusive(schema: &Node, bound: &str) -> bool {
    let neighbor = if bound == "minimum" { "exclusiveMinimum" } else { "exclusiveMaximum" };
    schema.get(neighbor).and_then(Node::as_bool) == Some(true)
}

/// `minimum: 0` with `exclusiveMinimum: true` is `exclusiveMinimum: 0`.
fn exclusive(from: &Node, keyword: &str, value: &Node, schema: &mut Node) {
    let bound = if keyword == "exclusiveMinimum" { "minimum" } else { "maximum" };
    if value.as_bool() == Some(true)
        && let Some(bound) = from.get(bound).filter(|bound| bound.as_number().is_some())
    {
        schema.push(keyword, bound.clone());
    }
}

/// The same, or null.
fn nullable(mut schema: Node) -> Node {
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
                said.into_iter().for_each(|(key, value)| outer.put(&key, value));
            }
            let mut or_null = Node::object(span);
            or_null.push("type", null());
            outer.push("anyOf", Node::new(NodeKind::Array(vec![schema, or_null]), span));
            outer
        }
    }
}

/// Leaves out what contradicts the rest: values that stand twice, a default that the schema itself refuses.
fn tidy(schema: &mut Node) {
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
