//! §15 to §17: log messages, progress, cancellation.

use std::sync::atomic::Ordering;
use std::time::Duration;

use mcp_runtime::{Revision, Server};
use serde_json::{Value, json};

use crate::house::House;
use crate::peer::Peer;
use crate::{ERAS, api};

const LOG: &str = "notifications/message";
const PROGRESS: &str = "notifications/progress";

async fn talk(peer: &mut Peer, meta: Value) -> Vec<Value> {
    let (answer, heard) = peer.heard("tools/call", json!({ "name": "talk", "_meta": meta })).await;
    assert!(answer["result"].is_object(), "{answer}");
    heard
}

fn levels(heard: &[Value]) -> Vec<&str> {
    let logs = heard.iter().filter(|message| message["method"] == LOG);
    logs.map(|message| message["params"]["level"].as_str().expect("a level")).collect()
}

/// LG1 LG2
#[tokio::test]
async fn a_session_says_from_which_level_on_it_listens() {
    let mut peer = Peer::of(Revision::V2025_11_25).await;
    for (level, expected) in [
        ("debug", vec!["debug", "info", "warning", "emergency"]),
        ("notice", vec!["warning", "emergency"]),
        ("emergency", vec!["emergency"]),
    ] {
        assert_eq!(peer.result("logging/setLevel", json!({ "level": level })).await, json!({}));
        let heard = talk(&mut peer, json!({})).await;
        assert_eq!(levels(&heard), expected);
        assert!(heard.iter().all(|message| message["params"]["data"] == message["params"]["level"]));
    }
    for wrong in [json!({}), json!({ "level": "loud" }), json!({ "level": 1 }), json!({ "level": "WARNING" })] {
        assert_eq!(peer.error("logging/setLevel", wrong).await["code"], -32_602);
    }
}

/// LG3
#[tokio::test]
async fn a_stateless_request_says_it_for_itself_and_hears_nothing_unasked() {
    let mut peer = Peer::of(Revision::V2026_07_28).await;
    let level = |level: &str| json!({ "io.modelcontextprotocol/logLevel": level });
    assert_eq!(levels(&talk(&mut peer, level("warning")).await), ["warning", "emergency"]);
    assert_eq!(levels(&talk(&mut peer, json!({})).await), Vec::<&str>::new());
    let loud = json!({ "name": "talk", "_meta": level("loud") });
    assert_eq!(peer.error("tools/call", loud).await["code"], -32_602);
    assert_eq!(peer.error("logging/setLevel", json!({ "level": "debug" })).await["code"], -32_601);
}

/// PR1 PR2 PR3
#[tokio::test]
async fn progress_rises_under_the_token_of_its_request_and_ends_with_the_answer() {
    for revision in Revision::ALL {
        let mut peer = Peer::of(revision).await;
        for token in [json!("t"), json!("7"), json!(7)] {
            let heard = talk(&mut peer, json!({ "progressToken": token })).await;
            let steps: Vec<&Value> = heard.iter().filter(|message| message["method"] == PROGRESS).collect();
            let done: Vec<_> =
                steps.iter().map(|step| step["params"]["progress"].as_f64().expect("a number")).collect();
            assert_eq!(done, [1.0, 2.5, 3.0], "{revision}");
            assert!(
                steps.iter().all(|step| step["params"]["progressToken"] == token && step["params"]["total"] == 3.0)
            );
            let has_words = steps.iter().all(|step| step["params"].get("message").is_some());
            assert_eq!(has_words, revision >= Revision::V2025_03_26);
        }
        let heard = talk(&mut peer, json!({})).await;
        assert!(heard.iter().all(|message| message["method"] != PROGRESS), "{heard:?}");
        for wrong in [json!(1.5), json!([]), json!(true)] {
            let call = json!({ "name": "talk", "_meta": { "progressToken": wrong } });
            assert_eq!(peer.error("tools/call", call).await["code"], -32_602);
        }
    }
}

/// CN1 J3 R46
#[tokio::test]
async fn a_cancelled_request_is_dropped_without_an_answer_and_its_id_is_free() {
    for era in ERAS {
        let house = House::default();
        let mut peer = Peer::with(Server::new(api::service(house.clone())), era).await;
        for how in ["wait", "watch"] {
            let (begun, ended) = (house.begun.load(Ordering::SeqCst), house.ended.load(Ordering::SeqCst));
            let id = peer.start("tools/call", json!({ "name": "act", "arguments": { "how": how } })).await;
            while house.begun.load(Ordering::SeqCst) == begun {
                tokio::task::yield_now().await;
            }
            for cancelled in [json!({ "requestId": id, "reason": "enough" }), json!({ "requestId": 99 }), json!({})] {
                peer.memory
                    .say(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled }))
                    .await;
            }
            // the same id once more: the answer is the second request's
            let mut again = peer.request("resources/read", json!({ "uri": "house://plan" }));
            again["id"] = json!(id);
            let answer = peer.memory.ask(&again).await;
            assert!(answer["result"]["contents"].is_array(), "{how}: {answer}");
            tokio::time::sleep(Duration::from_millis(400)).await;
            let expected = ended + usize::from(how == "watch");
            assert_eq!(house.ended.load(Ordering::SeqCst), expected, "{how}");
            peer.result("tools/list", json!({})).await;
        }
    }
}

/// CN1
#[tokio::test]
async fn what_is_finished_cannot_be_cancelled_and_nobody_complains() {
    for era in ERAS {
        let mut peer = Peer::of(era).await;
        let id = peer.start("tools/list", json!({})).await;
        assert_eq!(peer.memory.hear().await["id"], id);
        peer.memory
            .say(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }))
            .await;
        peer.result("tools/list", json!({})).await;
    }
}
