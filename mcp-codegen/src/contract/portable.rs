//! The one shape of a schema that every client reads, in which short forms are spelled.

use crate::document::{Key, Node, NodeKind};
use crate::formats::StringFormat;
use crate::schema::JsonType;
use crate::source::Span;

/// An object of these properties; closed unless something else is said.
pub(super) fn object(
    span: Span,
    (properties, required): (Vec<(Key, Node)>, Vec<Node>),
    additional: Option<Node>,
) -> Node {
    let mut schema = Node::object(span);
    schema.push("type", Node::string("object", span));
    schema.push("properties", Node::new(NodeKind::Object(properties), span));
    if !required.is_empty() {
        schema.push("required", Node::new(NodeKind::Array(required), span));
    }
    schema.push("additionalProperties", additional.unwrap_or(Node::new(NodeKind::Bool(false), span)));
    schema
}

/// Says what a short schema leaves to be understood: its type, and whether an object takes other properties.
pub(super) fn complete(schema: &mut Node) {
    if schema.get("type").is_none()
        && let Some(ty) = inferred_type(schema)
    {
        schema.put_first("type", Node::string(ty.name(), schema.span));
    }
    if schema.get("type").and_then(Node::as_str) != Some("object") {
        return;
    }
    // An object that names no property is a map: closed, it could only be empty.
    let names_properties = schema.get("properties").is_some();
    if !names_properties {
        schema.push("properties", Node::object(schema.span));
    }
    if schema.get("additionalProperties").is_none() {
        schema.push("additionalProperties", Node::new(NodeKind::Bool(!names_properties), schema.span));
    }
}

/// The type that the values or the keywords leave no doubt about.
fn inferred_type(schema: &Node) -> Option<JsonType> {
    if schema.get("properties").is_some() {
        return Some(JsonType::Object);
    }
    if schema.get("items").is_some() || schema.get("prefixItems").is_some() {
        return Some(JsonType::Array);
    }
    let constant = schema.get("const").map(std::slice::from_ref);
    let values = schema.get("enum").and_then(Node::items).or(constant)?;
    let (first, rest) = values.split_first()?;
    let same = |ty, value| match (ty, type_of(value)) {
        (JsonType::Integer | JsonType::Number, JsonType::Number) | (JsonType::Number, JsonType::Integer) => {
            Some(JsonType::Number)
        }
        (ty, other) => (ty == other).then_some(ty),
    };
    rest.iter().try_fold(type_of(first), same)
}

/// The type of a value.
pub(super) fn type_of(value: &Node) -> JsonType {
    match &value.kind {
        NodeKind::Array(_) => JsonType::Array,
        NodeKind::Bool(_) => JsonType::Boolean,
        NodeKind::Null => JsonType::Null,
        NodeKind::Number(text) if text.contains(['.', 'e', 'E']) => JsonType::Number,
        NodeKind::Number(_) => JsonType::Integer,
        NodeKind::Object(_) => JsonType::Object,
        NodeKind::String(_) => JsonType::String,
    }
}

/// Spells for the wire what is said shortly for the types: integers as text, several types as `anyOf`, and without words
/// that some clients refuse (`const`, exclusive bounds) where others say the same.
pub(super) fn respell(schema: &mut Node, as_text: bool) {
    let nullable = schema
        .get("type")
        .and_then(Node::items)
        .is_some_and(|types| types.iter().any(|ty| ty.as_str() == Some("null")));
    if let NodeKind::Object(members) = &mut schema.kind {
        members.retain(|(key, value)| key.name != "default" || nullable || !value.is_null());
    }
    constant_as_enum(schema);
    inclusive_bounds(schema);
    if as_text {
        integer_as_text(schema, nullable);
    }
    if schema.get("anyOf").is_none()
        && let Some(types) = schema.get("type").and_then(Node::items)
    {
        let types: Vec<JsonType> = types.iter().filter_map(|ty| JsonType::named(ty.as_str()?)).collect();
        any_of(schema, &types);
    }
}

/// Says the rule of a format of ours behind the description, once.
pub(super) fn say_format(schema: &mut Node) {
    let format = schema.get("format").or_else(|| {
        // where null may stand as well, it is in a branch
        schema.get("anyOf").and_then(Node::items)?.iter().find_map(|branch| branch.get("format"))
    });
    let Some(rule) = format.and_then(Node::as_str).and_then(StringFormat::named).and_then(StringFormat::rule) else {
        return;
    };
    let own = schema.get("description").and_then(Node::as_str).unwrap_or_default();
    if !own.ends_with(rule) {
        let text = format!("{own} {rule}");
        let key = Key { name: "description".to_owned(), span: schema.span };
        schema.put(&key, Node::string(text.trim_start(), schema.span));
    }
}

