//! One stream of a session: of a POST whose calls take their time, or of what belongs to no call.
//!
//! It lives as long as its calls, and not as its reader: a connection that breaks cancels nothing here. Whoever comes back
//! with the id of the last event hears what was missed.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::mpsc;
use tokio::time::sleep;

use crate::connection::{Load as _, Pending};
use crate::jsonrpc::RequestId;
use crate::listener::{Cancelled, Event};
use crate::peer::Outbox;
use crate::serve::Calls;
use crate::transport::http::session::Session;
use crate::transport::http::sse::{EventId, Writer, messages, write_event, write_priming};
use crate::transport::http::store::StoredEvent;
use crate::transport::http::{Endpoint, turned};

/// The number of the stream that a session has for itself.
pub(super) const STANDALONE: u64 = 0;
/// After how long a client should come back.
const RETRY: Duration = Duration::from_secs(1);

/// What a stream can be told.
#[derive(Debug)]
pub(super) enum Control {
    /// Here is a reader; it has heard all up to this event, if any.
    Attach { writer: Writer, after: Option<u64> },
    /// The client gives a call up.
    Cancel { id: RequestId, reason: Option<String> },
}

impl Control {
    /// How many may wait.
    pub(super) const WAITING: usize = 32;
}

pub(super) struct Stream {
    endpoint: Arc<Endpoint>,
    session: Arc<Session>,
    number: u64,
    outbox: Arc<Outbox>,
    calls: Calls,
    /// The ids of the calls.
    ids: Vec<RequestId>,
    reader: Option<Writer>,
    control: mpsc::Receiver<Control>,
    last_event: u64,
}

/// What happens to a stream.
enum Happening {
    Closed,
    Control(Control),
    Done(crate::serve::Done),
    Ended,
    Said,
    Silence,
}

impl Stream {
    pub(super) fn new(
        (endpoint, session): (Arc<Endpoint>, Arc<Session>),
        (number, outbox): (u64, Arc<Outbox>),
        control: mpsc::Receiver<Control>,
    ) -> Self {
        let calls = Calls::new(Arc::clone(&endpoint.engine), Arc::clone(&session.peer));
        let last_event = if number == STANDALONE { session.first_number } else { 0 };
        Self { endpoint, session, number, outbox, calls, ids: Vec::new(), reader: None, control, last_event }
    }

    /// Runs calls, and tells what they say and answer.
    pub(super) async fn run(mut self, calls: Vec<Pending>, answers: Vec<Bytes>, reader: Writer) {
        for call in calls {
            self.ids.push(call.head.id.clone());
            self.calls.spawn(call);
        }
        self.reader = Some(reader);
        self.prime().await;
        for answer in answers {
            self.tell(&answer).await;
        }
        self.tell_said().await;
        while !self.calls.is_empty() {
            match self.next().await {
                Happening::Ended => return self.leave().await,
                happening => self.take(happening).await,
            }
        }
        // whoever comes back in this moment hears the rest, too
        self.session.ended_stream(self.number);
        self.control.close();
        while let Some(control) = self.control.recv().await {
            self.take(Happening::Control(control)).await;
        }
        self.forget_events().await;
    }

    /// Tells what belongs to no call, to whoever reads, as long as the session lives.
    pub(super) async fn stand(mut self) {
        loop {
            match self.next().await {
                Happening::Ended => return self.leave().await,
                happening => self.take(happening).await,
            }
        }
    }

    async fn next(&mut self) -> Happening {
        let stands_alone = self.number == STANDALONE;
        // without a reader, news wait where they cannot pile up
        let tells = !stands_alone || self.reader.is_some();
        let mut ended = self.session.ended.subscribe();
        let mut closing = self.endpoint.closing.subscribe();
        tokio::select! {
            biased;
            () = turned(&mut ended) => Happening::Ended,
            () = turned(&mut closing), if stands_alone => Happening::Ended,
            Some(done) = self.calls.next_done(), if !self.calls.is_empty() => Happening::Done(done),
            Some(control) = self.control.recv() => Happening::Control(control),
            () = self.outbox.notify.notified(), if tells => Happening::Said,
            () = closed(self.reader.as_ref()) => Happening::Closed,
            () = sleep(self.endpoint.options.keep_alive) => Happening::Silence,
        }
    }

