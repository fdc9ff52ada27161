//! GET and DELETE: the streams that a client opens or comes back to, and the end.

use std::sync::Arc;

use http::request::Parts;
use http::{Response, StatusCode};
use tokio::sync::mpsc;

use crate::jsonrpc::ErrorCode;
use crate::lock::lock;
use crate::transport::http::body::Body;
use crate::transport::http::head::{self, EVENTS, LAST_EVENT_ID, Said, Version, single};
use crate::transport::http::refusal::{Refusal, empty, events};
use crate::transport::http::session::Session;
use crate::transport::http::sse::{EventId, Writer, write_event};
use crate::transport::http::stream::{Control, STANDALONE, Stream};
use crate::transport::http::{Endpoint, era};

impl Endpoint {
    /// GET: a stream for what belongs to no call, or the rest of one that broke.
    pub(in crate::transport::http) async fn get(self: &Arc<Self>, head: &Parts) -> Result<Response<Body>, Refusal> {
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
    pub(in crate::transport::http) async fn write_missed(
        &self,
        session: &Session,
        last: EventId,
        frames: &mut Vec<u8>,
    ) {
        for event in self.options.events.after(&session.id, last.stream, last.number).await {
            let id = EventId { stream: event.stream, number: event.number };
            write_event(Some(&id), &event.message, frames);
        }
    }

    /// DELETE: the client needs the session no more.
    pub(in crate::transport::http) async fn delete(self: &Arc<Self>, head: &Parts) -> Result<Response<Body>, Refusal> {
        self.only_for_sessions(head)?;
        self.sessions.recall(self, head).await;
        let session = self.session(head)?;
        self.end(&session).await;
        Ok(empty(StatusCode::NO_CONTENT))
    }

    fn only_for_sessions(&self, head: &Parts) -> Result<(), Refusal> {
        match Said::of(&head.headers).version() {
            Version::Unknown(name) => Err(era::unsupported(&name)),
            Version::Known(revision) if revision.is_stateless() => Err(Refusal::method("POST")),
            Version::Absent | Version::Known(_) if !self.options.sessions => Err(Refusal::method("POST")),
            Version::Absent | Version::Known(_) => Ok(()),
        }
    }
}
