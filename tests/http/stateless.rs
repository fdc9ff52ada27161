//! Requests that bring all that is to be known.

use std::time::Duration;

use serde_json::{Value, json};
use support::web::{Request, Site};
use tokio::time::timeout;

use crate::service::{World, call, server, stateless, text, until};
use crate::site;

/// A call whose client wants to hear of progress and logs.
fn curious(mut message: Value) -> Value {
    message["params"]["_meta"]["progressToken"] = "p".into();
    message["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = "debug".into();
    message
}

fn methods(messages: &[Value]) -> Vec<&str> {
    messages.iter().map(|message| message["method"].as_str().unwrap_or("answer")).collect()
}

#[tokio::test]
async fn hm5_an_answer_is_json_unless_something_goes_out_before_it() {
    let (site, _) = site().await;
    for (tool, millis) in [("echo", 0), ("nap", 20), ("chatter", 20)] {
        // nobody wants to hear what it says
        let mut reply = site.send(&Request::stateless(&stateless(call(1, tool, json!({ "millis": millis }))))).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, Some("application/json")), "{tool}");
        assert_eq!(reply.header("mcp-session-id"), None, "hm1");
        assert_eq!(reply.message().await["result"]["resultType"], "complete");
    }
    for millis in [0, 20] {
        let message = curious(stateless(call(1, "chatter", json!({ "millis": millis }))));
        let mut reply = site.send(&Request::stateless(&message)).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, Some("text/event-stream")));
        assert_eq!(reply.header("x-accel-buffering"), Some("no"));
        assert_eq!(reply.header("cache-control"), Some("no-store, no-transform"));
        let heard = reply.messages().await;
        let expected = ["notifications/message", "notifications/progress", "notifications/progress", "answer"];
        assert_eq!(methods(&heard), expected);
    }
}

#[tokio::test]
async fn hm5_streams_have_no_event_ids() {
    let (site, _) = site().await;
    let message = curious(stateless(call(1, "chatter", json!({ "millis": 20 }))));
    let mut reply = site.send(&Request::stateless(&message)).await;
    while let Some(event) = reply.event().await {
        assert_eq!((event.id, event.retry), (None, None));
    }
}

#[tokio::test]
async fn progress_goes_out_before_a_panic_is_told() {
    let (site, _) = site().await;
    let message = curious(stateless(call(1, "stumble", json!({}))));
    let heard = site.send(&Request::stateless(&message)).await.messages().await;
    assert_eq!(methods(&heard), ["notifications/progress", "answer"]);
    assert_eq!(heard[1]["result"]["isError"], true);
    assert!(text(&heard[1]).contains("internal error") && !text(&heard[1]).contains("stumbled"), "{}", heard[1]);
}

#[tokio::test]
async fn hm6_and_hm7_headers_say_what_the_message_says() {
    let (site, _) = site().await;
    let message = stateless(call(7, "echo", json!({})));
    let good = Request::stateless(&message);
    let bad = [
        good.clone().without("MCP-Protocol-Version"),
        good.clone().with("MCP-Protocol-Version", "2025-11-25"),
        good.clone().with_another("MCP-Protocol-Version", "2026-07-28"),
        good.clone().without("Mcp-Method"),
        good.clone().with("Mcp-Method", "TOOLS/CALL"),
        good.clone().with("Mcp-Method", "tools/list"),
        good.clone().without("Mcp-Name"),
        good.clone().with("Mcp-Name", "Echo"),
        good.clone().with("Mcp-Name", "=?base64?ZWNobw?="),
        good.clone().with("Mcp-Name", "=?base64?ZW!obw==?="),
        good.clone().with("Mcp-Name", "=?BASE64?ZWNobw==?="),
    ];
    for request in bad {
        let mut reply = site.send(&request).await;
        let answer = reply.message().await;
        assert_eq!((reply.status, &answer["error"]["code"]), (400, &json!(-32_020)), "{request:?}");
        assert_eq!(answer["id"], 7);
    }
    let same = [
        good.clone().without("Mcp-Method").with("MCP-METHOD", "tools/call"),
        good.clone().with("Mcp-Name", "  echo  "),
        good.clone().with("Mcp-Name", "=?base64?ZWNobw==?="),
    ];
    for request in same {
        assert_eq!(site.send(&request).await.status, 200, "hm8: {request:?}");
    }
    let read = json!({ "jsonrpc": "2.0", "id": 7, "method": "resources/read", "params": { "uri": "travel://winter/São Paulo" } });
    let request =
        Request::stateless(&stateless(read)).with("Mcp-Name", "=?base64?dHJhdmVsOi8vd2ludGVyL1PDo28gUGF1bG8=?=");
    assert_eq!(site.send(&request).await.message().await["error"]["code"], Value::Null, "hm8: any text can be a name");
}

