//! Short schemas → schemas: once as every client reads them, once as the types should see them.
//!
//! Both come from the same walk. On the wire a `ref` is inlined unless its definition is recursive; the types get
//! `{"$ref": "mcp-codegen:Name"}`, so that a definition becomes one Rust type.

use crate::contract::defs::Defs;
use crate::contract::{Hint, SchemaPair, Side, hint, portable};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use crate::document::cursor::nearest;
use crate::document::{Key, Node, NodeKind};
use crate::schema::{self, KEYWORDS, Takes, takes};
use crate::source::{Span, Spanned};

/// A short schema, expanded.
#[derive(Clone, Debug)]
pub(super) struct Short {
    pub(super) pair: SchemaPair,
    /// Their side is for [`Short::place`] to say.
    hints: Vec<Hint>,
    /// Where secrets stand in the schema on the wire, those of definitions included.
    pub(super) secrets: Vec<String>,
}

/// Keywords of dialects before 2020-12, whose meaning others have taken over.
const OLDER: [&str; 3] = ["additionalItems", "definitions", "dependencies"];

impl Short {
    /// A schema that was written out in full.
    pub(super) fn verbatim(pair: SchemaPair) -> Self {
        Self { pair, hints: Vec::new(), secrets: Vec::new() }
    }

    /// The schema of a tool without arguments.
    pub(super) fn empty(span: Span) -> Self {
        let wire = portable::object(span, (Vec::new(), Vec::new()), None);
        Self::verbatim(SchemaPair { typed: wire.clone(), wire, portable: true })
    }

    /// Hands its hints over, now that it is known what they are about.
    pub(super) fn place(self, side: Side, hints: &mut Vec<Hint>) -> SchemaPair {
        hints.extend(self.hints.into_iter().map(|hint| Hint { side, ..hint }));
        self.pair
    }
}

/// Expands a table of properties: `args`, `output`, `fields`.
pub(super) fn object(defs: &Defs, table: &Node, additional: Option<&Node>, found: &mut Diagnostics) -> Short {
    expand(defs, found, |expander| expander.object(table, additional, &Spot::whole()))
}

/// Expands one schema that stands alone: a template's variable.
pub(super) fn alone(defs: &Defs, node: &Node, found: &mut Diagnostics) -> Short {
    expand(defs, found, |expander| expander.schema(node, &Spot::root()))
}

/// Expands a definition that is a table of properties, as the types see it.
pub(super) fn typed_object(defs: &Defs, table: &Node, found: &mut Diagnostics) -> (Node, Vec<Hint>) {
    expand_for_types(defs, found, |expander| expander.object(table, None, &Spot::whole()))
}

/// Expands a definition that is a schema, as the types see it.
pub(super) fn typed_alone(defs: &Defs, node: &Node, found: &mut Diagnostics) -> (Node, Vec<Hint>) {
    expand_for_types(defs, found, |expander| expander.schema(node, &Spot::root()))
}

/// A contract of a few lines can name definitions that name definitions…: this many schemas are enough for one.
const MAX_SCHEMAS: usize = 20_000;

fn expand(defs: &Defs, found: &mut Diagnostics, walk: impl Fn(&mut Expander<'_, '_>) -> Node) -> Short {
    let (typed, hints) = expand_for_types(defs, found, &walk);
    // The walk for the wire would say the same again.
    let mut said = Diagnostics::default();
    let mut expander = Expander::new(defs, For::Wire, &mut said);
    let mut wire = walk(&mut expander);
    expander.define(&mut wire);
    if expander.schemas > MAX_SCHEMAS {
        let message = format!("the short schema expands to more than {MAX_SCHEMAS} schemas");
        found.push(
            Diagnostic::error(Code::SHORT_SCHEMA, typed.span, message).help("name fewer definitions in each other"),
        );
    }
    let secrets = expander.hints.into_iter().filter(|hint| hint.secret).map(|hint| hint.pointer.value).collect();
    Short { pair: SchemaPair { wire, typed, portable: true }, hints, secrets }
}

