//! Requests that are refused for where they come from or how they are made, before anybody looks into them.

use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use mcp_runtime::Server;
use mcp_runtime::listener::{Listener, TransportEvent};
use serde_json::json;
use support::web::{Request, Site};

use crate::service::{World, call, server, stateless};
use crate::site;

struct Audit(std::sync::Mutex<Sender<String>>);

impl Listener for Audit {
    fn transport(&self, event: &TransportEvent) {
        if let TransportEvent::Refused(why) = event {
            self.0.lock().unwrap().send(why.clone()).unwrap();
        }
    }
}

fn echo() -> Request {
    Request::stateless(&stateless(call(1, "echo", json!({ "text": "hello" }))))
}

#[tokio::test]
async fn hl1_a_foreign_host_or_origin_is_forbidden() {
    let (site, _) = site().await;
    let foreign = [
        ("Host", "evil.example"),
        ("Host", "evil.example:3000"),
        ("Host", "127.0.0.1.evil.example"),
        ("Host", "localhost@evil.example"),
        ("Origin", "http://evil.example"),
        ("Origin", "https://localhost.evil.example"),
        ("Origin", "null"),
    ];
    for (name, value) in foreign {
        let mut reply = site.send(&echo().with(name, value)).await;
        assert_eq!(reply.status, 403, "{name}: {value}");
        let error = reply.message().await;
        assert!(error.get("id").is_none() && error["error"]["code"] == -32_600, "{error}");
    }
    let twice = echo().with("Host", "localhost").with_another("Host", "evil.example");
    // hyper may refuse it before we do
    assert!([400, 403].contains(&site.send(&twice).await.status));
    for (name, value) in [("Host", "LOCALHOST:1"), ("Host", "[::1]:9"), ("Origin", "http://127.0.0.1:5173")] {
        assert_eq!(site.send(&echo().with(name, value)).await.status, 200, "{name}: {value}");
    }
}

#[tokio::test]
async fn a_foreign_request_is_refused_before_its_body_is_read() {
    let (site, _) = site().await;
    let mut connection = site.connect().await;
    connection.write(b"POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 1000000\r\n\r\n").await;
    assert_eq!(connection.reply().await.status, 403);
}

#[tokio::test]
async fn listeners_hear_of_foreign_requests() {
    let (sender, heard) = channel();
    let server = Server::new(crate::api::service(crate::travel::Travel));
    let site = Site::start(server.listener(Audit(sender.into())).http()).await;
    assert_eq!(site.send(&echo().with("Origin", "https://evil.example")).await.status, 403);
    let why = tokio::task::spawn_blocking(move || heard.recv_timeout(Duration::from_secs(10)));
    assert_eq!(why.await.unwrap().unwrap(), "the origin `https://evil.example` is not allowed");
}

#[tokio::test]
async fn what_is_allowed_by_name_is_served() {
    let world = World::default();
    let http = server(&world).allowed_hosts(["API.example"]).allowed_origins(["https://app.example"]);
    let site = Site::start(http).await;
    for (host, origin, status) in [
        ("api.example:8443", "https://app.example:443", 200),
        ("api.example", "https://api.example", 200),
        ("api.example", "http://app.example", 403),
        ("api.example.evil", "https://app.example", 403),
    ] {
        let reply = site.send(&echo().with("Host", host).with("Origin", origin)).await;
        assert_eq!(reply.status, status, "{host} {origin}");
        assert_eq!(reply.header("access-control-allow-origin"), None, "no page may read it by default");
    }
}

#[tokio::test]
async fn hl2_media_types_are_held_to() {
    let (site, _) = site().await;
    for accept in ["application/json", "text/event-stream", "text/html"] {
        assert_eq!(site.send(&echo().with("Accept", accept)).await.status, 406, "{accept}");
    }
    for accept in ["*/*", "text/event-stream, application/json;q=0.9"] {
        assert_eq!(site.send(&echo().with("Accept", accept)).await.status, 200, "{accept}");
    }
    // what a page may send to any server without being asked
    for media in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        assert_eq!(site.send(&echo().with("Content-Type", media)).await.status, 415, "{media}");
    }
    assert_eq!(site.send(&echo().without("Content-Type")).await.status, 415);
    assert_eq!(site.send(&echo().with("Content-Type", "application/json; charset=utf-8")).await.status, 200);
}

#[tokio::test]
async fn other_paths_and_methods_are_not_there() {
    let (site, _) = site().await;
    let mut request = echo();
    request.path = "/other".to_owned();
    assert_eq!(site.send(&request).await.status, 404);
    for method in ["PUT", "OPTIONS", "PATCH"] {
        let mut request = echo();
        request.method = method;
        let reply = site.send(&request).await;
        assert_eq!((reply.status, reply.header("allow")), (405, Some("GET, POST, DELETE")), "{method}");
    }
}

#[tokio::test]
async fn a_server_that_anybody_can_reach_says_so_in_code() {
    let listener = tokio::net::TcpListener::bind("0.0.0.0:0").await.unwrap();
    let error = server(&World::default()).serve_on(listener).await.unwrap_err().to_string();
    assert!(error.contains("0.0.0.0") && error.contains(".allow_public()"), "{error}");
    let error = server(&World::default()).allowed_hosts(["http://a.example"]).service().unwrap_err().to_string();
    assert!(error.contains("allowed host `http://a.example`"), "{error}");
    let error = server(&World::default()).allowed_origins(["a.example"]).service().unwrap_err().to_string();
    assert!(error.contains("allowed origin `a.example`"), "{error}");
}
