//! A tool without its constraints: the types stay, and what they cannot say is left out.

use serde_json::Value;

/// What a decoder has to check besides the type.
const CONSTRAINTS: &[&str] = &[
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "uniqueItems",
];

/// The same tool without constraints.
pub(crate) fn without_constraints(tool: &Value) -> Value {
    let mut tool = tool.clone();
    strip(&mut tool["inputSchema"]);
    tool
}

fn strip(schema: &mut Value) {
    let Some(keywords) = schema.as_object_mut() else { return };
    keywords.retain(|key, _| !CONSTRAINTS.contains(&key.as_str()));
    for (key, value) in keywords {
        match (key.as_str(), value) {
            ("$defs" | "definitions" | "patternProperties" | "properties", Value::Object(schemas)) => {
                schemas.values_mut().for_each(strip);
            }
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(schemas)) => {
                schemas.iter_mut().for_each(strip);
            }
            ("additionalProperties" | "items", schema) => strip(schema),
            _ => {}
        }
    }
}
