//! What a client can ask for has an end: in bytes, in time, in number.

use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use mcp_runtime::Server;
use mcp_runtime::listener::{Listener, TransportEvent};
use serde_json::json;
use support::web::{Request, Site};
use tokio::io::AsyncWriteExt as _;

use crate::service::{World, call, server, stateless, text};
use crate::{api, site, travel::Travel};

#[tokio::test]
async fn a_body_that_is_too_long_is_not_read() {
    let http = Server::new(api::service(Travel)).max_message_bytes(1000).http();
    let site = Site::start(http).await;
    let long = Request::stateless(&stateless(call(1, "book", json!({ "city": "x".repeat(2000) }))));
    assert_eq!(site.send(&long).await.status, 413);
    // also where nothing says how long it will be
    let mut connection = site.connect().await;
    let head =
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    connection.write(head.as_bytes()).await;
    connection.write(format!("800\r\n{}\r\n", " ".repeat(0x800)).as_bytes()).await;
    assert_eq!(connection.reply().await.status, 413);
    let short = Request::stateless(&stateless(call(1, "book", json!({ "city": "Oslo" }))));
    assert_eq!(site.send(&short).await.status, 200);
}

#[tokio::test]
async fn long_bodies_below_the_limit_are_served() {
    let (site, _) = site().await;
    let long = "y".repeat(300_000);
    let answer = site.ask(&stateless(call(1, "echo", json!({ "text": long })))).await;
    assert_eq!(text(&answer), long);
}

#[tokio::test]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let world = World::default();
    let site = Site::start(server(&world).body_timeout(Duration::from_millis(50))).await;
    let mut connection = site.connect().await;
    let bytes = Request::stateless(&stateless(call(1, "echo", json!({})))).to_bytes();
    connection.write(&bytes[..bytes.len() - 5]).await;
    assert_eq!(connection.reply().await.status, 408);
}

#[tokio::test]
async fn headers_that_do_not_come_are_not_waited_for() {
    let world = World::default();
    let site = Site::start(server(&world).head_timeout(Duration::from_millis(50))).await;
    let mut connection = site.connect().await;
    connection.write(b"POST /mcp HTTP/1.1\r\nHost: loc").await;
    let rest = connection.rest().await;
    assert!(!rest.contains("200 OK"), "{rest}");
}

#[tokio::test]
async fn a_body_that_comes_slowly_is_served() {
    let (site, _) = site().await;
    let mut connection = site.connect().await;
    for bytes in Request::stateless(&stateless(call(1, "echo", json!({ "text": "slow" })))).to_bytes().chunks(100) {
        connection.write(bytes).await;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let answer = connection.reply().await.text().await;
    assert!(answer.contains("slow"), "{answer}");
}

#[tokio::test]
async fn headers_have_an_end() {
    let (site, _) = site().await;
    let request = Request::stateless(&stateless(call(1, "echo", json!({})))).with("X-Long", &"x".repeat(150_000));
    let mut connection = site.connect().await;
    connection.write(&request.to_bytes()).await;
    let rest = connection.rest().await;
    // a connection that is cut while we write takes its response with it
    assert!(rest.is_empty() || rest.starts_with("HTTP/1.1 431"), "{rest}");
}

#[tokio::test]
async fn requests_beyond_the_limit_come_again_later() {
    let world = World::default();
    let site = Site::start(server(&world).max_requests(1).keep_alive(Duration::from_millis(10))).await;
    let busy = site.send(&Request::stateless(&stateless(call(1, "nap", json!({ "millis": 60_000 }))))).await;
    let mut reply = site.send(&Request::stateless(&stateless(call(2, "echo", json!({}))))).await;
    assert_eq!((reply.status, reply.header("retry-after")), (503, Some("1")));
    assert_eq!(reply.message().await["id"], 2);
    drop(busy);
    crate::service::until(&world.dropped, 1).await;
    assert_eq!(site.send(&Request::stateless(&stateless(call(3, "echo", json!({}))))).await.status, 200);
}

#[tokio::test]
async fn streams_beyond_the_limit_come_again_later() {
    let world = World::default();
    let site = Site::start(server(&world).max_streams(1)).await;
    let session = site.session("2025-11-25", json!({})).await;
    let stream = site.send(&Request::bare("GET", &session)).await;
    let params = json!({ "notifications": { "toolsListChanged": true } });
    let listen = stateless(json!({ "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params }));
    assert_eq!(site.send(&Request::stateless(&listen)).await.status, 503);
    assert_eq!(site.send(&Request::bare("GET", &session)).await.status, 503);
    drop(stream);
}

struct Audit(std::sync::Mutex<Sender<()>>);

impl Listener for Audit {
    fn transport(&self, event: &TransportEvent) {
        if *event == TransportEvent::SlowReader {
            // the test may have heard enough
            let _ = self.0.lock().unwrap().send(());
        }
    }
}

#[tokio::test]
async fn a_reader_that_does_not_read_is_cut_and_told_of() {
    let (sender, heard) = channel();
    let http = Server::new(api::service(Travel)).listener(Audit(sender.into())).http();
    let site = Site::start(http.write_timeout(Duration::from_millis(100))).await;
    let mut stream = tokio::net::TcpStream::connect(site.address()).await.unwrap();
    let request = Request::stateless(&stateless(call(1, "book", json!({ "city": "x".repeat(10_000_000) })))).to_bytes();
    // more than the system keeps for both sides, and nothing of it is read
    stream.write_all(&request).await.unwrap();
    let told = tokio::task::spawn_blocking(move || heard.recv_timeout(Duration::from_secs(10)));
    told.await.unwrap().expect("the listener hears of it");
    drop(stream);
    let short = Request::stateless(&stateless(call(2, "book", json!({ "city": "Oslo" }))));
    assert_eq!(site.send(&short).await.status, 200, "others are served");
}
