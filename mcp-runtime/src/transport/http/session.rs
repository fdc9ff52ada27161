//! Requests of a session: whatever they bring, and the streams on which the session hears back.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use bytes::Bytes;
use http::request::Parts;
use http::{Response, StatusCode};
use sha2::{Digest as _, Sha256};
use tokio::sync::{mpsc, watch};

use crate::connection::{Connection, Load, Pending, Reply, Unreadable, batched};
use crate::jsonrpc::{ErrorCode, Message, RequestId, Shape, parse, write_error};
use crate::peer::{Outbox, Peer, Principal, Way};
use crate::protocol::Revision;
use crate::transport::http::body::Body;
use crate::transport::http::call::bytes_of;
use crate::transport::http::head::{self, EVENTS, LAST_EVENT_ID, Version, single};
use crate::transport::http::refusal::{Refusal, empty, events, json};
use crate::transport::http::sse::{EventId, Writer, write_event, write_events};
use crate::transport::http::stream::{Control, STANDALONE, Stream};
use crate::transport::http::{Endpoint, Next, Post, era, stateless};

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

/// What the messages of one POST led to.
#[derive(Default)]
struct Gathered {
    answers: Vec<Bytes>,
    /// Something was no message, and nobody can be told which.
    faulty: bool,
    pending: Vec<Pending>,
}

impl Endpoint {
    /// A message of a session, whatever it is.
    pub(super) fn in_session(self: &Arc<Self>, post: Post<'_>) -> Result<Next, Refusal> {
        if !self.options.sessions {
            return stateless::without_session(self, post);
        }
        let id = post.id();
        let session = self.session(post.head).map_err(|refusal| refusal.of(id.clone()))?;
        let place = match post.message.shape {
            Shape::Request => Some(self.place().map_err(|refusal| refusal.of(id))?),
            // answers and cancellations make room
            Shape::Notification | Shape::Response | Shape::Invalid => None,
        };
        let is_valid = post.is_valid();
        let outbox = Arc::new(Outbox::default());
        let way = Way { peer: &session.peer, outbox: &outbox, principal: session.principal.as_ref() };
        let mut connection = Connection::exchange(way, post.meta.and_then(Result::ok));
        connection.keep(post.text.shared());
        let mut gathered = Gathered::default();
        gathered.take(&session, &mut connection, post.message);
        if gathered.pending.is_empty() {
            let status = if is_valid { StatusCode::OK } else { StatusCode::BAD_REQUEST };
            return gathered.respond(&outbox, status, false);
        }
        Ok(Next::Respond(self.stream(&session, (outbox, place), gathered)))
    }

    /// Several messages in one array, which one revision has.
    pub(super) fn batch(self: &Arc<Self>, head: &Parts, text: &str) -> Result<Next, Refusal> {
        let is_stateless = matches!(head::version(&head.headers), Version::Known(revision) if revision.is_stateless());
        let has_session =
            self.options.sessions && !is_stateless && single(&head.headers, &head::SESSION_ID) != Ok(None);
        let session = if has_session { Some(self.session(head)?) } else { None };
        let Some(session) = session.filter(|session| session.revision().has_batches()) else {
            return Err(self.unreadable(Unreadable::batch(text, "batches belong to sessions of 2025-03-26")));
        };
        let Some(messages) = batched(text) else {
            return Err(self.unreadable(Unreadable::batch(text, "not a batch of messages")));
        };
        let place = self.place()?;
        let outbox = Arc::new(Outbox::default());
        let way = Way { peer: &session.peer, outbox: &outbox, principal: session.principal.as_ref() };
        let mut connection = Connection::exchange(way, None);
        let mut gathered = Gathered::default();
        for text in messages {
            match parse(text, "") {
                Ok(message) => gathered.take(&session, &mut connection, message),
                Err(fault) => gathered.refuse(&Unreadable::new(text, fault)),
            }
        }
        if gathered.pending.is_empty() {
            return gathered.respond(&outbox, StatusCode::OK, true);
        }
        Ok(Next::Respond(self.stream(&session, (outbox, Some(place)), gathered)))
    }

