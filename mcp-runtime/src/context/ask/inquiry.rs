//! One question on its way: sent at once where there is a session, recorded where there is none.

use std::borrow::Cow;
use std::future::poll_fn;
use std::sync::atomic::Ordering;
use std::task::Poll;

use crate::context::Context;
use crate::context::ask::AskError;
use crate::context::ask::round::question;
use crate::json::Fault;
use crate::peer::{Heard, Unasked};
use crate::protocol::Capability;
use crate::task::write_related;

/// What is asked, and how the answer is read.
#[derive(Debug)]
pub(super) struct Inquiry<T> {
    pub(super) method: &'static str,
    /// What the question is called, where the handler has a name for it.
    pub(super) key: Option<Cow<'static, str>>,
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
    pub(super) async fn inquire<T: 'static>(&self, inquiry: Inquiry<T>) -> Result<T, AskError> {
        if self.state.head.revision.is_stateless() { self.recall(inquiry).await } else { self.send(&inquiry).await }
    }

    /// Sends a request and waits for its answer.
    async fn send<T>(&self, inquiry: &Inquiry<T>) -> Result<T, AskError> {
        let peer = &self.state.peer;
        let related = self.related_task().map(|id| related(inquiry.params.as_deref(), id));
        let params = related.as_deref().or(inquiry.params.as_deref());
        let mut waiting = match peer.ask(self.way_of_questions(), (inquiry.method, params)) {
            Ok(waiting) => waiting,
            Err(Unasked::Closed) => return Err(AskError::gone()),
            Err(Unasked::Overloaded) => return Err(AskError::overloaded()),
        };
        let limit = peer.engine.limits.answer;
        let heard = if let Some(link) = self.link().filter(|_| related.is_some()) {
            let _wait = link.wait();
            tokio::time::timeout(limit, waiting.answer()).await
        } else {
            let wait = peer.wait(&self.state.head.id);
            self.asking().patience.get_or_init(|| wait.patience());
            tokio::time::timeout(limit, waiting.answer()).await
        };
        let heard = heard.map_err(|_| AskError::timed_out(limit))?;
        match heard.ok_or_else(AskError::gone)? {
            Heard::Error { code, message } => Err(AskError::refused(code, message)),
            Heard::Result(result) => (inquiry.read)(&result).map_err(|fault| AskError::invalid(fault.reason())),
        }
    }

    /// Puts the question into the task that this call is, where the client finds it, and waits for the answer.
    async fn ask_in_task<T: 'static>(&self, key: String, inquiry: &Inquiry<T>) -> Result<T, AskError> {
        let Some(link) = self.link() else { return Err(AskError::suspended()) };
        let limit = self.state.peer.engine.limits.answer;
        let (question, read) = (question(inquiry.method, inquiry.params.as_deref()), inquiry.read);
        let (wait, answer) = link.ask(key, (question, Box::new(move |answer| read(answer).map(drop))));
        let answer = tokio::time::timeout(limit, answer).await.map_err(|_| AskError::timed_out(limit))?;
        drop(wait);
        (inquiry.read)(&answer.map_err(|_| AskError::gone())?).map_err(|fault| AskError::invalid(fault.reason()))
    }

    /// Finds the answer among those that came with the request. Without one the question is recorded, and the future
    /// does not come back: a handler cannot mistake that for an answer, and being dropped is what it must survive anyway.
    async fn recall<T: 'static>(&self, inquiry: Inquiry<T>) -> Result<T, AskError> {
        let asking = self.asking();
        let in_task = {
            let mut round = asking.round();
            let Some(key) = round.key(inquiry.key.as_deref(), inquiry.method, inquiry.params.as_deref()) else {
                let key = inquiry.key.unwrap_or_default();
                return Err(AskError::unaskable(format!("there is a question with the key `{key}` already")));
            };
            match round.answer(&key).map(inquiry.read) {
                Some(Ok(answer)) => return Ok(answer),
                Some(Err(fault)) => {
                    round.refuse(format!("`inputResponses.{key}`: {fault}"));
                    None
                }
                None if self.link().is_some_and(|link| !link.suspend()) => Some(key),
                None => {
                    round.ask(key, inquiry.method, inquiry.params.as_deref());
                    None
                }
            }
        };
        if let Some(key) = in_task {
            return self.ask_in_task(key, &inquiry).await;
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

/// Parameters with the id of the task that they belong to.
fn related(params: Option<&str>, id: &str) -> String {
    let mut out = Vec::new();
    write_related(params.unwrap_or("{}"), id, &mut out);
    String::from_utf8(out).unwrap_or_default()
}
