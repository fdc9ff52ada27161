//! How much work one question, and all questions about two schemas, may take: schemas can be made whose every branch leads
//! to two more, and lists that no memory holds.

use std::cell::Cell;

/// Schemas that are entered for one question.
const MAX_STEPS: usize = 20_000;

/// Schemas inside each other.
const MAX_DEPTH: usize = 64;

/// Schemas entered and values made for the comparison of two schemas.
const MAX_WORK: usize = 4_000_000;

/// What is left for the comparison of two schemas, from the first question to the last. Where nothing is left, nobody can
/// tell.
#[derive(Debug)]
pub(super) struct Fuel(Cell<usize>);

impl Default for Fuel {
    fn default() -> Self {
        Self(Cell::new(MAX_WORK))
    }
}

impl Fuel {
    /// Takes so much; no where less is left.
    pub(super) fn spend(&self, work: usize) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(work));
        left >= work
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
