//! One message in, an answer now or a handler under way: the same for every transport.

mod completion;
#[cfg(feature = "http")]
mod exchange;
mod launch;
mod listen;
mod lists;
mod load;
mod modern;
mod observed;
mod refusal;
mod session;
mod target;
mod tasks;
mod unreadable;

use std::borrow::Cow;
use std::sync::Arc;

#[cfg(feature = "http")]
pub(crate) use self::exchange::end_streams;
pub(crate) use self::launch::Pending;
pub(crate) use self::load::Load;
use self::refusal::{Outcome, refuse};
use self::target::Target;
pub(crate) use self::unreadable::Unreadable;
use crate::context::{Answer, State};
use crate::json::{ArrayRules, Reader, string_of};
use crate::jsonrpc::{ErrorCode, Message, Param, Params, RequestId, Shape, write_error};
use crate::listener::{Cancelled, Event, TransportEvent};
use crate::peer::{Outbox, Peer, Principal, Way};
use crate::protocol::{Meta, MetaFault, Revision};
use crate::serve::Line;
use crate::trace::RequestSpan;

/// The most messages in one batch.
const MAX_BATCH: u64 = 1024;

/// One side of a conversation, message by message.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) peer: Arc<Peer>,
    /// Where what its calls say leaves.
    outbox: Arc<Outbox>,
    principal: Option<Principal>,
    /// The state of a request that was answered, for the next one.
    spare: Option<Box<State>>,
    /// The last `_meta`: clients send the same one over and over.
    last_meta: Arc<Meta>,
    /// The line that is looked at, if it is a long one: its handler may keep it instead of a copy.
    long_line: Option<Arc<Vec<u8>>>,
}

/// What came of one message.
#[derive(Debug)]
pub(crate) enum Reply {
    /// What there was to say has been appended, if anything.
    Written,
    Answered(Answer),
    /// The handler panicked at once; this is to be said in its place.
    Panicked(Vec<u8>),
    Pending(Pending),
    /// The client gives a request up.
    Cancel {
        id: RequestId,
        reason: Option<String>,
    },
    /// A request that would start a handler, and there is no place for one: it must come again.
    Busy(RequestId),
}

/// A request on its way through the era's rules.
struct Request<'a> {
    id: RequestId,
    method: &'a str,
    /// By reference, for they are large and pass through many hands.
    params: &'a Params<'a>,
    revision: Revision,
    meta: Option<Arc<Meta>>,
    span: RequestSpan,
}

impl Connection {
    pub(crate) fn new(peer: Arc<Peer>) -> Self {
        let outbox = Arc::clone(&peer.outbox);
        Self { peer, outbox, principal: None, spare: None, last_meta: Arc::default(), long_line: None }
    }

