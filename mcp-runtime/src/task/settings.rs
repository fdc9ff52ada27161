//! How a server runs tasks.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::task::memory::MemoryStore;
use crate::task::store::TaskStore;

/// How a server runs and keeps tasks; see [`Server::tasks`](crate::Server::tasks).
///
/// ```
/// use std::time::Duration;
///
/// use mcp_runtime::task::{MemoryStore, Tasks};
///
/// let tasks = Tasks::new().store(MemoryStore::new().max_tasks(100)).ttl(Duration::from_secs(600));
/// # let _ = tasks;
/// ```
#[derive(Clone)]
#[must_use = "it does nothing before it is given to a server"]
pub struct Tasks {
    pub(super) store: Arc<dyn TaskStore>,
    pub(super) ttl: Duration,
    pub(super) poll_interval: Duration,
    pub(crate) begin_after: Duration,
}

impl Tasks {
    /// The defaults, which a server has without saying so.
    pub fn new() -> Self {
        Self {
            store: Arc::new(MemoryStore::new()),
            ttl: Duration::from_secs(3600),
            poll_interval: Duration::from_secs(1),
            begin_after: Duration::from_millis(50),
        }
    }

    /// Where tasks are kept. Default: a [`MemoryStore`].
    pub fn store(mut self, store: impl TaskStore) -> Self {
        self.store = Arc::new(store);
        self
    }

    /// How long a task is kept, from its creation. One that still runs then is stopped. Clients can ask for less, not
    /// for more. Default: an hour.
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.ttl = ttl.max(Duration::from_millis(1));
        self
    }

    /// How long a client is told to wait between two looks at a task. Default: a second.
    pub fn poll_interval(mut self, interval: Duration) -> Self {
        self.poll_interval = interval.max(Duration::from_millis(1));
        self
    }

    /// How long a call of a tool with optional tasks runs before it becomes a task: whatever is over by then is answered
    /// at once. Concerns clients of 2026-07-28; those of 2025-11-25 decide themselves. Default: 50 milliseconds.
    pub fn begin_after(mut self, time: Duration) -> Self {
        self.begin_after = time;
        self
    }
}

impl Default for Tasks {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tasks")
            .field("ttl", &self.ttl)
            .field("poll_interval", &self.poll_interval)
            .field("begin_after", &self.begin_after)
            .finish_non_exhaustive()
    }
}
