//! From what a handler returned to the bytes of the answer.

mod structured;

use std::fmt;
use std::sync::PoisonError;

use crate::context::drive::Ended;
use crate::context::{Beside, Context, Outcome, State};
use crate::json::Writer;
use crate::jsonrpc::{ErrorCode, write_error, write_error_with};
use crate::listener::{self, ToolErrorEvent};
use crate::protocol::{Capability, result_head};
use crate::response::{
    Completions, Content, PromptMessages, RequestError, ResourceContents, ToolResponse, write_content,
};
use crate::tool_error::{Instead, ToolError, ToolErrorCategory};

/// A finished answer, in the state that travelled with its request.
pub struct Answer {
    pub(super) state: Box<State>,
    /// Where it begins in the state's buffer.
    start: usize,
}

impl Answer {
    /// The answer's bytes: one JSON-RPC message without a line end.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.state.buffer.get(self.start..).unwrap_or_default()
    }

    /// Takes the buffer, and where the answer begins in it.
    pub(crate) fn take_bytes(&mut self) -> (Vec<u8>, usize) {
        (std::mem::take(&mut self.state.buffer), self.start)
    }

    /// The state, for the next request.
    pub(crate) fn into_state(self) -> Box<State> {
        self.state
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Answer").field(&String::from_utf8_lossy(self.bytes())).finish()
    }
}

