//! POST: messages of a session, whatever they are.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use http::header::WWW_AUTHENTICATE;
use http::request::Parts;
use http::{Response, StatusCode};
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use crate::connection::{Connection, Pending, Reply, Unreadable, batched};
use crate::jsonrpc::{ErrorCode, Message, RequestId, Shape, write_error};
use crate::lock::lock;
use crate::peer::{Outbox, Principal, Way};
use crate::transport::http::body::Body;
use crate::transport::http::call::bytes_of;
use crate::transport::http::head::{self, Said, Version, single};
use crate::transport::http::refusal::{Refusal, empty, events, forbidden, json};
use crate::transport::http::session::{Session, UnderWay};
use crate::transport::http::sse::{Writer, write_event, write_events};
use crate::transport::http::stream::{Control, Stream};
use crate::transport::http::{Endpoint, Next, Post, era, stateless};

/// What the messages of one POST led to.
#[derive(Default)]
struct Gathered {
    answers: Vec<Bytes>,
    /// The scopes without which somebody was turned away.
    denied: Vec<&'static str>,
    /// Something was no message, and nobody can be told which.
    faulty: bool,
    pending: Vec<Pending>,
    /// Something was said that a store keeps.
    settles: bool,
}

impl Endpoint {
    /// A message of a session, whatever it is.
    pub(in crate::transport::http) fn in_session(self: &Arc<Self>, post: &Post<'_>) -> Result<Next, Refusal> {
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
        let way = Way { peer: &session.peer, outbox: &outbox, principal: post.head.extensions.get::<Principal>() };
        let mut connection = Connection::exchange(way, post.sound_meta());
        connection.keep(post.text.shared());
        let mut gathered = Gathered::default();
        gathered.take(&session, &mut connection, &post.message);
        if gathered.pending.is_empty() {
            let status = if is_valid { StatusCode::OK } else { StatusCode::BAD_REQUEST };
            return self.told(gathered, (&session, &outbox), (status, false));
        }
        Ok(Next::Respond(self.stream(&session, (outbox, place), gathered)))
    }

    /// Several messages in one array, which one revision has.
    pub(in crate::transport::http) fn batch(
        self: &Arc<Self>,
        (head, said): (&Parts, &Said<'_>),
        text: &str,
    ) -> Result<Next, Refusal> {
        let is_stateless = matches!(said.version(), Version::Known(revision) if revision.is_stateless());
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
        let way = Way { peer: &session.peer, outbox: &outbox, principal: head.extensions.get::<Principal>() };
        let mut connection = Connection::exchange(way, None);
        let mut gathered = Gathered::default();
        for text in messages {
            let mut message = Message::EMPTY;
            match message.read(text, "") {
                Ok(()) if era::states_version(&message) => gathered.refuse_stateless(&message),
                Ok(()) => gathered.take(&session, &mut connection, &message),
                Err(fault) => gathered.refuse(&Unreadable::new(text, fault)),
            }
        }
        if gathered.pending.is_empty() {
            return self.told(gathered, (&session, &outbox), (StatusCode::OK, true));
        }
        // others of the batch are under way, so that its status cannot say that one was denied
        let denied = !gathered.denied.is_empty();
        let challenge = if denied { self.insufficient(&gathered.denied) } else { None };
        let mut response = self.stream(&session, (outbox, Some(place)), gathered);
        if let Some(challenge) = challenge {
            response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
        }
        Ok(Next::Respond(response))
    }

    /// The response where nothing is under way.
    fn told(
        &self,
        gathered: Gathered,
        (session, outbox): (&Arc<Session>, &Outbox),
        (status, is_batch): (StatusCode, bool),
    ) -> Result<Next, Refusal> {
        if let Some(answer) = gathered.sole_answer(outbox).filter(|_| !is_batch) {
            return Ok(Next::Answer(status, answer));
        }
        match (gathered.answers.is_empty(), gathered.faulty) {
            (true, true) => Err(Refusal::bad_request(ErrorCode::InvalidRequest, "not a JSON-RPC message")),
            (true, false) => Ok(Next::Respond(empty(StatusCode::ACCEPTED))),
            (false, _) => {
                let challenge = (!gathered.denied.is_empty()).then(|| self.insufficient(&gathered.denied));
                let settles = gathered.settles;
                let response = gathered.response(outbox, status, is_batch);
                let response = match challenge {
                    Some(challenge) => forbidden(response, challenge),
                    None => response,
                };
                Ok(if settles { Next::Keep(Arc::clone(session), response) } else { Next::Respond(response) })
            }
        }
    }

    /// Opens the stream of a POST whose calls are under way.
    fn stream(
        self: &Arc<Self>,
        session: &Arc<Session>,
        (outbox, place): (Arc<Outbox>, Option<OwnedSemaphorePermit>),
        gathered: Gathered,
    ) -> Response<Body> {
        let number = session.last_stream.fetch_add(1, Ordering::Relaxed) + 1;
        let (writer, reader) = Writer::new(self.options.patience);
        let (control, controlled) = mpsc::channel(Control::WAITING);
        lock(&session.streams).insert(number, control.clone());
        let Gathered { mut answers, pending, settles, .. } = gathered;
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
        let settled = settles.then(|| (Arc::clone(self), Arc::clone(session)));
        tokio::spawn(async move {
            if let Some((endpoint, session)) = settled {
                endpoint.keep(&session).await;
            }
            stream.run(fresh, answers, writer).await;
            drop(place);
        });
        events(Body::events(reader))
    }
}

impl Gathered {
    fn take(&mut self, session: &Session, connection: &mut Connection, message: &Message<'_>) {
        let mut out = Vec::new();
        let is_invalid = message.shape == Shape::Invalid;
        self.settles |=
            matches!(&*message.method, "logging/setLevel" | "resources/subscribe" | "resources/unsubscribe");
        let under_way = UnderWay { session, brought: &self.pending };
        match connection.parsed(message, &under_way, &mut out) {
            Reply::Written if out.is_empty() => self.faulty |= is_invalid,
            Reply::Written => self.answers.push(out.into()),
            Reply::Answered(answer) => {
                self.denied.extend(answer.denied());
                self.answers.push(bytes_of(answer));
            }
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
        self.refuse_as((unreadable.id.as_ref(), unreadable.code), &unreadable.why);
    }

    /// A message that belongs to no session comes alone: its headers say what it is.
    fn refuse_stateless(&mut self, message: &Message<'_>) {
        let id = message.id.filter(|_| message.shape == Shape::Request).and_then(RequestId::parse);
        let why = "a message that states its protocol version belongs to no batch";
        self.refuse_as((id.as_ref(), ErrorCode::InvalidRequest), why);
    }

    fn refuse_as(&mut self, (id, code): (Option<&RequestId>, ErrorCode), why: &str) {
        if id.is_none() {
            self.faulty = true;
            return;
        }
        let mut out = Vec::new();
        write_error(&mut out, id, code, why);
        self.answers.push(out.into());
    }

    /// The answer, where there is one and nothing beside it.
    fn sole_answer(&self, outbox: &Outbox) -> Option<Bytes> {
        let is_plain = self.denied.is_empty() && !self.settles && !outbox.is_filled();
        self.answers.first().filter(|_| is_plain && self.answers.len() == 1).cloned()
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
