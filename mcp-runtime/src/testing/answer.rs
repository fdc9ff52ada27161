//! What a server answered.

use std::fmt;

use serde_json::Value;

/// The result of a tool call.
#[derive(Clone, Debug, PartialEq)]
pub struct CallResult {
    json: Value,
}

/// A JSON-RPC error.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ErrorAnswer {
    /// Such as −32602.
    pub code: i64,
    /// What went wrong.
    pub message: String,
    /// What else there is to say.
    pub data: Option<Value>,
}

impl CallResult {
    pub(super) fn new(json: Value) -> Self {
        Self { json }
    }

    /// Whether the tool failed, or refused its arguments.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.json["isError"] == true
    }

    /// The structured result, of a tool with an output schema.
    #[must_use]
    pub fn structured(&self) -> Option<&Value> {
        self.json.get("structuredContent")
    }

    /// The content blocks.
    #[must_use]
    pub fn content(&self) -> &[Value] {
        self.json["content"].as_array().map_or(&[], Vec::as_slice)
    }

    /// The text of all text blocks, a line end between them.
    #[must_use]
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self.content().iter().filter_map(|block| block["text"].as_str()).collect();
        texts.join("\n")
    }

    /// The whole result.
    #[must_use]
    pub fn json(&self) -> &Value {
        &self.json
    }
}

impl ErrorAnswer {
    pub(super) fn new(error: &Value) -> Self {
        Self {
            code: error["code"].as_i64().unwrap_or_default(),
            message: error["message"].as_str().unwrap_or_default().to_owned(),
            data: error.get("data").cloned(),
        }
    }
}

impl fmt::Display for ErrorAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code)
    }
}

impl std::error::Error for ErrorAnswer {}
