//! Messages on their way to a client that it has not asked for: progress, logs, questions.

#[cfg(feature = "http")]
mod streamed;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

use crate::lock::lock;

/// Unread notifications that a client may leave us with; what goes beyond is dropped, for they are only news.
const LIMIT: usize = 1 << 20;

/// Notifications on their way out, each a line.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    lines: Mutex<Vec<u8>>,
    filled: AtomicBool,
    /// The handler lets go of the connection; see `Context::close_stream`.
    released: AtomicBool,
    pub(crate) notify: Notify,
}

impl Outbox {
    /// Queues one line, or drops it if the client reads too little. Returns whether it was queued.
    pub(crate) fn push(&self, write: impl FnOnce(&mut Vec<u8>)) -> bool {
        let mut lines = lock(&self.lines);
        if lines.len() > LIMIT {
            return false;
        }
        write(&mut lines);
        lines.push(b'\n');
        self.filled.store(true, Ordering::Release);
        self.notify.notify_one();
        true
    }

    /// Takes over what is queued elsewhere.
    pub(crate) fn take_over(&self, other: &Self) {
        let mut moved = Vec::new();
        other.drain_into(&mut moved);
        if !moved.is_empty() {
            lock(&self.lines).append(&mut moved);
            self.filled.store(true, Ordering::Release);
            self.notify.notify_one();
        }
    }

    /// Moves what is queued to the end of `out`.
    pub(crate) fn drain_into(&self, out: &mut Vec<u8>) {
        if self.filled.swap(false, Ordering::Acquire) {
            let mut lines = lock(&self.lines);
            out.append(&mut lines);
            lines.shrink_to(1 << 12);
        }
    }

    /// Asks the transport to end the connection that the stream runs on, if the client can come back for the rest.
    pub(crate) fn release(&self) {
        self.released.store(true, Ordering::Release);
        self.notify.notify_one();
    }
}
