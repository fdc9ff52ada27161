//! Those who keep the tasks that run in this process.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::task::JoinSet;

use crate::lock::lock;
use crate::task::Link;

/// Those who keep tasks, as long as the server serves.
#[derive(Default)]
pub(crate) struct Keepers(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    tasks: JoinSet<()>,
    /// Those that run, by id: whose they are, and what links their handlers.
    running: HashMap<String, (String, Arc<Link>)>,
    /// The server has ended.
    closed: bool,
}

/// Dropped, it says that a task runs no more.
pub(super) struct Leaving<'k> {
    keepers: &'k Keepers,
    id: &'k str,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.keepers.lock().running.remove(self.id);
    }
}

impl Keepers {
    /// Runs a keeper. `running` says whose task it is, and what links its handler.
    pub(super) fn spawn(
        &self,
        id: String,
        running: (String, Arc<Link>),
        keep: impl Future<Output = ()> + Send + 'static,
    ) {
        let mut kept = self.lock();
        if kept.closed {
            return;
        }
        while kept.tasks.try_join_next().is_some() {}
        kept.running.insert(id, running);
        kept.tasks.spawn(keep);
    }

    /// To be kept as long as the task runs.
    pub(super) fn entered<'k>(&'k self, id: &'k str) -> Leaving<'k> {
        Leaving { keepers: self, id }
    }

    /// What links the owner's task to its handler, if that runs here.
    pub(crate) fn link(&self, id: &str, owner: &str) -> Option<Arc<Link>> {
        let kept = self.lock();
        kept.running.get(id).filter(|(known, _)| known == owner).map(|(_, link)| Arc::clone(link))
    }

    /// Drops all handlers: nobody can ask for their results any more.
    pub(crate) fn stop(&self) {
        let mut kept = self.lock();
        kept.closed = true;
        kept.tasks.abort_all();
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        lock(&self.0)
    }
}

impl fmt::Debug for Keepers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keepers").field("tasks", &self.lock().running.len()).finish()
    }
}
