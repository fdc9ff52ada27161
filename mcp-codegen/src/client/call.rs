//! Calls of a tool.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::Client;
use super::error::{Error, Kind};
use super::message::Params;
use crate::contract;
use crate::diagnostic::Diagnostics;
use crate::document::NodeKind;
use crate::document::cursor::nearest;
use crate::document::json::{self, Place};
use crate::source::Span;

/// What a tool answered.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolResult {
    /// Content blocks, as the tool gave them.
    #[serde(default)]
    pub content: Vec<Value>,
    /// The structured result, as JSON text.
    #[serde(default)]
    pub structured_content: Option<Box<RawValue>>,
    /// Whether the tool failed.
    #[serde(default)]
    pub is_error: bool,
    /// The whole answer, as JSON text.
    #[serde(skip)]
    pub json: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Kinded {
    #[serde(default)]
    result_type: Option<String>,
}

impl Client {
    /// The definition of a tool, as JSON text.
    ///
    /// # Errors
    ///
    /// Fails where there is no such tool, and names one that may have been meant.
    pub fn tool(&mut self, name: &str) -> Result<String, Error> {
        let tools = self.tools()?;
        let named: Vec<(String, &str)> = tools.iter().map(|tool| (name_of(tool), tool.get())).collect();
        if let Some((_, definition)) = named.iter().find(|(tool, _)| tool == name) {
            return Ok((*definition).to_owned());
        }
        let names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
        let help = match (nearest(name, &names), names.as_slice()) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, []) => "it has no tools".to_owned(),
            (None, names) => format!("it has {}", crate::document::cursor::listed(names)),
        };
        let help = super::error::shown(&help);
        Err(Error::new(Kind::Asked(format!("the server has no tool `{name}`; {help}"))))
    }

    /// Calls a tool. The arguments are the text of a JSON object, and reach the server as it is; the definition says which
    /// of them travel as headers, too.
    ///
    /// # Errors
    ///
    /// Fails where the server refuses the call, or asks for what cannot be given here. A tool that fails is no error.
    pub fn call(&mut self, name: &str, definition: &str, arguments: &str) -> Result<ToolResult, Error> {
        let mut params = Params::default().with_text("name", name).with("arguments", arguments);
        if self.is_stateless() {
            params.name = Some(header_value(name));
            params.headers = parameter_headers(definition, arguments);
        }
        let what = format!("the call of `{name}`");
        let result = self.ask("tools/call", params)?.map_err(|refusal| Error::refused(&what, &refusal))?;
        let kind: Option<String> = serde_json::from_str::<Kinded>(result.get()).ok().and_then(|kind| kind.result_type);
        match kind.as_deref() {
            None | Some("complete") => {}
            Some("input_required") => {
                let why = "asks for something that only an app could give it: input of a user, a model, or folders";
                return Err(Error::new(Kind::Asked(format!("`{name}` {why}"))));
            }
            Some(kind) => {
                let kind = super::error::shown(kind);
                return Err(Error::not_mcp(format!("{what} is answered with a result of the unknown type `{kind}`")));
            }
        }
        let read: Result<ToolResult, _> = serde_json::from_str(result.get());
        let read = read.map_err(|error| Error::not_mcp(format!("{what} is answered with no result: {error}")))?;
        Ok(ToolResult { json: result.get().to_owned(), ..read })
    }
}

fn name_of(tool: &RawValue) -> String {
    #[derive(Deserialize)]
    struct Named {
        name: String,
    }
    serde_json::from_str::<Named>(tool.get()).map(|named| named.name).unwrap_or_default()
}

/// `Mcp-Param-…`: the arguments that the tool's schema wants as headers.
fn parameter_headers(definition: &str, arguments: &str) -> Vec<(String, String)> {
    let read = |text| json::read(text, Place::At(Span::default()), &mut Diagnostics::default());
    let (Some(definition), Some(arguments)) = (read(definition), read(arguments)) else { return Vec::new() };
    let Some(schema) = definition.get("inputSchema") else { return Vec::new() };
    let headers = contract::parameter_headers(schema);
    let value = |path: &[String]| path.iter().try_fold(&arguments, |node, step| node.get(step));
    let header = |header: contract::Header| {
        let text = match &value(&header.path)?.kind {
            NodeKind::String(text) => header_value(text),
            NodeKind::Bool(value) => value.to_string(),
            NodeKind::Number(text) => {
                crate::schema::as_integer(text).map_or_else(|| text.clone(), |integer| integer.to_string())
            }
            NodeKind::Array(_) | NodeKind::Null | NodeKind::Object(_) => return None,
        };
        Some((format!("mcp-param-{}", header.name), text))
    };
    headers.into_iter().filter_map(header).collect()
}

/// A text as the value of a header: as it is, or in Base64 where a header could not hold it.
fn header_value(text: &str) -> String {
    let is_plain = text.bytes().all(|c| matches!(c, b' '..=b'~'));
    let is_trimmed = text.trim() == text;
    let looks_encoded = text.starts_with("=?base64?") && text.ends_with("?=");
    if is_plain && is_trimmed && !looks_encoded {
        text.to_owned()
    } else {
        format!("=?base64?{}?=", BASE64.encode(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_become_headers_where_the_schema_says_so() {
        let definition = r#"{"name":"t","inputSchema":{"type":"object","properties":{
            "a":{"type":"string","x-mcp-header":"A"},"b":{"type":"object","properties":{"c":{"type":"integer","x-mcp-header":"C"}}},
            "d":{"type":"boolean","x-mcp-header":"D"},"e":{"type":"string","x-mcp-header":"E"}}}}"#;
        let headers = parameter_headers(definition, r#"{"a":"Zürich","b":{"c":42.0},"d":true,"e":null}"#);
        let expected = [("mcp-param-A", "=?base64?WsO8cmljaA==?="), ("mcp-param-C", "42"), ("mcp-param-D", "true")];
        let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(headers, expected);
    }

    #[test]
    fn values_that_a_header_would_change_are_encoded() {
        for (text, expected) in [("", ""), ("a b", "a b"), (" a", "=?base64?IGE=?="), ("a\tb", "=?base64?YQli?=")] {
            assert_eq!(header_value(text), expected);
        }
        assert_ne!(header_value("=?base64?YQ==?="), "=?base64?YQ==?=");
    }
}
