//! The way that a request came, and that what its handler says will take.

use std::sync::Arc;

use crate::peer::{Outbox, Peer};

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

/// On whose behalf a request is made, as far as the transport has made certain of it: the subject of a token, say.
///
/// Sessions, and what stateless clients carry from one request to the next, belong to their principal and open for no
/// other. A layer in front of the server that authenticates puts it into the request's extensions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Principal(Arc<str>);

impl Principal {
    /// The principal of this name. Names are compared as they are; two issuers must not share one.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self(name.into())
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
