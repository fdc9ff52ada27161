//! The JSON Schema of the contract format, for editors: made of the very keys that the reader takes.
//!
//! It is written in draft-07, which every editor reads. What it says of a native contract is what `check` says of it,
//! as far as a schema can: it knows nothing of other places, of other files, and of texts with a grammar of their own.

mod keyword;

use crate::contract::keys;
use crate::document::Node;
use crate::document::NodeKind;
use crate::document::keys::{Entry, Schema, Table, Takes};
use crate::source::Span;

/// The schema, as the text of a file.
#[must_use]
pub fn contract_schema() -> String {
    let mut schema = object([
        ("$schema", text("http://json-schema.org/draft-07/schema#")),
        ("title", text("Contract of an MCP server")),
        ("description", text("What an MCP server offers, for mcp-codegen: a native contract, in TOML or JSON")),
    ]);
    extend(&mut schema, table(&keys::FILE));
    schema.push(
        "definitions",
        object([
            ("short", keyword::short(&[&keys::PROPERTY])),
            ("field", keyword::short(&[&keys::FIELD])),
            ("variable", keyword::short(&[&keys::PROPERTY, &keys::VARIABLE])),
            ("arguments", keyword::arguments()),
            ("verbatim", keyword::verbatim()),
        ]),
    );
    schema.to_pretty_json() + "\n"
}

fn table(table: &Table) -> Node {
    let entries: Vec<&Entry> = table.entries().collect();
    let mut schema = object([("type", text("object"))]);
    schema.push("properties", object(entries.iter().map(|entry| (entry.name, described(entry)))));
    let required: Vec<Node> = entries.iter().filter(|entry| entry.required).map(|entry| text(entry.name)).collect();
    if !required.is_empty() {
        schema.push("required", list(required));
    }
    // What has no key of ours is MCP's, and may have further ones.
    if entries.iter().any(|entry| entry.own) {
        schema.push("additionalProperties", boolean(false));
    }
    if !table.needs.is_empty() {
        let needs = table.needs.iter().map(|(key, needed)| (*key, list(vec![text(needed)])));
        schema.push("dependencies", object(needs));
    }
    // Editors overlook the keys of a table beside `allOf`.
    let both = |(one, other): &(&str, &str)| object([("required", list(vec![text(one), text(other)]))]);
    let apart: Vec<Node> = table.apart.iter().map(both).collect();
    let neither = |(one, other): &(&str, &str)| {
        let absent = |key: &str| object([("not", object([("required", list(vec![text(key)]))]))]);
        object([("allOf", list(vec![absent(one), absent(other)]))])
    };
    let wrong: Vec<Node> = apart.into_iter().chain(table.either.iter().map(neither)).collect();
    if !wrong.is_empty() {
        schema.push("not", object([("anyOf", list(wrong))]));
    }
    schema
}

/// What a key takes, with what it is for. Beside a `$ref` no other keyword counts, so that one stands in an `allOf`.
fn described(entry: &Entry) -> Node {
    let mut schema = object([("description", text(entry.about))]);
    let takes = match entry.takes {
        Takes::Either(ways) if ways.iter().any(|way| matches!(way, Takes::Schema(_))) => unwalked(value(entry.takes)),
        takes => value(takes),
    };
    if takes.get("$ref").is_some() {
        schema.push("allOf", list(vec![takes]));
    } else {
        extend(&mut schema, takes);
    }
    schema
}

fn value(takes: Takes) -> Node {
    let of_type = |name| object([("type", text(name))]);
    match takes {
        Takes::Any => object([]),
        Takes::Bool => of_type("boolean"),
        Takes::Count(first) => object([("type", text("integer")), ("minimum", number(first))]),
        Takes::Either(ways) => object([("anyOf", list(ways.iter().map(|way| value(*way)).collect()))]),
        Takes::Filled => object([("type", text("string")), ("minLength", number(1))]),
        Takes::List(items) => object([("type", text("array")), ("items", value(*items))]),
        Takes::Map(values) => object([("type", text("object")), ("additionalProperties", value(*values))]),
        Takes::Named(names, values) => object([
            ("type", text("object")),
            ("propertyNames", object([("pattern", text(names))])),
            ("additionalProperties", value(*values)),
        ]),
        Takes::Number(only) => object([("type", text("integer")), ("enum", list(vec![number(only)]))]),
        Takes::Object => of_type("object"),
        Takes::Schema(schema) => reference(schema),
        Takes::Table(keys) => table(keys),
        Takes::Text => of_type("string"),
        Takes::TextLike(pattern) => object([("type", text("string")), ("pattern", text(pattern))]),
        Takes::Word(words) => {
            object([("type", text("string")), ("enum", list(words.iter().map(|word| text(word)).collect()))])
        }
    }
}

/// A schema inside the contract. A verbatim one can also be the text of one, or the file that holds it.
fn reference(schema: Schema) -> Node {
    let to = |name: &str| object([("$ref", text(&format!("#/definitions/{name}")))]);
    let or_elsewhere = |name| {
        let json = object([("type", text("string")), ("description", text("The schema as JSON text"))]);
        let path = object([("type", text("string")), ("description", text("A file with the schema"))]);
        let file = object([
            ("type", text("object")),
            ("properties", object([("file", path)])),
            ("required", list(vec![text("file")])),
            ("additionalProperties", boolean(false)),
        ]);
        unwalked(object([("anyOf", list(vec![to(name), json, file]))]))
    };
    match schema {
        Schema::Arguments => or_elsewhere("arguments"),
        Schema::Field => to("field"),
        Schema::Short => to("short"),
        Schema::Variable => to("variable"),
        Schema::Verbatim => or_elsewhere("verbatim"),
    }
}

/// The same to whoever checks. Editors that list what can stand below a key, several levels down, do not go in: through each
/// keyword of a schema, that would be thousands of proposals.
fn unwalked(schema: Node) -> Node {
    object([("if", object([])), ("then", schema)])
}

fn extend(schema: &mut Node, more: Node) {
    if let NodeKind::Object(members) = more.kind {
        for (key, value) in members {
            schema.put(&key, value);
        }
    }
}

fn object<'k>(members: impl IntoIterator<Item = (&'k str, Node)>) -> Node {
    let mut object = Node::object(Span::default());
    for (key, value) in members {
        object.push(key, value);
    }
    object
}

fn list(items: Vec<Node>) -> Node {
    Node::new(NodeKind::Array(items), Span::default())
}

fn text(text: &str) -> Node {
    Node::string(text, Span::default())
}

fn number(number: u64) -> Node {
    Node::new(NodeKind::Number(number.to_string()), Span::default())
}

fn boolean(value: bool) -> Node {
    Node::new(NodeKind::Bool(value), Span::default())
}
