//! Tools for the client's model: what it may call, what it called, and what came of that.

use serde_json::{Map, Value, json};

use crate::json::{Encode, Writer};
use crate::protocol::Revision;
use crate::response::Content;

/// A tool that the client's model may call, and that the handler runs itself. Source: the schema type `Tool`.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "it says nothing before it is part of a request"]
pub struct SamplingTool {
    name: String,
    description: Option<String>,
    input_schema: Value,
}

/// Whether the model has to call a tool. Source: the schema type `ToolChoice`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ToolChoice {
    /// As the model likes.
    #[default]
    Auto,
    /// It calls none.
    None,
    /// It calls one at least.
    Required,
}

/// A call that the model wants. Source: the schema type `ToolUseContent`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolUse {
    /// What the result will name.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments, as the model made them up: check them.
    pub input: Map<String, Value>,
}

/// What came of a call that the model wanted. Source: the schema type `ToolResultContent`.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "it says nothing before it is part of a request"]
pub struct ToolResult {
    pub(super) id: String,
    content: Vec<Content>,
    is_error: bool,
}

impl SamplingTool {
    /// A tool with this name and schema of its arguments, an object's.
    pub fn new(name: impl Into<String>, input_schema: Value) -> Self {
        Self { name: name.into(), description: None, input_schema }
    }

    /// Says what it is for.
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }
}

impl Encode for SamplingTool {
    fn encode(&self, w: &mut Writer<'_>) {
        w.begin_object();
        w.member(r#""name":"#, &self.name);
        w.optional(r#""description":"#, &self.description);
        w.member(r#""inputSchema":"#, &self.input_schema);
        w.end_object();
    }
}

impl Encode for ToolChoice {
    fn encode(&self, w: &mut Writer<'_>) {
        w.begin_object();
        w.member(
            r#""mode":"#,
            match self {
                Self::Auto => &"auto",
                Self::None => &"none",
                Self::Required => &"required",
            },
        );
        w.end_object();
    }
}

impl ToolResult {
    /// The result of the call with this [`id`](ToolUse::id).
    pub fn new(id: impl Into<String>, content: impl Into<Content>) -> Self {
        Self { id: id.into(), content: vec![content.into()], is_error: false }
    }

    /// The same for a call that failed.
    pub fn failed(id: impl Into<String>, why: impl Into<Content>) -> Self {
        Self { is_error: true, ..Self::new(id, why) }
    }

    /// Adds content.
    pub fn with(mut self, content: impl Into<Content>) -> Self {
        self.content.push(content.into());
        self
    }

    pub(super) fn write(&self, revision: Revision, out: &mut Vec<u8>) {
        out.extend_from_slice(br#"{"type":"tool_result","toolUseId":"#);
        Writer::new(out).string(&self.id);
        out.extend_from_slice(br#","content":["#);
        for (index, content) in self.content.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            content.write(revision, out);
        }
        out.push(b']');
        if self.is_error {
            out.extend_from_slice(br#","isError":true"#);
        }
        out.push(b'}');
    }
}

impl ToolUse {
    /// Reads a block; `None` if it is no call.
    pub(super) fn read(block: &Value) -> Option<Self> {
        let text = |key: &str| block.get(key).and_then(Value::as_str).map(str::to_owned);
        let input = block.get("input")?.as_object()?.clone();
        (block.get("type") == Some(&json!("tool_use"))).then_some(())?;
        Some(Self { id: text("id")?, name: text("name")?, input })
    }
}
