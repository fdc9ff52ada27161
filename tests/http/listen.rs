//! `subscriptions/listen`: a stream for whoever asks, for as long as the connection lasts.

use std::time::Duration;

use serde_json::{Value, json};
use support::web::{Reply, Request, Site};

use crate::service::{World, server, stateless};
use crate::site;

const ID: &str = "io.modelcontextprotocol/subscriptionId";

async fn listen(site: &Site, id: u64, wanted: Value) -> Reply {
    let params = json!({ "notifications": wanted });
    let message = json!({ "jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": params });
    let reply = site.send(&Request::stateless(&stateless(message))).await;
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("text/event-stream")));
    assert_eq!(reply.header("x-accel-buffering"), Some("no"), "sb7");
    reply
}

#[tokio::test]
async fn sb2_to_sb4_each_stream_hears_what_it_asked_for() {
    let (site, world) = site().await;
    // ids are the client's own: two clients may have the same
    let mut tools = listen(&site, 1, json!({ "toolsListChanged": true })).await;
    let mut news = listen(&site, 1, json!({ "resourceSubscriptions": ["travel://news", "travel://terms"] })).await;
    let acknowledged = tools.next_message().await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(acknowledged["params"]["notifications"], json!({ "toolsListChanged": true }));
    let acknowledged = news.next_message().await;
    assert_eq!(acknowledged["params"]["notifications"], json!({ "resourceSubscriptions": ["travel://news"] }));
    world.changes.prompts_changed();
    world.changes.tools_changed();
    world.changes.resource_updated("travel://news");
    let (heard, read) = (tools.next_message().await, news.next_message().await);
    assert_eq!(
        (&heard["method"], &heard["params"]["_meta"][ID]),
        (&"notifications/tools/list_changed".into(), &json!(1))
    );
    assert_eq!((&read["params"]["uri"], &read["params"]["_meta"][ID]), (&"travel://news".into(), &json!(1)));
}

#[tokio::test]
async fn sb5_a_server_that_ends_says_so_with_a_result() {
    let (site, _) = site().await;
    let mut stream = listen(&site, 7, json!({ "toolsListChanged": true })).await;
    stream.next_message().await;
    let served = site.stop();
    let rest = stream.messages().await;
    assert_eq!(rest.len(), 1, "cn3, no notification beside it: {rest:?}");
    assert_eq!((&rest[0]["id"], &rest[0]["result"]["_meta"][ID]), (&json!(7), &json!(7)));
    served.await.unwrap().unwrap();
}

#[tokio::test]
async fn sb7_silence_is_broken_now_and_then() {
    let world = World::default();
    let site = Site::start(server(&world).keep_alive(Duration::from_millis(20))).await;
    let mut stream = listen(&site, 1, json!({ "toolsListChanged": true })).await;
    stream.next_message().await;
    for _ in 0..3 {
        assert!(stream.event().await.unwrap().comment.is_some());
    }
}

#[tokio::test]
async fn a_filter_is_needed() {
    let (site, _) = site().await;
    let message = stateless(json!({ "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {} }));
    let mut reply = site.send(&Request::stateless(&message)).await;
    assert_eq!((reply.message().await["error"]["code"].as_i64(), reply.status), (Some(-32_602), 400));
}
