//! From a request to its handler, which is polled once on the spot.

use std::borrow::Cow;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::{self, Poll, Waker};
use std::time::Duration;

use super::refusal::{Outcome, Refusal, refuse};
use super::target::Target;
use super::{Connection, Load, Reply, Request};
use crate::context::{Answer, Arguments, Binding, Context, Round};
use crate::engine::Engine;
use crate::json::string_of;
use crate::jsonrpc::{ErrorCode, Param};
use crate::peer::Principal;
use crate::protocol::{Handling, Head};
use crate::service::{Call, Running, Start};

/// A handler that was not ready at once.
pub(crate) struct Pending {
    pub(crate) future: Running,
    pub(crate) timeout: Option<Duration>,
    /// To answer in its place, should it panic or run too long.
    pub(crate) head: Head,
    /// The tool, prompt or URI.
    pub(crate) name: String,
}

/// A request whose handler is known by a key.
pub(super) struct Launch<'a> {
    pub(super) request: Request<'a>,
    /// The tool, the prompt, the URI or the template.
    pub(super) key: Cow<'a, str>,
    /// The same as the request's.
    pub(super) method: &'static str,
}

impl Connection {
    /// Starts the handler of what `params` name.
    pub(super) fn start(&mut self, target: Target, request: Request<'_>, load: &impl Load) -> Outcome {
        let key = match target {
            Target::Tool | Target::Prompt => request.params.name,
            Target::Resource => request.params.uri,
        };
        let Some(key) = key.and_then(string_of) else {
            return refuse(&request, ErrorCode::InvalidParams, target.missing_key());
        };
        let route = |engine: &Engine, call: Call<'_>| match target {
            Target::Tool => engine.call_tool(call),
            Target::Resource => engine.read_resource(call),
            Target::Prompt => engine.render_prompt(call),
        };
        self.launch(Launch { request, key, method: target.method() }, route, load)
    }

    /// Starts a handler and polls it once: most are ready at once, and need no task, timer or lock.
    pub(super) fn launch(
        &mut self,
        launch: Launch<'_>,
        route: impl FnOnce(&Engine, Call<'_>) -> Start,
        load: &impl Load,
    ) -> Outcome {
        let Launch { request: Request { id, params, revision, meta, span, .. }, key, method } = launch;
        let is_tool = method == Target::Tool.method();
        if load.is_full() {
            return Ok(Reply::Busy(id));
        }
        let arguments = params.arguments.unwrap_or("{}");
        if is_tool
            && revision.is_stateless()
            && let Err(why) = load.check_arguments(&key, arguments)
        {
            return Err(Refusal::new((&id, method), ErrorCode::HeaderMismatch, why));
        }
        let engine = &*self.peer.engine;
        let audit = self.audit(method, meta.as_deref());
        let head = Head { id, revision, is_tool, audit, span };
        let creation = match engine.tasks.as_ref().filter(|_| is_tool) {
            Some(board) => self.creation(board, (&head, &key), (params, meta.as_deref())),
            None => Ok(None),
        };
        let creation = match creation {
            Ok(creation) => creation,
            Err(fault) => return Err(fault.refuse((&head.id, method))),
        };
        let principal = self.principal.as_ref().map(Principal::as_str);
        let binding = Binding { method, key: &key, arguments, principal };
        let brought = match (params.get(Param::RequestState), params.get(Param::InputResponses)) {
            (None, None) => None,
            _ if !revision.is_stateless() || method == "completion/complete" => None,
            brought => match Round::resume(engine, binding, brought) {
                Ok(round) => Some(round),
                Err(why) => return Err(Refusal::new((&head.id, method), ErrorCode::InvalidParams, why)),
            },
        };
        let raw = Arguments::keep(arguments, self.long_line.take());
        let mut context = Context::new(self.spare.take(), self.way(), (head.clone(), meta), raw);
        if let Some(round) = brought {
            context = context.resuming(round);
        }
        context = context.tied(creation.as_ref().map(|creation| Arc::clone(&creation.link)));
        let (may_poll, begun) = (!load.is_slow(&key), load.begin());
        let first = || {
            let start = route(engine, Call::new(&key, arguments, context));
            let start = match creation {
                Some(creation) => creation.around(start),
                None => start,
            };
            match start {
                Start::Answered(answer) => Ok(answer),
                Start::Running { mut future, timeout } => match may_poll.then(|| poll_once(&mut future)) {
                    Some(Poll::Ready(answer)) => Ok(answer),
                    Some(Poll::Pending) | None => Err((future, timeout)),
                },
            }
        };
        let first = catch_unwind(AssertUnwindSafe(|| head.span.within(first)));
        if may_poll {
            load.end(&key, begun);
        }
        Ok(match first {
            Ok(Ok(answer)) => Reply::Answered(answer),
            Ok(Err((future, timeout))) => {
                let future = head.span.around(future);
                Reply::Pending(Pending { future, timeout, head, name: key.into_owned() })
            }
            Err(panic) => {
                let mut answer = Vec::new();
                Handling { engine, head: &head, name: &key }.panicked(&*panic, &mut answer);
                Reply::Panicked(answer)
            }
        })
    }
}

/// Polls a handler with a waker that wakes nobody: if it is not ready, a task polls it again at once.
///
/// Outside tokio's cooperative budget, which counts for the whole loop as if it were one task.
fn poll_once(future: &mut Running) -> Poll<Answer> {
    let polled = pin!(tokio::task::coop::unconstrained(future.as_mut()));
    polled.poll(&mut task::Context::from_waker(Waker::noop()))
}

impl fmt::Debug for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending").field("head", &self.head).field("name", &self.name).finish_non_exhaustive()
    }
}
