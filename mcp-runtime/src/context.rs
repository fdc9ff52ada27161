//! What a handler knows about the request that it answers, and what it can say beside its answer.

mod answer;
mod arguments;
pub mod ask;
mod blocking;
mod drive;
mod meta;
mod permit;
mod progress;
mod raw;
mod task;

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::Value;

pub use self::answer::Answer;
use self::ask::Asking;
pub(crate) use self::ask::{Binding, Round};
pub use self::drive::Outcome;
pub use self::meta::{RequestMeta, TraceContext};
pub use self::progress::Progress;
use self::progress::{Heartbeat, Pace};
pub(crate) use self::raw::Arguments;
pub use self::task::CurrentTask;
use self::task::{Related, Tie};
use crate::json::Writer;
use crate::jsonrpc::RequestId;
use crate::lock::lock;
use crate::log::LogLevel;
use crate::peer::{Cancellation, Outbox, Peer, Principal, Way};
use crate::protocol::{ClientCapabilities, ClientInfo, Head, Meta, Revision};
use crate::response::Content;
use crate::service::Tool;
use crate::trace::RequestSpan;

/// One request, as its handler sees it: who asks, under which id, and the way to talk back.
///
/// A context lives as long as its request; a handler borrows it and cannot keep it.
pub struct Context {
    /// Boxed, for it moves from hand to hand; the box comes back with the answer and serves the next request.
    state: Box<State>,
}

/// All of a context.
pub(crate) struct State {
    peer: Arc<Peer>,
    /// Where what the handler says leaves.
    outbox: Arc<Outbox>,
    /// Whom the transport says that it serves, if it knows.
    principal: Option<Principal>,
    head: Head,
    /// The tool, the prompt or the URI.
    feature: Cow<'static, str>,
    /// The constants of the tool, if it is one of a contract's.
    tool: Option<&'static Tool>,
    /// The media type of a resource whose handler states none.
    mime_type: Option<Cow<'static, str>>,
    meta: Option<Arc<Meta>>,
    arguments: Arguments,
    /// The arguments, if they are short, then the answer.
    buffer: Vec<u8>,
    beside: Mutex<Beside>,
    pace: Mutex<Pace>,
    /// Empty until something is asked, or the client brings answers.
    asking: OnceLock<Box<Asking>>,
    cancellation: OnceLock<Arc<Cancellation>>,
    tie: Tie,
    /// The scopes without which the caller was turned away.
    denied: &'static [&'static str],
    /// The bytes that the answer may have.
    max_result: Option<u64>,
}

/// What goes out beside the handler's own answer.
#[derive(Default)]
struct Beside {
    content: Vec<Content>,
    meta: Option<serde_json::Map<String, Value>>,
}

/// A buffer that grew beyond this is not kept for the next answer.
const BUFFER_LIMIT: usize = 1 << 20;
/// Room for most arguments and answers: where nothing is used again, growing by steps is what costs.
const BUFFER: usize = 1 << 9;

impl Context {
    /// The context of one request. `spare` is the state of one that was answered.
    pub(crate) fn new(
        spare: Option<Box<State>>,
        way: Way<'_>,
        (head, meta): (Head, Option<Arc<Meta>>),
        (arguments, text): (Arguments, &str),
    ) -> Self {
        let mut state = match spare {
            Some(mut state) => {
                (state.head, state.meta, state.arguments) = (head, meta, arguments);
                state
            }
            None => Box::new(State::new(way, head, meta, arguments)),
        };
        if matches!(state.arguments, Arguments::Inline(_)) {
            state.buffer.extend_from_slice(text.as_bytes());
        }
        Self { state }
    }

    /// The id of the request.
    #[must_use]
    pub fn request_id(&self) -> &RequestId {
        &self.state.head.id
    }

