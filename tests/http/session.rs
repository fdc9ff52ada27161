//! Clients with a session: its id, its rules, its end.

use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use mcp_runtime::Server;
use serde_json::{Value, json};
use support::web::{Request, Site};

use crate::service::{World, call, server, stateless, text, tools, until};
use crate::travel::Travel;
use crate::{api, site};

const NEWEST: &str = "2025-11-25";

fn ping() -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" })
}

#[tokio::test]
async fn hl8_a_session_is_named_known_and_ended() {
    let (site, _) = site().await;
    let missing = site.send(&Request::post(&ping().to_string())).await;
    let unknown = site.send(&Request::session("made-up", &ping())).await;
    assert_eq!((missing.status, unknown.status), (400, 404));
    let session = site.session(NEWEST, json!({})).await;
    assert_eq!(site.send(&Request::session(&session, &ping())).await.status, 200);
    let wrong = Request::session(&session, &ping()).with_another("Mcp-Session-Id", "other");
    assert_eq!(site.send(&wrong).await.status, 400, "which one is meant, nobody knows");
    assert_eq!(site.send(&Request::bare("DELETE", &session)).await.status, 204);
    for request in
        [Request::session(&session, &ping()), Request::bare("GET", &session), Request::bare("DELETE", &session)]
    {
        assert_eq!(site.send(&request).await.status, 404, "{}", request.method);
    }
    let without = site.send(&Request::bare("GET", &session).without("Mcp-Session-Id")).await;
    assert_eq!(without.status, 400);
}

#[tokio::test]
async fn hl4_errors_of_a_session_ride_on_200() {
    let (site, _) = site().await;
    let session = site.session(NEWEST, json!({})).await;
    let unknown = json!({ "jsonrpc": "2.0", "id": 1, "method": "no/such" });
    let read =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": { "uri": "travel://no/such/place" } });
    for (message, code) in [(unknown, -32_601), (call(1, "no-such", json!({})), -32_602), (read, -32_002)] {
        let mut reply = site.send(&Request::session(&session, &message)).await;
        assert_eq!((reply.message().await["error"]["code"].as_i64(), reply.status), (Some(code), 200), "{message}");
    }
}

#[tokio::test]
async fn hl9_the_version_of_the_session_wins() {
    let (site, _) = site().await;
    let session = site.session("2025-03-26", json!({})).await;
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "prompts/list" });
    for version in ["2025-03-26", "2025-06-18", "2025-11-25"] {
        let request = Request::session(&session, &list).with("MCP-Protocol-Version", version);
        assert_eq!(site.send(&request).await.status, 200, "{version}");
    }
    let unknown = Request::session(&session, &list).with("MCP-Protocol-Version", "2024-01-01");
    assert_eq!(site.send(&unknown).await.status, 400);
}

#[tokio::test]
async fn hl5_what_belongs_to_a_call_goes_out_on_its_post() {
    let (site, _) = site().await;
    let session = site.session(NEWEST, json!({})).await;
    let mut standalone = site.send(&Request::bare("GET", &session)).await;
    assert_eq!((standalone.status, standalone.header("content-type")), (200, Some("text/event-stream")));
    let mut message = call(1, "chatter", json!({ "millis": 20 }));
    message["params"]["_meta"] = json!({ "progressToken": 3 });
    let mut reply = site.send(&Request::session(&session, &message)).await;
    assert_eq!(reply.header("content-type"), Some("text/event-stream"));
    let heard = reply.messages().await;
    let methods: Vec<_> = heard.iter().filter_map(|message| message["method"].as_str()).collect();
    assert_eq!(methods, ["notifications/message", "notifications/progress", "notifications/progress"]);
    assert_eq!(text(&heard[3]), "chattered");
    // the other stream has heard nothing of it: it ends with the session, and with nothing else
    assert_eq!(site.send(&Request::bare("DELETE", &session)).await.status, 204);
    assert!(standalone.messages().await.is_empty(), "hl7");
}

#[tokio::test]
async fn hl6_get_is_the_stream_of_what_belongs_to_no_call() {
    let (site, world) = site().await;
    let session = site.session(NEWEST, json!({})).await;
    assert_eq!(site.send(&Request::bare("GET", &session).with("Accept", "application/json")).await.status, 406);
    // what happened before anybody listened is not lost, and is told once
    for _ in 0..100 {
        world.changes.tools_changed();
    }
    let mut stream = site.send(&Request::bare("GET", &session)).await;
    assert_eq!(stream.next_message().await["method"], "notifications/tools/list_changed");
    let subscribe =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/subscribe", "params": { "uri": "travel://news" } });
    assert_eq!(site.send(&Request::session(&session, &subscribe)).await.message().await["result"], json!({}));
    world.changes.resource_updated("travel://news");
    assert_eq!(stream.next_message().await["params"]["uri"], "travel://news");
    // a second stream takes the place of the first
    let mut second = site.send(&Request::bare("GET", &session)).await;
    assert!(stream.messages().await.is_empty());
    world.changes.prompts_changed();
    assert_eq!(second.next_message().await["method"], "notifications/prompts/list_changed");
}

