//! Work on several threads whose result does not depend on how many there were.

use std::num::NonZero;
use std::thread;

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
        let running: Vec<_> = items.chunks(share).map(|share| scope.spawn(move || work(share))).collect();
        running.into_iter().flat_map(joined).collect()
    })
}

/// Two pieces of work side by side.
pub(crate) fn both<A: Send, B>(one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B) -> (A, B) {
    thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        (joined(one), other)
    })
}

fn joined<R>(worker: thread::ScopedJoinHandle<'_, R>) -> R {
    match worker.join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    }
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
