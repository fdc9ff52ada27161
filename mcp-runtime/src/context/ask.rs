//! Asking the client: the user by a form or a page, the client's model, the client's folders.
//!
//! A handler is written once. What happens under it depends on the client:
//!
//! - With a **session** (until 2025-11-25) a question is a request on the stream, and the handler waits for the answer.
//!   The time limit of its feature does not count while it waits: a person thinks as long as a person thinks, bounded by
//!   [`Server::answer_timeout`](crate::Server::answer_timeout) alone.
//! - A **stateless** client (since 2026-07-28) brings answers along with its next request. The handler is dropped at the
//!   question, the client is told what is asked, and when it calls again **the handler runs again from its start**;
//!   questions that were answered before return at once.
//!
//! So everything before the last question may run several times. Ask first, change things after:
//!
//! ```
//! use mcp_runtime::{Ask, AskError, Context, Reply, ToolError, ToolResponse};
//! # use mcp_runtime::json::{Decode, Fault, Reader, required};
//! # struct Confirm { sure: bool }
//! # impl Decode for Confirm {
//! #     fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
//! #         let mut sure = None;
//! #         r.object(&["sure"], &mut |_, r| Ok(sure = Some(r.boolean()?)))?;
//! #         Ok(Self { sure: required(sure)? })
//! #     }
//! # }
//! # impl Ask for Confirm {
//! #     const MESSAGE: &'static str = "Sure?";
//! #     const SCHEMA: &'static str =
//! #         r#"{"type":"object","properties":{"sure":{"type":"boolean"}},"required":["sure"]}"#;
//! # }
//! # struct Files;
//! # impl Files {
//! #     async fn matching(&self, _: &str) -> Result<Vec<String>, std::io::Error> { Ok(Vec::new()) }
//! #     async fn delete(&self, _: Vec<String>) -> Result<(), std::io::Error> { Ok(()) }
//! # }
//!
//! async fn delete(files: &Files, pattern: &str, ctx: &Context) -> Result<ToolResponse, ToolError> {
//!     let found = files.matching(pattern).await?; // may run twice, and harms nobody
//!     let question = ctx.ask::<Confirm>().message(format!("Delete {} files?", found.len()));
//!     match question.await {
//!         Ok(Reply::Accepted(Confirm { sure: true })) => {}
//!         Ok(Reply::Accepted(_) | Reply::Declined | Reply::Cancelled) => return Ok("nothing was deleted".into()),
//!         Err(error) if error.is_unsupported() => return Err(ToolError::permission_denied("cannot ask the user")),
//!         Err(error) => return Err(error.into()),
//!     }
//!     files.delete(found).await?; // after the last question: runs once
//!     Ok("deleted".into())
//! }
//! ```
//!
//! What must stand before a question and must not happen twice goes into [`Context::once`]. Its result, like all
//! answers, travels by way of the client, encrypted and bound to the call. A client can send an old request again,
//! though: whoever must be certain that a card is charged once needs a guard of its own, such as an idempotency key.
//!
//! A question is known by its place among the questions of the call and by its text. If the number of files above changes
//! between two runs, the user is asked again; an answer to one question is never taken for the answer to another.
//! [`Question::key`] gives a question a name that clients can know.
//! Questions that are polled together (`join!`) are asked together.
//!
//! A `blocking` handler can ask a client with a session, by `tokio::runtime::Handle::current().block_on(…)`; for a
//! stateless one the question returns an error there, which the handler has to pass on.

mod answer;
mod elicitation;
mod error;
mod inquiry;
mod once;
mod roots;
mod round;
mod sampling;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

pub use self::elicitation::{Ask, AskUrl, Page, Question, Reply};
pub use self::error::AskError;
pub use self::roots::Root;
pub(crate) use self::round::{Binding, Round};
pub use self::sampling::{
    ModelPreferences, Sampled, SampledContent, SamplingRequest, SamplingTool, ToolChoice, ToolResult, ToolUse,
};
use crate::context::Context;
use crate::lock::lock;
use crate::peer::Patience;

/// What a context knows of questions. One whose handler asks nothing has none.
#[derive(Debug, Default)]
pub(crate) struct Asking {
    /// The handler is to be dropped: something is asked that this request cannot answer.
    suspended: AtomicBool,
    /// Bodies of `once` under way: those are not dropped halfway.
    once: AtomicUsize,
    round: Mutex<Round>,
    /// Kept so that the call's waiting times add up.
    patience: OnceLock<Arc<Patience>>,
}

impl Asking {
    fn round(&self) -> MutexGuard<'_, Round> {
        lock(&self.round)
    }

    fn is_suspended(&self) -> bool {
        self.suspended.load(Ordering::Acquire) && !self.is_in_once()
    }

    fn is_in_once(&self) -> bool {
        self.once.load(Ordering::Acquire) > 0
    }
}

impl Context {
    /// Whether the handler waits for what only the client's next request can bring.
    pub(super) fn is_suspended(&self) -> bool {
        self.state.asking.get().is_some_and(|asking| asking.is_suspended())
    }

    /// Lets the context remember what its client brought along.
    pub(crate) fn resuming(mut self, round: Round) -> Self {
        let asking = Asking { round: Mutex::new(round), ..Asking::default() };
        self.state.asking = OnceLock::from(Box::new(asking));
        self
    }

    fn asking(&self) -> &Asking {
        self.state.asking.get_or_init(Box::default)
    }
}