impl Context {
    /// Writes the answer of a tool without an output schema.
    #[must_use]
    pub fn respond(self, outcome: Outcome<ToolResponse, ToolError>) -> Answer {
        match outcome.0 {
            Ended::Succeeded(response) => self.finish(|context, beside, out| {
                out.extend_from_slice(br#""content":"#);
                write_content(response.content().chain(&beside.content), context.state.head.revision, out);
            }),
            Ended::Failed(error) => self.fail(&error),
            Ended::Asked => self.input_required("tools/call"),
        }
    }

    /// Writes the answer of a resource.
    #[must_use]
    pub fn contents(self, outcome: Outcome<ResourceContents, RequestError>) -> Answer {
        match outcome.0 {
            Ended::Succeeded(contents) => self.finish(|context, _, out| {
                out.extend_from_slice(br#""contents":"#);
                contents.write(&context.state.feature, context.state.mime_type.as_deref(), out);
                let caching = context.state.peer.engine.lists.caching(context.state.head.revision);
                out.extend_from_slice(caching.as_bytes());
            }),
            Ended::Failed(error) => self.refuse_request(&error),
            Ended::Asked => self.input_required("resources/read"),
        }
    }

    /// Writes the answer of a prompt.
    #[must_use]
    pub fn messages(self, outcome: Outcome<PromptMessages, RequestError>) -> Answer {
        match outcome.0 {
            Ended::Succeeded(messages) => {
                self.finish(|context, _, out| messages.write(context.state.head.revision, out))
            }
            Ended::Failed(error) => self.refuse_request(&error),
            Ended::Asked => self.input_required("prompts/get"),
        }
    }

    /// Writes the answer of a completion.
    #[must_use]
    pub fn completions(self, outcome: Outcome<Completions, RequestError>) -> Answer {
        match outcome.0 {
            Ended::Succeeded(completions) => self.finish(|_, _, out| completions.write(out)),
            Ended::Failed(error) => self.refuse_request(&error),
            Ended::Asked => self.refuse_request(&RequestError::internal("a completion cannot ask the client")),
        }
    }

    /// Writes the answer of a prompt whose messages are finished.
    pub(crate) fn static_messages(self, messages: &[u8]) -> Answer {
        self.finish(|_, _, out| {
            out.extend_from_slice(br#""messages":"#);
            out.extend_from_slice(messages);
        })
    }

    /// Writes a whole result around the members that `write` appends.
    fn finish(self, write: impl FnOnce(&Self, &Beside, &mut Vec<u8>)) -> Answer {
        self.try_finish(|context, beside, out| {
            write(context, beside, out);
            Ok(())
        })
    }

    /// The same where there can be a reason not to send what the handler made.
    fn try_finish(mut self, write: impl FnOnce(&Self, &Beside, &mut Vec<u8>) -> Result<(), String>) -> Answer {
        let mut out = std::mem::take(&mut self.state.buffer);
        let start = out.len();
        let beside = std::mem::take(self.state.beside.get_mut().unwrap_or_else(PoisonError::into_inner));
        self.state.head.write(&mut out);
        self.write_result_head(&beside, &mut out);
        if let Err(why) = write(&self, &beside, &mut out) {
            out.truncate(start);
            self.state.buffer = out;
            self.finished(listener::Outcome::Failed, Some(&why));
            return self.reject(ToolErrorCategory::Internal, &why);
        }
        out.extend_from_slice(b"}}");
        let size = out.len() - start;
        if let Some(most) = self.state.max_result.filter(|most| size as u64 > *most) {
            out.truncate(start);
            self.state.buffer = out;
            return self.too_large(size, most);
        }
        self.finished(listener::Outcome::Succeeded, None);
        self.answered(out)
    }

    /// Says instead of a result that it is larger than the contract allows: most clients would refuse it, or cut it.
    #[cold]
    fn too_large(self, size: usize, most: u64) -> Answer {
        let feature = self.state.peer.engine.shown(&self.state.feature);
        let message =
            format!("the answer of `{feature}` has {size} bytes, and may have {most}: ask for less at a time");
        if self.state.head.is_tool {
            self.fail(&ToolError::invalid_params(message))
        } else {
            self.refuse_request(&RequestError::internal(message))
        }
    }

    /// Ends the request with the buffer that holds its answer.
    pub(super) fn answered(mut self, out: Vec<u8>) -> Answer {
        self.finish_progress();
        self.state.buffer = out;
        Answer { start: self.state.arguments.inline_end(), state: self.state }
    }

    /// Appends `,"result":{` with all that stands before the members.
    fn write_result_head(&self, beside: &Beside, out: &mut Vec<u8>) {
        let (engine, revision) = (&self.state.peer.engine, self.state.head.revision);
        result_head(engine, revision, out);
        let Some(meta) = &beside.meta else { return };
        let meta = serde_json::Value::Object(meta.clone()).to_string();
        if revision.is_stateless() {
            // the head ends with `…},`: the handler's members go into the same `_meta`
            out.truncate(out.len() - 2);
            out.push(b',');
            out.extend_from_slice(&meta.as_bytes()[1..]);
            out.push(b',');
        } else if revision.has_meta_everywhere() {
            out.extend_from_slice(br#""_meta":"#);
            out.extend_from_slice(meta.as_bytes());
            out.push(b',');
        }
    }

    /// Writes a failed tool call: a result with `isError`.
    #[cold]
    pub(crate) fn fail(mut self, error: &ToolError) -> Answer {
        let revision = self.state.head.revision;
        self.span().failed_tool();
        self.tool_error(error.category(), error.message());
        match error.instead() {
            Some(Instead::Lacks(capability)) if revision.is_stateless() => {
                return self.lacks(*capability, error.message());
            }
            Some(Instead::Pages(pages)) if !revision.is_stateless() => return self.pages(pages, error.message()),
            Some(Instead::Lacks(_) | Instead::Pages(_)) | None => {}
        }
        let text = if error.is_foreign() && !self.state.peer.engine.expose_errors {
            Content::text(format!("internal error (request {})", self.state.head.id))
        } else {
            Content::text(error.message())
        };
        let mut out = std::mem::take(&mut self.state.buffer);
        self.state.head.write(&mut out);
        result_head(&self.state.peer.engine, revision, &mut out);
        out.extend_from_slice(br#""content":"#);
        write_content(std::iter::once(&text).chain(error.content()), revision, &mut out);
        out.extend_from_slice(br#","isError":true}}"#);
        self.finished(listener::Outcome::Failed, Some(error.message()));
        self.answered(out)
    }

    /// Writes a JSON-RPC error for a tool call that the protocol does not want as a result.
    #[cold]
    pub(crate) fn reject(mut self, category: ToolErrorCategory, message: &str) -> Answer {
        self.tool_error(category, message);
        self.span().failed(category.code().code());
        let mut out = std::mem::take(&mut self.state.buffer);
        write_error(&mut out, Some(&self.state.head.id), category.code(), message);
        self.answered(out)
    }

    #[cold]
    pub(crate) fn refuse_request(mut self, error: &RequestError) -> Answer {
        let revision = self.state.head.revision;
        match error.instead() {
            Some(Instead::Lacks(capability)) if revision.is_stateless() => {
                return self.lacks(*capability, error.message());
            }
            Some(Instead::Pages(pages)) if !revision.is_stateless() => return self.pages(pages, error.message()),
            Some(Instead::Lacks(_) | Instead::Pages(_)) | None => {}
        }
        let code = error.code(revision);
        self.span().failed(code.code());
        let mut out = std::mem::take(&mut self.state.buffer);
        let shown = if error.is_foreign() && !self.state.peer.engine.expose_errors {
            format!("internal error (request {})", self.state.head.id)
        } else {
            error.message().to_owned()
        };
        if error.is_not_found() {
            let mut data = br#"{"uri":"#.to_vec();
            Writer::new(&mut data).string(&self.state.feature);
            data.push(b'}');
            let data = String::from_utf8_lossy(&data);
            write_error_with(&mut out, Some(&self.state.head.id), (code.code(), &shown), Some(&data));
        } else {
            write_error(&mut out, Some(&self.state.head.id), code, &shown);
        }
        self.finished(listener::Outcome::Failed, Some(error.message()));
        self.answered(out)
    }

    /// Writes the error for a client that cannot be asked what the handler must know.
    #[cold]
    fn lacks(self, capability: Capability, message: &str) -> Answer {
        let data = format!(r#"{{"requiredCapabilities":{}}}"#, capability.json());
        self.refuse_with((ErrorCode::MissingClientCapability, message), &data)
    }

    /// Writes the error for a client whose user has to open pages first.
    #[cold]
    fn pages(self, pages: &str, message: &str) -> Answer {
        self.refuse_with((ErrorCode::UrlElicitationRequired, message), &format!(r#"{{"elicitations":{pages}}}"#))
    }

    fn refuse_with(mut self, (code, message): (ErrorCode, &str), data: &str) -> Answer {
        self.span().failed(code.code());
        let mut out = std::mem::take(&mut self.state.buffer);
        write_error_with(&mut out, Some(&self.state.head.id), (code.code(), message), Some(data));
        self.finished(listener::Outcome::Failed, Some(message));
        self.answered(out)
    }

    /// Tells the listeners that the tool failed.
    pub(crate) fn tool_error(&self, category: ToolErrorCategory, message: &str) {
        let listeners = &self.state.peer.engine.listeners;
        if listeners.any() {
            let event = ToolErrorEvent::new(self.state.feature.as_ref(), category, message)
                .request_id(self.state.head.id.clone());
            listeners.send(listener::Event::ToolError(event));
        }
    }

    pub(super) fn finished(&self, outcome: listener::Outcome, error: Option<&str>) {
        // a handler that went on after it was told has an answer that nobody gets
        let outcome = if self.is_given_up() { listener::Outcome::Cancelled } else { outcome };
        let engine = &self.state.peer.engine;
        if !engine.listeners.any() {
            return;
        }
        let name = engine.shown(&self.state.feature);
        if let Some(finished) = self.state.head.finished(name, outcome, error) {
            engine.listeners.send(listener::Event::Finished(finished));
        }
    }
}