#[tokio::test]
async fn hl12_a_broken_connection_cancels_nothing_and_a_notification_does() {
    let (site, world) = site().await;
    let session = site.session(NEWEST, json!({})).await;
    let reply = site.send(&Request::session(&session, &call(1, "nap", json!({ "millis": 150 })))).await;
    drop(reply);
    until(&world.ended, 1).await;

    let mut reply = site.send(&Request::session(&session, &call(2, "nap", json!({ "millis": 60_000 })))).await;
    let params = json!({ "requestId": 2, "reason": "enough" });
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
    // another session's ids are its own
    let other = site.session(NEWEST, json!({})).await;
    assert_eq!(site.send(&Request::session(&other, &cancel)).await.status, 202);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(world.dropped.load(SeqCst), 0);
    assert_eq!(site.send(&Request::session(&session, &cancel)).await.status, 202);
    until(&world.dropped, 1).await;
    assert!(reply.messages().await.is_empty(), "what is given up is not answered, and its stream ends");
}

#[tokio::test]
async fn a_session_that_ends_takes_its_calls_with_it() {
    let (site, world) = site().await;
    let session = site.session(NEWEST, json!({})).await;
    let mut reply = site.send(&Request::session(&session, &call(2, "nap", json!({ "millis": 60_000 })))).await;
    assert_eq!(site.send(&Request::bare("DELETE", &session)).await.status, 204);
    until(&world.dropped, 1).await;
    assert!(reply.messages().await.is_empty());
}

#[tokio::test]
async fn an_id_cannot_be_used_twice_at_once() {
    let (site, _) = site().await;
    let session = site.session(NEWEST, json!({})).await;
    let first = site.send(&Request::session(&session, &call(1, "nap", json!({ "millis": 60_000 })))).await;
    let second = site.send(&Request::session(&session, &call(1, "echo", json!({})))).await.message().await;
    assert_eq!(second["error"]["code"], -32_600, "{second}");
    drop(first);
}

#[tokio::test]
async fn j7_batches_belong_to_one_revision() {
    let (site, _) = site().await;
    let batch = json!([ping(), call(2, "echo", json!({ "text": "b" }))]);
    for version in [NEWEST, "2025-06-18"] {
        let session = site.session(version, json!({})).await;
        assert_eq!(site.send(&Request::session(&session, &batch)).await.status, 400, "{version}");
    }
    let session = site.session("2025-03-26", json!({})).await;
    let answers = site.send(&Request::session(&session, &batch)).await.message().await;
    assert_eq!((answers[0]["id"].as_u64(), text(&answers[1])), (Some(1), "b"), "{answers}");
    let slow = json!([ping(), call(2, "nap", json!({ "millis": 20 })), call(3, "nap", json!({ "millis": 1 }))]);
    let heard = site.send(&Request::session(&session, &slow)).await.messages().await;
    assert_eq!(heard.iter().filter_map(|answer| answer["id"].as_u64()).collect::<Vec<_>>(), [1, 3, 2]);
    let notices = json!([{ "jsonrpc": "2.0", "method": "notifications/initialized" }]);
    assert_eq!(site.send(&Request::session(&session, &notices)).await.status, 202);
    for empty in ["[]", "[1]"] {
        let reply = site.send(&Request::post(empty).with("Mcp-Session-Id", &session)).await;
        assert_eq!(reply.status, 400, "{empty}");
    }
}

#[tokio::test]
async fn j3_a_batch_is_held_against_itself() {
    let world = World::default();
    let site = Site::start(Server::new(api::service(Travel)).provider(tools(&world)).max_in_flight(2).http()).await;
    let session = site.session("2025-03-26", json!({})).await;
    let nap = |id| call(id, "nap", json!({ "millis": 20 }));
    let batch = json!([nap(1), nap(1), nap(2), nap(3)]);
    let heard = site.send(&Request::session(&session, &batch)).await.messages().await;
    let told = heard.iter().map(|answer| (answer["id"].as_u64(), answer["error"]["code"].as_i64()));
    let mut told: Vec<_> = told.collect();
    told.sort_unstable();
    let expected = [(Some(1), None), (Some(1), Some(-32_600)), (Some(2), None), (Some(3), Some(-32_603))];
    assert_eq!(told, expected, "one id twice, and one call too many: {heard:?}");
    assert_eq!(world.ended.load(SeqCst), 2, "no others were started");
}

#[tokio::test]
async fn hm3_a_batch_holds_nothing_that_states_its_version() {
    let (site, _) = site().await;
    let session = site.session("2025-03-26", json!({})).await;
    let mut listen = stateless(json!({ "jsonrpc": "2.0", "id": 3, "method": "subscriptions/listen" }));
    listen["params"]["notifications"] = json!({ "toolsListChanged": true });
    let batch = json!([ping(), stateless(call(2, "echo", json!({ "text": "b" }))), listen]);
    let answers = site.send(&Request::session(&session, &batch)).await.message().await;
    let told =
        answers.as_array().unwrap().iter().map(|answer| (answer["id"].as_u64(), answer["error"]["code"].as_i64()));
    let expected = [(Some(1), None), (Some(2), Some(-32_600)), (Some(3), Some(-32_600))];
    assert_eq!(told.collect::<Vec<_>>(), expected, "no header says what they are: {answers}");
}

