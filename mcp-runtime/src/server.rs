//! A server before it serves: services, providers, limits, listeners.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};

use crate::changes::Changes;
use crate::engine::{Access, Engine, Parts};
use crate::error::Result;
use crate::limits::Limits;
use crate::listener::{Event, Listener, Listeners, OnToolError, ToolErrorEvent, TransportEvent};
use crate::protocol::ContractDigest;
use crate::provider::{Providers, Provides};
use crate::serve::serve;
use crate::service::{Pair, Service};
use crate::task::Tasks;
use crate::trace::Spans;

/// An MCP server: what it serves, how much a client may ask of it, and who hears what happens.
///
/// ```no_run
/// use mcp_runtime::{Server, Service};
///
/// async fn run(service: impl Service) -> mcp_runtime::Result<()> {
///     Server::new(service)
///         .on_tool_error(|event| eprintln!("{event}"))
///         .serve_stdio()
///         .await
/// }
/// ```
#[must_use = "a server does nothing before one of its `serve` methods is awaited"]
pub struct Server<S> {
    service: S,
    providers: Providers,
    only: Option<BTreeSet<String>>,
    changes: Option<Changes>,
    tasks: Option<Tasks>,
    listeners: Vec<Box<dyn Listener>>,
    limits: Limits,
    repair: bool,
    check_outputs: bool,
    expose_errors: Option<bool>,
    spans: Spans,
    lists_by_scope: bool,
    contract_digest: ContractDigest,
    state_key: Option<[u8; 32]>,
}

impl<S: Service> Server<S> {
    /// A server of one generated service.
    pub fn new(service: S) -> Self {
        Self {
            service,
            providers: Providers::default(),
            only: None,
            changes: None,
            tasks: None,
            listeners: Vec::new(),
            limits: Limits::default(),
            repair: true,
            check_outputs: cfg!(debug_assertions),
            expose_errors: None,
            spans: Spans::default(),
            lists_by_scope: false,
            contract_digest: ContractDigest::default(),
            state_key: None,
        }
    }

    /// Adds a second service. A name or URI that both claim stops the start, and the error says who claims it.
    pub fn with<T: Service>(self, service: T) -> Server<Pair<S, T>> {
        Server {
            service: Pair(self.service, service),
            providers: self.providers,
            only: self.only,
            changes: self.changes,
            tasks: self.tasks,
            listeners: self.listeners,
            limits: self.limits,
            repair: self.repair,
            check_outputs: self.check_outputs,
            expose_errors: self.expose_errors,
            spans: self.spans,
            lists_by_scope: self.lists_by_scope,
            contract_digest: self.contract_digest,
            state_key: self.state_key,
        }
    }

    /// Adds features that are known only at run time: a [`ToolProvider`](crate::ToolProvider), a
    /// [`ResourceProvider`](crate::ResourceProvider) or a [`PromptProvider`](crate::PromptProvider).
    pub fn provider<K, P: Provides<K>>(mut self, provider: P) -> Self {
        provider.add_to(&mut self.providers);
        self
    }

    /// Serves only the features that the contract puts into one of these groups: `.only(["read"])`. The others are as
    /// unknown as if they did not exist, those without any group too, so that nothing is served by oversight. What
    /// providers offer has no groups, and is served.
    ///
    /// A group that no feature is in stops the start.
    pub fn only(mut self, groups: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.only.get_or_insert_default().extend(groups.into_iter().map(Into::into));
        self
    }

    /// Tells clients what `changes` is told. Without it, the server declares that it never tells of changes.
    ///
    /// Clients can then subscribe to resources and templates whose contract says `updates = true`, and to those of
    /// providers.
    pub fn changes(mut self, changes: &Changes) -> Self {
        self.changes = Some(changes.clone());
        self
    }

    /// How [tasks](crate::task) are run and kept. A server whose contract has them needs no word about it; one whose
    /// providers may offer them later does.
    pub fn tasks(mut self, tasks: Tasks) -> Self {
        self.tasks = Some(tasks);
        self
    }

    /// Adds a listener.
    pub fn listener(mut self, listener: impl Listener) -> Self {
        self.listeners.push(Box::new(listener));
        self
    }

