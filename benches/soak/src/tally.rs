//! What was sent, answered and lost, and how much memory the server holds meanwhile.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The count of one soak.
#[derive(Debug)]
pub(crate) struct Tally {
    total: u64,
    server: u32,
    sent: AtomicU64,
    pub(crate) answered: AtomicU64,
    pub(crate) faults: AtomicU64,
    pub(crate) given_up: AtomicU64,
    memory: Mutex<Vec<(u64, u64)>>,
}

/// After which parts of the requests, in percent, the memory is looked at.
const LOOKS: [u64; 3] = [10, 50, 100];

impl Tally {
    pub(crate) fn new(total: u64, server: u32) -> Self {
        let zero = AtomicU64::default;
        let memory = Mutex::default();
        Self { total, server, sent: zero(), answered: zero(), faults: zero(), given_up: zero(), memory }
    }

    /// Counts a request that is about to be sent: its number, from 1; `None` if there are enough.
    pub(crate) fn next(&self) -> Option<u64> {
        let number = self.sent.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(part) = LOOKS.into_iter().find(|part| number == self.total * part / 100) {
            let mut memory = self.memory.lock().expect("no panic");
            memory.push((part, resident(self.server)));
        }
        (number <= self.total).then_some(number)
    }

    /// Prints the count; whether nothing was lost.
    #[expect(clippy::print_stdout, reason = "this is what it is run for")]
    pub(crate) fn report(&self, transport: &str, seconds: f64) -> bool {
        let [answered, faults, given_up] =
            [&self.answered, &self.faults, &self.given_up].map(|count| count.load(Ordering::Relaxed));
        let lost = self.total.saturating_sub(answered + given_up);
        println!(
            "{transport}: {} requests in {seconds:.0} s: {answered} answered rightly, {given_up} given up, {lost} lost; \
             {faults} faults beside them",
            self.total
        );
        for (part, bytes) in &*self.memory.lock().expect("no panic") {
            println!("  at {part:>3} %: {} KiB resident", bytes >> 10);
        }
        lost == 0
    }
}

/// The memory of a process, in bytes; 0 where the system does not say it.
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) << 10
}
