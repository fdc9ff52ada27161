//! `x-mcp-header` in schemas that are known only at run time. For those of a contract the generator has done the same.

use serde_json::{Map, Value};

use crate::service::ParamHeader;

const KEYWORD: &str = "x-mcp-header";

/// Keywords whose value is no schema, whatever it looks like.
const DATA: [&str; 5] = ["const", "default", "enum", "examples", KEYWORD];
/// Keywords whose value holds schemas by name.
const NAMED: [&str; 6] =
    ["$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"];

/// The arguments that clients repeat as HTTP headers.
///
/// # Errors
///
/// Fails where clients would refuse the tool, and says why.
pub(super) fn read(schema: &Value) -> Result<Vec<ParamHeader>, &'static str> {
    let mut headers = Vec::new();
    walk(schema, Some(&[]), &mut headers)?;
    Ok(headers)
}

/// `path` are the properties that lead to the schema, if nothing else does.
fn walk(schema: &Value, path: Option<&[&str]>, headers: &mut Vec<ParamHeader>) -> Result<(), &'static str> {
    match schema {
        Value::Array(schemas) => schemas.iter().try_for_each(|schema| walk(schema, None, headers)),
        Value::Object(keywords) => walk_keywords(keywords, path, headers),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
    }
}

fn walk_keywords(
    keywords: &Map<String, Value>,
    path: Option<&[&str]>,
    headers: &mut Vec<ParamHeader>,
) -> Result<(), &'static str> {
    if let Some(name) = keywords.get(KEYWORD) {
        let header = header(keywords, name, path)?;
        if headers.iter().any(|known| known.name().eq_ignore_ascii_case(header.name())) {
            return Err("two of its arguments share an `x-mcp-header`");
        }
        headers.push(header);
    }
    for (keyword, value) in keywords.iter().filter(|(keyword, _)| !DATA.contains(&keyword.as_str())) {
        let Some(named) = value.as_object().filter(|_| NAMED.contains(&keyword.as_str())) else {
            walk(value, None, headers)?;
            continue;
        };
        for (name, schema) in named {
            let path = path.filter(|_| keyword == "properties").map(|path| [path, &[name.as_str()]].concat());
            walk(schema, path.as_deref(), headers)?;
        }
    }
    Ok(())
}

fn header(keywords: &Map<String, Value>, name: &Value, path: Option<&[&str]>) -> Result<ParamHeader, &'static str> {
    let is_token = |text: &&str| {
        !text.is_empty() && text.bytes().all(|c| c.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&c))
    };
    let name = name.as_str().filter(is_token).ok_or("an `x-mcp-header` of its is no name of a header")?;
    let path = path.filter(|path| !path.is_empty());
    let path = path.ok_or("an `x-mcp-header` of its is not on a property that `properties` alone lead to")?;
    let is_integer = match keywords.get("type").and_then(Value::as_str) {
        Some("integer") => true,
        Some("boolean" | "string") => false,
        Some(_) | None => return Err("an `x-mcp-header` of its is on no string, integer or boolean"),
    };
    let path = path.iter().map(|step| (*step).to_owned()).collect();
    Ok(ParamHeader::provided(format!("Mcp-Param-{name}"), path, is_integer))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn property(schema: &Value) -> Result<Vec<ParamHeader>, &'static str> {
        read(&json!({ "type": "object", "properties": { "a": schema } }))
    }

    #[test]
    fn headers_are_found() {
        let headers = property(&json!({ "type": "object", "properties": {
            "x-mcp-header": { "type": "integer", "x-mcp-header": "Method" },
            "b": { "type": "object", "default": { "x-mcp-header": 1 } },
        } }));
        let path = vec!["a".to_owned(), "x-mcp-header".to_owned()];
        assert_eq!(headers, Ok(vec![ParamHeader::provided("Mcp-Param-Method".to_owned(), path, true)]));
    }

    #[test]
    fn what_clients_refuse_is_refused() {
        for broken in [
            json!({ "type": "number", "x-mcp-header": "A" }),
            json!({ "type": ["string"], "x-mcp-header": "A" }),
            json!({ "x-mcp-header": "A" }),
            json!({ "type": "string", "x-mcp-header": "" }),
            json!({ "type": "string", "x-mcp-header": "A B" }),
            json!({ "type": "string", "x-mcp-header": "A:" }),
            json!({ "type": "string", "x-mcp-header": "Größe" }),
            json!({ "type": "string", "x-mcp-header": true }),
            json!({ "type": "array", "items": { "type": "string", "x-mcp-header": "A" } }),
            json!({ "anyOf": [{ "type": "string", "x-mcp-header": "A" }] }),
            json!({ "type": "object", "properties": {
                "b": { "type": "string", "x-mcp-header": "A" },
                "c": { "type": "string", "x-mcp-header": "a" },
            } }),
        ] {
            assert!(property(&broken).is_err(), "{broken}");
        }
        assert!(
            read(&json!({ "type": "object", "$defs": { "a": { "type": "string", "x-mcp-header": "A" } } })).is_err()
        );
        assert!(read(&json!({ "type": "object", "x-mcp-header": "A" })).is_err());
    }
}
