//! Many clients at once: nobody hears what is another's.

use serde_json::json;
use support::web::Request;

use crate::service::{call, stateless, text};
use crate::site;

const CLIENTS: usize = 64;

#[tokio::test]
async fn r49_64_connections_with_one_request_id_never_see_another_s_answer() {
    let (site, _) = site().await;
    let site = std::sync::Arc::new(site);
    let mut clients = tokio::task::JoinSet::new();
    for client in 0..CLIENTS {
        let site = std::sync::Arc::clone(&site);
        clients.spawn(async move {
            let session = site.session("2025-11-25", json!({ "roots": {} })).await;
            let mut connection = site.connect().await;
            for round in 0..20 {
                let mine = format!("{client}/{round}");
                // an answer at once, one that takes its time, and one that needs an answer itself; all with the id 1
                let echo = call(1, "echo", json!({ "text": mine }));
                let request = if round % 2 == 0 {
                    Request::stateless(&stateless(echo))
                } else {
                    Request::session(&session, &echo)
                };
                let mut reply = connection.send(&request).await;
                assert_eq!(text(&reply.message().await), mine);
                connection = reply.into_connection();
            }
            let millis = 1 + client % 7;
            let mut reply =
                connection.send(&Request::session(&session, &call(1, "nap", json!({ "millis": millis })))).await;
            assert_eq!(text(&reply.message().await), format!("slept {millis}"));
            let mut reply = site.send(&Request::session(&session, &call(1, "trip", json!({})))).await;
            let question = reply.next_message().await;
            let roots = json!({ "roots": [{ "uri": format!("file:///{client}") }] });
            let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": roots });
            assert_eq!(site.send(&Request::session(&session, &answer)).await.status, 202);
            assert_eq!(text(&reply.message().await), format!("file:///{client}"));
        });
    }
    let mut done = 0;
    while let Some(client) = clients.join_next().await {
        client.expect("a client whose answers are its own");
        done += 1;
    }
    assert_eq!(done, CLIENTS);
}
