//! The walk through a short schema, keyword by keyword.

use crate::contract::defs::Defs;
use crate::contract::{Hint, Side, hint, keys, portable};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::cursor::nearest;
use crate::document::{Key, Node, NodeKind};
use crate::schema::{self, KEYWORDS, OLDER, Takes, takes};
use crate::source::{Span, Spanned};

/// A contract of a few lines can name definitions that name definitions…: this many schemas are enough for one.
pub(super) const MAX_SCHEMAS: usize = 20_000;

/// Whom a walk writes for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum For {
    Types,
    Wire,
}

/// Where in the schema a walk is.
pub(super) struct Spot {
    /// JSON Pointer from the root.
    pub(super) pointer: String,
    /// Whether `required` says something here.
    pub(super) is_property: bool,
}

impl Spot {
    /// Where a schema begins of which `required` was said outside.
    pub(super) fn root() -> Self {
        Self { pointer: String::new(), is_property: true }
    }

    /// The whole of a table of properties.
    pub(super) fn whole() -> Self {
        Self { pointer: String::new(), is_property: false }
    }

    pub(super) fn inside(&self, step: &str) -> Self {
        Self { pointer: format!("{}/{step}", self.pointer), is_property: false }
    }

    fn property(&self, name: &str) -> Self {
        Self { pointer: format!("{}/properties/{}", self.pointer, schema::escape(name)), is_property: true }
    }
}

/// Walks through a short schema, and notes what it says beside the schema.
pub(super) struct Expander<'c, 'd> {
    pub(super) defs: &'c Defs,
    pub(super) side: For,
    pub(super) found: &'d mut Diagnostics,
    pub(super) hints: Vec<Hint>,
    /// Recursive definitions that the wire has to carry.
    pub(super) carried: Vec<String>,
    pub(super) schemas: usize,
}

impl<'c, 'd> Expander<'c, 'd> {
    pub(super) fn new(defs: &'c Defs, side: For, found: &'d mut Diagnostics) -> Self {
        Self { defs, side, found, hints: Vec::new(), carried: Vec::new(), schemas: 0 }
    }

    /// A table of properties.
    pub(super) fn object(&mut self, table: &Node, additional: Option<&Node>, spot: &Spot) -> Node {
        let additional = additional.map(|node| self.schema_or_bool(node, &spot.inside("additionalProperties")));
        let properties = self.properties(table, spot);
        portable::object(table.span, properties, additional)
    }

    /// Properties, and the names of those that are required.
    fn properties(&mut self, table: &Node, spot: &Spot) -> (Vec<(Key, Node)>, Vec<Node>) {
        let Some(members) = table.members() else {
            self.refuse(table, "expected a table of properties", "write `name = { type = \"string\" }`");
            return (Vec::new(), Vec::new());
        };
        let mut properties = Vec::with_capacity(members.len());
        let mut required = Vec::new();
        for (key, value) in members {
            if value.get("required").and_then(Node::as_bool) == Some(true) {
                required.push(Node::string(&key.name, key.span));
            }
            properties.push((key.clone(), self.schema(value, &spot.property(&key.name))));
        }
        (properties, required)
    }

    pub(super) fn schema(&mut self, node: &Node, spot: &Spot) -> Node {
        self.schemas += 1;
        let Some(members) = node.members().filter(|_| self.schemas <= MAX_SCHEMAS) else {
            if node.members().is_none() {
                self.refuse(node, "expected a table of keywords", &portable::proposal(node));
            }
            return Node::object(node.span);
        };
        if let Some((name, span)) = node.get("ref").and_then(|name| Some((name.as_str()?, name.span))) {
            let name = Spanned::new(name.to_owned(), span);
            return self.reference(members, &name, spot);
        }
        let mut schema = Node::object(node.span);
        for (key, value) in members {
            self.keyword(key, value, (spot, &mut schema));
        }
        portable::complete(&mut schema);
        if self.side == For::Wire {
            portable::say_format(&mut schema);
            let is_split = schema.get("anyOf").is_some();
            portable::respell(&mut schema, node.get("wire").is_some());
            if !is_split {
                self.move_into_branches(&schema, spot);
            }
        }
        schema
    }

    /// Lets what was said about places inside a schema follow them into the branches that it was split into.
    fn move_into_branches(&mut self, schema: &Node, spot: &Spot) {
        let Some(branches) = schema.get("anyOf").and_then(Node::items) else { return };
        let inside = format!("{}/", spot.pointer);
        let mut moved = Vec::new();
        self.hints.retain(|hint| {
            let Some(rest) = hint.pointer.value.strip_prefix(&inside) else { return true };
            let keyword = rest.split('/').next().unwrap_or_default();
            let homes = branches.iter().enumerate().filter(|(_, branch)| branch.get(keyword).is_some());
            moved.extend(homes.map(|(index, _)| {
                let pointer = format!("{inside}anyOf/{index}/{rest}");
                Hint { pointer: Spanned::new(pointer, hint.pointer.span), ..hint.clone() }
            }));
            false
        });
        self.hints.extend(moved);
    }

