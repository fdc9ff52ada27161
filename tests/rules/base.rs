//! §2: JSON-RPC.

use serde_json::{Value, json};

use crate::ERAS;
use crate::house::SECRET;
use crate::peer::Peer;

fn keys(object: &Value) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// J1 J2 J4 J5
#[tokio::test]
async fn an_answer_has_the_id_of_its_request_and_a_result_or_an_error() {
    for era in ERAS {
        let mut peer = Peer::of(era).await;
        for id in [json!("a"), json!("7"), json!(7), json!(-7)] {
            let mut request = peer.request("tools/list", json!({}));
            request["id"] = id.clone();
            let answer = peer.memory.ask(&request).await;
            assert_eq!(
                (keys(&answer), &answer["id"], &answer["jsonrpc"]),
                (vec!["jsonrpc", "id", "result"], &id, &json!("2.0"))
            );
            request["method"] = json!("tools/none");
            let answer = peer.memory.ask(&request).await;
            assert_eq!((keys(&answer), &answer["id"]), (vec!["jsonrpc", "id", "error"], &id));
            assert!(answer["error"]["code"].is_i64() && answer["error"]["message"].is_string());
        }
    }
}

/// J8
#[tokio::test]
async fn each_kind_of_fault_has_its_code_and_ours_leaks_nothing() {
    for era in ERAS {
        let mut peer = Peer::of(era).await;
        for (method, params, code) in [
            ("rooms/list", json!({}), -32_601),
            ("tools/call", json!({ "name": 7 }), -32_602),
            ("resources/read", json!({}), -32_602),
            ("prompts/get", json!({ "name": "greet", "arguments": [] }), -32_602),
            ("resources/read", json!({ "uri": "house://1/broken" }), -32_603),
            ("resources/read", json!({ "uri": "house://1/cursed" }), -32_603),
            ("prompts/get", json!({ "name": "leave" }), -32_603),
        ] {
            let mut wrong = peer.request(method, params);
            let error = peer.memory.ask(&wrong).await["error"].take();
            assert_eq!(error["code"], code, "{method}: {error}");
            let shows = method == "resources/read" && error["message"].as_str().expect("a text").contains(SECRET);
            // on a stream of our own client, the text of an error is shown, and a panic's never
            assert_eq!(shows, wrong["params"]["uri"] == "house://1/broken", "{error}");
            wrong["params"] = json!([]);
            assert_eq!(peer.memory.ask(&wrong).await["error"]["code"], -32_602);
        }
    }
}

/// J9
#[tokio::test]
async fn members_that_nobody_knows_are_ignored() {
    for era in ERAS {
        let mut peer = Peer::of(era).await;
        let meta = json!({ "example.com/x": [1, { "y": null }], "z": true });
        for (method, params) in [
            ("tools/list", json!({ "unheard_of": {} })),
            ("tools/call", json!({ "name": "contents", "unheard_of": 1, "task_": {} })),
            ("resources/read", json!({ "uri": "house://plan", "unheard_of": [] })),
            ("prompts/get", json!({ "name": "rules", "unheard_of": "x" })),
        ] {
            let mut params = params;
            params["_meta"] = meta.clone();
            peer.result(method, params).await;
        }
    }
}

/// J6 J10
#[tokio::test]
async fn a_response_that_nobody_waits_for_is_dropped() {
    for era in ERAS {
        let mut peer = Peer::of(era).await;
        peer.memory.say(&json!({ "jsonrpc": "2.0", "id": 1, "result": {} })).await;
        peer.memory.say(&json!({ "jsonrpc": "2.0", "id": "x", "error": { "code": -1, "message": "no" } })).await;
        peer.memory.say(&json!({ "jsonrpc": "2.0", "method": "notifications/unheard_of" })).await;
        peer.result("tools/list", json!({})).await;
    }
}
