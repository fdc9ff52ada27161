//! What outlives a connection, or a process: events that a client may have missed, and sessions.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard};

use crate::lock::lock;

/// What a store does, as a future.
pub type Stored<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A message that was sent on a stream of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredEvent {
    /// The stream, by its number in the session.
    pub stream: u64,
    /// The place of the event in its stream; it grows.
    pub number: u64,
    /// The JSON-RPC message.
    pub message: Vec<u8>,
}

impl StoredEvent {
    /// An event, as it comes back from a store.
    #[must_use]
    pub fn new(stream: u64, number: u64, message: Vec<u8>) -> Self {
        Self { stream, number, message }
    }
}

/// Keeps what was sent to the clients of sessions, so that one whose connection broke hears what it missed.
///
/// Default: [`MemoryEvents`]. A store that several processes share serves clients that come back to another of them. What
/// cannot be kept is lost to such a client, no more: a store handles its own faults, and bounds what it keeps.
pub trait EventStore: Send + Sync + 'static {
    /// Keeps an event of the session.
    fn keep<'a>(&'a self, session: &'a str, event: StoredEvent) -> Stored<'a, ()>;

    /// The events of a stream that came after `number`, in their order.
    fn after<'a>(&'a self, session: &'a str, stream: u64, number: u64) -> Stored<'a, Vec<StoredEvent>>;

    /// Forgets a session that ended.
    fn forget<'a>(&'a self, session: &'a str) -> Stored<'a, ()>;
}

/// Keeps sessions beside the process that serves them, so that they survive a restart, and several processes can share
/// the work.
///
/// Without one, sessions end with the process. What is kept is what the client said when it opened the session, its log
/// level and its subscriptions; calls under way are not.
pub trait SessionStore: Send + Sync + 'static {
    /// Keeps a session, in place of what was kept of it before; `record` is JSON.
    fn save<'a>(&'a self, session: &'a str, record: String) -> Stored<'a, ()>;

    /// The record of a session, if it was saved and not removed.
    fn load<'a>(&'a self, session: &'a str) -> Stored<'a, Option<String>>;

    /// Forgets a session that ended.
    fn remove<'a>(&'a self, session: &'a str) -> Stored<'a, ()>;
}

/// Events in memory: the last ones of each session, up to a number of bytes, and up to another one for all sessions.
pub struct MemoryEvents {
    limit: usize,
    total_limit: usize,
    all: Mutex<All>,
}

#[derive(Default)]
struct All {
    sessions: HashMap<String, Kept>,
    bytes: usize,
}

#[derive(Default)]
struct Kept {
    events: VecDeque<StoredEvent>,
    bytes: usize,
}

impl MemoryEvents {
    /// Keeps so many bytes for each session, and the last event however long it is. Default of a server: 256 KiB.
    #[must_use]
    pub fn new(bytes_per_session: usize) -> Self {
        Self { limit: bytes_per_session, total_limit: 64 << 20, all: Mutex::default() }
    }

    /// Keeps so many bytes in all: where they are used up, a session keeps nothing of what is new. Default: 64 MiB.
    #[must_use]
    pub fn total(mut self, bytes: usize) -> Self {
        self.total_limit = bytes;
        self
    }

    fn lock(&self) -> MutexGuard<'_, All> {
        lock(&self.all)
    }
}

impl Default for MemoryEvents {
    fn default() -> Self {
        Self::new(256 << 10)
    }
}

impl EventStore for MemoryEvents {
    fn keep<'a>(&'a self, session: &'a str, event: StoredEvent) -> Stored<'a, ()> {
        let mut all = self.lock();
        let All { sessions, bytes } = &mut *all;
        let kept = match sessions.get_mut(session) {
            Some(kept) => kept,
            None => sessions.entry(session.to_owned()).or_default(),
        };
        kept.bytes += event.message.len();
        *bytes += event.message.len();
        kept.events.push_back(event);
        while (kept.bytes > self.limit && kept.events.len() > 1) || *bytes > self.total_limit {
            let Some(oldest) = kept.events.pop_front() else { break };
            kept.bytes -= oldest.message.len();
            *bytes -= oldest.message.len();
        }
        Box::pin(std::future::ready(()))
    }

    fn after<'a>(&'a self, session: &'a str, stream: u64, number: u64) -> Stored<'a, Vec<StoredEvent>> {
        let all = self.lock();
        let events = all.sessions.get(session).into_iter().flat_map(|kept| &kept.events);
        let missed = events.filter(|event| event.stream == stream && event.number > number).cloned().collect();
        Box::pin(std::future::ready(missed))
    }

    fn forget<'a>(&'a self, session: &'a str) -> Stored<'a, ()> {
        let mut all = self.lock();
        let forgotten = all.sessions.remove(session).map_or(0, |kept| kept.bytes);
        all.bytes -= forgotten;
        drop(all);
        Box::pin(std::future::ready(()))
    }
}

impl fmt::Debug for MemoryEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryEvents").field("limit", &self.limit).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_oldest_events_make_room_and_streams_are_apart() {
        let store = MemoryEvents::new(30);
        for number in 1..=5 {
            store.keep("a", StoredEvent::new(number % 2, number, vec![0; 10])).await;
        }
        let numbers = async |stream, after| {
            let events = store.after("a", stream, after).await;
            events.iter().map(|event| event.number).collect::<Vec<_>>()
        };
        assert_eq!((numbers(1, 0).await, numbers(1, 3).await, numbers(0, 0).await), (vec![3, 5], vec![5], vec![4]));
        store.keep("a", StoredEvent::new(1, 6, vec![0; 100])).await;
        assert_eq!(numbers(1, 0).await, [6], "the last one is always kept");
        assert!(store.after("b", 1, 0).await.is_empty());
        store.forget("a").await;
        assert!(numbers(1, 0).await.is_empty());
    }

    #[tokio::test]
    async fn all_sessions_together_keep_no_more_than_the_total() {
        let store = MemoryEvents::new(30).total(100);
        for session in 0..50 {
            store.keep(&session.to_string(), StoredEvent::new(1, 1, vec![0; 40])).await;
        }
        assert_eq!(store.lock().bytes, 80);
        assert!(store.after("40", 1, 0).await.is_empty());
        store.forget("0").await;
        store.keep("40", StoredEvent::new(1, 2, vec![0; 60])).await;
        assert_eq!(store.after("40", 1, 0).await.len(), 1);
        store.keep("1", StoredEvent::new(1, 2, vec![0; 1000])).await;
        assert_eq!(store.lock().bytes, 60, "who says too much keeps nothing, and takes nothing from others");
    }
}
