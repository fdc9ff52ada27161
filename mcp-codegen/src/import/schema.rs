//! The schemas of a tool, each in the shortest way that says exactly the same: nothing, a short form, a table, JSON text.

use super::write::Kind;
use super::{layout, proof, short, text};
use crate::document::{Node, NodeKind};
use crate::source::Span;

/// Their keys.
pub(super) const KEYS: [&str; 2] = ["inputSchema", "outputSchema"];

/// How the schemas of a tool are written.
#[derive(Clone, Debug, Default)]
pub(super) struct Schemas {
    /// Keys of the tool's own table.
    pub(super) lines: String,
    /// Tables of their own, which must come last.
    pub(super) tables: String,
}

/// One way to write a schema.
#[derive(Clone, Debug, Default)]
struct Way {
    lines: String,
    tables: String,
}

impl Schemas {
    /// The schemas of a definition; only tools have any.
    pub(super) fn of(kind: Kind, definition: &Node, lost: &mut Vec<String>) -> Self {
        let mut schemas = Self::default();
        for key in KEYS.into_iter().filter(|_| kind == Kind::Tool) {
            let Some(schema) = definition.get(key) else { continue };
            match way(key, schema) {
                Some(way) => {
                    schemas.lines.push_str(&way.lines);
                    schemas.tables.push_str(&way.tables);
                }
                None => lost.push(format!("left out: `{key}`, which is no schema ({})", layout::short(schema))),
            }
        }
        schemas
    }
}

/// The first way that is proved to say the same.
fn way(key: &'static str, schema: &Node) -> Option<Way> {
    let shortest = short_form(key, schema).filter(|way| is_proved(way, (key, schema), proof::Proof::says_well));
    let repeats = |proof: &proof::Proof, _: &Node| proof.repeats(key, schema);
    shortest
        .or_else(|| table(key, schema).filter(|way| is_proved(way, (key, schema), repeats)))
        .or_else(|| Some(json(key, schema)).filter(|way| is_proved(way, (key, schema), repeats)))
}

/// Reads a tool that has nothing but this schema.
fn is_proved(way: &Way, (key, schema): (&str, &Node), says: impl Fn(&proof::Proof, &Node) -> bool) -> bool {
    let text = format!("[[tools]]\nname = \"t\"\n{}{}", way.lines, way.tables);
    let mut definition = Node::object(schema.span);
    definition.push("name", Node::string("t", Span::default()));
    if key == KEYS[1] {
        definition.push(KEYS[0], no_arguments());
    }
    definition.push(key, schema.clone());
    says(&proof::of(Kind::Tool, &text), &definition)
}

/// `args` or `output`.
fn short_form(key: &str, schema: &Node) -> Option<Way> {
    let form = short::form(schema)?;
    let is_input = key == KEYS[0];
    if is_input && short::is_empty(&form) {
        return Some(Way::default());
    }
    // A result has no rules.
    if !is_input && form.additional.is_some() || !layout::can_say(&form.properties) {
        return None;
    }
    let mut way = Way::default();
    let name = if is_input { "args" } else { "output" };
    if form.properties.members().is_some_and(<[_]>::is_empty) {
        way.lines = format!("{name} = {{}}\n");
    } else {
        way.tables = format!("\n[tools.{name}]\n");
        layout::entries(&form.properties, &mut way.tables);
    }
    if let Some(additional) = form.additional {
        let mut rules = Node::object(schema.span);
        rules.push("additional", additional);
        layout::entry("rules", &rules, &mut way.lines);
    }
    Some(way)
}

/// The schema as a table.
fn table(key: &str, schema: &Node) -> Option<Way> {
    if !layout::reads_well(schema) {
        return None;
    }
    let mut way = Way::default();
    let line = format!("{key} = {}\n", layout::inline(schema));
    if layout::fits(&line) {
        way.lines = line;
    } else {
        way.tables = format!("\n[tools.{key}]\n");
        layout::entries(schema, &mut way.tables);
    }
    Some(way)
}

/// The schema as a string of JSON text.
fn json(key: &str, schema: &Node) -> Way {
    let json = layout::json(schema);
    let value = if json.contains('\n') { text::json_block(&json) } else { text::line(&json) };
    Way { lines: format!("{key} = {value}\n"), tables: String::new() }
}

/// What a tool without a schema says on the wire.
fn no_arguments() -> Node {
    let span = Span::default();
    let mut schema = Node::object(span);
    schema.push("type", Node::string("object", span));
    schema.push("properties", Node::object(span));
    schema.push("additionalProperties", Node::new(NodeKind::Bool(false), span));
    schema
}
