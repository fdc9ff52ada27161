//! Work on several threads whose result does not depend on how many there were. Where the system gives none, there is one.

use std::num::NonZero;
use std::panic;
use std::thread::{self, Builder, ScopedJoinHandle};

/// Fewer items than this are not worth a thread.
const WORTH_A_THREAD: usize = 16;

/// Maps slices of `items`; the results stand in the items' order.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&[T]) -> Vec<R> + Sync) -> Vec<R> {
    // Tests have several workers wherever they run.
    let cores = if cfg!(test) { 4 } else { thread::available_parallelism().map_or(1, NonZero::get) };
    let workers = cores.min(items.len() / WORTH_A_THREAD);
    if workers < 2 {
        return work(items);
    }
    let share = items.len().div_ceil(workers);
    thread::scope(|scope| {
        let work = &work;
        let start = |share| (share, Builder::new().spawn_scoped(scope, move || work(share)));
        let running: Vec<_> = items.chunks(share).map(start).collect();
        running.into_iter().flat_map(|(share, worker)| worker.map_or_else(|_| work(share), joined)).collect()
    })
}

/// Two pieces of work side by side.
pub(crate) fn both<A: Send, B>(one: impl Fn() -> A + Sync, other: impl FnOnce() -> B) -> (A, B) {
    thread::scope(|scope| {
        let worker = Builder::new().spawn_scoped(scope, &one);
        let other = other();
        (worker.map_or_else(|_| one(), joined), other)
    })
}

/// Works while a value is freed, which takes a while if it is many small things.
pub(crate) fn freeing<T: Send, R>(value: T, work: impl FnOnce() -> R) -> R {
    thread::scope(|scope| {
        // Without a thread, it is freed here and now.
        let _ = Builder::new().spawn_scoped(scope, move || drop(value));
        work()
    })
}

fn joined<R>(worker: ScopedJoinHandle<'_, R>) -> R {
    worker.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_kept() {
        let items: Vec<u32> = (0..1000).collect();
        assert_eq!(map(&items, <[u32]>::to_vec), items);
    }
}