/// `const` is an `enum` of one value.
fn constant_as_enum(schema: &mut Node) {
    if schema.get("enum").is_some() {
        return;
    }
    let NodeKind::Object(members) = &mut schema.kind else { return };
    for (key, value) in members.iter_mut().filter(|(key, _)| key.name == "const") {
        "enum".clone_into(&mut key.name);
        *value = Node::new(NodeKind::Array(vec![value.clone()]), value.span);
    }
}

/// An integer above 0 is one from 1 on.
fn inclusive_bounds(schema: &mut Node) {
    let is = |ty: &str| match schema.get("type") {
        Some(types) => {
            types.as_str() == Some(ty)
                || types.items().is_some_and(|types| types.iter().any(|one| one.as_str() == Some(ty)))
        }
        None => false,
    };
    if !is("integer") || is("number") {
        return;
    }
    for (exclusive, inclusive, step) in [("exclusiveMinimum", "minimum", 1), ("exclusiveMaximum", "maximum", -1)] {
        let whole = |key| schema.get(key).map(|bound| bound.as_number().and_then(|text| text.parse::<i64>().ok()));
        let (Some(Some(bound)), None) = (whole(exclusive), schema.get(inclusive)) else { continue };
        let Some(bound) = bound.checked_add(step) else { continue };
        let NodeKind::Object(members) = &mut schema.kind else { return };
        for (key, value) in members.iter_mut().filter(|(key, _)| key.name == exclusive) {
            inclusive.clone_into(&mut key.name);
            value.kind = NodeKind::Number(bound.to_string());
        }
    }
}

/// A 64-bit integer that clients would round travels as its digits.
fn integer_as_text(schema: &mut Node, nullable: bool) {
    let span = schema.span;
    let NodeKind::Object(members) = &mut schema.kind else { return };
    members.retain(|(key, _)| is_annotation(&key.name));
    for (key, value) in members.iter_mut().filter(|(key, _)| key.name == "default") {
        if let NodeKind::Number(text) = &value.kind {
            *value = Node::string(text, key.span);
        }
    }
    schema.push("pattern", Node::string("^(0|-?[1-9][0-9]*)$", span));
    let text = Node::string("string", span);
    let both = || Node::new(NodeKind::Array(vec![text.clone(), Node::string("null", span)]), span);
    schema.put_first("type", if nullable { both() } else { text.clone() });
}

/// One branch for each type, each with the keywords that are about it.
fn any_of(schema: &mut Node, types: &[JsonType]) {
    let span = schema.span;
    let NodeKind::Object(members) = &mut schema.kind else { return };
    let (outside, inside): (Vec<_>, Vec<_>) =
        std::mem::take(members).into_iter().partition(|(key, _)| is_annotation(&key.name));
    let branch = |ty: &JsonType| {
        let mut branch = Node::object(span);
        branch.push("type", Node::string(ty.name(), span));
        for (key, value) in &inside {
            match key.name.as_str() {
                "enum" => {
                    let of_type = |value: &&Node| type_of(value) == *ty;
                    let values = value.items().unwrap_or_default().iter().filter(of_type).cloned().collect();
                    // `null` says all of it already.
                    if *ty != JsonType::Null {
                        branch.put(key, Node::new(NodeKind::Array(values), value.span));
                    }
                }
                "type" => {}
                keyword if is_about(keyword, *ty) => branch.put(key, value.clone()),
                _ => {}
            }
        }
        branch
    };
    let branches = types.iter().map(branch).collect();
    *members = outside;
    schema.push("anyOf", Node::new(NodeKind::Array(branches), span));
}

fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "title" | "description" | "default" | "deprecated" | "examples" | "readOnly" | "writeOnly" | "$comment"
    ) || keyword.starts_with("x-")
}

/// Whether a keyword says something about values of a type.
fn is_about(keyword: &str, ty: JsonType) -> bool {
    match ty {
        JsonType::String => {
            matches!(keyword, "minLength" | "maxLength" | "pattern" | "format" | "contentEncoding" | "contentMediaType")
        }
        JsonType::Integer | JsonType::Number => {
            matches!(keyword, "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf")
        }
        JsonType::Array => {
            matches!(
                keyword,
                "items"
                    | "prefixItems"
                    | "minItems"
                    | "maxItems"
                    | "uniqueItems"
                    | "contains"
                    | "minContains"
                    | "maxContains"
            )
        }
        JsonType::Object => matches!(
            keyword,
            "properties"
                | "required"
                | "additionalProperties"
                | "patternProperties"
                | "propertyNames"
                | "minProperties"
                | "maxProperties"
                | "dependentRequired"
        ),
        JsonType::Boolean | JsonType::Null => false,
    }
}

/// What to write instead of a word where a schema should stand.
pub(super) fn proposal(node: &Node) -> String {
    match node.as_str() {
        Some(word) => format!("write `{{ type = \"{word}\" }}`"),
        None => "write `{ type = \"string\" }`".to_owned(),
    }
}