    fn schema_or_bool(&mut self, node: &Node, spot: &Spot) -> Node {
        if node.as_bool().is_some() { node.clone() } else { self.schema(node, spot) }
    }

    /// Adds what one key of a short schema says.
    fn keyword(&mut self, key: &Key, value: &Node, (spot, schema): (&Spot, &mut Node)) {
        let name = key.name.as_str();
        if self.own(key, value, spot) {
            return;
        }
        let value = match takes(name) {
            // One that is a string is followed before anything else is read.
            _ if name == "ref" => {
                let message = format!("`ref` has {}, expected the name of a definition", value.describe());
                self.refuse_key(key, &message, "write `ref = \"Name\"` and define `[defs.Name]`");
                return;
            }
            _ if name.starts_with('$') && name != "$comment" => {
                let help = "write `ref = \"Name\"` and define `[defs.Name]`";
                self.refuse_key(key, &format!("`{name}` has no place in a short schema"), help);
                return;
            }
            Some(Takes::SchemaMap) if name == "properties" => {
                let (properties, required) = self.properties(value, spot);
                schema.put(key, Node::new(NodeKind::Object(properties), value.span));
                if !required.is_empty() {
                    schema.push("required", Node::new(NodeKind::Array(required), value.span));
                }
                return;
            }
            Some(Takes::Schema) => self.schema_or_bool(value, &spot.inside(name)),
            Some(Takes::SchemaOrList) if value.items().is_some() => {
                self.refuse_key(key, &format!("`{name}` has an array"), "write `prefixItems` for a tuple");
                return;
            }
            Some(Takes::SchemaOrList) => self.schema(value, &spot.inside(name)),
            Some(Takes::SchemaList) => self.list(value, &spot.inside(name)),
            Some(Takes::SchemaMap) => self.map(value, &spot.inside(name)),
            Some(_) => value.clone(),
            None if name.starts_with("x-") => value.clone(),
            None => {
                self.unknown_keyword(key);
                return;
            }
        };
        schema.put(key, value);
    }

    fn list(&mut self, value: &Node, spot: &Spot) -> Node {
        let Some(items) = value.items() else { return value.clone() };
        let item = |(index, item): (usize, &Node)| self.schema_or_bool(item, &spot.inside(&index.to_string()));
        Node::new(NodeKind::Array(items.iter().enumerate().map(item).collect()), value.span)
    }

    fn map(&mut self, value: &Node, spot: &Spot) -> Node {
        let Some(members) = value.members() else { return value.clone() };
        let member = |(key, value): &(Key, Node)| {
            (key.clone(), self.schema_or_bool(value, &spot.inside(&schema::escape(&key.name))))
        };
        Node::new(NodeKind::Object(members.iter().map(member).collect()), value.span)
    }

    /// Takes the keys that are ours, and says whether this was one of them.
    pub(super) fn own(&mut self, key: &Key, value: &Node, spot: &Spot) -> bool {
        match key.name.as_str() {
            "required" if value.as_bool().is_none() => {
                let help = "write `required = true` on each property that must be there";
                self.refuse_key(key, &format!("`required` has {}, expected a boolean", value.describe()), help);
            }
            "required" if !spot.is_property => {
                self.refuse_key(key, "`required` stands on something that is no property", "leave it out");
            }
            "required" => {}
            name @ ("secret" | "rust" | "wire") => {
                let index = self.hint_at(spot, key.span);
                hint::set(&mut self.hints[index], name, value, self.found);
            }
            _ => return false,
        }
        true
    }

    /// Which of the hints is about this place.
    pub(super) fn hint_at(&mut self, spot: &Spot, span: Span) -> usize {
        let known = self.hints.iter().rposition(|hint| hint.pointer.value == spot.pointer);
        known.unwrap_or_else(|| {
            self.hints.push(hint::about(Spanned::new(spot.pointer.clone(), span), Side::Input));
            self.hints.len() - 1
        })
    }

    fn refuse(&mut self, node: &Node, expected: &str, help: &str) {
        let message = format!("found {}, {expected}", node.describe());
        self.found.push(Diagnostic::error(Code::SHORT_SCHEMA, node.span, message).help(help));
    }

    fn unknown_keyword(&mut self, key: &Key) {
        let is_short = |name: &&str| !name.starts_with('$') && !OLDER.contains(name);
        let ours = keys::PROPERTY.entries().map(|entry| entry.name);
        let known: Vec<&str> = KEYWORDS.iter().map(|(name, _)| *name).filter(is_short).chain(ours).collect();
        let message = format!("unknown keyword `{}` in a short schema", key.name);
        let finding = Diagnostic::error(Code::UNKNOWN_KEY, key.span, message);
        self.found.push(match nearest(&key.name, &known) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding.help("use the keywords of JSON Schema; what begins with `x-` is yours"),
        });
    }

    pub(super) fn refuse_key(&mut self, key: &Key, message: &str, help: &str) {
        self.found.push(Diagnostic::error(Code::SHORT_SCHEMA, key.span, message).help(help));
    }
}