    /// Opens the stream of a POST whose calls are under way.
    fn stream(
        self: &Arc<Self>,
        session: &Arc<Session>,
        (outbox, place): (Arc<Outbox>, Option<tokio::sync::OwnedSemaphorePermit>),
        gathered: Gathered,
    ) -> Response<Body> {
        let number = session.last_stream.fetch_add(1, Ordering::Relaxed) + 1;
        let (writer, reader) = Writer::new(self.options.patience);
        let (control, controlled) = mpsc::channel(Control::WAITING);
        lock(&session.streams).insert(number, control.clone());
        let Gathered { mut answers, pending, .. } = gathered;
        let mut calls = lock(&session.calls);
        let (fresh, taken): (Vec<_>, Vec<_>) = pending.into_iter().partition(|pending| {
            let is_free = !calls.contains_key(&pending.head.id);
            calls.entry(pending.head.id.clone()).or_insert_with(|| control.clone());
            is_free
        });
        drop(calls);
        for Pending { head, .. } in taken {
            let mut out = Vec::new();
            let why = "a request with this id is unanswered";
            write_error(&mut out, Some(&head.id), ErrorCode::InvalidRequest, why);
            answers.push(out.into());
        }
        let stream = Stream::new((Arc::clone(self), Arc::clone(session)), (number, outbox), controlled);
        tokio::spawn(async move {
            stream.run(fresh, answers, writer).await;
            drop(place);
        });
        events(Body::events(reader))
    }

    /// GET: a stream for what belongs to no call, or the rest of one that broke.
    pub(super) async fn get(self: &Arc<Self>, head: &Parts) -> Result<Response<Body>, Refusal> {
        self.only_for_sessions(head)?;
        if !head::accepts(&head.headers, &[EVENTS]) {
            let why = "`Accept` must list `text/event-stream`";
            return Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, ErrorCode::InvalidRequest, why));
        }
        self.sessions.recall(self, head).await;
        let session = self.session(head)?;
        let last = match single(&head.headers, &LAST_EVENT_ID) {
            Ok(None) => None,
            Ok(Some(text)) if EventId::parse(text).is_some() => EventId::parse(text),
            Ok(Some(_)) | Err(_) => {
                return Err(Refusal::bad_request(
                    ErrorCode::InvalidRequest,
                    "`Last-Event-ID` is none of this server's",
                ));
            }
        };
        let place = Arc::clone(&self.streams).try_acquire_owned();
        let place = place.map_err(|_| Refusal::busy("too many streams: try again later"))?;
        let (writer, reader) = Writer::new(self.options.patience);
        let writer = writer.holding(place);
        match last {
            Some(EventId { stream, number }) if stream != STANDALONE => {
                self.resume(&session, EventId { stream, number }, writer).await;
            }
            last => self.stand_alone(&session, writer, last.map(|last| last.number)).await,
        }
        Ok(events(Body::events(reader)))
    }

    /// Gives the session's own stream a reader; one that it had before is done.
    async fn stand_alone(self: &Arc<Self>, session: &Arc<Session>, writer: Writer, after: Option<u64>) {
        let control = {
            let mut streams = lock(&session.streams);
            let control = streams.entry(STANDALONE).or_insert_with(|| {
                let (control, controlled) = mpsc::channel(Control::WAITING);
                let outbox = Arc::clone(&session.peer.outbox);
                let stream = Stream::new((Arc::clone(self), Arc::clone(session)), (STANDALONE, outbox), controlled);
                tokio::spawn(stream.stand());
                control
            });
            control.clone()
        };
        // a session that ends in this moment takes its streams with it
        let _ = control.send(Control::Attach { writer, after }).await;
    }

    /// Gives a stream that broke another reader, who hears what was missed.
    async fn resume(&self, session: &Session, last: EventId, writer: Writer) {
        let control = lock(&session.streams).get(&last.stream).cloned();
        let attach = Control::Attach { writer, after: Some(last.number) };
        let left = match control {
            Some(control) => control.send(attach).await.err().map(|error| error.0),
            None => Some(attach),
        };
        if let Some(Control::Attach { writer, .. }) = left {
            // the stream has ended meanwhile: what it said is all there is
            let mut frames = Vec::new();
            self.write_missed(session, last, &mut frames).await;
            // a channel that is empty has room
            let _ = writer.send(frames).await;
        }
    }

    /// Appends the events that came after `last` on its stream.
    pub(super) async fn write_missed(&self, session: &Session, last: EventId, frames: &mut Vec<u8>) {
        for event in self.options.events.after(&session.id, last.stream, last.number).await {
            let id = EventId { stream: event.stream, number: event.number };
            write_event(Some(&id), &event.message, frames);
        }
    }

    /// DELETE: the client needs the session no more.
    pub(super) async fn delete(self: &Arc<Self>, head: &Parts) -> Result<Response<Body>, Refusal> {
        self.only_for_sessions(head)?;
        self.sessions.recall(self, head).await;
        let session = self.session(head)?;
        self.end(&session).await;
        Ok(empty(StatusCode::NO_CONTENT))
    }

    fn only_for_sessions(&self, head: &Parts) -> Result<(), Refusal> {
        match head::version(&head.headers) {
            Version::Unknown(name) => Err(era::unsupported(&name)),
            Version::Known(revision) if revision.is_stateless() => Err(Refusal::method("POST")),
            Version::Absent | Version::Known(_) if !self.options.sessions => Err(Refusal::method("POST")),
            Version::Absent | Version::Known(_) => Ok(()),
        }
    }

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

