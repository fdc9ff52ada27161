//! What an HTTP server can be told before it serves.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, ToSocketAddrs};
use tokio::sync::{Semaphore, watch};

use crate::auth::Auth;
use crate::error::{Error, Result};
use crate::server::Server;
use crate::service::Service;
use crate::transport::http::accept::accept;
use crate::transport::http::authorize::Authorizer;
use crate::transport::http::guard::Guard;
use crate::transport::http::sessions::Sessions;
use crate::transport::http::store::{EventStore, MemoryEvents, SessionStore};
use crate::transport::http::{Endpoint, HttpService};

/// A server that speaks Streamable HTTP, before it serves; see [`Server::http`].
///
/// Clients of every revision are served side by side: those since 2026-07-28 without any state, those before in sessions.
///
/// ```no_run
/// use mcp_runtime::{Server, Service};
///
/// async fn run(service: impl Service) -> mcp_runtime::Result<()> {
///     Server::new(service)
///         .http()
///         .path("/weather/mcp")
///         .allowed_hosts(["weather.example"]) // behind a proxy that passes the name on
///         .serve("127.0.0.1:8080")
///         .await
/// }
/// ```
#[must_use = "a server does nothing before one of its `serve` methods is awaited"]
pub struct Http<S> {
    server: Server<S>,
    options: Options,
    hosts: Vec<String>,
    origins: Vec<String>,
    auth: Option<Auth>,
    shutdown: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

/// What requests are held against.
pub(super) struct Options {
    pub(super) path: String,
    /// Whether anybody may reach the server.
    pub(super) public: bool,
    pub(super) sessions: bool,
    /// Whether browsers are told what pages of other origins may do.
    pub(super) cors: bool,
    max_sessions: usize,
    session_idle: Duration,
    max_requests: usize,
    max_streams: usize,
    pub(super) max_connections: usize,
    pub(super) body_timeout: Duration,
    pub(super) head_timeout: Duration,
    /// How long a reader may let us wait.
    pub(super) patience: Duration,
    pub(super) keep_alive: Duration,
    pub(super) events: Arc<dyn EventStore>,
    pub(super) store: Option<Arc<dyn SessionStore>>,
}

impl<S: Service> Http<S> {
    pub(crate) fn new(server: Server<S>) -> Self {
        Self { server, options: Options::default(), hosts: Vec::new(), origins: Vec::new(), auth: None, shutdown: None }
    }

    /// Where the server is found. Default: `/mcp`. Inside another server, that one decides.
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.options.path = path.into();
        self
    }

    /// Names under which the server is reached, beside `localhost`, `127.0.0.1` and `[::1]`: `api.example`, or
    /// `api.example:8443` for one port alone. Requests for other hosts are refused, because a page in a browser can have a
    /// name of its own that leads here.
    pub fn allowed_hosts(mut self, hosts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.hosts.extend(hosts.into_iter().map(Into::into));
        self
    }

    /// Pages that may send requests, such as `https://app.example`, beside those that the allowed hosts serve. Their
    /// browsers let them read the answers only with [`cors`](Self::cors).
    pub fn allowed_origins(mut self, origins: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.origins.extend(origins.into_iter().map(Into::into));
        self
    }

    /// Asks every request for a token, and publishes where to get one. Only metadata is served without. Other machines may
    /// then reach the server without a further word, under every name unless there are
    /// [`allowed_hosts`](Self::allowed_hosts).
    ///
    /// Inside another server, mount the [service](Self::service) also where the metadata is looked for: at
    /// `/.well-known/oauth-protected-resource`, and there under the path of the endpoint.
    pub fn auth(mut self, auth: Auth) -> Self {
        self.auth = Some(auth);
        self
    }

