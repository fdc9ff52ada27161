//! §12: prompts.

use serde_json::{Value, json};

use crate::ERAS;
use crate::peer::Peer;

async fn get(peer: &mut Peer, name: &str, arguments: Value) -> Value {
    peer.result("prompts/get", json!({ "name": name, "arguments": arguments })).await
}

/// P1 P2
#[tokio::test]
async fn prompts_are_rendered_by_handlers_and_from_the_contract() {
    for era in ERAS {
        let mut peer = Peer::of(era).await;
        let greeting = get(&mut peer, "greet", json!({ "who": "Ann" })).await;
        let messages = json!([{ "role": "user", "content": { "type": "text", "text": "Greet Ann." } }]);
        assert_eq!((&greeting["messages"], &greeting["description"]), (&messages, &json!("A greeting")));
        let rules = get(&mut peer, "rules", json!({ "house": "the {{house}}" })).await;
        assert_eq!(rules["messages"][0]["content"]["text"], "Say the rules of the {{house}}.");
        assert_eq!(rules["messages"][1]["content"]["type"], "image");
        let rules = peer.result("prompts/get", json!({ "name": "rules" })).await;
        assert_eq!(rules["messages"][0]["content"]["text"], "Say the rules of .");
    }
}

/// P3
#[tokio::test]
async fn what_a_prompt_does_not_know_or_misses_is_refused() {
    for era in ERAS {
        let mut peer = Peer::of(era).await;
        for params in [
            json!({ "name": "none" }),
            json!({ "name": "greet" }),
            json!({ "name": "greet", "arguments": {} }),
            json!({ "name": "greet", "arguments": { "who": 7 } }),
            json!({ "name": "greet", "arguments": { "who": "Ann", "when": "now" } }),
            json!({ "name": "rules", "arguments": { "house": ["x"] } }),
            json!({ "name": "rules", "arguments": { "room": "x" } }),
            json!({ "arguments": {} }),
        ] {
            assert_eq!(peer.error("prompts/get", params.clone()).await["code"], -32_602, "{params}");
        }
    }
}
