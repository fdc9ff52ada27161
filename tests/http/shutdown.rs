//! The end: nothing new, what is under way to its end, and not for ever.

use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use mcp_runtime::Server;
use mcp_runtime::listener::{Listener, TransportEvent};
use serde_json::json;
use support::web::{Request, Site};

use crate::service::{World, call, stateless, text, tools};
use crate::{api, site, travel::Travel};

struct Audit(std::sync::Mutex<Sender<usize>>);

impl Listener for Audit {
    fn transport(&self, event: &TransportEvent) {
        if let TransportEvent::ShutDown { cut } = event {
            self.0.lock().unwrap().send(*cut).unwrap();
        }
    }
}

#[tokio::test]
async fn what_is_under_way_is_answered_and_nothing_new_is_taken() {
    let (site, _) = site().await;
    let address = site.address();
    let session = site.session("2025-11-25", json!({})).await;
    let mut stream = site.send(&Request::bare("GET", &session)).await;
    let mut connection = site.connect().await;
    connection.write(&Request::stateless(&stateless(call(1, "nap", json!({ "millis": 150 })))).to_bytes()).await;
    let mut reply = site.send(&Request::session(&session, &call(2, "nap", json!({ "millis": 150 })))).await;
    let served = site.stop();
    assert!(stream.messages().await.is_empty(), "a stream without an end of its own is closed");
    assert!(tokio::net::TcpStream::connect(address).await.is_err(), "nobody listens");
    assert_eq!(text(&reply.message().await), "slept 150");
    assert!(connection.reply().await.text().await.contains("slept 150"));
    served.await.unwrap().unwrap();
}

#[tokio::test]
async fn what_takes_too_long_is_cut_and_told_of() {
    let (sender, heard) = channel();
    let world = World::default();
    let server = Server::new(api::service(Travel)).provider(tools(&world)).listener(Audit(sender.into()));
    let site = Site::start(server.drain(Duration::from_millis(100)).http()).await;
    let session = site.session("2025-11-25", json!({})).await;
    let mut connection = site.connect().await;
    connection.write(&Request::stateless(&stateless(call(1, "nap", json!({ "millis": 60_000 })))).to_bytes()).await;
    let mut reply = site.send(&Request::session(&session, &call(2, "nap", json!({ "millis": 60_000 })))).await;
    let begun = Instant::now();
    site.stop().await.unwrap().unwrap();
    // long before the calls would have ended
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    assert_eq!(heard.try_recv(), Ok(2));
    assert!(reply.messages().await.is_empty());
    crate::service::until(&world.dropped, 2).await;
}
