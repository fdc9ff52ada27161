//! Tools that take their time, say things, ask, and misbehave.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::http::Http;
use mcp_runtime::provider::{ToolDefinition, ToolFuture, ToolProvider};
use mcp_runtime::{Changes, Context, LogLevel, Server, Service, ToolError, ToolResponse};
use serde_json::{Map, Value, json};
use tokio::sync::Notify;
use tokio::time::sleep;

use crate::api;
use crate::travel::Travel;

/// What happens outside of the calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    pub(crate) changes: Changes,
    /// Lets a handler go that is held.
    pub(crate) gate: Arc<Notify>,
    /// Handlers that were dropped before their end.
    pub(crate) dropped: Arc<AtomicUsize>,
    /// Handlers that came to their end.
    pub(crate) ended: Arc<AtomicUsize>,
    /// Handlers that were told that nobody waits.
    pub(crate) told: Arc<AtomicUsize>,
}

/// See [`run`].
pub(crate) struct Tools(World);

/// Counts a handler as dropped, unless it is disarmed.
struct Guard(Option<Arc<AtomicUsize>>);

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(dropped) = &self.0 {
            dropped.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// The tools.
pub(crate) fn tools(world: &World) -> Tools {
    Tools(world.clone())
}

/// A server of these tools beside the contract's features.
pub(crate) fn server(world: &World) -> Http<impl Service> {
    Server::new(api::service(Travel)).provider(tools(world)).changes(&world.changes).http()
}

/// A call of a tool.
#[expect(clippy::needless_pass_by_value, reason = "it is written at the place of the call")]
pub(crate) fn call(id: u64, tool: &str, arguments: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool, "arguments": arguments } })
}

/// The same request of a client that needs no session, and can do all that clients can.
pub(crate) fn stateless(mut message: Value) -> Value {
    message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
    message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({ "roots": {} });
    message
}

/// The text of a tool's answer.
pub(crate) fn text(answer: &Value) -> &str {
    let text = &answer["result"]["content"][0]["text"];
    text.as_str().unwrap_or_else(|| panic!("a tool's answer: {answer}"))
}

/// Waits until a count is this.
pub(crate) async fn until(count: &AtomicUsize, expected: usize) {
    for _ in 0..2000 {
        if count.load(Ordering::SeqCst) == expected {
            return;
        }
        sleep(Duration::from_millis(5)).await;
    }
    panic!("it is {} and not {expected}", count.load(Ordering::SeqCst));
}

impl ToolProvider for Tools {
    fn tools(&self) -> Vec<ToolDefinition> {
        let names = ["babble", "chatter", "echo", "fold", "hold", "leave", "nap", "stumble", "trip", "watch"];
        names.map(|name| ToolDefinition::new(name, json!({ "type": "object" }))).into()
    }

    fn call<'a>(&'a self, name: &'a str, arguments: Map<String, Value>, context: &'a Context) -> ToolFuture<'a> {
        Box::pin(run(&self.0, name, arguments, context))
    }
}

async fn run(
    world: &World,
    name: &str,
    arguments: Map<String, Value>,
    context: &Context,
) -> Result<ToolResponse, ToolError> {
    let number = |key: &str| arguments.get(key).and_then(Value::as_u64).unwrap_or(0);
    let millis = Duration::from_millis(number("millis"));
    match name {
        // says more than anybody reads
        "babble" => {
            let _guard = Guard(Some(Arc::clone(&world.dropped)));
            loop {
                context.log(LogLevel::Error, "x".repeat(1000));
                sleep(Duration::from_millis(1)).await;
            }
        }
        // says something before it waits, and after
        "chatter" => {
            context.log(LogLevel::Error, "before");
            context.progress(1.0).send();
            sleep(millis).await;
            context.progress(2.0).send();
            Ok("chattered".into())
        }
        "echo" => Ok(arguments.get("text").and_then(Value::as_str).unwrap_or_default().into()),
        "fold" => Ok("x".repeat(usize::try_from(number("bytes"))?).into()),
        "hold" => {
            let mut guard = Guard(Some(Arc::clone(&world.dropped)));
            context.progress(1.0).send();
            world.gate.notified().await;
            guard.0 = None;
            Ok("let go".into())
        }
        "leave" => {
            context.close_stream();
            sleep(millis).await;
            Ok("you came back".into())
        }
        "nap" => {
            let mut guard = Guard(Some(Arc::clone(&world.dropped)));
            sleep(millis).await;
            guard.0 = None;
            world.ended.fetch_add(1, Ordering::SeqCst);
            Ok(format!("slept {}", number("millis")).into())
        }
        "stumble" => {
            context.progress(1.0).send();
            panic!("stumbled");
        }
        // asks, and tells what it heard
        "trip" => {
            let roots = context.roots().await?;
            Ok(roots.iter().map(|root| root.uri.clone()).collect::<Vec<_>>().join(" ").into())
        }
        "watch" => {
            context.cancelled().await;
            world.told.fetch_add(1, Ordering::SeqCst);
            Ok("never heard".into())
        }
        _ => Err(ToolError::tool_not_found("no such tool")),
    }
}
