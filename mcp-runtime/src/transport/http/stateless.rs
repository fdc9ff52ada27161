//! Requests that bring all that is to be known (since 2026-07-28). The connection is the request: who closes it, cancels.

use std::sync::Arc;

use bytes::Bytes;
use http::{Response, StatusCode};
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::sleep;

use crate::connection::{Connection, Reply, end_streams};
use crate::jsonrpc::{ErrorCode, Shape};
use crate::listener::{Event, TransportEvent};
use crate::peer::{Outbox, Peer, Principal, Way};
use crate::protocol::{ClientCapabilities, Revision, Session};
use crate::transport::http::body::Body;
use crate::transport::http::call::{Call, bytes_of};
use crate::transport::http::head::{Stated, Version};
use crate::transport::http::refusal::{Refusal, empty, events, forbidden, json, status};
use crate::transport::http::sse::{Gone, Writer, write_event, write_events};
use crate::transport::http::{Endpoint, Next, Post, turned};

/// A call of which nothing has been told yet.
#[derive(Debug)]
pub(super) struct Waiting {
    call: Call,
    outbox: Arc<Outbox>,
    status: Statuses,
}

/// Which status an answer has.
type Statuses = fn(&[u8]) -> StatusCode;

/// A message of a client from before 2026-07-28, where no sessions are opened.
pub(super) fn without_session(endpoint: &Arc<Endpoint>, post: &Post<'_>) -> Result<Next, Refusal> {
    let revision = match post.said.version() {
        Version::Known(revision) => revision,
        // who says nothing speaks the last revision that did not have to
        Version::Absent | Version::Unknown(_) => Revision::V2025_03_26,
    };
    let peer = Peer::new(Arc::clone(&endpoint.engine));
    // the peer is new: nobody has set it before
    let _ = peer.session.set(Session { revision, client: None, capabilities: ClientCapabilities::default() });
    let is_valid = post.is_valid();
    endpoint.alone(post, peer, if is_valid { |_| StatusCode::OK } else { |_| StatusCode::BAD_REQUEST })
}

impl Endpoint {
    pub(super) fn stateless(self: &Arc<Self>, post: &Post<'_>) -> Result<Next, Refusal> {
        match post.message.shape {
            // there is nothing that a notification could be about: a call is cancelled by closing its connection
            Shape::Notification => return Ok(Next::Respond(empty(StatusCode::ACCEPTED))),
            Shape::Response => {
                let why = "a server sends no requests here, so there is nothing to answer";
                return Err(Refusal::bad_request(ErrorCode::InvalidRequest, why));
            }
            Shape::Request | Shape::Invalid => {}
        }
        self.alone(post, Peer::new(Arc::clone(&self.engine)), status)
    }

    /// Serves a message that belongs to no session. `status` says which one an answer has.
    fn alone(self: &Arc<Self>, post: &Post<'_>, peer: Arc<Peer>, status: Statuses) -> Result<Next, Refusal> {
        let place = self.place().map_err(|refusal| refusal.of(post.id()))?;
        let listening = if post.message.method == "subscriptions/listen" { post.id() } else { None };
        let Post { head, said, text, message, .. } = post;
        let way = Way { peer: &peer, outbox: &peer.outbox, principal: head.extensions.get::<Principal>() };
        let mut connection = Connection::exchange(way, post.sound_meta());
        connection.keep(text.shared());
        let mut out = Vec::new();
        match connection.parsed(message, &Stated { headers: &head.headers, said, endpoint: self }, &mut out) {
            Reply::Written if listening.is_some_and(|id| peer.inbox.is_listening(&id)) => self.listen(peer, out),
            Reply::Written if !out.is_empty() => Ok(answered(&peer.outbox, out.into(), status)),
            // who gives a request up that nobody knows here has nothing to hear
            Reply::Written | Reply::Cancel { .. } => Ok(Next::Respond(empty(StatusCode::ACCEPTED))),
            Reply::Panicked(answer) => Ok(answered(&peer.outbox, answer.into(), status)),
            Reply::Answered(answer) if !answer.denied().is_empty() => {
                let challenge = self.insufficient(answer.denied());
                Ok(Next::Respond(forbidden(json(StatusCode::FORBIDDEN, bytes_of(answer)), challenge)))
            }
            Reply::Answered(answer) => Ok(answered(&peer.outbox, bytes_of(answer), status)),
            Reply::Pending(pending) => {
                let outbox = Arc::clone(&peer.outbox);
                Ok(Next::Wait(Waiting { call: Call::new(pending, peer, place), outbox, status }))
            }
            Reply::Busy(id) => Err(Refusal::busy("the server is busy: try again later").of(Some(id))),
        }
    }

