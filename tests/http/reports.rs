//! What users report of other servers on the network, each by its id: the whole kind of it behaves as it should here.
//!
//! R16 goes on in `store`, R33 in `nginx`, R42 in `limits`, R49 in `together`, R69 in `mounted` and in `tests/tasks`.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_runtime::Server;
use mcp_runtime::listener::{Cancelled, Listener};
use serde_json::{Value, json};
use support::web::{Reply, Request, Site};

use crate::service::{World, call, server, stateless, text, tools, until};
use crate::{api, site, travel::Travel};

fn progressing(mut message: Value) -> Value {
    message["params"]["_meta"]["progressToken"] = "p".into();
    message
}

fn listen() -> Request {
    let params = json!({ "notifications": { "toolsListChanged": true } });
    Request::stateless(&stateless(
        json!({ "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params }),
    ))
}

#[tokio::test]
async fn r16_a_session_that_is_not_there_is_told_so_that_clients_open_another() {
    let (site, _) = site().await;
    let echo = call(1, "echo", json!({ "text": "hello" }));
    for request in
        [Request::session("made-up", &echo), Request::bare("GET", "made-up"), Request::bare("DELETE", "made-up")]
    {
        assert_eq!(site.send(&request).await.status, 404, "{request:?}");
        assert_eq!(site.send(&request.without("Mcp-Session-Id")).await.status, 400);
    }
    let session = site.session("2025-11-25", json!({})).await;
    assert_eq!(text(&site.send(&Request::session(&session, &echo)).await.message().await), "hello");
    // who needs no session loses none
    assert_eq!(text(&site.ask(&stateless(echo)).await), "hello");
}

#[tokio::test]
async fn r20_a_page_elsewhere_cannot_drive_a_local_server() {
    let (site, _) = site().await;
    let messages =
        [Request::stateless(&stateless(call(1, "echo", json!({})))), Request::post("not even JSON"), listen()];
    for request in messages.into_iter().chain([Request::bare("GET", "s"), Request::bare("DELETE", "s")]) {
        for (name, value) in [("Host", "evil.example"), ("Origin", "https://evil.example")] {
            let reply = site.send(&request.clone().with(name, value)).await;
            assert_eq!(reply.status, 403, "before anything is read: {request:?}");
        }
    }
    // and nobody listens for other machines unless that was said
    let everywhere = tokio::net::TcpListener::bind("0.0.0.0:0").await.unwrap();
    assert!(server(&World::default()).serve_on(everywhere).await.is_err());
}

/// Every kind of stream that there is, open and silent.
async fn streams(site: &Site) -> Vec<Reply> {
    let session = site.session("2025-11-25", json!({})).await;
    let nap = call(2, "nap", json!({ "millis": 60_000 }));
    vec![
        site.send(&listen()).await,
        site.send(&Request::bare("GET", &session)).await,
        site.send(&Request::session(&session, &nap)).await,
        site.send(&Request::stateless(&stateless(nap))).await,
        site.send(&Request::stateless(&progressing(stateless(call(3, "hold", json!({})))))).await,
    ]
}

#[tokio::test]
async fn r32_a_silent_stream_shows_signs_of_life() {
    let world = World::default();
    let site = Site::start(server(&world).keep_alive(Duration::from_millis(30))).await;
    for (index, mut stream) in streams(&site).await.into_iter().enumerate() {
        let mut comments = 0;
        while comments < 3 {
            let event = stream.event().await.expect("the stream goes on");
            comments += usize::from(event.comment.is_some());
        }
        assert_eq!(stream.status, 200, "{index}");
    }
}

#[tokio::test]
async fn r33_no_proxy_is_to_hold_events_back() {
    let world = World::default();
    let site = Site::start(server(&world).keep_alive(Duration::from_millis(30))).await;
    for stream in streams(&site).await {
        assert_eq!(stream.header("content-type"), Some("text/event-stream"));
        assert_eq!(stream.header("x-accel-buffering"), Some("no"));
        let caching = stream.header("cache-control").expect("a rule");
        assert!(caching.contains("no-store") && caching.contains("no-transform"), "{caching}");
    }
}

#[tokio::test]
async fn r42_200_megabytes_are_not_read() {
    let (site, _) = site().await;
    // nothing of it has to be sent: the head says it all
    let mut connection = site.connect().await;
    let head =
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 200000000\r\n\r\n";
    connection.write(head.as_bytes()).await;
    assert_eq!(connection.reply().await.status, 413);
    // without a length, it ends at the limit of 16 MiB
    let mut connection = site.connect().await;
    let head =
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    connection.write(head.as_bytes()).await;
    let chunk = format!("100000\r\n{}\r\n", " ".repeat(1 << 20));
    for _ in 0..17 {
        connection.write(chunk.as_bytes()).await;
    }
    assert_eq!(connection.reply().await.status, 413);
}

/// Tells of calls that were given up.
struct Audit(Mutex<Sender<Cancelled>>);

impl Listener for Audit {
    fn cancelled(&self, event: &Cancelled) {
        self.0.lock().unwrap().send(event.clone()).unwrap();
    }
}

#[tokio::test]
async fn r46_a_call_that_nobody_waits_for_stops_at_once_and_the_cause_is_told() {
    let (sender, heard) = channel();
    let (world, heard) = (World::default(), Arc::new(Mutex::new(heard)));
    let server = Server::new(api::service(Travel)).provider(tools(&world)).listener(Audit(sender.into()));
    let site = Site::start(server.http()).await;
    let next = async || {
        let heard = Arc::clone(&heard);
        let event = tokio::task::spawn_blocking(move || heard.lock().unwrap().recv_timeout(Duration::from_secs(20)));
        event.await.unwrap().expect("the listener hears of it")
    };

    // without a session the connection is the call: closed in the middle of a stream
    let mut reply = site.send(&Request::stateless(&progressing(stateless(call(1, "hold", json!({})))))).await;
    reply.next_message().await;
    drop(reply);
    until(&world.dropped, 1).await;
    assert_eq!(next().await.reason.as_deref(), Some("the client closed the connection"));

    // in a session a notification ends it, and it is not answered
    let session = site.session("2025-11-25", json!({})).await;
    let mut reply = site.send(&Request::session(&session, &progressing(call(2, "hold", json!({}))))).await;
    reply.next_message().await;
    let params = json!({ "requestId": 2, "reason": "the user left" });
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
    assert_eq!(site.send(&Request::session(&session, &cancel)).await.status, 202);
    until(&world.dropped, 2).await;
    assert_eq!(next().await.reason.as_deref(), Some("the user left"));
    assert!(reply.messages().await.is_empty());

    // a handler that wants to know is told
    let mut reply = site.send(&Request::session(&session, &call(3, "watch", json!({})))).await;
    reply.event().await.expect("the priming event");
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 3, "reason": "enough" } });
    assert_eq!(site.send(&Request::session(&session, &cancel)).await.status, 202);
    until(&world.told, 1).await;
    assert_eq!(next().await.reason.as_deref(), Some("enough"));
    assert!(reply.messages().await.is_empty());
}

