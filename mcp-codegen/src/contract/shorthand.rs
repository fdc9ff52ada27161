//! Short schemas → schemas: once as every client reads them, once as the types should see them.
//!
//! Both come from the same walk. On the wire a `ref` is inlined unless its definition is recursive; the types get
//! `{"$ref": "mcp-codegen:Name"}`, so that a definition becomes one Rust type.

mod expander;
mod reference;

use self::expander::{Expander, For, MAX_SCHEMAS, Spot};
use crate::contract::defs::Defs;
use crate::contract::{Hint, SchemaPair, Side, portable};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use crate::document::Node;
use crate::schema;
use crate::source::Span;

/// A short schema, expanded.
#[derive(Clone, Debug)]
pub(super) struct Short {
    pub(super) pair: SchemaPair,
    /// Their side is for [`Short::place`] to say.
    hints: Vec<Hint>,
    /// Where secrets stand in the schema on the wire, those of definitions included.
    pub(super) secrets: Vec<String>,
}

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
    fn words_that_clients_refuse_are_spelled_by_others() {
        let (wire, typed) = args(
            "args.n = { type = ['integer', 'null'], exclusiveMinimum = 0, exclusiveMaximum = 10 }\n\
             args.f = { type = 'number', exclusiveMinimum = 0 }\nargs.c = { const = 'a' }",
        );
        assert!(
            wire.contains(r#""n":{"anyOf":[{"type":"integer","minimum":1,"maximum":9},{"type":"null"}]}"#),
            "{wire}"
        );
        assert!(wire.contains(r#""f":{"type":"number","exclusiveMinimum":0}"#), "{wire}");
        assert!(wire.contains(r#""c":{"type":"string","enum":["a"]}"#), "{wire}");
        assert!(
            typed.contains(r#""exclusiveMinimum":0,"exclusiveMaximum":10"#) && typed.contains(r#""const":"a""#),
            "{typed}"
        );
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
