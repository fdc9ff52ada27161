//! The handlers under way on one stream, and the requests that wait for a place.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::{AbortHandle, Id, JoinError, JoinSet};

use crate::connection::{Load, Pending};
use crate::context::Answer;
use crate::engine::Engine;
use crate::jsonrpc::RequestId;
use crate::peer::Peer;
use crate::protocol::{Handling, Head};
use crate::serve::Line;
use crate::serve::run::{End, run};
use crate::serve::waiting::Waiting;

/// A handler whose first steps take longer than this is not polled by the loop again: others wait behind it.
const SLOW: Duration = Duration::from_millis(1);
/// Batches that are watched closely after one took long.
const WATCHED: u32 = 64;
/// One slow poll may be the system's fault: only so many in a row are the handler's.
const STRIKES: u32 = 3;
/// After so many calls in tasks a slow handler is polled here again, for it may have changed.
const PROBATION: u32 = 256;

/// As many features are remembered as slow, with names up to this length.
const SLOW_FEATURES: usize = 256;
const LONGEST_FEATURE: usize = 256;

/// All handlers under way.
pub(crate) struct Calls {
    engine: Arc<Engine>,
    peer: Arc<Peer>,
    tasks: JoinSet<Finished>,
    running: HashMap<RequestId, Entry>,
    /// Handlers that were cancelled and wanted to know: they go on, but have no id any more, and no answer.
    lingering: HashSet<Id>,
    waiting: Waiting,
    /// Features whose handlers compute before their first `.await`.
    slow: RefCell<HashMap<String, Slow>>,
    /// How many further batches are timed call by call.
    watched: u32,
}

/// A feature that was slow lately.
#[derive(Default)]
struct Slow {
    strikes: u32,
    /// Calls that went to a task since the last look.
    spared: u32,
}

struct Entry {
    task: AbortHandle,
    head: Head,
    name: String,
}

/// A handler that ended.
struct Finished {
    id: RequestId,
    end: End,
}

/// What the set of tasks gave back; an error is a task that was aborted.
pub(crate) struct Done(Result<(Id, Finished), JoinError>);

impl Calls {
    pub(crate) fn new(engine: Arc<Engine>, peer: Arc<Peer>) -> Self {
        Self {
            waiting: Waiting::new(engine.limits.waiting),
            engine,
            peer,
            tasks: JoinSet::new(),
            running: HashMap::new(),
            lingering: HashSet::new(),
            slow: RefCell::default(),
            watched: 0,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tasks.is_empty() && self.waiting.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.running.len()
    }

    pub(crate) async fn next_done(&mut self) -> Option<Done> {
        self.tasks.join_next_with_id().await.map(Done)
    }

    pub(crate) fn try_next_done(&mut self) -> Option<Done> {
        if self.tasks.is_empty() { None } else { self.tasks.try_join_next_with_id().map(Done) }
    }

    /// Gives a handler a task. Only here does a time limit begin: whoever is ready at once never meets a timer.
    pub(crate) fn spawn(&mut self, pending: Pending) {
        let Pending { future, timeout, head, name } = pending;
        let id = head.id.clone();
        let running = run(id.clone(), future, timeout.map(|limit| (limit, Arc::clone(&self.peer))));
        let key = id.clone();
        let task = self.tasks.spawn(async move { Finished { id: key, end: running.await } });
        self.running.insert(id, Entry { task, head, name });
    }

    /// Gives a request up: its handler is dropped, unless it asked to be told. `false` if there is no such request.
    pub(crate) fn cancel(&mut self, id: &RequestId, peer: &Peer) -> bool {
        let Some(entry) = self.running.remove(id) else { return self.waiting.forget(id) };
        if peer.cancel(id) {
            self.lingering.insert(entry.task.id());
        } else {
            entry.task.abort();
            self.engine.listeners.cancelled(&entry.head, self.engine.shown(&entry.name));
        }
        true
    }

    /// The answer of a handler that ended; where it has none, what to say instead is appended to `out`.
    pub(crate) fn finish(&mut self, done: Done, out: &mut Vec<u8>) -> Option<Answer> {
        let Ok((task, Finished { id, end })) = done.0 else { return None };
        if self.lingering.remove(&task) {
            return None;
        }
        // a request that was given up is gone from here, and its id may be another's by now
        self.running.get(&id).filter(|entry| entry.task.id() == task)?;
        let entry = self.running.remove(&id)?;
        end.told(Handling { engine: &self.engine, head: &entry.head, name: &entry.name }, out)
    }

    /// Keeps a request until there is a place for its handler; `false` if too much is waiting already.
    pub(crate) fn hold(&mut self, id: RequestId, line: Line<'_>) -> bool {
        self.waiting.push(id, line)
    }

    /// The next request that waits, if there is a place for it.
    pub(crate) fn next_waiting(&mut self) -> Option<Line<'static>> {
        if self.waiting.is_empty() || self.is_full() { None } else { self.waiting.pop() }
    }

    /// Looks at the clock once for each batch; only after a slow one does it time each call, to find who is slow.
    pub(crate) fn batch_took(&mut self, duration: Duration) {
        self.watched = if duration > SLOW { WATCHED } else { self.watched.saturating_sub(1) };
    }
}

impl Load for Calls {
    fn is_running(&self, id: &RequestId) -> bool {
        (!self.running.is_empty() && self.running.contains_key(id)) || self.waiting.contains(id)
    }

    fn is_full(&self) -> bool {
        // who waits for the client needs no place, or the client could wait for a call that waits for it
        let all = self.running.len() + self.lingering.len();
        all.saturating_sub(self.peer.questions.waiting_calls()) >= self.engine.limits.in_flight
    }

    fn is_slow(&self, feature: &str) -> bool {
        let mut slow = self.slow.borrow_mut();
        if slow.is_empty() {
            return false;
        }
        let Some(slow) = slow.get_mut(feature).filter(|slow| slow.strikes >= STRIKES) else { return false };
        slow.spared = (slow.spared + 1) % PROBATION;
        slow.spared != 0
    }

    fn begin(&self) -> Option<Instant> {
        (self.watched > 0).then(Instant::now)
    }

    fn end(&self, feature: &str, begun: Option<Instant>) {
        let Some(begun) = begun else { return };
        let mut slow = self.slow.borrow_mut();
        if begun.elapsed() > SLOW {
            // what a client makes up must not fill the memory
            if feature.len() > LONGEST_FEATURE || (slow.len() >= SLOW_FEATURES && !slow.contains_key(feature)) {
                return;
            }
            slow.entry(feature.to_owned()).or_default().strikes += 1;
        } else if !slow.is_empty() {
            slow.remove(feature);
        }
    }
}