#[tokio::test]
async fn r67_a_header_that_clients_would_drop_the_tool_for_is_an_error_of_the_contract() {
    let field = |type_: &str, header: &str| {
        format!("{{ type = \"{type_}\", description = \"d\", x-mcp-header = \"{header}\" }}")
    };
    let contract = |args: &[(&str, String)]| {
        let args: Vec<_> = args.iter().map(|(name, field)| format!("{name} = {field}")).collect();
        let args = args.join("\n");
        format!(
            "format = 1\n[server]\nname = \"s\"\nversion = \"1.0.0\"\n[[tools]]\nname = \"t\"\ndescription = \"A tool\"\n[tools.args]\n{args}"
        )
    };
    let right = contract(&[("a", field("string", "City")), ("b", field("integer", "Day"))]);
    let twice = contract(&[("a", field("string", "City")), ("b", field("string", "CITY"))]);
    for (text, is_right) in [
        (right, true),
        (contract(&[("a", field("number", "City"))]), false),
        (contract(&[("a", field("string", "My City"))]), false),
        (contract(&[("a", field("string", ""))]), false),
        (twice, false),
    ] {
        let sandbox = support::Sandbox::new();
        sandbox.write("contract.toml", &text);
        let run = sandbox.run(&["check", "contract.toml"]);
        assert_eq!(run.code == Some(0), is_right, "{text}\n{}", run.stderr);
        assert!(is_right || run.stderr.contains("header"), "it says why: {}", run.stderr);
    }
}
