//! All that generated code may name. Not meant to be written by hand, and free to change with [`ABI`].

mod foreign;
pub mod formats;

pub use self::foreign::{from_text, to_value};
pub use crate::context::ask::{Ask, AskUrl};
pub use crate::context::{Answer, Context, Outcome};
pub use crate::json::{
    ArrayRules, Both, Decode, Encode, Fault, Field, IntegerRules, Key, Matcher, Members, NumberRules, ObjectRules,
    Plain, Reader, Rest, Step, StringRules, Verbatim, Writer, decode, decode_default, keys, required,
};
#[cfg(feature = "pattern")]
pub use crate::pattern::{BacktrackingPattern, Pattern};
pub use crate::response::{Completions, Partial, PromptMessages, RequestError, ResourceContents, ToolResponse};
#[cfg(feature = "schema")]
pub use crate::schema::Validator;
pub use crate::service::{
    Call, Catalog, Completion, ParamHeader, Prompt, Resource, ResourceTemplate, ServerInfo, Service, Settings, Start,
    Tool, UriPart, UriTemplate, UriValues, UriVariable,
};
pub use crate::tool_error::ToolError;
pub use serde_json::Value;

/// What generated code and runtime agree on. It grows when generated code of before would no longer compile or behave.
pub const ABI: u32 = 1;
