//! Reading on without moving.

use super::Reader;

impl Reader<'_> {
    /// A reader at the same place: what it reads is still to come here.
    pub(crate) fn ahead(&self) -> Self {
        Self { ..*self }
    }
}
