//! What listeners and subscribers to spans are told of a request beside its end.

use std::sync::Arc;
use std::time::Instant;

use crate::connection::Connection;
use crate::context::TraceContext;
use crate::json::string_of;
use crate::jsonrpc::{Params, RequestId};
use crate::protocol::{Audit, Meta};
use crate::trace::{Opening, RequestSpan};

impl Connection {
    /// The span of a request, if somebody subscribes to spans.
    pub(super) fn span(
        &self,
        (id, method, params): (&RequestId, &str, &Params<'_>),
        meta: Option<&Meta>,
    ) -> RequestSpan {
        let session = self.peer.scope.get().map(|scope| &**scope);
        let engine = &self.peer.engine;
        let target = || {
            let name = params.name.and_then(string_of)?;
            engine.offers(method, &name).then(|| name.into_owned())
        };
        engine.spans.open(Opening { id, method, target: &target, meta, session, is_pipe: engine.is_pipe() })
    }

    /// What the listeners will want to know, if there are any.
    pub(super) fn audit(&self, method: &'static str, meta: Option<&Meta>) -> Option<Arc<Audit>> {
        if !self.peer.engine.listeners.any() {
            return None;
        }
        let trace = meta.and_then(|meta| TraceContext::of(&meta.text));
        Some(Arc::new(Audit {
            begun: Instant::now(),
            method,
            principal: self.principal.as_ref().map(|principal| principal.as_str().to_owned()),
            trace_parent: trace.map(|trace| trace.traceparent().to_owned()),
        }))
    }
}
