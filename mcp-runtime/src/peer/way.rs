//! The way that a request came, and that what its handler says will take.

use std::sync::Arc;

use crate::peer::{Outbox, Peer, Principal};

/// Whose request it is, and where what belongs to it leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way<'a> {
    pub(crate) peer: &'a Arc<Peer>,
    /// The stream of the call.
    pub(crate) outbox: &'a Arc<Outbox>,
    pub(crate) principal: Option<&'a Principal>,
}

impl<'a> From<&'a Arc<Peer>> for Way<'a> {
    /// The way of what belongs to no call.
    fn from(peer: &'a Arc<Peer>) -> Self {
        Self { peer, outbox: &peer.outbox, principal: None }
    }
}
