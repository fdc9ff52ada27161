//! Tool calls that become tasks, in memory: each message of the server is judged by the official schemas, as far as they
//! know tasks. The extension of 2026-07-28 is not in them: `support::official` says what it demands.

/// What the contract in `tasks/contract` becomes.
pub mod api {
    mcp_runtime::include_service!("tasks");
}

#[path = "tasks/ending.rs"]
mod ending;
#[path = "tasks/http.rs"]
mod http;
#[path = "tasks/jobs.rs"]
mod jobs;
#[path = "tasks/session.rs"]
mod session;
#[path = "tasks/stateless.rs"]
mod stateless;
#[path = "tasks/store.rs"]
mod store;
#[path = "tasks/testing.rs"]
mod testing;

use std::time::Duration;

use serde_json::{Value, json};
use support::memory::Memory;

/// Messages that were heard beside what was waited for.
type Beside = Vec<Value>;

/// The text of a result's first content block.
fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {result}"))
}

fn code(answer: &Value) -> Option<i64> {
    answer["error"]["code"].as_i64()
}

/// The answer to a request; what comes before it is kept.
async fn answered(client: &mut Memory, request: &Value) -> (Value, Beside) {
    client.say(request).await;
    let mut beside = Vec::new();
    loop {
        let message = client.hear().await;
        if message["id"] == request["id"] && message.get("method").is_none() {
            return (message, beside);
        }
        beside.push(message);
    }
}

/// The arguments of a tool that takes none.
fn nothing() -> Value {
    json!({})
}

async fn pause() {
    tokio::time::sleep(Duration::from_millis(20)).await;
}
