//! One span for each request, by the field names of OpenTelemetry's conventions for MCP; the feature `tracing`.
//!
//! What a client sends as arguments, and what a handler answers, is in no span.

#[cfg(feature = "tracing")]
#[path = "trace/spans.rs"]
mod spans;
#[cfg(not(feature = "tracing"))]
#[path = "trace/none.rs"]
mod spans;

use crate::jsonrpc::RequestId;
use crate::protocol::Meta;

pub(crate) use self::spans::{RequestSpan, Spans};

/// What is known of a request when its span begins.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "tracing"), expect(dead_code, reason = "without the feature nobody looks"))]
pub(crate) struct Opening<'a> {
    pub(crate) id: &'a RequestId,
    pub(crate) method: &'a str,
    /// The tool or prompt, if the server has it: what a client makes up is no name for a span.
    pub(crate) target: &'a dyn Fn() -> Option<String>,
    pub(crate) meta: Option<&'a Meta>,
    /// The digest of the session's id, where the server has several.
    pub(crate) session: Option<&'a str>,
    /// Whether the client is on a byte stream: else it comes over HTTP.
    pub(crate) is_pipe: bool,
}