    fn way(&self) -> Way<'_> {
        Way { peer: &self.peer, outbox: &self.outbox, principal: self.principal.as_ref() }
    }

    /// Takes the state of a request back once its answer is written.
    pub(crate) fn recycle(&mut self, answer: Answer) {
        let mut state = answer.into_state();
        state.clear();
        self.spare = Some(state);
    }

    /// The messages of a line that is a batch: where the session's revision has them, and there is something in it.
    pub(crate) fn batch<'l>(&self, line: &'l Line<'_>) -> Option<Vec<&'l str>> {
        let bytes = line.bytes().map(<[u8]>::trim_ascii_start).filter(|bytes| bytes.first() == Some(&b'['))?;
        if !self.peer.session.get()?.revision.has_batches() {
            return None;
        }
        batched(std::str::from_utf8(bytes).ok()?)
    }

    /// Takes one message. What can be said at once without a handler is appended to `out`, without a line end.
    pub(crate) fn message(&mut self, line: &Line<'_>, load: &impl Load, out: &mut Vec<u8>) -> Reply {
        let Some(bytes) = line.bytes() else {
            let why = "the message is longer than the server accepts";
            return self.bad_message(ErrorCode::InvalidRequest, why, out);
        };
        let Ok(text) = std::str::from_utf8(bytes) else {
            return self.bad_message(ErrorCode::ParseError, "the message is not UTF-8", out);
        };
        self.long_line = line.shared();
        let last_meta = Arc::clone(&self.last_meta);
        let mut message = Message::EMPTY;
        match message.read(text, &last_meta.text) {
            Ok(()) => self.parsed(&message, load, out),
            Err(fault) => match Unreadable::new(text, fault) {
                Unreadable { id: Some(id), code, why } => {
                    write_error(out, Some(&id), code, &why);
                    self.peer.engine.listeners.send(Event::Transport(TransportEvent::BadMessage(why)));
                    Reply::Written
                }
                Unreadable { id: None, code, why } => self.bad_message(code, &why, out),
            },
        }
    }

    /// Takes one message that was read already.
    pub(crate) fn parsed(&mut self, message: &Message<'_>, load: &impl Load, out: &mut Vec<u8>) -> Reply {
        let id = message.id.map(RequestId::parse);
        match (message.shape, id) {
            (Shape::Response, id) => {
                self.peer.answered(id.flatten().as_ref(), (message.result, message.error));
                Reply::Written
            }
            (Shape::Notification, _) => self.notification(&message.method, &message.params),
            (Shape::Request, Some(Some(id))) => {
                let (method, params) = (&*message.method, &message.params);
                let meta = self.meta(params.meta);
                let span = self.span((&id, method, params), meta.as_ref().ok().and_then(Option::as_deref));
                let revision = Revision::NEWEST_WITH_SESSION;
                let request = Request { id, method, params, revision, meta: None, span: span.clone() };
                match self.request((request, meta), load, out) {
                    Ok(reply) => reply,
                    Err(refusal) => refusal.tell((&self.peer.engine.listeners, &span), out),
                }
            }
            (Shape::Request, _) => {
                self.bad_message(ErrorCode::InvalidRequest, "`id` must be a string or an integer", out)
            }
            (Shape::Invalid, id) => {
                let why = "a message needs `\"jsonrpc\":\"2.0\"` and a `method`, or a `result` or an `error`";
                match id.flatten() {
                    Some(id) => {
                        write_error(out, Some(&id), ErrorCode::InvalidRequest, why);
                        self.peer.engine.listeners.send(Event::Transport(TransportEvent::BadMessage(why.to_owned())));
                        Reply::Written
                    }
                    None => self.bad_message(ErrorCode::InvalidRequest, why, out),
                }
            }
        }
    }

    fn notification(&self, method: &str, params: &Params<'_>) -> Reply {
        match method {
            "notifications/initialized" => self.initialized(),
            "notifications/cancelled" => return self.cancelled(params),
            _ => {}
        }
        Reply::Written
    }

    fn cancelled(&self, params: &Params<'_>) -> Reply {
        let reason = params.get(Param::Reason).and_then(string_of).map(Cow::into_owned);
        match params.get(Param::RequestId).and_then(RequestId::parse) {
            Some(id) if self.peer.inbox.close(&id) => {
                self.peer.engine.listeners.send(Event::Cancelled(Cancelled { request_id: id, reason }));
                Reply::Written
            }
            Some(id) => Reply::Cancel { id, reason },
            None => Reply::Written,
        }
    }

    /// Answers what has no id to answer to, as far as the client's revision allows such an answer.
    pub(crate) fn bad_message(&self, code: ErrorCode, why: &str, out: &mut Vec<u8>) -> Reply {
        self.peer.engine.listeners.send(Event::Transport(TransportEvent::BadMessage(why.to_owned())));
        let revision = self.peer.session.get().map_or(Revision::NEWEST_WITH_SESSION, |session| session.revision);
        if revision.allows_error_without_id() {
            write_error(out, None, code, why);
        }
        Reply::Written
    }

    fn request(
        &mut self,
        (mut request, meta): (Request<'_>, Result<Option<Arc<Meta>>, MetaFault>),
        load: &impl Load,
        out: &mut Vec<u8>,
    ) -> Outcome {
        if load.is_running(&request.id) || self.is_listening(&request.id) {
            return refuse(&request, ErrorCode::InvalidRequest, "a request with this id is unanswered");
        }
        if request.params.malformed {
            return refuse(&request, ErrorCode::InvalidParams, "`params` must be an object");
        }
        request.meta = match meta {
            Ok(meta) => meta,
            Err(MetaFault(why)) => return refuse(&request, ErrorCode::InvalidParams, why),
        };
        let carries_version = request.meta.as_ref().is_some_and(|meta| meta.version.is_some());
        if carries_version || request.method == "server/discover" {
            self.stateless_request(request, load, out)
        } else {
            self.session_request(request, load, out)
        }
    }

    /// The parsed `_meta`: the last one, if the bytes are the same.
    fn meta(&mut self, text: Option<&str>) -> Result<Option<Arc<Meta>>, MetaFault> {
        let Some(text) = text else { return Ok(None) };
        // the reader of messages gives the known text where it found the same bytes
        if !std::ptr::eq(&raw const *self.last_meta.text, text) && *self.last_meta.text != *text {
            self.last_meta = Arc::new(Meta::parse(text)?);
        }
        Ok(Some(Arc::clone(&self.last_meta)))
    }

    /// The methods that both eras share.
    fn feature_request(&mut self, request: Request<'_>, load: &impl Load, out: &mut Vec<u8>) -> Outcome {
        let engine = &*self.peer.engine;
        let serves = engine.capabilities();
        match request.method {
            "tools/call" if serves.tools => self.start(Target::Tool, request, load),
            "resources/read" if serves.resources => self.start(Target::Resource, request, load),
            "prompts/get" if serves.prompts => self.start(Target::Prompt, request, load),
            "completion/complete" if serves.completions => self.complete(request, load),
            "tools/list" if serves.tools => lists::write(
                engine,
                (&request, self.principal.as_ref()),
                (&engine.lists.tools, &engine.provided_tools()),
                out,
            ),
            "resources/list" if serves.resources => lists::write(
                engine,
                (&request, self.principal.as_ref()),
                (&engine.lists.resources, &engine.provided_resources()),
                out,
            ),
            "resources/templates/list" if serves.resources => lists::write(
                engine,
                (&request, self.principal.as_ref()),
                (&engine.lists.templates, &engine.provided_templates()),
                out,
            ),
            "prompts/list" if serves.prompts => lists::write(
                engine,
                (&request, self.principal.as_ref()),
                (&engine.lists.prompts, &engine.provided_prompts()),
                out,
            ),
            method => refuse(&request, ErrorCode::MethodNotFound, format!("method not found: {method}")),
        }
    }
}

/// The messages of a batch, if the text is one and there is something in it.
pub(crate) fn batched(text: &str) -> Option<Vec<&str>> {
    let mut messages = Vec::new();
    let rules = ArrayRules { min_items: 1, max_items: MAX_BATCH, ..ArrayRules::ANY };
    let mut reader = Reader::new(text);
    let read = reader.array(&rules, &mut |reader| {
        messages.push(reader.raw_value()?);
        Ok(())
    });
    let read = read.and_then(|()| reader.end());
    read.is_ok().then_some(messages)
}
