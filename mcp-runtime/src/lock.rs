//! Mutexes that a panic does not close.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks. Whoever panicked while holding it was a handler or a listener of the user's: what is kept here is changed in
/// single steps, and as good as it was.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
