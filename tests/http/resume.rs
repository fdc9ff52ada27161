//! Clients that come back: for an answer that they missed, or that the server bade them come back for.

use std::time::Duration;

use serde_json::json;
use support::web::{Request, Site};

use crate::service::{World, call, server, text, until};
use crate::site;

#[tokio::test]
async fn hl11_a_stream_begins_with_a_way_back_where_clients_know_it() {
    let (site, _) = site().await;
    let nap = call(1, "nap", json!({ "millis": 20 }));
    let session = site.session("2025-11-25", json!({})).await;
    let mut reply = site.send(&Request::session(&session, &nap)).await;
    let first = reply.event().await.unwrap();
    assert!(first.id.is_some() && first.data.is_empty() && first.retry.is_some(), "{first:?}");
    let older = site.session("2025-06-18", json!({})).await;
    let mut reply = site.send(&Request::session(&older, &nap)).await;
    let first = reply.event().await.unwrap();
    assert!(first.id.is_some() && first.data.contains("slept 20"), "{first:?}");
}

#[tokio::test]
async fn hl10_who_comes_back_hears_what_was_missed_on_that_stream() {
    let (site, world) = site().await;
    let session = site.session("2025-11-25", json!({})).await;
    let mut other = site.send(&Request::session(&session, &call(9, "nap", json!({ "millis": 30 })))).await;
    let mut reply = site.send(&Request::session(&session, &call(1, "chatter", json!({ "millis": 100 })))).await;
    let first = reply.event().await.and_then(|event| event.id).unwrap();
    let said = reply.event().await.unwrap();
    assert!(said.data.contains("before"), "{said:?}");
    drop(reply);
    assert_eq!(text(&other.message().await), "slept 30");
    until(&world.ended, 1).await;
    for (last, expected) in [(said.id.unwrap(), 1), (first, 2)] {
        // while the call is under way, and when it is over
        let mut again = site.send(&Request::bare("GET", &session).with("Last-Event-ID", &last)).await;
        let heard = again.messages().await;
        assert_eq!(heard.len(), expected, "{heard:?}");
        assert_eq!(text(&heard[expected - 1]), "chattered");
    }
    // to another session the id means nothing
    let stranger = site.session("2025-11-25", json!({})).await;
    let mut again = site.send(&Request::bare("GET", &stranger).with("Last-Event-ID", "2-0")).await;
    assert!(again.messages().await.is_empty());
    let nonsense = site.send(&Request::bare("GET", &session).with("Last-Event-ID", "nonsense")).await;
    assert_eq!(nonsense.status, 400);
}

#[tokio::test]
async fn hl11_a_handler_can_let_go_of_the_connection() {
    let (site, _) = site().await;
    let leave = call(1, "leave", json!({ "millis": 100 }));
    let session = site.session("2025-11-25", json!({})).await;
    let mut reply = site.send(&Request::session(&session, &leave)).await;
    let last = reply.event().await.and_then(|event| event.id).unwrap();
    assert_eq!(reply.event().await, None, "the stream ends before the answer");
    let mut again = site.send(&Request::bare("GET", &session).with("Last-Event-ID", &last)).await;
    assert_eq!(text(&again.message().await), "you came back");
    // who could not come back keeps the connection
    let older = site.session("2025-06-18", json!({})).await;
    assert_eq!(text(&site.send(&Request::session(&older, &leave)).await.message().await), "you came back");
    let message = crate::service::stateless(leave);
    assert_eq!(text(&site.ask(&message).await), "you came back");
}

#[tokio::test]
async fn hl10_the_standalone_stream_goes_on_where_it_broke() {
    let world = World::default();
    let site = Site::start(server(&world).keep_alive(Duration::from_millis(20))).await;
    let session = site.session("2025-11-25", json!({})).await;
    let mut stream = site.send(&Request::bare("GET", &session)).await;
    let mut last = stream.event().await.and_then(|event| event.id).unwrap();
    world.changes.tools_changed();
    stream.next_message().await;
    drop(stream);
    world.changes.prompts_changed();
    for expected in [vec!["tools", "prompts"], vec!["prompts"]] {
        let mut again = site.send(&Request::bare("GET", &session).with("Last-Event-ID", &last)).await;
        for (index, list) in expected.iter().enumerate() {
            let event = loop {
                let event = again.event().await.unwrap();
                if !event.data.is_empty() {
                    break event;
                }
            };
            assert!(event.data.contains(&format!("notifications/{list}/list_changed")), "{event:?}");
            if index == 0 {
                last = event.id.unwrap();
            }
        }
    }
}
