//! Sessions that survive the process that opened them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use mcp_runtime::http::{SessionStore, Stored};
use serde_json::json;
use support::web::{Request, Site};

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
