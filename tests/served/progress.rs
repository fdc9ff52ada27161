//! Progress: paced, and only for those who asked.

use std::time::Duration;

use mcp_runtime::testing::Client;
use mcp_runtime::{Revision, Server, Service};
use serde_json::{Value, json};

use crate::travel::Travel;
use crate::{ERAS, api};

/// PR2
#[tokio::test]
async fn notices_are_few_and_the_last_one_comes_before_the_answer() {
    for era in ERAS {
        let mut client = Client::new(api::service(Travel)).revision(era);
        let meta = json!({ "progressToken": "t" });
        let params = json!({ "name": "count", "arguments": { "to": 100_000 }, "_meta": meta });
        assert_eq!(
            client.request("tools/call", params).await.expect("as the protocol says")["content"][0]["text"],
            "done"
        );
        let heard = client.unasked();
        let steps: Vec<f64> = heard.iter().filter_map(|message| message["params"]["progress"].as_f64()).collect();
        assert!(heard.len() < 200 && steps.is_sorted(), "{steps:?}");
        assert_eq!(steps.last(), Some(&100_000.0));
        assert!(heard.iter().all(|message| message["params"]["progressToken"] == "t"));
    }
}

#[tokio::test]
async fn nobody_hears_of_progress_unasked() {
    for era in ERAS {
        let mut client = Client::new(api::service(Travel)).revision(era);
        client.call("count", json!({ "to": 5 })).await.expect("as the protocol says");
        assert_eq!(client.unasked(), Vec::<Value>::new());
    }
}

/// What a client is told while the tool runs: progress, total and message of each notice.
async fn told(server: Server<impl Service>, era: Revision, tool: &str, millis: u64) -> Vec<Value> {
    let mut client = Client::new(server).revision(era);
    let meta = json!({ "progressToken": 7 });
    let params = json!({ "name": tool, "arguments": { "millis": millis }, "_meta": meta });
    client.request("tools/call", params).await.expect("as the protocol says");
    let notices = client.unasked();
    assert!(notices.iter().all(|notice| notice["params"]["progressToken"] == 7), "{notices:?}");
    notices.into_iter().map(|mut notice| notice["params"].take()).collect()
}

fn done(notice: &Value) -> f64 {
    notice["progress"].as_f64().expect("a number")
}

/// PR2, LC9: a client that gives up on silence hears that the handler still runs, by progress that grows.
#[tokio::test]
async fn a_handler_that_runs_long_keeps_its_client_waiting() {
    for era in ERAS {
        let server = Server::new(api::service(Travel)).heartbeat(Duration::from_millis(20));
        let heard = told(server, era, "wait", 300).await;
        assert!((5..20).contains(&heard.len()), "{heard:?}");
        assert!(heard.windows(2).all(|two| done(&two[0]) < done(&two[1])), "{heard:?}");
        let beats = &heard[1..heard.len() - 1];
        assert!(beats.iter().all(|beat| done(beat) < 1.001 && beat["message"] == "waiting" && beat["total"] == 2.0));
        assert_eq!(heard.last().expect("the last")["message"], "there it is");
        let server = Server::new(api::service(Travel)).heartbeat(Duration::from_millis(20));
        let heard = told(server, era, "sleep", 300).await;
        assert!((5..20).contains(&heard.len()) && heard.iter().all(|beat| done(beat) < 0.001), "{heard:?}");
    }
}

/// PR1: whoever did not ask hears nothing, and a server can leave it to its handlers.
#[tokio::test]
async fn heartbeats_are_for_those_who_ask() {
    for era in ERAS {
        let server = Server::new(api::service(Travel)).heartbeat(None);
        assert_eq!(told(server, era, "wait", 100).await.len(), 2);
        let server = Server::new(api::service(Travel)).heartbeat(Duration::from_millis(20));
        let mut client = Client::new(server).revision(era);
        client.call("wait", json!({ "millis": 100 })).await.expect("as the protocol says");
        assert_eq!(client.unasked(), Vec::<Value>::new());
    }
}
