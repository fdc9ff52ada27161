//! Sockets and connections: accepted, bounded, and closed in good order.

use std::convert::Infallible;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use http::StatusCode;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep, timeout, timeout_at};

use crate::listener::{Event, TransportEvent};
use crate::transport::http::patient::Patient;
use crate::transport::http::refusal::empty;
use crate::transport::http::wait::{Closing, Count, Counted, HeadLimit};
use crate::transport::http::{Endpoint, Memory};

/// What the headers of a request may take.
const MAX_HEAD: usize = 64 << 10;
/// The pause after a connection could not be accepted, for want of descriptors, say.
const PAUSE: Duration = Duration::from_millis(50);
/// What the last words of streams that are cut may take.
const PARTING: Duration = Duration::from_millis(250);
/// How often idle sessions are looked for.
const SWEEP: Duration = Duration::from_secs(1);

/// Serves the connections of a listener until `shutdown`.
pub(super) async fn accept(endpoint: Arc<Endpoint>, listener: TcpListener, shutdown: impl Future<Output = ()>) {
    let mut connections = JoinSet::new();
    let places = Arc::new(Semaphore::new(endpoint.options.max_connections));
    let mut shutdown = pin!(shutdown);
    let mut sweeps = interval(SWEEP);
    loop {
        tokio::select! {
            biased;
            () = &mut shutdown => break,
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
            accepted = next(&listener, &places) => {
                let (stream, place) = accepted;
                connections.spawn(serve(Arc::clone(&endpoint), stream, place));
            }
            _ = sweeps.tick() => endpoint.sweep().await,
        }
    }
    drop(listener);
    endpoint.shut_down(async { while connections.join_next().await.is_some() {} }).await;
}

/// The next connection, once there is a place for it.
async fn next(listener: &TcpListener, places: &Arc<Semaphore>) -> (TcpStream, Option<OwnedSemaphorePermit>) {
    // the semaphore is never closed
    let place = Arc::clone(places).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return (stream, place),
            Err(_) => sleep(PAUSE).await,
        }
    }
}

/// Serves one connection.
async fn serve(endpoint: Arc<Endpoint>, stream: TcpStream, _place: Option<OwnedSemaphorePermit>) {
    // answers are small, and nobody should wait for more of them; where it fails, they come later
    let _ = stream.set_nodelay(true);
    let (memory, count) = (Arc::new(Memory::default()), Arc::new(Count::default()));
    let mut closing = Closing::new(endpoint.closing.subscribe());
    let mut limit = HeadLimit::new(endpoint.options.head_timeout, Arc::clone(&count));
    let (patience, listening) = (endpoint.options.patience, Arc::clone(&endpoint));
    let service = service_fn(move |request: http::Request<hyper::body::Incoming>| {
        count.begin();
        let (endpoint, memory, count) = (Arc::clone(&endpoint), Arc::clone(&memory), Arc::clone(&count));
        let (mut head, body) = request.into_parts();
        async move {
            let (path, own) = (head.uri.path(), &endpoint.options.path);
            let is_metadata = || endpoint.authorizer.as_ref().is_some_and(|it| it.publishes_at(path, own));
            let response = if path == own || is_metadata() {
                endpoint.respond(&memory, &mut head, body).await
            } else {
                empty(StatusCode::NOT_FOUND)
            };
            Ok::<_, Infallible>(response.map(|body| Counted::new(body, count)))
        }
    });
    let mut builder = http1::Builder::new();
    builder.header_read_timeout(None).max_header_size(MAX_HEAD);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(Patient::new(stream, patience)), service));
    let served = poll_fn(|cx| {
        loop {
            if let Poll::Ready(served) = connection.as_mut().poll(cx) {
                return Poll::Ready(served);
            }
            if limit.is_over(cx) {
                return Poll::Ready(Ok(()));
            }
            if !closing.begins(cx) {
                return Poll::Pending;
            }
            connection.as_mut().graceful_shutdown();
        }
    });
    if served.await.is_err_and(|error| is_timeout(&error)) {
        listening.engine.listeners.send(Event::Transport(TransportEvent::SlowReader));
    }
}

/// Whether a connection failed because its client does not read.
fn is_timeout(error: &hyper::Error) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        if error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::TimedOut) {
            return true;
        }
        cause = error.source();
    }
    false
}

impl Endpoint {
    /// Stops serving: nothing new is taken, streams end, and what is under way may end within the server's bound. Then
    /// the rest is cut, once `drained` has had its chance.
    pub(super) async fn shut_down(&self, drained: impl Future<Output = ()>) {
        let end = Instant::now() + self.engine.limits.drain;
        self.closing.send_replace(true);
        let all = u32::try_from(self.options.max_requests()).unwrap_or(u32::MAX);
        let mut drained = pin!(drained);
        let quiet = timeout_at(end, async {
            // every place is free when nothing is under way
            let _ = self.places.acquire_many(all).await;
            drained.as_mut().await;
        });
        let cut = if quiet.await.is_ok() { 0 } else { self.options.max_requests() - self.places.available_permits() };
        for session in self.sessions.take_all() {
            session.end();
        }
        if cut > 0 {
            // streams that are cut still end as streams do, where their readers read
            let _ = timeout(PARTING, drained).await;
        }
        if let Some(tasks) = &self.engine.tasks {
            tasks.keepers.stop();
        }
        self.engine.listeners.send(Event::Transport(TransportEvent::ShutDown { cut }));
        self.engine.stop_tasks();
        self.engine.listeners.flush();
    }
}