    /// Sends the CORS headers by which browsers let a page of another origin use the server: to pages of the
    /// [allowed origins](Self::allowed_origins) and hosts, never to all. What browsers ask beforehand is answered, too, for
    /// the headers of the protocol and without a token. Default: not sent.
    ///
    /// Inside another server this takes the place of a CORS layer, if requests with `OPTIONS` are routed here.
    pub fn cors(mut self) -> Self {
        self.options.cors = true;
        self
    }

    /// Lets anybody who can reach this machine use the server. Nothing makes clients say who they are.
    ///
    /// Without it, a server that listens on anything but this machine's own address does not start. With it, and no
    /// [`allowed_hosts`](Self::allowed_hosts), requests for any host are served.
    pub fn allow_public(mut self) -> Self {
        self.options.public = true;
        self
    }

    /// Opens no sessions. Clients from before 2026-07-28 are served, but cannot be asked or told anything beside their
    /// answers, and a broken connection ends a call.
    pub fn without_sessions(mut self) -> Self {
        self.options.sessions = false;
        self
    }

    /// How many sessions can be open. Default: 4096. Who comes then takes the place of the session that has gone unused for
    /// longest and has neither a call nor a stream under way; its client is told to open another. Where there is none, who
    /// comes has to come again later.
    pub fn max_sessions(mut self, sessions: usize) -> Self {
        self.options.max_sessions = sessions;
        self
    }

    /// After how long a session ends that nobody uses. Default: 30 minutes.
    pub fn session_idle(mut self, limit: Duration) -> Self {
        self.options.session_idle = limit;
        self
    }

    /// How many requests can be under way. Default: 4096. Who comes then has to come again later.
    ///
    /// Calls in sessions that wait for their users count: they are in memory. Raise it where many people take their time.
    pub fn max_requests(mut self, requests: usize) -> Self {
        self.options.max_requests = requests.clamp(1, Semaphore::MAX_PERMITS);
        self
    }

    /// How many streams can be open that have no end of their own: those that tell of changes, and those of sessions.
    /// Default: 4096.
    pub fn max_streams(mut self, streams: usize) -> Self {
        self.options.max_streams = streams.min(Semaphore::MAX_PERMITS);
        self
    }