    /// Calls `hear` for each tool call that fails; see [`Listener`] for when and where.
    pub fn on_tool_error(self, hear: impl Fn(&ToolErrorEvent) + Send + Sync + 'static) -> Self {
        self.listener(OnToolError(hear))
    }

    /// Ties the span of a request to the trace that its client sent along, if it sent one. `link` is called before the span
    /// is entered, and only where somebody subscribes to it.
    ///
    /// With the crate `tracing-opentelemetry`, extract a `Context` from `trace.traceparent()` and `trace.tracestate()` and
    /// hand it to `OpenTelemetrySpanExt::set_parent`; `examples/traced` of the repository does.
    #[cfg(feature = "tracing")]
    pub fn trace_parent(
        mut self,
        link: impl Fn(&tracing::Span, &crate::context::TraceContext<'_>) + Send + Sync + 'static,
    ) -> Self {
        self.spans = Spans::new(link);
        self
    }

    /// Whether slips in arguments are mended, such as a number sent as text. Default: they are. A contract can switch
    /// it off for a tool.
    pub fn repair(mut self, on: bool) -> Self {
        self.repair = on;
        self
    }

    /// Whether each result is held against its tool's output schema before it is sent: a type cannot say every rule of a
    /// schema. One that breaks it is answered with the JSON-RPC error -32603, and listeners hear what is wrong. Default:
    /// in builds with debug assertions.
    pub fn check_outputs(mut self, on: bool) -> Self {
        self.check_outputs = on;
        self
    }

    /// Whether the text of errors that were not written for clients reaches them: what `?` made of an `io::Error`,
    /// say. Default: on stdio it does, because there the client started us.
    pub fn expose_errors(mut self, on: bool) -> Self {
        self.expose_errors = Some(on);
        self
    }

    /// Whether lists leave out what the caller lacks a scope for. Default: everything is listed, and who calls what it may
    /// not learns which scope to ask for. Only HTTP knows callers; on stdio everything is listed in any case.
    pub fn lists_by_scope(mut self, on: bool) -> Self {
        self.lists_by_scope = on;
        self
    }

    /// Whether clients are told the digest of the contract: the `CONTRACT_HASH` of the generated code, as
    /// `io.github.mcp-codegen/contract-hash` in the `_meta` of the answers to `initialize` and `server/discover`. Whoever pins it
    /// learns when tools or their descriptions are not what they were. It changes with every byte of the contract, and knows
    /// nothing of what providers add. Of several services it is the SHA-256 of their digests, one after the other in the order
    /// of [`with`](Self::with). Default: they are told.
    pub fn tell_contract_hash(mut self, on: bool) -> Self {
        self.contract_digest = if on { ContractDigest::Told } else { ContractDigest::Kept };
        self
    }

    /// The longest message in bytes that is accepted. Default: 16 MiB.
    pub fn max_message_bytes(mut self, bytes: usize) -> Self {
        self.limits.message = bytes;
        self
    }

    /// How many handlers run at the same time on one connection; further requests wait, and past 4 MiB of waiting
    /// requests they are refused. Default: 1024.
    pub fn max_in_flight(mut self, handlers: usize) -> Self {
        self.limits.in_flight = handlers.max(1);
        self
    }

    /// How many `blocking` handlers run at the same time. Default: 64.
    pub fn max_blocking_threads(mut self, threads: usize) -> Self {
        self.limits.blocking_threads = threads.max(1);
        self
    }

    /// How many features one page of a list holds. Default: what the contract says as `pageSize`, or else all.
    pub fn page_size(mut self, features: usize) -> Self {
        self.limits.page = Some(features.max(1));
        self
    }

    /// How long a client may take to answer a question of a handler's. Default: 10 minutes.
    pub fn answer_timeout(mut self, limit: Duration) -> Self {
        self.limits.answer = limit;
        self
    }

    /// How long a client that waits for an answer and asked for progress hears nothing at most: then it is told the last
    /// thing again, with so little more on it that nobody sees it. Many clients give up on a request that is silent for
    /// long. `None` leaves it to the handlers. Default: 15 seconds.
    pub fn heartbeat(mut self, silence: impl Into<Option<Duration>>) -> Self {
        self.limits.heartbeat = silence.into().map(|silence| silence.max(Duration::from_millis(1)));
        self
    }

    /// The key that protects what stateless clients carry from one request to the next while a handler asks them
    /// something. Servers that share the work behind one address need the same one: 32 random bytes, kept like a
    /// password. Default: a random key of the process's own.
    pub fn state_key(mut self, key: [u8; 32]) -> Self {
        self.state_key = Some(key);
        self
    }

    /// How long answers in flight may take once the client has closed its side. Default: 10 seconds.
    pub fn drain(mut self, limit: Duration) -> Self {
        self.limits.drain = limit;
        self
    }

    /// Serves the client that started this process, until it closes our standard input and every answer is written.
    ///
    /// From now on the process's own standard output leads to standard error (not on Windows), so that a stray `println!`
    /// cannot break the stream; call [`claim_stdio`](crate::claim_stdio) first in `main` to guard what prints before, too.
    ///
    /// # Errors
    ///
    /// Fails if a name or URI is claimed twice, something provided cannot be served, a group is nobody's, or the streams fail.
    ///
    /// # Panics
    ///
    /// Panics outside a tokio runtime, or in one without I/O and time.
    #[cfg(feature = "stdio")]
    pub async fn serve_stdio(self) -> Result<()> {
        let engine = self.start(true)?;
        // spawned: what runs inside `block_on` is not on a worker, and each wake-up would cross threads
        let served = tokio::spawn(async move {
            let (input, output) = crate::transport::stdio::open()?;
            serve(engine, input, output).await
        });
        match served.await {
            Ok(served) => Ok(served?),
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(cancelled) => Err(std::io::Error::other(cancelled).into()),
            },
        }
    }

