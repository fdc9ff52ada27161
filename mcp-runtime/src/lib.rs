//! The runtime of MCP servers that [mcp-codegen] generates: transports, protocol, errors and who hears of them.
//!
//! A contract names a server's tools, resources and prompts; mcp-codegen turns it into traits; you implement them on a
//! struct of yours; this crate carries the messages.
//!
//! [mcp-codegen]: https://docs.rs/mcp-codegen
//!
//! # Layout
//!
//! - [`Server`] is where a program begins: services, providers, limits, listeners, `serve_*`.
//! - [`Context`], [`ToolResponse`], [`ToolError`] and their kin are what a handler meets.
//! - [`listener`] tells what happened; [`provider`] adds features that no contract knows.
//! - [`Changes`] tells clients that lists or resources are not what they were.
//! - `http` serves over HTTP, and `auth` tells who calls there.
//! - [`RelativePath`], [`CommandArg`] and [`HttpUrl`] are texts that a handler can hand on, and `RootDir` is where paths stay.
//! - [`task`] is for tool calls that the client does not wait for.
//! - [`testing`] is a client in the same process, for tests.
//! - [`json`] is the reader and writer under generated code, and [`codegen`] all that such code may name.
//!
//! Inside, a message goes from a transport through `connection` (what is it, which era, which handler) to a `service`,
//! and back as bytes; `serve` and `transport::http` are the only modules that spawn or queue, but for `auth`, which fetches
//! keys.

#[cfg(feature = "http")]
pub mod auth;
mod changes;
mod checked;
mod connection;
pub mod context;
mod engine;
mod error;
pub mod json;
mod jsonrpc;
mod limits;
pub mod listener;
mod lock;
mod log;
mod macros;
#[cfg(feature = "pattern")]
mod pattern;
mod peer;
mod percent;
mod protocol;
pub mod provider;
mod response;
#[cfg(feature = "schema")]
mod schema;
mod seal;
mod serve;
mod server;
mod service;
pub mod task;
pub mod testing;
mod tool_error;
mod trace;
mod transport;
pub mod validate;

#[doc(hidden)]
pub mod codegen;

pub use self::changes::Changes;
#[cfg(feature = "fs")]
pub use self::checked::RootDir;
pub use self::checked::{CheckedTextError, CommandArg, HttpUrl, RelativePath};
pub use self::context::Context;
pub use self::context::ask::{
    Ask, AskError, AskUrl, ModelPreferences, Page, Question, Reply, Root, Sampled, SampledContent, SamplingRequest,
    SamplingTool, ToolChoice, ToolResult, ToolUse,
};
pub use self::error::{Error, Result};
pub use self::json::{Field, Rest};
pub use self::jsonrpc::{ErrorCode, RequestId};
pub use self::listener::{Listener, ToolErrorEvent};
pub use self::log::LogLevel;
pub use self::peer::Principal;
pub use self::protocol::{ClientCapabilities, ClientInfo, Revision};
pub use self::provider::{PromptProvider, ResourceProvider, ToolProvider};
pub use self::response::{
    Audience, Completions, Content, Partial, PromptMessages, RequestError, ResourceContents, Role, ToolResponse,
};
pub use self::server::Server;
pub use self::service::{Pair, Service};
pub use self::tool_error::{ToolError, ToolErrorCategory};
#[cfg(feature = "http")]
pub use self::transport::http;
#[cfg(feature = "stdio")]
pub use self::transport::stdio::claim_stdio;