    /// How many connections can be open; further ones wait to be accepted. Default: 8192. Inside another server, that
    /// one decides.
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.options.max_connections = connections.clamp(1, Semaphore::MAX_PERMITS);
        self
    }

    /// How long a connection may take to send the headers of its next request. Default: 75 seconds, which is more than most
    /// clients and proxies keep a connection that they do not use. Inside another server, that one decides.
    pub fn head_timeout(mut self, limit: Duration) -> Self {
        self.options.head_timeout = limit;
        self
    }

    /// How long the body of a request may take to come. Default: 30 seconds.
    pub fn body_timeout(mut self, limit: Duration) -> Self {
        self.options.body_timeout = limit;
        self
    }

    /// How long a client may take to read what waits for it, before its connection is cut. Default: 30 seconds.
    pub fn write_timeout(mut self, limit: Duration) -> Self {
        self.options.patience = limit;
        self
    }

    /// After how long a silent stream gets a sign of life, so that nobody in between takes it for dead. Default: 15
    /// seconds.
    ///
    /// A stateless call that has said nothing for so long becomes a stream, too, for JSON has no room for such a sign: its
    /// status is then 200, also if its answer turns out to be an error.
    pub fn keep_alive(mut self, interval: Duration) -> Self {
        self.options.keep_alive = interval.max(Duration::from_millis(1));
        self
    }

    /// Where events are kept for clients whose connection broke. Default: [`MemoryEvents`].
    pub fn event_store(mut self, store: impl EventStore) -> Self {
        self.options.events = Arc::new(store);
        self
    }

    /// Where sessions are kept beside this process. Default: nowhere.
    pub fn session_store(mut self, store: impl SessionStore) -> Self {
        self.options.store = Some(Arc::new(store));
        self
    }

    /// Stops serving when `signal` comes: nothing is accepted any more, streams are closed, and what is under way has
    /// [`Server::drain`] to end.
    pub fn shutdown(mut self, signal: impl Future<Output = ()> + Send + 'static) -> Self {
        self.shutdown = Some(Box::pin(signal));
        self
    }

    /// Listens on an address, and serves until [`shutdown`](Self::shutdown).
    ///
    /// # Errors
    ///
    /// Fails as [`serve_on`](Self::serve_on), or if the address cannot be had.
    pub async fn serve(self, address: impl ToSocketAddrs) -> Result<()> {
        self.serve_on(TcpListener::bind(address).await?).await
    }

    /// Serves the connections of a listener until [`shutdown`](Self::shutdown).
    ///
    /// # Errors
    ///
    /// Fails if other machines can reach the listener and neither [`auth`](Self::auth) nor
    /// [`allow_public`](Self::allow_public) was said, if a host or an origin is none, if it is not known for which resource
    /// tokens are issued or by whom, or as [`Server::serve_streams`].
    pub async fn serve_on(mut self, listener: TcpListener) -> Result<()> {
        let address = listener.local_addr()?;
        if !address.ip().is_loopback() && !self.options.public && self.auth.is_none() {
            let why = "other machines can reach it, and nothing makes clients say who they are: listen on 127.0.0.1, say \
                       `.auth(…)`, or `.allow_public()` if that is meant";
            return Err(Error::invalid_definition("address", &address.to_string(), why));
        }
        let signal = self.shutdown.take();
        let endpoint = self.endpoint()?;
        // spawned: what runs inside `block_on` is not on a worker, and each wake-up would cross threads
        let served = tokio::spawn(accept(endpoint, listener, async move {
            match signal {
                Some(signal) => signal.await,
                None => std::future::pending().await,
            }
        }));
        match served.await {
            Ok(()) => Ok(()),
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(cancelled) => Err(std::io::Error::other(cancelled).into()),
            },
        }
    }

    /// The same server as a service, to be mounted in another one: axum's, say.
    ///
    /// # Errors
    ///
    /// Fails as [`serve_on`](Self::serve_on), but asks of no address: where it is mounted, who can reach it is known.
    pub fn service(self) -> Result<HttpService> {
        Ok(HttpService::new(self.endpoint()?))
    }

    fn endpoint(self) -> Result<Arc<Endpoint>> {
        let Self { server, options, hosts, origins, auth, .. } = self;
        let guard = Guard::new(&hosts, &origins, options.public || auth.is_some())?;
        let engine = server.start(false)?;
        Ok(Arc::new(Endpoint {
            guard,
            authorizer: auth.map(|auth| Authorizer::new(auth, &engine)).transpose()?,
            param_headers: engine.fixed_param_headers(),
            engine,
            sessions: Sessions::new(options.max_sessions, options.session_idle, options.keep_alive),
            places: Arc::new(Semaphore::new(options.max_requests)),
            streams: Arc::new(Semaphore::new(options.max_streams)),
            closing: watch::Sender::new(false),
            options,
        }))
    }
}

impl Options {
    pub(super) fn max_requests(&self) -> usize {
        self.max_requests
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            path: "/mcp".to_owned(),
            public: false,
            sessions: true,
            cors: false,
            max_sessions: 4096,
            session_idle: Duration::from_secs(30 * 60),
            max_requests: 4096,
            max_streams: 4096,
            max_connections: 8192,
            body_timeout: Duration::from_secs(30),
            head_timeout: Duration::from_secs(75),
            patience: Duration::from_secs(30),
            keep_alive: Duration::from_secs(15),
            events: Arc::new(MemoryEvents::default()),
            store: None,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("path", &self.path)
            .field("public", &self.public)
            .field("sessions", &self.sessions)
            .finish_non_exhaustive()
    }
}

impl<S> fmt::Debug for Http<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http").field("server", &self.server).field("options", &self.options).finish_non_exhaustive()
    }
}
