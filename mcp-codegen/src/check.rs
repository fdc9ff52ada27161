//! Rules over the whole Ir: what no single feature can know, and what no value could fulfill.

mod names;
mod resources;
mod types;

use crate::diagnostic::Diagnostics;
use crate::ir::Ir;

/// An Ir that passed every check: the only thing that emission accepts.
#[derive(Debug)]
pub(crate) struct Checked(Ir);

impl Checked {
    /// What was checked.
    pub(crate) const fn ir(&self) -> &Ir {
        &self.0
    }
}

/// Runs all checks. Nothing comes back where an error was found, here or in a stage before.
pub(crate) fn check(ir: Ir, found: &mut Diagnostics) -> Option<Checked> {
    names::no_shared_module(&ir, found);
    names::no_shared_trait(&ir, found);
    resources::no_overlapping_templates(&ir, found);
    types::no_empty_range(&ir, found);
    (!found.has_errors()).then_some(Checked(ir))
}