#[tokio::test]
async fn what_a_session_keeps_of_its_client_is_limited() {
    let (site, _) = site().await;
    let long = "x".repeat(20_000);
    for (capabilities, name, opens) in [
        (json!({ "experimental": { "x": { "a": &long[..8000] } } }), "client", true),
        (json!({ "experimental": { "x": { "a": long } } }), "client", false),
        (json!({}), &*long, false),
    ] {
        let client = json!({ "name": name, "version": "1" });
        let params = json!({ "protocolVersion": NEWEST, "capabilities": capabilities, "clientInfo": client });
        let open = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
        let mut reply = site.send(&Request::post(&open.to_string())).await;
        let code = reply.message().await["error"]["code"].as_i64();
        assert_eq!(code, if opens { None } else { Some(-32_602) });
        assert_eq!(reply.header("mcp-session-id").is_some(), opens);
    }
}

#[tokio::test]
async fn sessions_end_when_nobody_uses_them() {
    let world = World::default();
    let http =
        server(&world).max_sessions(2).session_idle(Duration::from_millis(200)).keep_alive(Duration::from_millis(20));
    let site = Site::start(http).await;
    let idle = site.session(NEWEST, json!({})).await;
    let used = site.session(NEWEST, json!({})).await;
    let stream = site.send(&Request::bare("GET", &used)).await;
    tokio::time::sleep(Duration::from_millis(400)).await;
    site.session(NEWEST, json!({})).await;
    assert_eq!(site.send(&Request::session(&idle, &ping())).await.status, 404);
    assert_eq!(site.send(&Request::session(&used, &ping())).await.status, 200, "whoever listens is there");
    drop(stream);
}

/// Who opens sessions and leaves them keeps nobody out, and ends nobody's who is there.
#[tokio::test]
async fn a_session_too_many_takes_the_place_of_the_one_unused_for_longest() {
    let world = World::default();
    let site = Site::start(server(&world).max_sessions(3)).await;
    let listens = site.session(NEWEST, json!({})).await;
    let works = site.session(NEWEST, json!({})).await;
    let mut last = site.session(NEWEST, json!({})).await;
    let stream = site.send(&Request::bare("GET", &listens)).await;
    let mut held = site.send(&Request::session(&works, &call(1, "hold", json!({})))).await;
    for _ in 0..1000 {
        let next = site.session(NEWEST, json!({})).await;
        assert_eq!(site.send(&Request::session(&last, &ping())).await.status, 404, "it made room");
        last = next;
    }
    world.gate.notify_one();
    assert_eq!(text(held.messages().await.last().unwrap()), "let go");
    assert_eq!(site.send(&Request::session(&listens, &ping())).await.status, 200);
    drop(stream);
    // where everybody has something under way, who comes is told to come again
    let others = [site.session(NEWEST, json!({})).await, listens];
    let mut busy = Vec::new();
    for session in &others {
        busy.push(site.send(&Request::session(session, &call(1, "hold", json!({})))).await);
    }
    let third = site.session(NEWEST, json!({})).await;
    busy.push(site.send(&Request::session(&third, &call(1, "hold", json!({})))).await);
    let params =
        json!({ "protocolVersion": NEWEST, "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    let fourth = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
    let reply = site.send(&Request::post(&fourth.to_string())).await;
    assert_eq!((reply.status, reply.header("retry-after")), (503, Some("1")));
}

#[tokio::test]
async fn without_sessions_older_clients_are_served_all_the_same() {
    let world = World::default();
    let site = Site::start(server(&world).without_sessions()).await;
    let params = json!({ "protocolVersion": NEWEST, "capabilities": { "roots": {} }, "clientInfo": { "name": "c", "version": "1" } });
    let initialize = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
    let mut reply = site.send(&Request::post(&initialize.to_string())).await;
    assert_eq!((reply.status, reply.header("mcp-session-id")), (200, None));
    assert_eq!(reply.message().await["result"]["protocolVersion"], NEWEST);
    let post = |message: &Value| Request::post(&message.to_string()).with("MCP-Protocol-Version", NEWEST);
    assert_eq!(site.send(&post(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))).await.status, 202);
    for message in [call(1, "echo", json!({ "text": "hi" })), call(1, "nap", json!({ "millis": 10 }))] {
        let answer = site.send(&post(&message)).await.message().await;
        assert!(["hi", "slept 10"].contains(&text(&answer)), "{answer}");
    }
    let mut reply = site.send(&post(&json!({ "jsonrpc": "2.0", "id": 1, "method": "no/such" }))).await;
    assert_eq!((reply.message().await["error"]["code"].as_i64(), reply.status), (Some(-32_601), 200));
    for method in ["GET", "DELETE"] {
        assert_eq!(site.send(&Request::bare(method, "x")).await.status, 405, "{method}");
    }
}
