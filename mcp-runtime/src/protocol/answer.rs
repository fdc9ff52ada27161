//! How an answer begins and ends, by era.

use std::any::Any;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::engine::Engine;
use crate::json::Writer;
use crate::jsonrpc::{ErrorCode, RequestId, write_error};
use crate::listener::{Event, Finished, Outcome, ToolErrorEvent};
use crate::protocol::Revision;
use crate::tool_error::ToolErrorCategory;
use crate::trace::RequestSpan;

/// All that is needed to write an answer without the handler: for one that panicked, or ran too long.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) id: RequestId,
    pub(crate) revision: Revision,
    /// A failed tool call is a result; any other failure is an error.
    pub(crate) is_tool: bool,
    /// For the listeners; `None` where there are none.
    pub(crate) audit: Option<Arc<Audit>>,
    pub(crate) span: RequestSpan,
}

/// What listeners are told of a request beside how it ended.
#[derive(Debug)]
pub(crate) struct Audit {
    pub(crate) begun: Instant,
    pub(crate) method: &'static str,
    pub(crate) principal: Option<String>,
    /// The `traceparent` of the request, if it is one.
    pub(crate) trace_parent: Option<String>,
}

/// Appends `,"result":{` and what every result of the era has; a member must follow.
pub(crate) fn result_head(engine: &Engine, revision: Revision, out: &mut Vec<u8>) {
    if revision.is_stateless() {
        out.extend_from_slice(engine.identity.stateless_head.as_bytes());
    } else {
        out.extend_from_slice(br#","result":{"#);
    }
}

/// The same for a result that asks for more input, which only stateless clients get.
pub(crate) fn input_required_head(engine: &Engine, out: &mut Vec<u8>) {
    out.extend_from_slice(engine.identity.input_required_head.as_bytes());
}

/// The same for a result that is a task, which only stateless clients get.
pub(crate) fn task_head(engine: &Engine, out: &mut Vec<u8>) {
    out.extend_from_slice(engine.identity.task_head.as_bytes());
}

/// Appends `{"jsonrpc":"2.0","id":…`.
pub(crate) fn write_head(id: &RequestId, out: &mut Vec<u8>) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
    id.write(out);
}

impl Head {
    /// Appends `{"jsonrpc":"2.0","id":…`.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        write_head(&self.id, out);
    }

    /// What the listeners hear of a handler that ended.
    pub(crate) fn finished(&self, name: &str, outcome: Outcome, error: Option<&str>) -> Option<Finished> {
        let audit = self.audit.as_deref()?;
        Some(Finished {
            name: name.to_owned(),
            method: audit.method,
            request_id: self.id.clone(),
            outcome,
            error: error.map(str::to_owned),
            duration: audit.begun.elapsed(),
            principal: audit.principal.clone(),
            trace_parent: audit.trace_parent.clone(),
        })
    }
}

/// A handler that did not answer for itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handling<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) head: &'a Head,
    /// The tool, prompt or URI.
    pub(crate) name: &'a str,
}

impl Handling<'_> {
    /// Answers for a handler that panicked, without its words; those go to the listeners.
    #[cold]
    pub(crate) fn panicked(self, panic: &(dyn Any + Send), out: &mut Vec<u8>) {
        let words = panic.downcast_ref::<&str>().copied();
        let words = words.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
        self.tell(ToolErrorCategory::Internal, &format!("the handler panicked: {words}"), Outcome::Panicked);
        self.write_failure(&format!("internal error (request {})", self.head.id), out);
    }

    /// Answers for a handler that ran too long.
    #[cold]
    pub(crate) fn timed_out(self, limit: Duration, out: &mut Vec<u8>) {
        let message = format!("timed out after {limit:?}. {}", ToolErrorCategory::Timeout.guidance());
        self.tell(ToolErrorCategory::Timeout, &message, Outcome::TimedOut);
        self.write_failure(&message, out);
    }

    fn tell(self, category: ToolErrorCategory, message: &str, outcome: Outcome) {
        if self.head.is_tool {
            self.head.span.failed_tool();
        } else {
            self.head.span.failed(ErrorCode::InternalError.code());
        }
        let listeners = &self.engine.listeners;
        if !listeners.any() {
            return;
        }
        if self.head.is_tool {
            let event = ToolErrorEvent::new(self.name, category, message).request_id(self.head.id.clone());
            listeners.send(Event::ToolError(event));
        }
        if let Some(finished) = self.head.finished(self.engine.shown(self.name), outcome, Some(message)) {
            listeners.send(Event::Finished(finished));
        }
    }

    /// Appends a whole answer that says that the handler failed.
    fn write_failure(self, message: &str, out: &mut Vec<u8>) {
        if !self.head.is_tool {
            write_error(out, Some(&self.head.id), ErrorCode::InternalError, message);
            return;
        }
        self.head.write(out);
        result_head(self.engine, self.head.revision, out);
        out.extend_from_slice(br#""content":[{"type":"text","text":"#);
        Writer::new(out).string(message);
        out.extend_from_slice(br#"}],"isError":true}}"#);
    }
}
