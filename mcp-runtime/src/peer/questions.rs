//! Questions to a client with a session: each a request of our own on the stream, answered by its id.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::json::{Reader, Writer};
use crate::jsonrpc::RequestId;
use crate::lock::lock;
use crate::peer::{Outbox, Peer};

/// The questions of one connection.
#[derive(Debug, Default)]
pub(crate) struct Questions {
    open: Mutex<Open>,
    /// Calls that wait for the client instead of working.
    waiting_calls: AtomicUsize,
}

#[derive(Debug, Default)]
struct Open {
    /// The client sends nothing any more.
    closed: bool,
    last_id: i64,
    unanswered: HashMap<i64, oneshot::Sender<Heard>>,
    /// By the id of the call.
    patience: HashMap<RequestId, Weak<Patience>>,
}

/// What the client said.
#[derive(Debug)]
pub(crate) enum Heard {
    Error {
        code: i64,
        message: String,
    },
    /// The result, as JSON.
    Result(String),
}

/// Why a question could not be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unasked {
    /// The client sends nothing any more.
    Closed,
    /// Too many questions are unanswered, or the client does not read.
    Overloaded,
}

/// A question that was sent. Dropped before the answer came, it tells the client that nobody waits any more.
pub(crate) struct Waiting {
    peer: Arc<Peer>,
    outbox: Arc<Outbox>,
    id: i64,
    answer: oneshot::Receiver<Heard>,
}

/// How long a call has waited for its client: time that its own limit does not count.
#[derive(Debug)]
pub(crate) struct Patience {
    waited: Mutex<Waited>,
}

/// Times of waiting, those that overlap counted once.
#[derive(Debug, Default)]
pub(crate) struct Waited {
    /// Questions that are unanswered.
    questions: usize,
    since: Option<Instant>,
    before: Duration,
}

/// While it lives, the call waits for its client.
pub(crate) struct Wait<'p> {
    peer: &'p Peer,
    patience: Arc<Patience>,
}

impl Peer {
    /// Sends a request of ours on the stream of the call that wants to know.
    ///
    /// # Errors
    ///
    /// Fails if the client is gone, or leaves too many questions unanswered or unread.
    pub(crate) fn ask(
        self: &Arc<Self>,
        outbox: &Arc<Outbox>,
        (method, params): (&str, Option<&str>),
    ) -> Result<Waiting, Unasked> {
        let (sender, answer) = oneshot::channel();
        let id = {
            let mut open = lock(&self.questions.open);
            if open.closed {
                return Err(Unasked::Closed);
            }
            if open.unanswered.len() >= self.engine.limits.in_flight {
                return Err(Unasked::Overloaded);
            }
            open.last_id += 1;
            let id = open.last_id;
            open.unanswered.insert(id, sender);
            id
        };
        let queued = outbox.push(|out| {
            out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
            Writer::new(out).integer(id);
            out.extend_from_slice(br#","method":"#);
            Writer::new(out).string(method);
            if let Some(params) = params {
                out.extend_from_slice(br#","params":"#);
                out.extend_from_slice(params.as_bytes());
            }
            out.push(b'}');
        });
        if !queued {
            lock(&self.questions.open).unanswered.remove(&id);
            return Err(Unasked::Overloaded);
        }
        Ok(Waiting { peer: Arc::clone(self), outbox: Arc::clone(outbox), id, answer })
    }

    /// Takes an answer of the client to whoever waits for it; one that nobody waits for is dropped.
    pub(crate) fn answered(&self, id: Option<&RequestId>, (result, error): (Option<&str>, Option<&str>)) {
        let Some(id) = id.and_then(RequestId::as_integer) else { return };
        let Some(sender) = lock(&self.questions.open).unanswered.remove(&id) else { return };
        let heard = match (error, result) {
            (None, Some(result)) => Heard::Result(result.to_owned()),
            (error, _) => read_error(error.unwrap_or_default()),
        };
        // whoever waited may be gone by now
        let _ = sender.send(heard);
    }

    /// Says that a call waits for the client, until the value is dropped.
    pub(crate) fn wait(&self, call: &RequestId) -> Wait<'_> {
        let mut open = lock(&self.questions.open);
        let known = open.patience.get(call).and_then(Weak::upgrade);
        let patience = known.unwrap_or_else(|| {
            if open.patience.len() == open.patience.capacity() {
                open.patience.retain(|_, patience| patience.strong_count() > 0);
            }
            let patience = Arc::new(Patience { waited: Mutex::default() });
            open.patience.insert(call.clone(), Arc::downgrade(&patience));
            patience
        });
        drop(open);
        if lock(&patience.waited).begin() {
            self.questions.waiting_calls.fetch_add(1, Ordering::Relaxed);
        }
        Wait { peer: self, patience }
    }

    /// How long a call has waited for the client so far.
    pub(crate) fn waited(&self, call: &RequestId) -> Duration {
        let patience = lock(&self.questions.open).patience.get(call).and_then(Weak::upgrade);
        patience.map_or(Duration::ZERO, |patience| lock(&patience.waited).total())
    }
}

impl Questions {
    /// How many calls wait for the client.
    pub(crate) fn waiting_calls(&self) -> usize {
        self.waiting_calls.load(Ordering::Relaxed)
    }

    /// The client sends nothing any more: whoever waits for an answer hears of it, and nothing is asked from now on.
    pub(crate) fn close(&self) {
        let mut open = lock(&self.open);
        open.closed = true;
        open.unanswered.clear();
    }
}

impl Waiting {
    /// The answer; `None` if the client is gone.
    pub(crate) async fn answer(&mut self) -> Option<Heard> {
        (&mut self.answer).await.ok()
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if lock(&self.peer.questions.open).unanswered.remove(&self.id).is_none() {
            return;
        }
        self.outbox.push(|out| {
            out.extend_from_slice(br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"#);
            Writer::new(out).integer(self.id);
            out.extend_from_slice(br#","reason":"nobody waits for the answer any more"}}"#);
        });
    }
}

impl Wait<'_> {
    /// To be kept as long as the call lives, so that its waiting times add up.
    pub(crate) fn patience(&self) -> Arc<Patience> {
        Arc::clone(&self.patience)
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        if lock(&self.patience.waited).end() {
            self.peer.questions.waiting_calls.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Waited {
    /// A question more; whether it is the only one.
    pub(crate) fn begin(&mut self) -> bool {
        self.questions += 1;
        if self.questions == 1 {
            self.since = Some(Instant::now());
        }
        self.questions == 1
    }

    /// A question less; whether it was the last one.
    pub(crate) fn end(&mut self) -> bool {
        self.questions -= 1;
        if self.questions == 0 {
            self.before += self.since.take().map_or(Duration::ZERO, |since| since.elapsed());
        }
        self.questions == 0
    }

    pub(crate) fn is_waiting(&self) -> bool {
        self.questions > 0
    }

    pub(crate) fn total(&self) -> Duration {
        self.before + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

impl fmt::Debug for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Waiting").field("id", &self.id).finish_non_exhaustive()
    }
}

fn read_error(error: &str) -> Heard {
    let (mut code, mut message) = (0, None);
    // a client that cannot even say what went wrong has still refused
    let _ = Reader::new(error).object(&["code", "message"], &mut |key, reader| {
        match key {
            0 => code = reader.integer()?,
            1 => message = Some(reader.string()?.into_owned()),
            _ => reader.skip_value()?,
        }
        Ok(())
    });
    Heard::Error { code, message: message.unwrap_or_else(|| "no reason given".to_owned()) }
}
