//! One question on its way: sent at once where there is a session, recorded where there is none.

use std::future::poll_fn;
use std::sync::atomic::Ordering;
use std::task::Poll;

use crate::context::Context;
use crate::context::ask::AskError;
use crate::json::Fault;
use crate::peer::{Heard, Unasked};
use crate::protocol::Capability;

/// What is asked, and how the answer is read.
#[derive(Debug)]
pub(super) struct Inquiry<T> {
    pub(super) method: &'static str,
    /// JSON.
    pub(super) params: Option<String>,
    /// Reads the result; what it refuses is no answer to such a question.
    pub(super) read: fn(&str) -> Result<T, Fault>,
}

impl Context {
    /// Says whether the client can be asked at all, before anything is done for it.
    pub(super) fn require(&self, capability: Capability) -> Result<(), AskError> {
        let declared = self.client_capabilities();
        let has = declared.is_some_and(|declared| capability.is_in(declared, self.state.head.revision));
        if has { Ok(()) } else { Err(AskError::unsupported(capability)) }
    }

    /// Asks, and comes back with the answer, if this request can bring one.
    pub(super) async fn inquire<T>(&self, inquiry: Inquiry<T>) -> Result<T, AskError> {
        if self.state.head.revision.is_stateless() { self.recall(inquiry).await } else { self.send(&inquiry).await }
    }

    /// Sends a request and waits for its answer.
    async fn send<T>(&self, inquiry: &Inquiry<T>) -> Result<T, AskError> {
        let peer = &self.state.peer;
        let mut waiting = match peer.ask(&self.state.outbox, (inquiry.method, inquiry.params.as_deref())) {
            Ok(waiting) => waiting,
            Err(Unasked::Closed) => return Err(AskError::gone()),
            Err(Unasked::Overloaded) => return Err(AskError::overloaded()),
        };
        let limit = peer.engine.limits.answer;
        let wait = peer.wait(&self.state.head.id);
        self.asking().patience.get_or_init(|| wait.patience());
        let heard = tokio::time::timeout(limit, waiting.answer()).await.map_err(|_| AskError::timed_out(limit))?;
        drop(wait);
        match heard.ok_or_else(AskError::gone)? {
            Heard::Error { code, message } => Err(AskError::refused(code, message)),
            Heard::Result(result) => (inquiry.read)(&result).map_err(|fault| AskError::invalid(fault.reason())),
        }
    }

    /// Finds the answer among those that came with the request. Without one the question is recorded, and the future
    /// does not come back: a handler cannot mistake that for an answer, and being dropped is what it must survive anyway.
    async fn recall<T>(&self, inquiry: Inquiry<T>) -> Result<T, AskError> {
        let asking = self.asking();
        {
            let mut round = asking.round();
            let key = round.key(inquiry.method, inquiry.params.as_deref());
            match round.answer(&key).map(inquiry.read) {
                Some(Ok(answer)) => return Ok(answer),
                Some(Err(fault)) => round.refuse(format!("`inputResponses.{key}`: {fault}")),
                None => round.ask(key, inquiry.method, inquiry.params.as_deref()),
            }
        }
        asking.suspended.store(true, Ordering::Release);
        let mut polled = false;
        poll_fn(|context| {
            if !std::mem::replace(&mut polled, true) {
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            // a body of `once` beside this question ends first, and lets everything be polled again then
            if asking.is_in_once() {
                return Poll::Pending;
            }
            // whoever polls again is not the runtime but an executor inside the handler: it must not hang
            Poll::Ready(())
        })
        .await;
        Err(AskError::suspended())
    }
}
