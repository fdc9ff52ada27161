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
        let join = |worker: thread::ScopedJoinHandle<'_, Vec<R>>| match worker.join() {
            Ok(results) => results,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        running.into_iter().flat_map(join).collect()
    })
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