fn expand_for_types(
    defs: &Defs,
    found: &mut Diagnostics,
    walk: impl Fn(&mut Expander<'_, '_>) -> Node,
) -> (Node, Vec<Hint>) {
    let mut expander = Expander::new(defs, For::Types, found);
    let typed = walk(&mut expander);
    let hints = expander.hints;
    schema::read(&typed, found);
    schema::audit(&typed, Severity::Error, found);
    (typed, hints)
}

/// Whom a walk writes for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum For {
    Types,
    Wire,
}

/// Where in the schema a walk is.
struct Spot {
    /// JSON Pointer from the root.
    pointer: String,
    /// Whether `required` says something here.
    is_property: bool,
}

impl Spot {
    /// Where a schema begins of which `required` was said outside.
    fn root() -> Self {
        Self { pointer: String::new(), is_property: true }
    }

    /// The whole of a table of properties.
    fn whole() -> Self {
        Self { pointer: String::new(), is_property: false }
    }

    fn inside(&self, step: &str) -> Self {
        Self { pointer: format!("{}/{step}", self.pointer), is_property: false }
    }

    fn property(&self, name: &str) -> Self {
        Self { pointer: format!("{}/properties/{}", self.pointer, schema::escape(name)), is_property: true }
    }
}

struct Expander<'c, 'd> {
    defs: &'c Defs,
    side: For,
    found: &'d mut Diagnostics,
    hints: Vec<Hint>,
    /// Recursive definitions that the wire has to carry.
    carried: Vec<String>,
    schemas: usize,
}

impl<'c, 'd> Expander<'c, 'd> {
    fn new(defs: &'c Defs, side: For, found: &'d mut Diagnostics) -> Self {
        Self { defs, side, found, hints: Vec::new(), carried: Vec::new(), schemas: 0 }
    }

