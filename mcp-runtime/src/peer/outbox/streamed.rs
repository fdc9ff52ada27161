//! What a transport asks where each call has a stream of its own.

use std::sync::atomic::Ordering;

use crate::peer::Outbox;

impl Outbox {
    /// Whether anything is queued.
    pub(crate) fn is_filled(&self) -> bool {
        self.filled.load(Ordering::Acquire)
    }

    /// Whether the connection is to end, as was asked since the last look.
    pub(crate) fn take_released(&self) -> bool {
        self.released.swap(false, Ordering::AcqRel)
    }
}
