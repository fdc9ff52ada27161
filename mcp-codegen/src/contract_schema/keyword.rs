//! Schemas inside a contract: the keywords of JSON Schema, and what each is for.

use super::{boolean, described, list, number, object, text};
use crate::document::Node;
use crate::document::keys::Table;
use crate::schema::{JsonType, KEYWORDS, OLDER, Takes};

/// A short schema: keywords, and our keys in `tables`. Where both have a word, it is ours.
pub(super) fn short(tables: &[&Table]) -> Node {
    let own = || tables.iter().flat_map(|table| table.entries());
    let is_short = |name: &str| {
        let is_foreign = name.starts_with('$') && name != "$comment" || OLDER.contains(&name);
        !is_foreign && own().all(|entry| entry.name != name)
    };
    let keywords = KEYWORDS.iter().filter(|(name, _)| is_short(name));
    let keywords = keywords.map(|(name, takes)| (*name, keyword(name, *takes, "short")));
    object([
        ("type", text("object")),
        ("properties", object(own().map(|entry| (entry.name, described(entry))).chain(keywords).chain([header()]))),
        ("patternProperties", object([("^x-", object([]))])),
        ("additionalProperties", boolean(false)),
        ("if", array()),
        (
            "then",
            object([("anyOf", list(SAY_ITEMS.map(|key| object([("required", list(vec![text(key)]))])).to_vec()))]),
        ),
    ])
}

/// Keywords of which an array has one: what else says what its items are?
const SAY_ITEMS: [&str; 6] = ["items", "prefixItems", "contains", "enum", "const", "ref"];

fn array() -> Node {
    let array = object([("enum", list(vec![text("array")]))]);
    object([("properties", object([("type", array)])), ("required", list(vec![text("type")]))])
}

/// MCP's keyword.
fn header() -> (&'static str, Node) {
    let about = "The header by which clients repeat the argument over HTTP: `City` is `Mcp-Param-City`";
    let token = object([
        ("description", text(about)),
        ("type", text("string")),
        ("pattern", text("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")),
    ]);
    ("x-mcp-header", token)
}

/// A schema that reaches clients as it stands: it may have words of its own.
pub(super) fn verbatim() -> Node {
    object([("type", list(vec![text("object"), text("boolean")])), ("properties", keywords())])
}

/// The same for arguments: they are an object.
pub(super) fn arguments() -> Node {
    let is_object = object([
        ("description", text("Arguments are an object: always `object`")),
        ("enum", list(vec![text("object")])),
    ]);
    let mut properties = keywords();
    properties.put(&crate::document::Key { name: "type".to_owned(), span: properties.span }, is_object);
    object([("type", text("object")), ("properties", properties), ("required", list(vec![text("type")]))])
}

fn keywords() -> Node {
    object(KEYWORDS.iter().map(|(name, takes)| (*name, keyword(name, *takes, "verbatim"))))
}

fn keyword(name: &str, takes: Takes, inside: &str) -> Node {
    let mut schema = object([("description", text(about(name)))]);
    let value = value(takes, inside);
    let is_walked = inside == "short" && matches!(name, "items" | "additionalProperties");
    let holds_schema = matches!(takes, Takes::Schema | Takes::SchemaOrList);
    super::extend(&mut schema, if holds_schema && !is_walked { super::unwalked(value) } else { value });
    schema
}

fn value(takes: Takes, inside: &str) -> Node {
    let of_type = |name| object([("type", text(name))]);
    let is_short = inside == "short";
    let schema = || object([("$ref", text(&format!("#/definitions/{inside}")))]);
    let any_of = |ways: Vec<Node>| object([("anyOf", list(ways))]);
    // A verbatim schema can be a boolean in any case.
    let schema_or_bool = || if is_short { any_of(vec![schema(), of_type("boolean")]) } else { schema() };
    let list_of = |items| object([("type", text("array")), ("items", items)]);
    let map_of = |values| object([("type", text("object")), ("additionalProperties", values)]);
    match takes {
        Takes::Any => object([]),
        Takes::Bool => of_type("boolean"),
        Takes::BoolOrNumber => object([("type", list(vec![text("number"), text("boolean")]))]),
        Takes::Count => object([("type", text("integer")), ("minimum", number(0))]),
        Takes::List => of_type("array"),
        Takes::Needs => map_of(any_of(vec![list_of(of_type("string")), schema_or_bool()])),
        Takes::Number => of_type("number"),
        Takes::Schema => object([("allOf", list(vec![schema_or_bool()]))]),
        Takes::SchemaList => list_of(schema_or_bool()),
        Takes::SchemaMap => map_of(if is_short { schema() } else { schema_or_bool() }),
        Takes::SchemaOrList if is_short => object([("allOf", list(vec![schema()]))]),
        Takes::SchemaOrList => any_of(vec![schema(), list_of(schema())]),
        Takes::Text => of_type("string"),
        Takes::Texts => list_of(of_type("string")),
        Takes::Type => {
            let names = || object([("enum", list(JsonType::ALL.iter().map(|(name, _)| text(name)).collect()))]);
            any_of(vec![names(), list_of(names())])
        }
    }
}

