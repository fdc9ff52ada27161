//! The feature `tracing` is on: spans of the crate of that name.

use std::fmt;
use std::sync::Arc;

use tracing::field::Empty;
use tracing::{Instrument as _, Span};

use crate::context::TraceContext;
use crate::engine::shortened;
use crate::protocol::Revision;
use crate::service::Running;
use crate::trace::Opening;

/// Ties a span to the trace that its client sent.
type Link = Box<dyn Fn(&Span, &TraceContext<'_>) + Send + Sync>;

/// How spans are made.
#[derive(Default)]
pub(crate) struct Spans {
    link: Option<Link>,
}

/// The span of one request; none where nobody subscribes to it. One word, for it moves from hand to hand.
#[derive(Clone, Default)]
pub(crate) struct RequestSpan(Option<Arc<Span>>);

/// The methods of the protocol: what else a client writes in their place is no name for a span.
const METHODS: &[&str] = &[
    "completion/complete",
    "initialize",
    "logging/setLevel",
    "ping",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/subscribe",
    "resources/templates/list",
    "resources/unsubscribe",
    "server/discover",
    "subscriptions/listen",
    "tasks/cancel",
    "tasks/get",
    "tasks/list",
    "tasks/result",
    "tasks/update",
    "tools/call",
    "tools/list",
];

impl Spans {
    pub(crate) fn new(link: impl Fn(&Span, &TraceContext<'_>) + Send + Sync + 'static) -> Self {
        Self { link: Some(Box::new(link)) }
    }

    /// The span of a request that has just been read.
    #[inline]
    pub(crate) fn open(&self, opening: Opening<'_>) -> RequestSpan {
        // asked first, so that nothing is looked up where nobody listens
        if tracing::enabled!(target: "mcp_runtime", tracing::Level::INFO) {
            RequestSpan(self.begin(opening))
        } else {
            RequestSpan(None)
        }
    }

    #[cold]
    fn begin(&self, Opening { id, method, target, meta, session, is_pipe }: Opening<'_>) -> Option<Arc<Span>> {
        let known = METHODS.iter().find(|known| **known == method).copied().unwrap_or("_OTHER");
        // subscribers take the name as it is now, and never again
        let name = target().map(|target| format!("{known} {target}"));
        let span = tracing::info_span!(
            target: "mcp_runtime",
            "mcp.server",
            otel.name = name.as_deref().unwrap_or(known),
            otel.kind = "server",
            otel.status_code = Empty,
            mcp.method.name = &*shortened(method),
            mcp.protocol.version = Empty,
            mcp.resource.uri = Empty,
            mcp.session.id = session,
            jsonrpc.request.id = Empty,
            gen_ai.operation.name = Empty,
            gen_ai.prompt.name = Empty,
            gen_ai.tool.name = Empty,
            network.transport = if is_pipe { "pipe" } else { "tcp" },
            network.protocol.name = (!is_pipe).then_some("http"),
            error.type = Empty,
            rpc.response.status_code = Empty,
        );
        if span.is_disabled() {
            return None;
        }
        span.record("jsonrpc.request.id", &*shortened(&id.to_string()));
        if let (Some(link), Some(trace)) = (&self.link, meta.and_then(|meta| TraceContext::of(&meta.text))) {
            link(&span, &trace);
        }
        Some(Arc::new(span))
    }
}

impl RequestSpan {
    #[inline]
    pub(crate) fn speaks(&self, revision: Revision) {
        if let Some(span) = &self.0 {
            span.record("mcp.protocol.version", revision.as_str());
        }
    }

    #[inline]
    pub(crate) fn tool(&self, name: &str) {
        if let Some(span) = &self.0 {
            span.record("gen_ai.operation.name", "execute_tool");
            span.record("gen_ai.tool.name", name);
        }
    }

    #[inline]
    pub(crate) fn prompt(&self, name: &str) {
        if let Some(span) = &self.0 {
            span.record("gen_ai.prompt.name", name);
        }
    }

    #[inline]
    pub(crate) fn resource(&self, uri: &str) {
        if let Some(span) = &self.0 {
            span.record("mcp.resource.uri", &*shortened(uri));
        }
    }

    /// The call failed, and its answer is a result that says so.
    #[inline]
    pub(crate) fn failed_tool(&self) {
        if let Some(span) = &self.0 {
            span.record("error.type", "tool_error");
            span.record("otel.status_code", "ERROR");
        }
    }

    /// The answer is an error with this code.
    #[inline]
    pub(crate) fn failed(&self, code: i32) {
        if let Some(span) = &self.0 {
            let code = code.to_string();
            span.record("error.type", &*code);
            span.record("rpc.response.status_code", &*code);
            span.record("otel.status_code", "ERROR");
        }
    }

    /// Runs something inside the span.
    #[inline]
    pub(crate) fn within<T>(&self, run: impl FnOnce() -> T) -> T {
        match &self.0 {
            None => run(),
            Some(span) => span.in_scope(run),
        }
    }

    /// Runs a handler's future inside the span, each time that it is polled.
    #[inline]
    pub(crate) fn around(&self, future: Running) -> Running {
        match &self.0 {
            None => future,
            Some(span) => Box::pin(future.instrument(Span::clone(span))),
        }
    }
}

impl fmt::Debug for RequestSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().and_then(|span| span.id()).fmt(f)
    }
}

impl fmt::Debug for Spans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spans").field("linked", &self.link.is_some()).finish()
    }
}
