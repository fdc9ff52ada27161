//! How much work one question, and all questions about two schemas, may take: schemas can be made whose every branch leads
//! to two more, and lists that no memory holds.

use std::cell::Cell;

/// Schemas that are entered for one question.
const MAX_STEPS: usize = 20_000;

/// Schemas inside each other.
const MAX_DEPTH: usize = 64;

/// Schemas entered and values made to compare two schemas.
const MAX_WORK: usize = 4_000_000;

/// The same for all comparisons by which it is found out where two schemas differ.
const MAX_WORK_IN_ALL: usize = 32_000_000;

/// What is left for comparing two schemas and what they hold. Where nothing is left, nobody can tell.
#[derive(Debug)]
pub(super) struct Fuel {
    now: Cell<usize>,
    in_all: Cell<usize>,
}

impl Default for Fuel {
    fn default() -> Self {
        Self { now: Cell::new(MAX_WORK), in_all: Cell::new(MAX_WORK_IN_ALL) }
    }
}

impl Fuel {
    /// Begins a comparison: one that took too much leaves enough for the next.
    pub(super) fn refill(&self) {
        self.now.set(MAX_WORK.min(self.in_all.get()));
    }

    /// Takes so much; no where less is left.
    pub(super) fn spend(&self, work: usize) -> bool {
        let left = self.now.get();
        let taken = work.min(left);
        self.now.set(left - taken);
        self.in_all.set(self.in_all.get().saturating_sub(taken));
        taken == work
    }
}

/// What is left for one question.
#[derive(Debug, Default)]
pub(super) struct Budget {
    steps: Cell<usize>,
    depth: Cell<usize>,
}

impl Budget {
    /// Takes a step; no where none is left.
    pub(super) fn spend(&self) -> bool {
        self.steps.set(self.steps.get() + 1);
        self.steps.get() <= MAX_STEPS
    }

    /// Goes one level deeper; nothing where that would be too deep, or too much.
    pub(super) fn deeper<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        if self.depth.get() >= MAX_DEPTH || !self.spend() {
            return None;
        }
        self.depth.set(self.depth.get() + 1);
        let result = work();
        self.depth.set(self.depth.get() - 1);
        Some(result)
    }
}
