//! Conversations in pieces: each message, or a few, on a stream of their own.

use std::sync::Arc;

use serde::de::IgnoredAny;

use crate::connection::{Connection, Unreadable, listen};
use crate::jsonrpc::ErrorCode;
use crate::peer::{Peer, Way};
use crate::protocol::Meta;

impl Connection {
    /// The connection of one exchange. `meta` is what its message says, if that was read already.
    pub(crate) fn exchange(way: Way<'_>, meta: Option<Arc<Meta>>) -> Self {
        Self {
            peer: Arc::clone(way.peer),
            outbox: Arc::clone(way.outbox),
            principal: way.principal.cloned(),
            spare: None,
            last_meta: meta.unwrap_or_default(),
            long_line: None,
        }
    }

    /// Lets the handler of the next message keep the text that it came with, if that is long.
    pub(crate) fn keep(&mut self, line: Option<Arc<Vec<u8>>>) {
        self.long_line = line;
    }
}

impl Unreadable {
    pub(crate) fn not_text() -> Self {
        Self { id: None, code: ErrorCode::ParseError, why: "the message is not UTF-8".to_owned() }
    }

    /// An array that is no batch, or none that belongs here.
    #[cold]
    pub(crate) fn batch(text: &str, why: &str) -> Self {
        match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) => Self { id: None, code: ErrorCode::InvalidRequest, why: why.to_owned() },
            Err(fault) => Self { id: None, code: ErrorCode::ParseError, why: format!("not JSON: {fault}") },
        }
    }
}

/// Ends the streams of a client whose own stream ends with them: each with a result, a line.
pub(crate) fn end_streams(peer: &Peer, out: &mut Vec<u8>) {
    for id in peer.inbox.close_all() {
        listen::write_end(&peer.engine, &id, out);
    }
}
