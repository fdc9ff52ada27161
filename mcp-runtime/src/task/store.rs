//! Where tasks are kept.

use std::error::Error;
use std::pin::Pin;
use std::time::Duration;

/// Why a store could not do what it was asked for. The listeners and the operator see it; clients do not.
pub type StoreError = Box<dyn Error + Send + Sync>;

/// What the methods of a store return: a boxed future, because the trait is used behind `dyn`.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Keeps tasks: a table with a few columns, of which only the runtime reads the last.
///
/// With a store that several processes share, a client can ask any of them about its task, answer its questions and
/// cancel it. A store needs no lock of its own across calls: every change is a [`replace`](Self::replace) of a version
/// that was loaded before.
pub trait TaskStore: Send + Sync + 'static {
    /// Keeps a new task. The client hears of the task only after this has succeeded, so keep it for good first.
    ///
    /// Fails if there is no place, among other reasons. Then the call runs on without a task if it can.
    fn insert(&self, task: StoredTask) -> StoreFuture<'_, ()>;

    /// The task with this id. One that has expired may be found or not.
    fn load<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<StoredTask>>;

    /// Puts a task in the place of the one with its id, if that one's version is lower by one; `false` if it is not, or
    /// is gone.
    fn replace(&self, task: StoredTask) -> StoreFuture<'_, bool>;

    /// Forgets a task, if there is one with this id.
    fn remove<'a>(&'a self, id: &'a str) -> StoreFuture<'a, ()>;

    /// Up to `limit` tasks of an owner, sorted by id, whose ids come after `after` in the order of strings; all of them
    /// come after `""`.
    fn list<'a>(&'a self, owner: &'a str, after: &'a str, limit: usize) -> StoreFuture<'a, Vec<StoredTask>>;

    /// Comes back when the task may have another version than this one, or be gone. Coming back too early harms nobody.
    ///
    /// Default: after a second. A store that knows better makes answers and cancellations arrive at once.
    fn changed<'a>(&'a self, id: &'a str, version: u64) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
        let _ = (id, version);
        Box::pin(tokio::time::sleep(Duration::from_secs(1)))
    }
}

/// A task as a store keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a store has to read and write all of it")]
pub struct StoredTask {
    /// 128 random bits after a point in time: 44 lower-case hexadecimal digits that sort by it.
    pub id: String,
    /// Whose it is, in words of the runtime's. Nobody else is told of it.
    pub owner: String,
    /// 1 for a new task, and one more with each change.
    pub version: u64,
    /// When it may be forgotten, in milliseconds since 1970; `None` for never.
    pub expires: Option<u64>,
    /// All else, as JSON. It can hold the answers of users and the result of the tool.
    pub body: String,
}