    /// A table of properties.
    fn object(&mut self, table: &Node, additional: Option<&Node>, spot: &Spot) -> Node {
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

    fn schema(&mut self, node: &Node, spot: &Spot) -> Node {
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
    fn own(&mut self, key: &Key, value: &Node, spot: &Spot) -> bool {
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
    fn hint_at(&mut self, spot: &Spot, span: Span) -> usize {
        let known = self.hints.iter().rposition(|hint| hint.pointer.value == spot.pointer);
        known.unwrap_or_else(|| {
            self.hints.push(hint::about(Spanned::new(spot.pointer.clone(), span), Side::Input));
            self.hints.len() - 1
        })
    }

    /// `ref = "Name"`, with words of its own beside it.
    fn reference(&mut self, members: &[(Key, Node)], name: &Spanned<String>, spot: &Spot) -> Node {
        let mut beside = Node::object(name.span);
        for (key, value) in members.iter().filter(|(key, _)| key.name != "ref") {
            match key.name.as_str() {
                "title" | "description" | "default" | "deprecated" | "examples" => beside.put(key, value.clone()),
                _ if self.own(key, value, spot) => {}
                name => self.refuse_key(key, &format!("`{name}` stands beside `ref`"), "say it in the definition"),
            }
        }
        // What holds a value of a secret type hides it; the type itself has no name to hide.
        if self.side == For::Types && self.defs.is_secret(&name.value) {
            let index = self.hint_at(spot, name.span);
            self.hints[index].secret = true;
        }
        let mut schema = self.target(name, spot);
        let NodeKind::Object(beside) = beside.kind else { return schema };
        for (key, value) in beside {
            schema.put(&key, value);
        }
        schema
    }

    /// The definition, or a reference to it.
    fn target(&mut self, name: &Spanned<String>, spot: &Spot) -> Node {
        let refer = |to: String| {
            let mut node = Node::object(name.span);
            node.push("$ref", Node::string(&to, name.span));
            node
        };
        let Some(def) = self.defs.get(&name.value) else {
            if let Some(finding) = self.defs.undefined(name) {
                self.found.push(finding);
            }
            return Node::object(name.span);
        };
        match self.side {
            For::Types => refer(format!("{}{}", schema::DEFS, name.value)),
            For::Wire if def.is_recursive => {
                if !self.carried.contains(&name.value) {
                    self.carried.push(name.value.clone());
                }
                refer(format!("#/$defs/{}", name.value))
            }
            For::Wire => self.definition(&name.value, spot),
        }
    }

    /// A definition as it stands on the wire at a place.
    fn definition(&mut self, name: &str, spot: &Spot) -> Node {
        let Some(def) = self.defs.get(name) else { return Node::object(Span::default()) };
        if def.is_table { self.object(&def.body, None, spot) } else { self.schema(&def.body, spot) }
    }

    /// Adds `$defs` for what the wire refers to, and for what that refers to.
    fn define(&mut self, wire: &mut Node) {
        let mut definitions = Vec::new();
        while let Some(name) = self.carried.get(definitions.len()).cloned() {
            let span = self.defs.get(&name).map_or(wire.span, |def| def.name.span);
            let definition = self.definition(&name, &Spot::root().inside("$defs").inside(&name));
            definitions.push((Key { name, span }, definition));
        }
        if !definitions.is_empty() {
            wire.push("$defs", Node::new(NodeKind::Object(definitions), wire.span));
        }
    }

    fn refuse(&mut self, node: &Node, expected: &str, help: &str) {
        let message = format!("found {}, {expected}", node.describe());
        self.found.push(Diagnostic::error(Code::SHORT_SCHEMA, node.span, message).help(help));
    }

    fn unknown_keyword(&mut self, key: &Key) {
        let is_short = |name: &&str| !name.starts_with('$') && !OLDER.contains(name);
        let ours = ["ref", "rust", "secret", "wire"];
        let known: Vec<&str> = KEYWORDS.iter().map(|(name, _)| *name).filter(is_short).chain(ours).collect();
        let message = format!("unknown keyword `{}` in a short schema", key.name);
        let finding = Diagnostic::error(Code::UNKNOWN_KEY, key.span, message);
        self.found.push(match nearest(&key.name, &known) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding.help("use the keywords of JSON Schema; what begins with `x-` is yours"),
        });
    }

    fn refuse_key(&mut self, key: &Key, message: &str, help: &str) {
        self.found.push(Diagnostic::error(Code::SHORT_SCHEMA, key.span, message).help(help));
    }
}

#[cfg(test)]
mod tests {
    use crate::contract::read::tests::toml;

    /// The wire and the typed side of the arguments of the first tool.
    fn args(text: &str) -> (String, String) {
        let contract = toml(&format!("[[tools]]\nname = 't'\n{text}"));
        let input = &contract.tools[0].input;
        (input.wire.to_json(), input.typed.to_json())
    }

    #[test]
    fn properties_become_a_closed_object() {
        let (wire, typed) = args(
            "args.city = { description = 'Where', required = true, type = 'string' }\nargs.units = { enum = ['a', 'b'] }",
        );
        assert_eq!(wire, typed);
        assert_eq!(
            wire,
            r#"{"type":"object","properties":{"city":{"description":"Where","type":"string"},"units":{"type":"string","enum":["a","b"]}},"required":["city"],"additionalProperties":false}"#
        );
    }

    #[test]
    fn required_is_about_the_property_at_every_depth() {
        let (wire, _) =
            args("args.list = { items = { properties = { required = { type = 'boolean', required = true } } } }");
        let item = r#"{"type":"object","properties":{"required":{"type":"boolean"}},"required":["required"],"additionalProperties":false}"#;
        assert!(wire.contains(&format!(r#"{{"list":{{"type":"array","items":{item}}}}}"#)), "{wire}");
    }

    #[test]
    fn a_definition_is_inlined_on_the_wire_and_named_for_the_types() {
        let (wire, typed) = args("args.at = { ref = 'P', description = 'Here' }\n[defs.P]\nlat = { type = 'number' }");
        let point = r#"{"type":"object","properties":{"lat":{"type":"number"}},"additionalProperties":false,"description":"Here"}"#;
        assert!(wire.contains(&format!(r#""at":{point}"#)), "{wire}");
        assert!(typed.contains(r#""at":{"$ref":"mcp-codegen:P","description":"Here"}"#), "{typed}");
    }

    #[test]
    fn a_recursive_definition_travels_along() {
        let (wire, _) = args("args.tree = { ref = 'Node' }\n[defs.Node]\nnext = { ref = 'Node' }");
        assert!(wire.contains(r##""tree":{"$ref":"#/$defs/Node"}"##), "{wire}");
        assert!(wire.contains(r##""$defs":{"Node":{"type":"object","properties":{"next":{"$ref":"#/$defs/Node"}},"additionalProperties":false}}"##), "{wire}");
    }

    #[test]
    fn several_types_are_branches_on_the_wire() {
        let (wire, typed) = args("args.n = { type = ['integer', 'null'], minimum = 1, title = 'N' }");
        assert!(
            wire.contains(r#""n":{"title":"N","anyOf":[{"type":"integer","minimum":1},{"type":"null"}]}"#),
            "{wire}"
        );
        assert!(typed.contains(r#""n":{"type":["integer","null"],"minimum":1,"title":"N"}"#), "{typed}");
    }

    #[test]
    fn an_integer_can_travel_as_text() {
        let (wire, typed) = args("args.id = { type = 'integer', minimum = 0, default = 7, wire = 'string' }");
        assert!(wire.contains(r#""id":{"type":"string","default":"7","pattern":"^(0|-?[1-9][0-9]*)$"}"#), "{wire}");
        assert!(typed.contains(r#""id":{"type":"integer","minimum":0,"default":7}"#), "{typed}");
    }

    #[test]
    fn definitions_cannot_grow_without_bound() {
        let def = |n: u8| format!("[defs.D{n}]\na = {{ ref = 'D{0}' }}\nb = {{ ref = 'D{0}' }}\n", n + 1);
        let defs: String = (0..40).map(def).collect();
        let text = format!("[[tools]]\nname = 't'\nargs.a = {{ ref = 'D0' }}\n{defs}[defs.D40]\n");
        let (_, told) = crate::contract::read::tests::toml_with_faults(&text);
        assert!(told.contains("expands to more than"), "{told}");
    }

    #[test]
    fn secrets_are_found_on_the_wire_wherever_they_were_said() {
        let contract = toml(
            "[[tools]]\nname = 't'\nargs.own = { type = 'string', secret = true }\nargs.by_name = { ref = 'Token' }\n\
             args.list = { items = { ref = 'Login' } }\nargs.tree = { ref = 'Node' }\n\
             args.either = { type = ['object', 'null'], properties = { a = { ref = 'Token' } } }\n\
             args.map = { type = 'object', additionalProperties = { anyOf = [{ type = 'null' }, { ref = 'Login' }] } }\n\
             [defs.Token]\ntype = 'string'\nsecret = true\n[defs.Login]\nname = { type = 'string' }\n\
             key = { ref = 'Token' }\n[defs.Node]\nsalt = { type = 'string', secret = true }\n\
             login = { ref = 'Login' }\nnext = { ref = 'Node' }",
        );
        let tool = &contract.tools[0];
        let expected = [
            "/properties/own",
            "/properties/by_name",
            "/properties/list/items/properties/key",
            "/properties/either/anyOf/0/properties/a",
            "/properties/map/additionalProperties/anyOf/1/properties/key",
            "/$defs/Node/properties/salt",
            "/$defs/Node/properties/login/properties/key",
        ];
        assert_eq!(tool.secrets, expected);
        for pointer in expected {
            let schema = crate::schema::at(&tool.input.wire, pointer).unwrap();
            assert_eq!(schema.to_json(), r#"{"type":"string"}"#, "{pointer}");
        }
        // The types hide what they hold.
        let hidden = |hints: &[crate::contract::Hint]| -> Vec<String> {
            hints.iter().filter(|hint| hint.secret).map(|hint| hint.pointer.value.clone()).collect()
        };
        assert_eq!(
            hidden(&tool.common.hints),
            ["/properties/own", "/properties/by_name", "/properties/either/properties/a"]
        );
        let login = contract.defs.iter().find(|def| def.name.value == "Login").unwrap();
        assert_eq!(hidden(&login.hints), ["/properties/key"]);
    }
}