#[tokio::test]
async fn statuses_of_what_goes_wrong_behind_the_headers() {
    let (site, _) = site().await;
    let read = |uri: &str| {
        stateless(json!({ "jsonrpc": "2.0", "id": 7, "method": "resources/read", "params": { "uri": uri } }))
    };
    let list = stateless(json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": { "cursor": "x" } }));
    let mut lacking = stateless(call(7, "trip", json!({})));
    lacking["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    for (message, status, code) in [
        (stateless(call(7, "no-such", json!({}))), 400, -32_602),
        (read("travel://no/such/place"), 400, -32_602),
        (list, 400, -32_602),
        (lacking, 400, -32_021),
    ] {
        let mut reply = site.send(&Request::stateless(&message)).await;
        assert_eq!((reply.message().await["error"]["code"].as_i64(), reply.status), (Some(code), status), "{message}");
    }
    let failed = site.send(&Request::stateless(&stateless(call(7, "stumble", json!({}))))).await;
    assert_eq!(failed.status, 200, "a tool that fails is a result");
}

#[tokio::test]
async fn cn2_who_closes_the_connection_cancels() {
    let (site, world) = site().await;
    // before anything was said, and in the middle of a stream
    let quiet = stateless(call(1, "nap", json!({ "millis": 60_000 })));
    let mut connection = site.connect().await;
    connection.write(&Request::stateless(&quiet).to_bytes()).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(timeout(Duration::from_millis(50), connection.reply()).await.is_err(), "there is no answer yet");
    until(&world.dropped, 1).await;
    let site = Site::start(server(&world).keep_alive(Duration::from_millis(20))).await;
    let mut reply = site.send(&Request::stateless(&quiet)).await;
    assert!(reply.event().await.unwrap().comment.is_some(), "a sign of life");
    drop(reply);
    until(&world.dropped, 2).await;
}

#[tokio::test]
async fn cn2_a_handler_that_wants_to_know_is_told() {
    let (site, world) = site().await;
    let mut connection = site.connect().await;
    connection.write(&Request::stateless(&stateless(call(1, "watch", json!({})))).to_bytes()).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    drop(connection);
    until(&world.told, 1).await;
}

#[tokio::test]
async fn a_long_silence_is_broken_before_anybody_takes_it_for_death() {
    let world = World::default();
    let site = Site::start(server(&world).keep_alive(Duration::from_millis(30))).await;
    let mut reply = site.send(&Request::stateless(&stateless(call(1, "nap", json!({ "millis": 200 }))))).await;
    assert_eq!(reply.header("content-type"), Some("text/event-stream"));
    let mut comments = 0;
    let answer = loop {
        let event = reply.event().await.expect("the answer is not out");
        if !event.data.is_empty() {
            break event.data;
        }
        comments += 1;
    };
    assert!(comments >= 2, "{comments} signs of life");
    assert!(answer.contains("slept 200"), "{answer}");
    assert_eq!(reply.event().await, None, "the answer ends the stream");
}

#[tokio::test]
async fn hm1_connections_are_used_again() {
    let (site, _) = site().await;
    let mut connection = site.connect().await;
    for id in 0..5 {
        let message = stateless(call(id, "echo", json!({ "text": id.to_string() })));
        let mut reply = connection.send(&Request::stateless(&message)).await;
        let answer = reply.message().await;
        assert_eq!((answer["id"].as_u64(), text(&answer)), (Some(id), id.to_string().as_str()));
        connection = reply.into_connection();
    }
}