/// What a keyword of JSON Schema is for.
fn about(keyword: &str) -> &'static str {
    match keyword {
        "$anchor" | "$dynamicAnchor" | "$recursiveAnchor" => "A name by which the schema can be referred to",
        "$comment" => "A note for whoever reads the schema",
        "$defs" | "definitions" => "Schemas that others refer to",
        "$dynamicRef" | "$recursiveRef" => "The schema that holds instead, looked up where this one is used",
        "$id" => "The URI of the schema",
        "$ref" => "Another schema that holds here, such as `#/$defs/Name`; nothing is fetched",
        "$schema" => "The dialect of JSON Schema; 2020-12 where it is absent",
        "$vocabulary" => "The vocabularies of a dialect",
        "additionalItems" => "The schema of the items after the listed ones (older dialects)",
        "additionalProperties" => "`true`, `false` or the schema of the properties that are not declared",
        "allOf" => "Schemas that all hold",
        "anyOf" => "Schemas of which at least one holds",
        "const" => "The only value",
        "contains" => "The schema of which some item is",
        "contentEncoding" => "How the text encodes its content, such as `base64`; not checked",
        "contentMediaType" => "The type of the content in the text; not checked",
        "contentSchema" => "The schema of the content in the text; not checked",
        "default" => "What is used where nothing is given",
        "dependencies" => "What holds where a property is given (older dialects)",
        "dependentRequired" => "Properties that must be there where another is",
        "dependentSchemas" => "Schemas that hold where a property is there",
        "deprecated" => "`true`: do not use it any more",
        "description" => "What it means; models read it, and it becomes the doc comment",
        "else" => "The schema that holds where `if` does not",
        "enum" => "The values that there are",
        "examples" => "Values as they could be",
        "exclusiveMaximum" => "The number that the value is below",
        "exclusiveMinimum" => "The number that the value is above",
        "format" => {
            "What kind of text or number it is, such as `date-time`; not checked, but for `path`, `url` and `command-arg` in short forms"
        }
        "if" => "The schema that decides between `then` and `else`",
        "items" => "The schema of each item",
        "maxContains" => "The most items that `contains` speaks of",
        "maxItems" => "The most items",
        "maxLength" => "The most characters",
        "maxProperties" => "The most properties",
        "maximum" => "The largest number",
        "minContains" => "The fewest items that `contains` speaks of",
        "minItems" => "The fewest items",
        "minLength" => "The fewest characters",
        "minProperties" => "The fewest properties",
        "minimum" => "The smallest number",
        "multipleOf" => "The number of which the value is a multiple",
        "not" => "A schema that does not hold",
        "oneOf" => "Schemas of which exactly one holds",
        "pattern" => "A regular expression (ECMA-262) that matches somewhere in the text",
        "patternProperties" => "The schemas of properties whose names match an expression",
        "prefixItems" => "The schemas of the first items, one for each place",
        "properties" => "The properties, each with its schema",
        "propertyNames" => "The schema of the names of properties",
        "readOnly" => "`true`: the value is never sent by a client",
        "required" => "The names of the properties that must be there",
        "then" => "The schema that holds where `if` does",
        "title" => "A short name for people",
        "type" => "The JSON type, or several of them",
        "unevaluatedItems" => "The schema of the items that no other keyword speaks of",
        "unevaluatedProperties" => "The schema of the properties that no other keyword speaks of",
        "uniqueItems" => "`true`: no two items are equal",
        "writeOnly" => "`true`: the value is never sent by the server",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_is_described() {
        let silent: Vec<_> = KEYWORDS.iter().filter(|(name, _)| about(name).is_empty()).collect();
        assert!(silent.is_empty(), "{silent:?}");
    }
}
