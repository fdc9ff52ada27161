//! A handler that nobody waits for but the connection of its request.

use std::fmt;
use std::future::pending;
use std::pin::Pin;
use std::sync::Arc;

use bytes::{Buf as _, Bytes};
use tokio::runtime::Handle;
use tokio::sync::OwnedSemaphorePermit;

use crate::connection::Pending;
use crate::context::Answer;
use crate::listener::{Cancelled, Event};
use crate::peer::Peer;
use crate::protocol::{Handling, Head};
use crate::serve::{End, run};

/// A stateless call under way. Dropped before its end, it is cancelled.
pub(super) struct Call {
    running: Option<Pin<Box<dyn Future<Output = End> + Send>>>,
    head: Head,
    name: String,
    peer: Arc<Peer>,
    _place: OwnedSemaphorePermit,
}

impl Call {
    pub(super) fn new(pending: Pending, peer: Arc<Peer>, place: OwnedSemaphorePermit) -> Self {
        let Pending { future, timeout, head, name } = pending;
        let limited = timeout.map(|limit| (limit, Arc::clone(&peer)));
        let running = run(head.id.clone(), future, limited);
        Self { running: Some(Box::pin(running)), head, name, peer, _place: place }
    }

    /// The answer, once.
    pub(super) async fn ended(&mut self) -> Bytes {
        let Some(running) = &mut self.running else { return pending().await };
        let end = running.await;
        self.running = None;
        let mut out = Vec::new();
        let answer = end.told(Handling { engine: &self.peer.engine, head: &self.head, name: &self.name }, &mut out);
        answer.map_or_else(|| out.into(), bytes_of)
    }
}

/// The bytes of an answer, without a copy.
pub(super) fn bytes_of(mut answer: Answer) -> Bytes {
    let (buffer, start) = answer.take_bytes();
    let mut bytes = Bytes::from(buffer);
    bytes.advance(start);
    bytes
}

/// The client is gone, and with it whoever waited for the answer.
impl Drop for Call {
    fn drop(&mut self) {
        let Some(running) = self.running.take() else { return };
        let (request_id, reason) = (self.head.id.clone(), "the client closed the connection".to_owned());
        let event = Cancelled { request_id, reason: Some(reason) };
        self.peer.engine.listeners.send(Event::Cancelled(event));
        if !self.peer.cancel(&self.head.id) {
            self.peer.engine.listeners.cancelled(&self.head, self.peer.engine.shown(&self.name));
        } else if let Ok(runtime) = Handle::try_current() {
            // a handler that wanted to know goes on, and is trusted to stop soon
            runtime.spawn(running);
        }
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("head", &self.head).field("name", &self.name).finish_non_exhaustive()
    }
}
