//! The other side of a conversation: what is remembered of it, whichever way its messages take.

mod outbox;
mod principal;
mod questions;
mod way;

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};

use tokio::sync::Notify;

pub(crate) use self::outbox::Outbox;
pub use self::principal::Principal;
pub(crate) use self::questions::{Heard, Patience, Questions, Unasked, Waited};
pub(crate) use self::way::Way;
use crate::changes::Inbox;
use crate::engine::Engine;
use crate::jsonrpc::RequestId;
use crate::lock::lock;
use crate::log::LogLevel;
use crate::protocol::Session;

/// One client, shared by all that answer it: that of a byte stream, of a session, or of a single stateless request.
///
/// What a call says leaves on the stream of the call, which its context knows; only what belongs to no call is the
/// peer's to send.
pub(crate) struct Peer {
    pub(crate) engine: Arc<Engine>,
    /// The way of what belongs to no call. On a byte stream that is the way of everything.
    pub(crate) outbox: Arc<Outbox>,
    pub(crate) questions: Questions,
    /// Changes that the client is to be told of.
    pub(crate) inbox: Inbox,
    /// The session that `initialize` opened.
    pub(crate) session: OnceLock<Session>,
    /// What tells the client from others, where the server has several: its session.
    pub(crate) scope: OnceLock<Box<str>>,
    log_level: AtomicU8,
    /// Whether changes reach the inbox.
    connected: AtomicBool,
    /// Requests whose handlers want to know that they were cancelled.
    watched: Mutex<HashMap<RequestId, Weak<Cancellation>>>,
}

/// Tells a handler that nobody waits for it any more.
#[derive(Debug, Default)]
pub(crate) struct Cancellation {
    fired: AtomicBool,
    notify: Notify,
}

impl Peer {
    pub(crate) fn new(engine: Arc<Engine>) -> Arc<Self> {
        Arc::new(Self {
            engine,
            outbox: Arc::default(),
            questions: Questions::default(),
            inbox: Inbox::default(),
            session: OnceLock::new(),
            scope: OnceLock::new(),
            log_level: AtomicU8::new(LogLevel::Info.rank()),
            connected: AtomicBool::new(false),
            watched: Mutex::default(),
        })
    }

    /// Lets changes reach the inbox: only clients that ask for them are on the list of those that are told.
    pub(crate) fn connect(self: &Arc<Self>) {
        if self.connected.swap(true, Ordering::Relaxed) {
            return;
        }
        if let Some(changes) = &self.engine.changes {
            changes.connect(self);
        }
        if let Some(tasks) = &self.engine.tasks {
            tasks.changes.connect(self);
        }
    }

    /// The mildest level that the session wants to hear.
    pub(crate) fn log_level(&self) -> LogLevel {
        LogLevel::ranked(self.log_level.load(Ordering::Relaxed))
    }

    pub(crate) fn set_log_level(&self, level: LogLevel) {
        self.log_level.store(level.rank(), Ordering::Relaxed);
    }

    /// Asks to be told when the request is cancelled.
    pub(crate) fn watch(&self, id: &RequestId) -> Arc<Cancellation> {
        let cancellation = Arc::new(Cancellation::default());
        let mut watched = lock(&self.watched);
        if watched.len() == watched.capacity() {
            watched.retain(|_, watcher| watcher.strong_count() > 0);
        }
        watched.insert(id.clone(), Arc::downgrade(&cancellation));
        cancellation
    }

    /// Tells whoever watches the request; `false` if nobody does.
    pub(crate) fn cancel(&self, id: &RequestId) -> bool {
        let watcher = lock(&self.watched).remove(id).and_then(|watcher| watcher.upgrade());
        if let Some(cancellation) = &watcher {
            cancellation.fire();
        }
        watcher.is_some()
    }

    /// Tells nobody any more when a request of this id is cancelled: it is answered, and goes on as a task.
    pub(crate) fn unwatch(&self, id: &RequestId) {
        lock(&self.watched).remove(id);
    }

    /// Tells all who watch: the client is gone.
    #[expect(clippy::iter_over_hash_type, reason = "nobody sees in which order they wake")]
    pub(crate) fn cancel_all(&self) {
        for (_, watcher) in lock(&self.watched).drain() {
            if let Some(cancellation) = watcher.upgrade() {
                cancellation.fire();
            }
        }
    }
}

impl Cancellation {
    pub(crate) fn fire(&self) {
        self.fired.store(true, Ordering::Release);
        self.notify.notify_waiters();
    }

    pub(crate) fn is_fired(&self) -> bool {
        self.fired.load(Ordering::Acquire)
    }

    pub(crate) async fn fired(&self) {
        let notified = self.notify.notified();
        let mut notified = std::pin::pin!(notified);
        // registered before the look, so that a cancellation between the two is not missed
        notified.as_mut().enable();
        if !self.is_fired() {
            notified.await;
        }
    }
}

impl fmt::Debug for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Peer").field("session", &self.session.get()).finish_non_exhaustive()
    }
}
