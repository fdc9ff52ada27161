//! Work on several threads whose result does not depend on how many there were. Where the system gives none, there is one.

use std::iter;
use std::num::NonZero;
use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Builder, ScopedJoinHandle};

/// Fewer items than this are not worth a thread, or a share of their own: work may have to get ready for each.
const WORTH_A_THREAD: usize = 16;

/// So many shares there are for each worker, at most: whoever is done early takes another.
const SHARES: usize = 16;

/// Maps slices of `items`; the results stand in the items' order.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&[T]) -> Vec<R> + Sync) -> Vec<R> {
    // Tests have several workers wherever they run.
    let cores = if cfg!(test) { 4 } else { thread::available_parallelism().map_or(1, NonZero::get) };
    let workers = cores.min(items.len() / WORTH_A_THREAD);
    if workers < 2 {
        return work(items);
    }
    let share = items.len().div_ceil(workers * SHARES).max(WORTH_A_THREAD);
    let shares: Vec<&[T]> = items.chunks(share).collect();
    let next = AtomicUsize::new(0);
    let one_share = || {
        let number = next.fetch_add(1, Ordering::Relaxed);
        shares.get(number).map(|share| (number, work(share)))
    };
    let run = || iter::from_fn(one_share).collect::<Vec<_>>();
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map_while(|_| Builder::new().spawn_scoped(scope, run).ok()).collect();
        let mut done = run();
        done.extend(others.into_iter().flat_map(joined));
        done
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().flat_map(|(_, results)| results).collect()
}

/// Two pieces of work side by side.
pub(crate) fn both<A: Send, B>(one: impl Fn() -> A + Sync, other: impl FnOnce() -> B) -> (A, B) {
    thread::scope(|scope| {
        let worker = Builder::new().spawn_scoped(scope, &one);
        let other = other();
        (worker.map_or_else(|_| one(), joined), other)
    })
}

/// Frees a value that is many small things, and does not wait until that is done.
pub(crate) fn free<T: Send + 'static>(value: T) {
    // Without a thread, it is freed here and now.
    let _ = Builder::new().spawn(move || drop(value));
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
