//! Schemas → the short forms that may expand to them. Whether one does is for `proof` to say.

use crate::document::{Key, Node, NodeKind};
use crate::formats::StringFormat;
use crate::schema::schemas_inside;

/// What may stand in place of a tool's schema: a table of properties, and what is said about others.
#[derive(Clone, Debug)]
pub(super) struct Form {
    /// `args` or `output`.
    pub(super) properties: Node,
    /// `rules.additional`, unless the object is closed.
    pub(super) additional: Option<Node>,
}

/// The short form of an object's schema, if it looks as if it had one.
pub(super) fn form(schema: &Node) -> Option<Form> {
    let members = schema.members()?;
    let is_known = |(key, _): &(Key, Node)| {
        matches!(key.name.as_str(), "type" | "properties" | "required" | "additionalProperties")
    };
    let is_object = schema.get("type").and_then(Node::as_str) == Some("object");
    if names_a_format_of_ours(schema) {
        return None;
    }
    if !is_object || !members.iter().all(is_known) {
        return None;
    }
    let additional = schema.get("additionalProperties")?;
    let additional = if additional.as_bool() == Some(false) { None } else { Some(shorten(additional, false)) };
    Some(Form { properties: properties(schema)?, additional })
}

/// Whether a short form would check what this schema only describes.
fn names_a_format_of_ours(root: &Node) -> bool {
    let mut open = vec![root];
    while let Some(schema) = open.pop() {
        let format = schema.get("format").and_then(Node::as_str).and_then(StringFormat::named);
        if format.is_some_and(StringFormat::is_ours) {
            return true;
        }
        open.extend(schemas_inside(schema));
    }
    false
}

/// Whether a tool's schema says that it takes no arguments, in the very words that stand for a tool without a schema.
pub(super) fn is_empty(form: &Form) -> bool {
    form.additional.is_none() && form.properties.members().is_some_and(<[_]>::is_empty)
}

/// The properties of an object, each with a word on whether it must be there.
fn properties(schema: &Node) -> Option<Node> {
    let required = schema.get("required").and_then(Node::items).unwrap_or_default();
    let is_required = |name: &str| required.iter().any(|required| required.as_str() == Some(name));
    let short = |(key, value): &(Key, Node)| (key.clone(), shorten(value, is_required(&key.name)));
    let properties = schema.get("properties")?;
    Some(Node::new(NodeKind::Object(properties.members()?.iter().map(short).collect()), properties.span))
}

/// The short form of a schema anywhere in another: keywords as they stand, less what the reader understands unsaid.
fn shorten(schema: &Node, is_required: bool) -> Node {
    let Some(members) = schema.members() else { return schema.clone() };
    let mut short = Node::object(schema.span);
    for (key, value) in members {
        match key.name.as_str() {
            "type" if is_plain_choice(schema) => {}
            "required" if value.items().is_some() => {}
            "properties" if has_no_properties(schema) => {}
            "properties" => short.put(key, properties(schema).unwrap_or_else(|| value.clone())),
            "additionalProperties" if value.as_bool() == Some(has_no_properties(schema)) => {}
            "items" | "additionalProperties" | "not" | "contains" | "propertyNames" => {
                short.put(key, shorten(value, false));
            }
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => short.put(key, each(value)),
            _ => short.put(key, value.clone()),
        }
    }
    if is_required {
        short.push("required", Node::new(NodeKind::Bool(true), schema.span));
    }
    short
}

fn each(list: &Node) -> Node {
    let Some(items) = list.items() else { return list.clone() };
    Node::new(NodeKind::Array(items.iter().map(|item| shorten(item, false)).collect()), list.span)
}

/// `{"type": "string", "enum": […]}`, whose values leave no doubt about the type.
fn is_plain_choice(schema: &Node) -> bool {
    let values = schema.get("enum").and_then(Node::items);
    let is_text = |value: &Node| value.as_str().is_some();
    schema.get("type").and_then(Node::as_str) == Some("string")
        && values.is_some_and(|values| !values.is_empty() && values.iter().all(is_text))
}

/// A map: an object that names none of its properties.
fn has_no_properties(schema: &Node) -> bool {
    schema.get("properties").and_then(Node::members).is_none_or(<[_]>::is_empty)
}