    /// A place for a request.
    pub(super) fn place(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        Arc::clone(&self.places).try_acquire_owned().map_err(|_| Refusal::busy("too many requests: try again later"))
    }

    /// Waits for the answer, or for something that must go out before it.
    pub(super) async fn wait(self: &Arc<Self>, waiting: Waiting) -> Response<Body> {
        let Waiting { mut call, outbox, status } = waiting;
        tokio::select! {
            biased;
            answer = call.ended() => return response(&outbox, answer, status),
            () = outbox.notify.notified() => {}
            // nobody between us and the client should take the silence for death
            () = sleep(self.options.keep_alive) => {}
        }
        let (writer, reader) = Writer::new(self.options.patience);
        tokio::spawn(tell(Arc::clone(self), (call, outbox), writer));
        events(Body::events(reader))
    }

    /// Opens a stream of changes, which begins with what `out` holds.
    fn listen(self: &Arc<Self>, peer: Arc<Peer>, out: Vec<u8>) -> Result<Next, Refusal> {
        let place = Arc::clone(&self.streams).try_acquire_owned();
        let place = place.map_err(|_| Refusal::busy("too many streams: try again later"))?;
        let (writer, reader) = Writer::new(self.options.patience);
        let closing = self.closing.subscribe();
        tokio::spawn(tell_changes(Arc::clone(self), (peer, out, place), (writer, closing)));
        Ok(Next::Respond(events(Body::events(reader))))
    }

    /// Tells the listeners of a reader that was too slow.
    pub(super) fn lost(&self, gone: Gone) {
        if gone == Gone::Slow {
            self.engine.listeners.send(Event::Transport(TransportEvent::SlowReader));
        }
    }
}

/// The response to a request that was answered at once.
fn answered(outbox: &Outbox, answer: Bytes, status: Statuses) -> Next {
    if outbox.is_filled() {
        return Next::Respond(response(outbox, answer, status));
    }
    Next::Answer(status(&answer), answer)
}

fn response(outbox: &Outbox, answer: Bytes, status: Statuses) -> Response<Body> {
    if !outbox.is_filled() {
        return json(status(&answer), answer);
    }
    let mut frames = said(outbox);
    write_event(None, &answer, &mut frames);
    events(Body::whole(frames))
}

/// What waits to be told, as events.
fn said(outbox: &Outbox) -> Vec<u8> {
    let (mut lines, mut frames) = (Vec::new(), Vec::new());
    outbox.drain_into(&mut lines);
    write_events(&lines, &mut frames);
    frames
}

/// Tells what a call says, and its answer at the end. Ends early with the reader, and the call with it.
async fn tell(endpoint: Arc<Endpoint>, (mut call, outbox): (Call, Arc<Outbox>), writer: Writer) {
    let told = async {
        loop {
            writer.send(said(&outbox)).await?;
            tokio::select! {
                biased;
                answer = call.ended() => {
                    let mut frames = said(&outbox);
                    write_event(None, &answer, &mut frames);
                    return writer.send(frames).await;
                }
                () = outbox.notify.notified() => {}
                () = writer.closed() => return Err(Gone::Closed),
                () = sleep(endpoint.options.keep_alive) => writer.keep_alive().await?,
            }
        }
    };
    if let Err(gone) = told.await {
        endpoint.lost(gone);
    }
}

/// Tells of changes until the client or the server has enough.
async fn tell_changes(
    endpoint: Arc<Endpoint>,
    (peer, first, _place): (Arc<Peer>, Vec<u8>, OwnedSemaphorePermit),
    (writer, mut closing): (Writer, watch::Receiver<bool>),
) {
    let told = async {
        let mut lines = first;
        loop {
            let mut frames = Vec::new();
            write_events(&lines, &mut frames);
            writer.send(frames).await?;
            lines.clear();
            tokio::select! {
                () = peer.outbox.notify.notified() => peer.inbox.drain_into(&mut lines),
                () = writer.closed() => return Err(Gone::Closed),
                () = turned(&mut closing) => {
                    end_streams(&peer, &mut lines);
                    let mut frames = Vec::new();
                    write_events(&lines, &mut frames);
                    return writer.send(frames).await;
                }
                () = sleep(endpoint.options.keep_alive) => writer.keep_alive().await?,
            }
        }
    };
    if let Err(gone) = told.await {
        endpoint.lost(gone);
    }
}
