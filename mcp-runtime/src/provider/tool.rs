//! Tools that are known only at run time.

use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::context::Context;
use crate::provider::definition::{described, to_json};
use crate::provider::header;
use crate::response::ToolResponse;
use crate::service::ParamHeader;
use crate::task::TaskSupport;
use crate::tool_error::ToolError;

/// What a provider's call returns: a boxed future, because the trait is used behind `dyn`.
pub type ToolFuture<'a> = Pin<Box<dyn Future<Output = Result<ToolResponse, ToolError>> + Send + 'a>>;

/// Offers tools that no contract knows: from a plug-in, a database, another server.
///
/// Its tools are validated like generated ones: arguments reach `call` only if the tool's schema accepts them. All
/// keywords of JSON Schema count, with these limits:
///
/// - `pattern` and `patternProperties` need the feature `pattern` of this crate; without, all but the plainest refuse
///   nothing. With it, `\s`, `\b` and what is case-insensitive mean what they mean to the crate `regex`.
/// - References lead to places in the same schema, and `$dynamicRef` is read as `$ref`. One that leads elsewhere refuses
///   nothing.
/// - `format` and the `content…` keywords describe. Vocabularies of a dialect of one's own are not looked at.
///
/// A result is text; no output schema is held against it.
///
/// ```
/// use mcp_runtime::provider::{ToolDefinition, ToolFuture, ToolProvider};
/// use mcp_runtime::{Context, ToolResponse};
/// use serde_json::{Map, Value, json};
///
/// struct Macros;
///
/// impl ToolProvider for Macros {
///     fn tools(&self) -> Vec<ToolDefinition> {
///         let schema = json!({ "type": "object", "properties": { "times": { "type": "integer" } } });
///         vec![ToolDefinition::new("bark", schema).description("Bark")]
///     }
///
///     fn call<'a>(&'a self, _: &'a str, arguments: Map<String, Value>, _: &'a Context) -> ToolFuture<'a> {
///         Box::pin(async move {
///             let times = arguments.get("times").and_then(Value::as_u64).unwrap_or(1);
///             Ok(ToolResponse::text(format!("barked {times} times")))
///         })
///     }
/// }
/// ```
pub trait ToolProvider: Send + Sync + 'static {
    /// The tools that there are now. Asked at start, where a name that somebody else claims stops the server, then
    /// for each list and each call; so keep it cheap.
    fn tools(&self) -> Vec<ToolDefinition>;

    /// Calls one of them.
    fn call<'a>(&'a self, name: &'a str, arguments: Map<String, Value>, context: &'a Context) -> ToolFuture<'a>;
}

impl<T: ToolProvider + ?Sized> ToolProvider for Arc<T> {
    fn tools(&self) -> Vec<ToolDefinition> {
        (**self).tools()
    }

    fn call<'a>(&'a self, name: &'a str, arguments: Map<String, Value>, context: &'a Context) -> ToolFuture<'a> {
        (**self).call(name, arguments, context)
    }
}

/// A tool that is known only at run time.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolDefinition {
    pub(crate) name: String,
    /// All members but the name, in the order in which they go out.
    members: Map<String, Value>,
}

impl ToolDefinition {
    /// A tool with this name and `inputSchema`. The schema's root must say `"type": "object"`.
    #[must_use]
    pub fn new(name: impl Into<String>, input_schema: Value) -> Self {
        let mut members = Map::new();
        members.insert("inputSchema".to_owned(), input_schema);
        Self { name: name.into(), members }
    }

    /// States hints such as `readOnlyHint`.
    #[must_use]
    pub fn annotations(self, annotations: Value) -> Self {
        self.member("annotations", annotations)
    }

    /// Whether its calls can be tasks, by its `execution`: see [`task`](crate::task).
    pub(crate) fn task_support(&self) -> TaskSupport {
        let says = self.members.contains_key("execution");
        if says { TaskSupport::of(&self.to_json()) } else { TaskSupport::Forbidden }
    }

    /// The `inputSchema` as JSON text.
    pub(crate) fn input_schema(&self) -> String {
        self.members.get("inputSchema").unwrap_or(&Value::Null).to_string()
    }

    /// Why the tool cannot be served, if it cannot: MCP demands a name and an object's schema.
    pub(crate) fn defect(&self) -> Option<&'static str> {
        if self.name.is_empty() {
            return Some("its name is empty");
        }
        let root = self.members.get("inputSchema").and_then(|schema| schema.get("type"));
        (root != Some(&json!("object"))).then_some("the root of its `inputSchema` does not say `\"type\": \"object\"`")
    }

    /// The arguments that clients repeat as HTTP headers.
    ///
    /// # Errors
    ///
    /// Fails where clients would refuse the tool, and says why.
    pub(crate) fn headers(&self) -> Result<Vec<ParamHeader>, &'static str> {
        self.members.get("inputSchema").map_or(Ok(Vec::new()), header::read)
    }

    /// The definition as it stands in a list, at the newest revision.
    pub(crate) fn to_json(&self) -> String {
        to_json(&[("name", &self.name)], &self.members)
    }
}

described!(ToolDefinition);