    async fn take(&mut self, happening: Happening) {
        match happening {
            Happening::Closed => self.reader = None,
            Happening::Control(Control::Attach { writer, after }) => self.attach(writer, after).await,
            Happening::Control(Control::Cancel { id, reason }) => self.cancel(&id, reason),
            Happening::Done(done) => {
                let mut lines = Vec::new();
                let answer = self.calls.finish(done, &mut lines);
                self.forget_ended();
                self.tell_said().await;
                let answer = answer.as_ref().map_or(&lines[..], |answer| answer.bytes());
                self.tell(answer).await;
            }
            Happening::Ended => {}
            Happening::Said => self.tell_said().await,
            Happening::Silence => self.keep_alive().await,
        }
    }

    async fn attach(&mut self, writer: Writer, after: Option<u64>) {
        // the reader before is done: its stream ends here
        self.reader = Some(writer);
        match after {
            None => self.prime().await,
            Some(number) => {
                let mut frames = Vec::new();
                let last = EventId { stream: self.number, number };
                self.endpoint.write_missed(&self.session, last, &mut frames).await;
                self.send(frames).await;
            }
        }
        self.tell_said().await;
    }

    fn cancel(&mut self, id: &RequestId, reason: Option<String>) {
        if self.calls.cancel(id, &self.session.peer) {
            let event = Cancelled { request_id: id.clone(), reason };
            self.endpoint.engine.listeners.send(Event::Cancelled(event));
        }
        self.forget_ended();
    }

    /// Calls that ended make room for others, and their ids too.
    fn forget_ended(&mut self) {
        let (calls, session) = (&self.calls, &self.session);
        self.ids.retain(|id| {
            let is_running = calls.is_running(id);
            if !is_running {
                session.ended_call(id);
            }
            is_running
        });
    }

    /// The event that tells a client under which id to come back, before there is anything else.
    async fn prime(&mut self) {
        if self.session.revision().has_priming() {
            let mut frame = Vec::new();
            write_priming(&EventId { stream: self.number, number: self.last_event }, RETRY, &mut frame);
            self.send(frame).await;
        }
    }

    async fn tell_said(&mut self) {
        let mut lines = Vec::new();
        self.outbox.drain_into(&mut lines);
        if self.number == STANDALONE {
            self.session.peer.inbox.drain_into(&mut lines);
        }
        self.tell(&lines).await;
        if self.number != STANDALONE && self.outbox.take_released() && self.session.revision().has_priming() {
            self.reader = None;
        }
    }

    /// Tells messages, one a line, and keeps them for whoever misses them.
    async fn tell(&mut self, lines: &[u8]) {
        let mut frames = Vec::new();
        for message in messages(lines) {
            self.last_event += 1;
            let event = StoredEvent::new(self.number, self.last_event, message.to_vec());
            self.endpoint.options.events.keep(&self.session.id, event).await;
            write_event(Some(&EventId { stream: self.number, number: self.last_event }), message, &mut frames);
        }
        self.send(frames).await;
    }

    async fn send(&mut self, frames: Vec<u8>) {
        let Some(writer) = &self.reader else { return };
        if let Err(gone) = writer.send(frames).await {
            self.endpoint.lost(gone);
            self.reader = None;
        }
    }

    async fn keep_alive(&mut self) {
        if self.reader.is_some() || !self.calls.is_empty() {
            self.session.touch();
        }
        let Some(writer) = &self.reader else { return };
        if let Err(gone) = writer.keep_alive().await {
            self.endpoint.lost(gone);
            self.reader = None;
        }
    }

    /// The session has ended: what is under way is dropped with the stream.
    async fn leave(self) {
        self.session.ended_stream(self.number);
        for id in &self.ids {
            self.session.ended_call(id);
        }
        self.forget_events().await;
    }

    /// What was kept while the session ended, or after it, nobody will ask for.
    async fn forget_events(self) {
        if *self.session.ended.borrow() {
            self.endpoint.options.events.forget(&self.session.id).await;
        }
    }
}

/// Waits until a reader is gone; for ever if there is none.
async fn closed(reader: Option<&Writer>) {
    match reader {
        Some(writer) => writer.closed().await,
        None => pending().await,
    }
}
