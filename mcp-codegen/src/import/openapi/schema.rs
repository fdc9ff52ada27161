//! Schemas of OpenAPI → schemas of JSON Schema 2020-12 that stand alone.
//!
//! What a schema refers to comes along in `$defs`, under the name that the description gives it; what is only a scalar is
//! written where it is used.

use std::collections::{BTreeMap, BTreeSet};

use super::dialect::{
    anything, exclusive, is_bookkeeping, is_exclusive, is_quiet, is_scalar, known_types, nullable, put_example,
    put_required, tidy,
};
use super::docs::{At, Docs, Target};
use super::rule;
use crate::diagnostic::Diagnostics;
use crate::document::{Key, Node, NodeKind};
use crate::pattern;
use crate::schema::{Takes, schemas_inside, takes};
use crate::source::Span;

/// Schemas inside each other; what is deeper may be anything.
const MAX_DEPTH: usize = 60;

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
    /// The same from the other side.
    targets: BTreeMap<String, Target>,
    /// Keywords that say nothing to a client and were left out.
    pub(super) dropped: BTreeSet<String>,
    pub(super) found: Diagnostics,
}

#[derive(Clone, Debug)]
struct Definition {
    schema: Node,
    refers_to: BTreeSet<Target>,
}

/// What a walk through a schema is about: whose it is, how deep it is, and what was met on the way.
struct Walk<'r> {
    direction: Direction,
    depth: usize,
    /// Properties of the same object that are left out elsewhere in an `allOf`.
    hidden: BTreeSet<String>,
    refers_to: &'r mut BTreeSet<Target>,
}

impl<'r> Walk<'r> {
    const fn new(direction: Direction, refers_to: &'r mut BTreeSet<Target>) -> Self {
        Self { direction, depth: 0, hidden: BTreeSet::new(), refers_to }
    }

    fn deeper(&mut self) -> Walk<'_> {
        let (direction, depth, hidden) = (self.direction, self.depth + 1, BTreeSet::new());
        Walk { direction, depth, hidden, refers_to: &mut *self.refers_to }
    }
}

impl<'d> Schemas<'d> {
    pub(super) fn new(docs: &'d Docs, is_30: bool) -> Self {
        let (defs, names, targets) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { docs, is_30, defs, names, targets, dropped: BTreeSet::new(), found: Diagnostics::default() }
    }

    /// Converts a schema that stands in an operation. Its references are names of definitions.
    pub(super) fn convert(&mut self, at: At<'_>, direction: Direction) -> Node {
        self.schema(at, &mut Walk::new(direction, &mut BTreeSet::new()))
    }

