//! The store that every server has: in memory, bounded.

use std::collections::BTreeMap;
use std::fmt;
use std::future::ready;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::Notify;

use crate::lock::lock;
use crate::task::store::{StoreFuture, StoredTask, TaskStore};
use crate::task::time;

/// Keeps tasks in this process: they are gone when it ends.
///
/// Its bounds hold for all clients together, and a quarter of the tasks for each owner. Tasks that have expired make
/// place for new ones; others never do.
pub struct MemoryStore {
    tasks: Mutex<Kept>,
    max_tasks: usize,
    max_bytes: usize,
}

#[derive(Default)]
struct Kept {
    by_id: BTreeMap<String, Entry>,
    bytes: usize,
}

struct Entry {
    task: StoredTask,
    changed: Arc<Notify>,
}

impl MemoryStore {
    /// A store of at most 4096 tasks and 64 MiB.
    #[must_use]
    pub fn new() -> Self {
        Self { tasks: Mutex::default(), max_tasks: 4096, max_bytes: 64 << 20 }
    }

    /// How many tasks are kept at most.
    #[must_use]
    pub fn max_tasks(mut self, tasks: usize) -> Self {
        self.max_tasks = tasks;
        self
    }

    /// How many bytes all tasks may have together, questions, answers and results included.
    #[must_use]
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        lock(&self.tasks)
    }

    fn add(&self, task: StoredTask) -> Result<(), &'static str> {
        let mut kept = self.lock();
        kept.forget_expired();
        let of_owner = kept.by_id.values().filter(|entry| entry.task.owner == task.owner).count();
        if kept.by_id.len() >= self.max_tasks || of_owner >= self.max_tasks.div_ceil(4) {
            return Err("too many tasks are kept already");
        }
        if kept.bytes + size(&task) > self.max_bytes {
            return Err(FULL);
        }
        kept.bytes += size(&task);
        kept.by_id.insert(task.id.clone(), Entry { task, changed: Arc::default() });
        Ok(())
    }

    fn put(&self, task: StoredTask) -> Result<bool, &'static str> {
        let mut kept = self.lock();
        let before = kept.by_id.get(&task.id).map(|entry| (entry.task.version, size(&entry.task)));
        let Some((version, before)) = before.filter(|(version, _)| version + 1 == task.version) else {
            return Ok(false);
        };
        let bytes = kept.bytes - before + size(&task);
        if bytes > self.max_bytes && size(&task) > before {
            return Err(FULL);
        }
        kept.bytes = bytes;
        if let Some(entry) = kept.by_id.get_mut(&task.id) {
            debug_assert!(version < task.version);
            entry.task = task;
            entry.changed.notify_waiters();
        }
        Ok(true)
    }
}

const FULL: &str = "the tasks that are kept have no bytes left";

impl Kept {
    fn forget_expired(&mut self) {
        let now = time::now();
        let expired = |task: &StoredTask| task.expires.is_some_and(|expires| expires <= now);
        let gone: Vec<_> =
            self.by_id.values().filter(|entry| expired(&entry.task)).map(|e| e.task.id.clone()).collect();
        for id in gone {
            self.remove(&id);
        }
    }

    fn remove(&mut self, id: &str) {
        if let Some(entry) = self.by_id.remove(id) {
            self.bytes -= size(&entry.task);
            entry.changed.notify_waiters();
        }
    }
}

impl TaskStore for MemoryStore {
    fn insert(&self, task: StoredTask) -> StoreFuture<'_, ()> {
        Box::pin(ready(self.add(task).map_err(Into::into)))
    }

    fn load<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<StoredTask>> {
        Box::pin(ready(Ok(self.lock().by_id.get(id).map(|entry| entry.task.clone()))))
    }

    fn replace(&self, task: StoredTask) -> StoreFuture<'_, bool> {
        Box::pin(ready(self.put(task).map_err(Into::into)))
    }

    fn remove<'a>(&'a self, id: &'a str) -> StoreFuture<'a, ()> {
        self.lock().remove(id);
        Box::pin(ready(Ok(())))
    }

    fn list<'a>(&'a self, owner: &'a str, after: &'a str, limit: usize) -> StoreFuture<'a, Vec<StoredTask>> {
        let kept = self.lock();
        let entries = kept.by_id.values().filter(|entry| entry.task.owner == owner && *entry.task.id > *after);
        let tasks = entries.take(limit).map(|entry| entry.task.clone()).collect();
        Box::pin(ready(Ok(tasks)))
    }

    fn changed<'a>(&'a self, id: &'a str, version: u64) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        Box::pin(async move {
            let changed = self.lock().by_id.get(id).map(|entry| Arc::clone(&entry.changed));
            let Some(changed) = changed else { return };
            let mut changed = std::pin::pin!(changed.notified());
            // registered before the look, so that a change between the two is not missed
            changed.as_mut().enable();
            if self.lock().by_id.get(id).is_some_and(|entry| entry.task.version == version) {
                changed.await;
            }
        })
    }
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // not the tasks: they hold what users said
        f.debug_struct("MemoryStore").field("tasks", &self.lock().by_id.len()).finish_non_exhaustive()
    }
}

fn size(task: &StoredTask) -> usize {
    size_of::<Entry>() + task.id.len() * 2 + task.owner.len() + task.body.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(id: &str, owner: &str) -> StoredTask {
        StoredTask { id: id.to_owned(), owner: owner.to_owned(), version: 1, expires: None, body: String::new() }
    }

    #[test]
    fn nobody_takes_more_than_a_quarter_of_the_places() {
        let store = MemoryStore::new().max_tasks(8);
        for id in ["a", "b"] {
            store.add(task(id, "one")).unwrap();
        }
        assert!(store.add(task("c", "one")).is_err());
        for (id, owner) in [("c", "two"), ("d", "two"), ("e", "three"), ("f", "three"), ("g", "four"), ("h", "four")] {
            store.add(task(id, owner)).unwrap();
        }
        assert!(store.add(task("i", "five")).is_err());
        store.lock().remove("a");
        assert_eq!(store.add(task("i", "five")), Ok(()));
    }

    #[test]
    fn what_has_expired_makes_place() {
        let store = MemoryStore::new().max_tasks(1);
        store.add(StoredTask { expires: Some(1), ..task("a", "") }).unwrap();
        assert_eq!(store.add(task("b", "")), Ok(()));
        assert_eq!(store.lock().by_id.keys().collect::<Vec<_>>(), ["b"]);
    }

    #[test]
    fn bytes_are_bounded_and_given_back() {
        let store = MemoryStore::new().max_bytes(1000);
        store.add(task("a", "")).unwrap();
        let long = StoredTask { version: 2, body: "x".repeat(1000), ..task("a", "") };
        assert_eq!(store.put(long.clone()), Err(FULL));
        assert_eq!(store.put(StoredTask { body: "x".repeat(500), ..long }), Ok(true));
        store.lock().remove("a");
        assert_eq!(store.lock().bytes, 0);
    }

    #[test]
    fn only_the_version_that_was_loaded_is_replaced() {
        let store = MemoryStore::new();
        store.add(task("a", "")).unwrap();
        assert_eq!(store.put(StoredTask { version: 2, ..task("a", "") }), Ok(true));
        assert_eq!(store.put(StoredTask { version: 2, ..task("a", "") }), Ok(false));
        assert_eq!(store.put(StoredTask { version: 2, ..task("b", "") }), Ok(false));
    }
}