impl Load for Session {
    fn is_running(&self, id: &RequestId) -> bool {
        lock(&self.calls).contains_key(id)
    }

    fn is_full(&self) -> bool {
        // who waits for the client needs no place, or the client could wait for a call that waits for it
        let waiting = self.peer.questions.waiting_calls();
        lock(&self.calls).len().saturating_sub(waiting) >= self.peer.engine.limits.in_flight
    }

    fn is_slow(&self, _: &str) -> bool {
        false
    }

    fn begin(&self) -> Option<Instant> {
        None
    }

    fn end(&self, _: &str, _: Option<Instant>) {}
}

impl Gathered {
    fn take(&mut self, session: &Session, connection: &mut Connection, message: Message<'_>) {
        let mut out = Vec::new();
        let is_invalid = message.shape == Shape::Invalid;
        match connection.parsed(message, session, &mut out) {
            Reply::Written if out.is_empty() => self.faulty |= is_invalid,
            Reply::Written => self.answers.push(out.into()),
            Reply::Answered(answer) => self.answers.push(bytes_of(answer)),
            Reply::Panicked(answer) => self.answers.push(answer.into()),
            Reply::Pending(pending) => self.pending.push(pending),
            Reply::Cancel { id, reason } => session.cancel(id, reason),
            Reply::Busy(id) => {
                let why = "the server is busy: try again later";
                write_error(&mut out, Some(&id), ErrorCode::InternalError, why);
                self.answers.push(out.into());
            }
        }
    }

    fn refuse(&mut self, unreadable: &Unreadable) {
        let Some(id) = &unreadable.id else {
            self.faulty = true;
            return;
        };
        let mut out = Vec::new();
        write_error(&mut out, Some(id), unreadable.code, &unreadable.why);
        self.answers.push(out.into());
    }

    /// The response where nothing is under way.
    fn respond(self, outbox: &Outbox, status: StatusCode, is_batch: bool) -> Result<Next, Refusal> {
        match (self.answers.is_empty(), self.faulty) {
            (true, true) => Err(Refusal::bad_request(ErrorCode::InvalidRequest, "not a JSON-RPC message")),
            (true, false) => Ok(Next::Respond(empty(StatusCode::ACCEPTED))),
            (false, _) => Ok(Next::Respond(self.response(outbox, status, is_batch))),
        }
    }

    fn response(mut self, outbox: &Outbox, status: StatusCode, is_batch: bool) -> Response<Body> {
        if outbox.is_filled() {
            let (mut lines, mut frames) = (Vec::new(), Vec::new());
            outbox.drain_into(&mut lines);
            write_events(&lines, &mut frames);
            for answer in &self.answers {
                write_event(None, answer, &mut frames);
            }
            return events(Body::whole(frames));
        }
        if !is_batch && self.answers.len() == 1 {
            return json(status, self.answers.remove(0));
        }
        let mut array = b"[".to_vec();
        array.extend_from_slice(&self.answers.join(&b","[..]));
        array.push(b']');
        json(status, array)
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // not the id: who knows it has the session
        f.debug_struct("Session").field("peer", &self.peer).finish_non_exhaustive()
    }
}

/// A panic elsewhere leaves these plain collections as good as they were.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
