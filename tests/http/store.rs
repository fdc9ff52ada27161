//! What outlives a connection: sessions that survive the process that opened them, and events that end with their session.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_runtime::http::{EventStore, SessionStore, Stored, StoredEvent};
use serde_json::{Value, json};
use support::web::{Request, Site};
use tokio::time::{sleep, timeout};

use crate::service::{World, call, server, text};

/// A store that two servers share.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<HashMap<String, String>>>);

impl SessionStore for Shared {
    fn save<'a>(&'a self, session: &'a str, record: String) -> Stored<'a, ()> {
        self.0.lock().unwrap().insert(session.to_owned(), record);
        Box::pin(std::future::ready(()))
    }

    fn load<'a>(&'a self, session: &'a str) -> Stored<'a, Option<String>> {
        let record = self.0.lock().unwrap().get(session).cloned();
        Box::pin(std::future::ready(record))
    }

    fn remove<'a>(&'a self, session: &'a str) -> Stored<'a, ()> {
        self.0.lock().unwrap().remove(session);
        Box::pin(std::future::ready(()))
    }
}

#[tokio::test]
async fn r16_a_session_goes_on_after_a_restart() {
    let (store, world) = (Shared::default(), World::default());
    let site = Site::start(server(&world).session_store(store.clone())).await;
    let session = site.session("2025-06-18", json!({ "roots": {} })).await;
    site.stop().await.unwrap().unwrap();

    let site = Site::start(server(&world).session_store(store.clone())).await;
    let mut reply = site.send(&Request::session(&session, &call(1, "trip", json!({})))).await;
    assert_eq!(reply.status, 200);
    let question = reply.next_message().await;
    assert_eq!(question["method"], "roots/list", "what the client declared is remembered");
    let roots = json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "roots": [{ "uri": "file:///a" }] } });
    assert_eq!(site.send(&Request::session(&session, &roots)).await.status, 202);
    assert_eq!(text(&reply.message().await), "file:///a");
    // it hears of changes as before
    let mut stream = site.send(&Request::bare("GET", &session)).await;
    world.changes.tools_changed();
    assert_eq!(stream.next_message().await["method"], "notifications/tools/list_changed");
    assert_eq!(site.send(&Request::bare("DELETE", &session)).await.status, 204);
    assert!(store.0.lock().unwrap().is_empty());
    assert_eq!(site.send(&Request::session(&session, &call(1, "echo", json!({})))).await.status, 404);
}

#[tokio::test]
async fn what_a_session_asked_for_is_remembered_too() {
    let (store, world) = (Shared::default(), World::default());
    let site = Site::start(server(&world).session_store(store.clone())).await;
    let session = site.session("2025-11-25", json!({})).await;
    let settings =
        |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    for message in [
        settings("logging/setLevel", json!({ "level": "emergency" })),
        settings("resources/subscribe", json!({ "uri": "travel://news" })),
    ] {
        assert_eq!(site.send(&Request::session(&session, &message)).await.message().await["result"], json!({}));
    }
    site.stop().await.unwrap().unwrap();

    let site = Site::start(server(&world).session_store(store.clone())).await;
    // the tool logs an error, which is less than an emergency
    let mut chatter = call(2, "chatter", json!({}));
    chatter["params"]["_meta"] = json!({ "progressToken": "p" });
    let heard = site.send(&Request::session(&session, &chatter)).await.messages().await;
    assert!(heard.iter().all(|message| message["method"] != "notifications/message"), "{heard:?}");
    let mut stream = site.send(&Request::bare("GET", &session)).await;
    world.changes.resource_updated("travel://news");
    assert_eq!(stream.next_message().await["params"]["uri"], "travel://news");
    // what is taken back is forgotten
    let unsubscribe = settings("resources/unsubscribe", json!({ "uri": "travel://news" }));
    assert_eq!(site.send(&Request::session(&session, &unsubscribe)).await.status, 200);
    assert!(!store.0.lock().unwrap()[&session].contains("travel://news"));
}

#[tokio::test]
async fn a_record_from_before_there_was_more_in_it_is_read() {
    let (store, world) = (Shared::default(), World::default());
    let record = r#"{"revision":"2025-06-18","capabilities":"{}","name":"c","version":"1"}"#;
    store.0.lock().unwrap().insert("old".to_owned(), record.to_owned());
    let site = Site::start(server(&world).session_store(store)).await;
    let mut reply = site.send(&Request::session("old", &call(1, "echo", json!({ "text": "hello" })))).await;
    assert_eq!(text(&reply.message().await), "hello");
}

/// Events by session, in a store that takes its time to keep one.
#[derive(Clone, Default)]
struct Slow(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    begun: usize,
    ended: usize,
    events: HashMap<String, Vec<StoredEvent>>,
}

impl EventStore for Slow {
    fn keep<'a>(&'a self, session: &'a str, event: StoredEvent) -> Stored<'a, ()> {
        Box::pin(async move {
            self.0.lock().unwrap().begun += 1;
            sleep(Duration::from_millis(50)).await;
            let mut kept = self.0.lock().unwrap();
            kept.events.entry(session.to_owned()).or_default().push(event);
            kept.ended += 1;
        })
    }

    fn after<'a>(&'a self, _: &'a str, _: u64, _: u64) -> Stored<'a, Vec<StoredEvent>> {
        Box::pin(std::future::ready(Vec::new()))
    }

    fn forget<'a>(&'a self, session: &'a str) -> Stored<'a, ()> {
        self.0.lock().unwrap().events.remove(session);
        Box::pin(std::future::ready(()))
    }
}

impl Slow {
    async fn until(&self, holds: impl Fn(&Kept) -> bool) {
        let held = async {
            while !holds(&self.0.lock().unwrap()) {
                sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(5), held).await.unwrap();
    }
}

#[tokio::test]
async fn events_do_not_outlive_the_session_that_ends_while_they_are_kept() {
    let (store, world) = (Slow::default(), World::default());
    let site = Site::start(server(&world).event_store(store.clone())).await;
    let session = site.session("2025-11-25", json!({})).await;
    let _reply = site.send(&Request::session(&session, &call(1, "chatter", json!({ "millis": 1000 })))).await;
    store.until(|kept| kept.begun > 0).await;
    assert_eq!(site.send(&Request::bare("DELETE", &session)).await.status, 204);
    store.until(|kept| kept.ended > 0 && kept.events.is_empty()).await;
    assert_eq!(site.send(&Request::bare("GET", &session)).await.status, 404);
}
