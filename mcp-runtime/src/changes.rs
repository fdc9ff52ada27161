//! What changes while a server runs: lists that grow, resources that hold something new; and who is told.
//!
//! Both eras are one here: a session is told of everything that it may be told of, a stateless client of what its
//! `subscriptions/listen` asks for.

mod inbox;
mod topics;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, Weak};

pub(crate) use self::inbox::{Inbox, write_cancelled};
pub(crate) use self::topics::{Change, Topics};
use crate::lock::lock;
use crate::peer::Peer;

/// The way to tell clients that something changed. Clones are the same: give one to the server, and keep the others
/// in handlers, providers, tasks, wherever changes are known.
///
/// Telling never waits. What a client has not read yet is told once, however often it happened.
///
/// ```
/// use mcp_runtime::{Changes, Server, Service};
///
/// fn server(service: impl Service, changes: &Changes) -> Server<impl Service> {
///     Server::new(service).changes(changes)
/// }
///
/// let changes = Changes::new();
/// // later, from anywhere
/// changes.resource_updated("config://app-settings");
/// ```
#[derive(Clone, Default)]
pub struct Changes {
    /// The connections of all servers that were given this.
    peers: Arc<Mutex<Vec<Weak<Peer>>>>,
}

impl Changes {
    /// A way that leads nowhere yet: see [`Server::changes`](crate::Server::changes).
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells that there are other tools than before.
    pub fn tools_changed(&self) {
        self.tell(Change::Tools);
    }

    /// Tells that there are other resources or resource templates than before.
    pub fn resources_changed(&self) {
        self.tell(Change::Resources);
    }

    /// Tells that there are other prompts than before.
    pub fn prompts_changed(&self) {
        self.tell(Change::Prompts);
    }

    /// Tells those who subscribed to the resource that it holds something new.
    pub fn resource_updated(&self, uri: &str) {
        self.tell(Change::Updated(uri));
    }

    pub(crate) fn tell(&self, change: Change<'_>) {
        for peer in self.peers().iter().filter_map(Weak::upgrade) {
            if peer.inbox.post(change) {
                peer.outbox.notify.notify_one();
            }
        }
    }

    /// Adds a connection, and forgets those that ended.
    pub(crate) fn connect(&self, peer: &Arc<Peer>) {
        let mut peers = self.peers();
        peers.retain(|peer| peer.strong_count() > 0);
        peers.push(Arc::downgrade(peer));
    }

    fn peers(&self) -> MutexGuard<'_, Vec<Weak<Peer>>> {
        lock(&self.peers)
    }
}

impl fmt::Debug for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes").field("connections", &self.peers().len()).finish()
    }
}
