//! The events, each plain data.

use std::fmt;
use std::time::{Duration, SystemTime};

use crate::jsonrpc::{ErrorCode, RequestId};
use crate::tool_error::ToolErrorCategory;
use crate::validate::Repair;

/// A tool call that failed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolErrorEvent {
    /// The tool's name, as the client wrote it.
    pub tool: String,
    /// What kind of failure it was.
    pub category: ToolErrorCategory,
    /// What went wrong, for the operator. Values of `secret` arguments never stand in it.
    pub message: String,
    /// When it happened.
    pub timestamp: SystemTime,
    /// The id of the request, if there was one.
    pub request_id: Option<RequestId>,
}

impl ToolErrorEvent {
    /// An event that happens now.
    #[must_use]
    pub fn new(tool: impl Into<String>, category: ToolErrorCategory, message: impl Into<String>) -> Self {
        Self { tool: tool.into(), category, message: message.into(), timestamp: SystemTime::now(), request_id: None }
    }

    /// Says which request it was.
    #[must_use]
    pub fn request_id(mut self, id: impl Into<RequestId>) -> Self {
        self.request_id = Some(id.into());
        self
    }

    /// Whether the same call may succeed later.
    #[must_use]
    pub fn is_retriable(&self) -> bool {
        self.category.is_retriable()
    }
}

/// One line: tool, category, request, message.
impl fmt::Display for ToolErrorEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tool `{}` failed ({}", self.tool, self.category)?;
        if let Some(id) = &self.request_id {
            write!(f, ", request {id}")?;
        }
        write!(f, "): {}", self.message)
    }
}

/// Arguments that were mended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repaired {
    /// The tool.
    pub tool: String,
    /// The id of the request.
    pub request_id: RequestId,
    /// What was done at which place.
    pub changes: Vec<Repair>,
}

/// A request that its client gave up.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cancelled {
    /// The id of the request.
    pub request_id: RequestId,
    /// The client's reason, if it gave one.
    pub reason: Option<String>,
}

/// A request that no handler saw: of an unknown method, or with parameters that do not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refused {
    /// The method, as the client wrote it.
    pub method: String,
    /// The id of the request.
    pub request_id: RequestId,
    /// The code of the error that answered it.
    pub code: ErrorCode,
    /// The text of that error.
    pub message: String,
}

/// A handler that ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finished {
    /// The tool, the prompt, or the URI.
    pub name: String,
    /// The method of the request: `tools/call`, `resources/read`, `prompts/get`, `completion/complete`, or one about tasks.
    pub method: &'static str,
    /// The id of the request.
    pub request_id: RequestId,
    /// How it ended.
    pub outcome: Outcome,
    /// What a failed handler said, for the operator.
    pub error: Option<String>,
    /// From the request's arrival to the handler's end. For a task, that is the task's end.
    pub duration: Duration,
    /// Whom the request was made for, where the transport knows.
    pub principal: Option<String>,
    /// The `traceparent` that the client sent: W3C Trace Context, in `_meta`.
    pub trace_parent: Option<String>,
}

/// How a handler ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// With a question that a stateless client brings the answer to in its next request.
    Asked,
    /// The client gave the request up.
    Cancelled,
    /// With an error.
    Failed,
    /// It panicked.
    Panicked,
    /// With a result.
    Succeeded,
    /// It ran longer than it may.
    TimedOut,
}

/// Something that a provider offers and nobody can use.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// `tool`, `resource`, `resource template` or `prompt`.
    pub kind: &'static str,
    /// Its name or URI.
    pub name: String,
    /// Why it is left out: it is taken, or MCP does not allow it.
    pub why: String,
}

/// Something that happened to a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TransportEvent {
    /// The client is there: its name and version, if it told them.
    Connected {
        /// `clientInfo.name` and `clientInfo.version`.
        client: Option<(String, String)>,
    },
    /// The other side closed the connection; this many requests were still answered.
    Closed {
        /// Requests in flight when it happened.
        in_flight: usize,
    },
    /// A line that is no message; the text says why.
    BadMessage(String),
    /// The queue was full: this many events were lost before this one.
    EventsDropped(u64),
    /// A request was refused before it was read, because of where it came from: the text says why.
    Refused(String),
    /// A request brought no token, or one that does not hold, or nobody could tell: the text says why.
    Unauthorized(String),
    /// Reading or writing failed, and that ended the stream: the text says how.
    Failed(String),
    /// A client did not read what was sent to it, and its stream was cut.
    SlowReader,
    /// There were as many sessions as there may be, and one that nobody used was ended for a new one.
    SessionDisplaced,
    /// The server has shut down, and this many requests were cut off because they took too long.
    ShutDown {
        /// Requests in flight when the time was over.
        cut: usize,
    },
    /// The program was built with `panic = "abort"`: a handler that panics ends the server.
    PanicsAbort,
}
