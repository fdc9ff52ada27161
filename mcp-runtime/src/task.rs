//! Tasks: tool calls that the client does not wait for.
//!
//! A tool takes part by `execution.taskSupport` in the contract, and its handler stays as it is:
//!
//! | `taskSupport` | since 2026-07-28 | 2025-11-25 |
//! | --- | --- | --- |
//! | `forbidden` (default) | an ordinary call | an ordinary call; one that asks for a task is refused (-32601) |
//! | `optional` | an ordinary call that becomes a task when it is not over [soon](Tasks::begin_after) | a task if the client asks for one |
//! | `required` | a task from its beginning; clients that do not know tasks are refused (-32021) | a task; other calls are refused (-32601) |
//!
//! So an `optional` tool that asks its questions first asks them as any call does, and one that is quick answers at once.
//! What is asked inside of a task waits there until the client looks at it; the handler does not run again.
//!
//! The text of [progress notices](crate::Context::progress) is the task's status message. A task ends early when its
//! client cancels it, as a cancelled call does, and when it outlives its [time to live](Tasks::ttl). Its handler runs in
//! this process: when the server stops, so does the handler, whatever the store keeps.
//!
//! A [`TaskStore`] keeps the tasks: [`MemoryStore`] unless [`Tasks::store`] says otherwise.

mod board;
mod link;
mod memory;
mod record;
mod settings;
mod store;
mod support;
mod time;

pub(crate) use self::board::{Board, Missing, is_id, until};
pub(crate) use self::link::Link;
pub use self::memory::MemoryStore;
pub(crate) use self::record::{Outcome, Record, write_related};
pub use self::settings::Tasks;
pub use self::store::{StoreError, StoreFuture, StoredTask, TaskStore};
pub(crate) use self::support::TaskSupport;

/// The extension of 2026-07-28.
pub(crate) const EXTENSION: &str = "io.modelcontextprotocol/tasks";