    /// A converted schema with `$defs` for all that it refers to.
    pub(super) fn complete(&mut self, mut root: Node, direction: Direction) -> Node {
        let mut needed = BTreeSet::new();
        let mut open = self.targets_in(&root);
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
            for (name, schema) in defs {
                table.push(&name, schema);
            }
            root.push("$defs", table);
        }
        root
    }

    /// What a converted schema refers to.
    fn targets_in(&self, schema: &Node) -> Vec<Target> {
        let mut targets = Vec::new();
        let mut open = vec![schema];
        while let Some(schema) = open.pop() {
            targets.extend(self.referred(schema).cloned());
            open.extend(schemas_inside(schema));
        }
        targets
    }

    fn referred(&self, schema: &Node) -> Option<&Target> {
        let reference = schema.get("$ref").and_then(Node::as_str)?;
        self.targets.get(reference.strip_prefix("#/$defs/")?)
    }

    /// A converted schema that begins with a reference, taken apart: the definition's own text in its place.
    pub(super) fn opened(&mut self, mut schema: Node, direction: Direction) -> Node {
        for _ in 0..16 {
            let Some(target) = self.referred(&schema).cloned() else { break };
            let mut opened = self.definition(&target, direction).schema.clone();
            for (key, value) in schema.members().unwrap_or_default().iter().filter(|(key, _)| key.name != "$ref") {
                opened.put(key, value.clone());
            }
            schema = opened;
        }
        schema
    }

    fn definition(&mut self, target: &Target, direction: Direction) -> &Definition {
        let key = (direction, target.clone());
        if !self.defs.contains_key(&key) {
            let mut refers_to = BTreeSet::new();
            let at = self.docs.resolve(target.file, &format!("#{}", target.pointer.replace('%', "%25")));
            let schema = match at {
                Ok((_, at)) => self.schema(at, &mut Walk::new(direction, &mut refers_to)),
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
        let name = std::iter::once(plain.clone()).chain(numbered).find(|name| !self.targets.contains_key(name));
        let name = name.unwrap_or(plain);
        self.targets.insert(name.clone(), target.clone());
        self.names.insert(target.clone(), name.clone());
        name
    }

    fn schema(&mut self, at: At<'_>, walk: &mut Walk<'_>) -> Node {
        let members = match &at.node.kind {
            NodeKind::Bool(value) => return Node::new(NodeKind::Bool(*value), at.node.span),
            NodeKind::Object(members) if walk.depth < MAX_DEPTH => members,
            _ => return anything(),
        };
        let mut schema = Node::object(at.node.span);
        if let Some(reference) = at.node.get("$ref") {
            self.reference((at, reference), walk, &mut schema);
            // Up to 3.0 nothing that stands beside a reference counts.
            if self.is_30 {
                return schema;
            }
        }
        let hidden = if walk.direction == Direction::Request { "readOnly" } else { "writeOnly" };
        let mut left_out = self.properties_with(at, hidden);
        left_out.extend(at.items("allOf").flat_map(|part| self.properties_with(self.target(part), hidden)));
        left_out.extend(walk.hidden.iter().cloned());
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
                            properties.put(name, self.schema(at.of(property), &mut walk.deeper()));
                        }
                    }
                    schema.put(key, properties);
                }
                "allOf" if value.node.items().is_some_and(|parts| !parts.is_empty()) => {
                    let parts = at.items("allOf").map(|part| {
                        let mut inside = walk.deeper();
                        inside.hidden.clone_from(&left_out);
                        self.schema(part, &mut inside)
                    });
                    let parts = parts.collect();
                    schema.put(key, Node::new(NodeKind::Array(parts), value.node.span));
                }
                _ => self.keyword((key, value), walk, &mut schema),
            }
        }
        // 3.1 no longer has it, but who still writes it means it.
        if at.is("nullable") {
            schema = nullable(schema);
        }
        tidy(&mut schema);
        schema
    }

    fn reference(&mut self, (at, reference): (At<'_>, &Node), walk: &mut Walk<'_>, schema: &mut Node) {
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
            *schema = self.schema(found, &mut walk.deeper());
            return;
        }
        let name = self.name(&target);
        schema.push("$ref", Node::string(&format!("#/$defs/{name}"), reference.span));
        walk.refers_to.insert(target);
    }

    /// The schema itself, or what it refers to.
    fn target<'a>(&'a self, at: At<'a>) -> At<'a> {
        let target = at.text("$ref").and_then(|reference| self.docs.resolve(at.file, reference).ok());
        target.map_or(at, |(_, target)| target)
    }

    /// The properties that are marked as only read, or only written.
    fn properties_with(&self, at: At<'_>, mark: &str) -> BTreeSet<String> {
        let is_marked = |property: At<'_>| property.is(mark) || self.target(property).is(mark);
        at.members("properties").filter(|(_, property)| is_marked(*property)).map(|(name, _)| name.to_owned()).collect()
    }

    /// A keyword that means the same in both, if its value is what it takes.
    fn keyword(&mut self, (key, value): (&Key, At<'_>), walk: &mut Walk<'_>, schema: &mut Node) {
        let node = value.node;
        let kept = match takes(&key.name) {
            _ if is_bookkeeping(&key.name) => None,
            Some(Takes::Any) => Some(node.clone()),
            Some(Takes::Bool) => node.as_bool().filter(|value| *value).map(|_| node.clone()),
            Some(Takes::BoolOrNumber | Takes::Number | Takes::Count) => {
                let is_count = takes(&key.name) == Some(Takes::Count);
                let is_step = key.name == "multipleOf";
                let fits = |text: &str| match (is_count, is_step) {
                    (true, _) => crate::schema::as_integer(text).is_some_and(|count| count >= 0),
                    // A step of nothing reaches no number.
                    (_, true) => text.parse().is_ok_and(|step: f64| step > 0.0),
                    (false, false) => true,
                };
                node.as_number().filter(|text| fits(text)).map(|_| node.clone())
            }
            Some(Takes::List) => node.items().filter(|items| !items.is_empty()).map(|_| node.clone()),
            Some(Takes::Text) => node.as_str().map(|_| node.clone()),
            Some(Takes::Type) => known_types(node),
            Some(Takes::Schema | Takes::SchemaOrList) if node.items().is_none() => {
                Some(self.schema(value, &mut walk.deeper()))
            }
            Some(Takes::SchemaOrList | Takes::SchemaList) => {
                let items = node.items().filter(|items| !items.is_empty());
                items.map(|items| {
                    let converted = items.iter().map(|item| self.schema(value.of(item), &mut walk.deeper()));
                    Node::new(NodeKind::Array(converted.collect()), node.span)
                })
            }
            Some(Takes::SchemaMap) => node.members().map(|members| {
                let mut map = Node::object(node.span);
                for (name, inner) in members {
                    map.put(name, self.schema(value.of(inner), &mut walk.deeper()));
                }
                map
            }),
            Some(Takes::Needs) if key.name == "dependentRequired" => Some(node.clone()),
            Some(Takes::Needs | Takes::Schema | Takes::Texts) | None => None,
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
