//! All that generated code may name. Not meant to be written by hand, and free to change with [`ABI`].

pub use crate::context::{Answer, Context, Outcome};
pub use crate::json::{
    ArrayRules, Decode, Encode, Fault, Field, IntegerRules, NumberRules, ObjectRules, Reader, Rest, StringRules,
    Writer, decode, required,
};
pub use crate::response::{Completions, Partial, PromptMessages, RequestError, ResourceContents, ToolResponse};
pub use crate::service::{
    Call, Catalog, Completion, Part, Prompt, Resource, ResourceTemplate, ServerInfo, Service, Settings, Start, Tool,
    UriTemplate, text_variable, variable,
};
pub use crate::tool_error::ToolError;
pub use serde_json::Value;

/// What generated code and runtime agree on. It grows when generated code of before would no longer compile or behave.
pub const ABI: u32 = 1;
