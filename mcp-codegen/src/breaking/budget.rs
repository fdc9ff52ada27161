//! How much work one question may take: schemas can be made whose every branch leads to two more.

use std::cell::Cell;

/// Schemas that are entered for one question.
const MAX_STEPS: usize = 20_000;

/// Schemas inside each other.
const MAX_DEPTH: usize = 64;

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
