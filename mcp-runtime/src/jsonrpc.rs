//! JSON-RPC 2.0 as MCP uses it: one message at a time, ids that are strings or integers, parameters that are objects.

mod error;
mod id;
mod message;

pub use self::error::ErrorCode;
#[cfg(feature = "http")]
pub(crate) use self::error::error_code;
pub(crate) use self::error::{write_error, write_error_with, write_object};
pub use self::id::RequestId;
pub(crate) use self::message::{Message, Param, Params, Shape, id_of_invalid};
