//! What a client gives up, and what handlers leave behind: nothing is answered that should not be, and nothing late.

use std::time::Duration;

use mcp_runtime::provider::{ToolDefinition, ToolFuture, ToolProvider};
use mcp_runtime::testing::Client;
use mcp_runtime::{Context, Server};
use serde_json::{Map, Value, json};

use crate::travel::Travel;
use crate::{ERAS, api};

/// `nap` sleeps for some milliseconds; `stumble` reports progress and panics.
struct Odd;

impl ToolProvider for Odd {
    fn tools(&self) -> Vec<ToolDefinition> {
        ["nap", "stumble"].map(|name| ToolDefinition::new(name, json!({ "type": "object" }))).into()
    }

    fn call<'a>(&'a self, name: &'a str, arguments: Map<String, Value>, context: &'a Context) -> ToolFuture<'a> {
        Box::pin(async move {
            if name == "stumble" {
                context.progress(1.0).send();
                panic!("stumbled");
            }
            let millis = arguments.get("millis").and_then(Value::as_u64).unwrap_or(0);
            tokio::time::sleep(Duration::from_millis(millis)).await;
            Ok(format!("slept {millis}").into())
        })
    }
}

fn server() -> Server<api::Service<Travel>> {
    Server::new(api::service(Travel)).provider(Odd)
}

fn nap(millis: u64) -> Value {
    json!({ "name": "nap", "arguments": { "millis": millis } })
}

#[tokio::test]
async fn a_request_that_is_given_up_while_it_waits_is_never_started() {
    for era in ERAS {
        let mut client = Client::new(server().max_in_flight(1)).revision(era);
        let first = client.start("tools/call", nap(100)).await;
        let second = client.start("tools/call", nap(1)).await;
        let third = client.start("tools/call", nap(2)).await;
        client.cancel(second).await;
        client.finish(first).await.expect("a result");
        let third = client.finish(third).await.expect("a result");
        assert_eq!(third["content"][0]["text"], "slept 2");
        let left = client.close().await.expect("a clean end");
        assert!(left.iter().all(|message| message["id"] != second), "{left:?}");
    }
}

#[tokio::test]
async fn progress_before_a_panic_goes_out_before_the_answer() {
    for era in ERAS {
        let mut client = Client::new(server()).revision(era);
        let params = json!({ "name": "stumble", "arguments": {}, "_meta": { "progressToken": "p" } });
        let id = client.start("tools/call", params).await;
        assert_eq!(client.finish(id).await.expect("a result")["isError"], true);
        let heard = client.unasked();
        assert_eq!(heard.len(), 1, "{heard:?}");
        assert_eq!(heard[0]["params"]["progressToken"], "p");
    }
}
