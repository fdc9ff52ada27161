//! One session: what belongs to it beside its peer, and where its messages go.

mod get;
mod post;

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use http::StatusCode;
use http::request::Parts;
use sha2::{Digest as _, Sha256};
use tokio::sync::{mpsc, watch};

use crate::connection::{Load, Pending};
use crate::jsonrpc::{ErrorCode, RequestId};
use crate::lock::lock;
use crate::peer::{Peer, Principal};
use crate::protocol::Revision;
use crate::transport::http::Endpoint;
use crate::transport::http::head::{self, single};
use crate::transport::http::refusal::Refusal;
use crate::transport::http::stream::Control;

/// What belongs to a session beside what its peer knows.
pub(super) struct Session {
    pub(super) id: String,
    pub(super) peer: Arc<Peer>,
    pub(super) principal: Option<Principal>,
    /// When the client was last heard, or could last hear.
    used: Mutex<Instant>,
    /// Calls under way, and the way to the stream that runs each.
    calls: Mutex<HashMap<RequestId, mpsc::Sender<Control>>>,
    /// Streams under way.
    streams: Mutex<HashMap<u64, mpsc::Sender<Control>>>,
    last_stream: AtomicU64,
    /// Where the numbers of streams and of the standalone stream's events begin.
    pub(super) first_number: u64,
    /// Turns true when the session ends.
    pub(super) ended: watch::Sender<bool>,
}

impl Endpoint {
    /// The session that a request names.
    fn session(&self, head: &Parts) -> Result<Arc<Session>, Refusal> {
        let Ok(Some(id)) = single(&head.headers, &head::SESSION_ID) else {
            let why = "`Mcp-Session-Id` is missing: send `initialize` first, or state the protocol version in `_meta`";
            return Err(Refusal::bad_request(ErrorCode::InvalidRequest, why));
        };
        let session = self.sessions.find(id, head.extensions.get::<Principal>()).ok_or_else(|| {
            let why = "there is no such session: send `initialize` again";
            Refusal::new(StatusCode::NOT_FOUND, ErrorCode::InvalidRequest, why)
        })?;
        session.touch();
        Ok(session)
    }

    /// Ends a session, and with it all that is under way in it.
    pub(super) async fn end(&self, session: &Session) {
        self.sessions.forget(session);
        session.end();
        self.options.events.forget(&session.id).await;
        if let Some(store) = &self.options.store {
            store.remove(&session.id).await;
        }
    }
}

impl Session {
    pub(super) fn new(id: String, peer: Arc<Peer>, (principal, first_number): (Option<Principal>, u64)) -> Arc<Self> {
        // not the id itself: who knows that has the session
        let _ = peer.scope.set(BASE64.encode(&Sha256::digest(&id)[..16]).into());
        Arc::new(Self {
            id,
            peer,
            principal,
            used: Mutex::new(Instant::now()),
            calls: Mutex::default(),
            streams: Mutex::default(),
            last_stream: AtomicU64::new(first_number),
            first_number,
            ended: watch::Sender::new(false),
        })
    }

    pub(super) fn revision(&self) -> Revision {
        self.peer.session.get().map_or(Revision::NEWEST_WITH_SESSION, |session| session.revision)
    }

    /// Notes that the session is in use.
    pub(super) fn touch(&self) {
        *lock(&self.used) = Instant::now();
    }

    pub(super) fn last_used(&self) -> Instant {
        *lock(&self.used)
    }

    /// Whether nothing is under way: no call, and no stream that somebody listens to.
    pub(super) fn is_idle(&self) -> bool {
        lock(&self.streams).is_empty() && lock(&self.calls).is_empty()
    }

    /// Ends all that is under way.
    pub(super) fn end(&self) {
        self.peer.questions.close();
        self.peer.cancel_all();
        self.ended.send_replace(true);
    }

    /// Forgets a call that is not under way any more.
    pub(super) fn ended_call(&self, id: &RequestId) {
        lock(&self.calls).remove(id);
    }

    /// Forgets a stream that has ended.
    pub(super) fn ended_stream(&self, number: u64) {
        lock(&self.streams).remove(&number);
    }

    fn cancel(&self, id: RequestId, reason: Option<String>) {
        let control = lock(&self.calls).get(&id).cloned();
        if let Some(control) = control {
            // a stream that does not keep up with its cancellations misses one
            let _ = control.try_send(Control::Cancel { id, reason });
        }
    }
}

/// What is under way in a session, and what one POST has brought so far.
pub(super) struct UnderWay<'s> {
    pub(super) session: &'s Session,
    pub(super) brought: &'s [Pending],
}

impl Load for UnderWay<'_> {
    fn is_running(&self, id: &RequestId) -> bool {
        self.brought.iter().any(|pending| pending.head.id == *id) || lock(&self.session.calls).contains_key(id)
    }

    fn is_full(&self) -> bool {
        let peer = &self.session.peer;
        let calls = lock(&self.session.calls).len() + self.brought.len();
        // who waits for the client needs no place, or the client could wait for a call that waits for it
        calls.saturating_sub(peer.questions.waiting_calls()) >= peer.engine.limits.in_flight
    }

    fn is_slow(&self, _: &str) -> bool {
        false
    }

    fn begin(&self) -> Option<Instant> {
        None
    }

    fn end(&self, _: &str, _: Option<Instant>) {}
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // not the id: who knows it has the session
        f.debug_struct("Session").field("peer", &self.peer).finish_non_exhaustive()
    }
}