    /// Serves over Streamable HTTP, at the path `/mcp`, until the process ends. [`http`](Self::http) has options, among
    /// them a graceful end.
    ///
    /// # Errors
    ///
    /// Fails as [`Http::serve`](crate::http::Http::serve): also if other machines can reach the address.
    #[cfg(feature = "http")]
    pub async fn serve_http(self, address: impl tokio::net::ToSocketAddrs) -> Result<()> {
        self.http().serve(address).await
    }

    /// The server as one that speaks Streamable HTTP, with options of its own.
    #[cfg(feature = "http")]
    pub fn http(self) -> crate::http::Http<S> {
        crate::http::Http::new(self)
    }

    /// Serves one client over any pair of byte streams: one message a line, as on stdio.
    ///
    /// # Errors
    ///
    /// As `serve_stdio`.
    pub async fn serve_streams<R, W>(self, input: R, output: W) -> Result<()>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let engine = self.start(true)?;
        Ok(serve(engine, Box::new(input), Box::new(output)).await?)
    }

    /// Checks that everything fits together. `trusts_client` says whether foreign errors are shown by default.
    pub(crate) fn start(self, trusts_client: bool) -> Result<Arc<Engine>> {
        let listeners = Listeners::start(self.listeners)?;
        if cfg!(panic = "abort") {
            listeners.send(Event::Transport(TransportEvent::PanicsAbort));
        }
        let access = match (trusts_client, self.lists_by_scope) {
            (true, _) => Access::Everything,
            (false, false) => Access::Scopes,
            (false, true) => Access::ScopesAndLists,
        };
        let engine = Engine::start(Parts {
            service: Box::new(self.service),
            providers: self.providers,
            only: self.only,
            changes: self.changes,
            tasks: self.tasks,
            access,
            listeners,
            limits: self.limits,
            expose_errors: self.expose_errors.unwrap_or(trusts_client),
            spans: self.spans,
            repair: self.repair,
            check_outputs: self.check_outputs,
            contract_digest: self.contract_digest,
            state_key: self.state_key,
        })?;
        Ok(Arc::new(engine))
    }
}

impl<S: Service> From<S> for Server<S> {
    fn from(service: S) -> Self {
        Self::new(service)
    }
}

impl<S> std::fmt::Debug for Server<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server")
            .field("providers", &self.providers)
            .field("only", &self.only)
            .field("listeners", &self.listeners.len())
            .field("limits", &self.limits)
            .field("repair", &self.repair)
            .field("check_outputs", &self.check_outputs)
            .field("expose_errors", &self.expose_errors)
            .finish_non_exhaustive()
    }
}