    /// The protocol revision that the client speaks.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.state.head.revision
    }

    /// The client's name and version, if it told them. They are its own words: show them, but do not trust them.
    #[must_use]
    pub fn client(&self) -> Option<&ClientInfo> {
        match &self.state.meta {
            Some(meta) if self.state.head.revision.is_stateless() => meta.client.as_ref(),
            _ => self.state.peer.session.get()?.client.as_ref(),
        }
    }

    /// What the client says it can do, if it said so.
    #[must_use]
    pub fn client_capabilities(&self) -> Option<&ClientCapabilities> {
        match &self.state.meta {
            Some(meta) if self.state.head.revision.is_stateless() => meta.capabilities.as_ref(),
            _ => Some(&self.state.peer.session.get()?.capabilities),
        }
    }

    /// The arguments as they came, as JSON text; `{}` where the client sent none.
    ///
    /// This is the way to numbers that no Rust type holds exactly.
    #[must_use]
    pub fn raw_arguments(&self) -> &str {
        self.state.arguments.text(&self.state.buffer)
    }

    /// Adds a content block to the result of a tool, after the handler's own content. Not sent when the call fails.
    pub fn attach(&self, content: impl Into<Content>) {
        let content = content.into();
        self.beside().content.push(content);
    }

    /// Adds a member to the result's `_meta`. Keys follow the rules of the specification's page on `_meta`.
    pub fn meta(&self, key: impl Into<String>, value: impl Into<Value>) {
        let (key, value) = (key.into(), value.into());
        self.beside().meta.get_or_insert_default().insert(key, value);
    }

    /// Begins a progress notice: `ctx.progress(1.0).total(2.0).message("asking the station").send()`.
    ///
    /// Nothing is sent unless the client asked for progress, or if `progress` is not above what was sent before; and no more than some 20
    /// notices a second.
    pub fn progress(&self, progress: f64) -> Progress<'_> {
        Progress::new(self, progress)
    }

    /// Sends a log message to the client, if it wants messages of that level. Never put a secret into one.
    pub fn log(&self, level: LogLevel, data: impl Into<Value>) {
        let wanted = if self.state.head.revision.is_stateless() {
            self.state.meta.as_ref().and_then(|meta| meta.log_level)
        } else {
            Some(self.state.peer.log_level())
        };
        if wanted.is_none_or(|wanted| level < wanted) || self.is_given_up() || self.is_silent_task() {
            return;
        }
        let data = data.into();
        self.outbox().push(|out| {
            out.extend_from_slice(br#"{"jsonrpc":"2.0","method":"notifications/message","params":"#);
            let mut writer = Writer::new(out);
            writer.begin_object();
            writer.optional(r#""_meta":"#, &self.related_task().map(Related));
            writer.member(r#""level":"#, &level.as_str());
            writer.member(r#""data":"#, &data);
            writer.end_object();
            out.push(b'}');
        });
    }

    /// Whether the client gave the request up. For `blocking` handlers, which nobody can drop: look now and then.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancellation().is_fired()
    }

    /// Waits until the client gives the request up.
    ///
    /// An async handler that never calls this is simply dropped at its next `.await` when it is cancelled. One that
    /// has called it goes on, and is trusted to stop soon; its answer is not sent.
    pub async fn cancelled(&self) {
        self.cancellation().fired().await;
    }

    /// Lets go of the client's connection while the handler works on: the client comes back for the answer after a
    /// moment. Worth it before a long wait, where many clients would hold many connections.
    ///
    /// Nothing happens where the client could not come back: on stdio, without a session, or before 2025-11-25.
    pub fn close_stream(&self) {
        self.state.outbox.release();
    }

    /// Whether nobody waits for the answer any more, as far as this handler was to be told: then nothing more is sent.
    fn is_given_up(&self) -> bool {
        self.state.cancellation.get().is_some_and(|cancellation| cancellation.is_fired())
    }

    fn cancellation(&self) -> &Arc<Cancellation> {
        self.state.cancellation.get_or_init(|| self.watch())
    }

    fn beside(&self) -> std::sync::MutexGuard<'_, Beside> {
        lock(&self.state.beside)
    }
}

impl State {
    fn new(way: Way<'_>, head: Head, meta: Option<Arc<Meta>>, arguments: Arguments) -> Self {
        Self {
            peer: Arc::clone(way.peer),
            outbox: Arc::clone(way.outbox),
            principal: way.principal.cloned(),
            head,
            feature: Cow::Borrowed(""),
            tool: None,
            mime_type: None,
            meta,
            arguments,
            buffer: Vec::with_capacity(BUFFER),
            beside: Mutex::default(),
            pace: Mutex::default(),
            asking: OnceLock::new(),
            cancellation: OnceLock::new(),
            tie: Tie::None,
            denied: &[],
            max_result: None,
        }
    }

    /// Forgets the request, but not the buffer.
    pub(crate) fn clear(&mut self) {
        (self.feature, self.tool, self.mime_type) = (Cow::Borrowed(""), None, None);
        self.arguments = Arguments::Inline(0);
        *self.beside.get_mut().unwrap_or_else(PoisonError::into_inner) = Beside::default();
        *self.pace.get_mut().unwrap_or_else(PoisonError::into_inner) = Pace::default();
        self.asking.take();
        self.cancellation.take();
        (self.tie, self.denied, self.max_result) = (Tie::None, &[], None);
        // a span ends with the last who has it
        (self.head.audit, self.head.span) = (None, RequestSpan::default());
        if self.buffer.capacity() > BUFFER_LIMIT {
            self.buffer = Vec::new();
        } else {
            self.buffer.clear();
        }
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // not the arguments: they may hold secrets
        f.debug_struct("State").field("head", &self.head).field("feature", &self.feature).finish_non_exhaustive()
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // not the arguments: they may hold secrets
        f.debug_struct("Context")
            .field("request_id", &self.state.head.id)
            .field("revision", &self.state.head.revision)
            .field("feature", &self.state.feature)
            .finish_non_exhaustive()
    }
}
