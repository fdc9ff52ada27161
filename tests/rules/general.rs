//! §29: fields that many objects have.

use mcp_runtime::Revision;
use serde_json::json;

use crate::ERAS;
use crate::peer::Peer;

/// G1
#[tokio::test]
async fn keys_of_meta_that_the_server_makes_are_the_protocols_or_the_handlers() {
    for era in ERAS {
        let mut peer = Peer::of(era).await;
        let meta = peer.call("echo", json!({ "text": "a" })).await["_meta"].take();
        let keys: Vec<_> = meta.as_object().expect("an object").keys().map(String::as_str).collect();
        let expected = ["io.modelcontextprotocol/serverInfo", "example.com/traced"];
        assert_eq!(keys, expected[usize::from(!era.is_stateless())..]);
    }
}

/// G1
#[tokio::test]
async fn the_key_of_meta_that_is_ours_is_named_by_the_rules() {
    let mut peer = Peer::of(Revision::V2026_07_28).await;
    let meta = peer.result("server/discover", json!({})).await["_meta"].take();
    let keys: Vec<_> = meta.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(keys, ["io.modelcontextprotocol/serverInfo", "io.github.mcp-codegen/contract-hash"]);
    let (prefix, name) = keys[1].split_once('/').expect("a prefix");
    let labels: Vec<_> = prefix.split('.').collect();
    let is_word = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.ends_with(|c: char| c.is_ascii_alphanumeric())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    assert!(labels.iter().chain([&name]).all(|text| is_word(text)), "{prefix} {name}");
    // reserved, wherever the label stands
    assert!(!labels.iter().any(|label| ["mcp", "modelcontextprotocol"].contains(label)), "{prefix}");
}

/// G2
#[tokio::test]
async fn icons_reach_those_who_know_them() {
    let mut peer = Peer::of(Revision::V2026_07_28).await;
    let icon = json!([{ "src": "data:image/png;base64,AA==" }]);
    assert_eq!(peer.list("tools/list", "tools").await[0]["icons"], icon);
    assert_eq!(peer.list("resources/list", "resources").await[0]["icons"], icon);
}

/// G3
#[tokio::test]
async fn annotations_say_whom_a_resource_is_for() {
    for era in ERAS {
        let mut peer = Peer::of(era).await;
        let expected = json!({ "audience": ["user"], "priority": 0.5, "lastModified": "2026-01-01T00:00:00Z" });
        assert_eq!(peer.list("resources/list", "resources").await[0]["annotations"], expected);
    }
}

/// G4
#[tokio::test]
async fn extensions_that_the_server_lacks_change_nothing() {
    let mut peer = Peer::of(Revision::V2026_07_28).await;
    let capabilities = json!({ "extensions": { "example.com/unheard-of": {}, "io.modelcontextprotocol/tasks": {} } });
    let meta = json!({ "io.modelcontextprotocol/clientCapabilities": capabilities });
    let call = json!({ "name": "echo", "arguments": { "text": "a" }, "_meta": meta });
    assert_eq!(peer.result("tools/call", call).await["resultType"], "complete");
    assert_eq!(peer.error("tasks/get", json!({ "taskId": "x", "_meta": meta })).await["code"], -32_601);
}
