//! §9 and §10: tools and their schemas.

use mcp_runtime::{Changes, Revision};
use serde_json::{Value, json};

use crate::ERAS;
use crate::house::SECRET;
use crate::peer::{Peer, server};

fn types(result: &Value) -> Vec<&str> {
    let content = result["content"].as_array().expect("content");
    content.iter().map(|block| block["type"].as_str().expect("a type")).collect()
}

/// T1 T2 T5 T14
#[tokio::test]
async fn tools_are_declared_and_listed_as_the_contract_says() {
    for era in ERAS {
        let mut peer = Peer::of(era).await;
        let tools = peer.list("tools/list", "tools").await;
        assert_eq!(tools[0]["annotations"], json!({ "title": "Echo it", "readOnlyHint": true }));
        assert_eq!(tools[0]["_meta"], json!({ "example.com/kind": "sound" }));
        let nothing = json!({ "type": "object", "properties": {}, "additionalProperties": false });
        assert_eq!(tools[1]["inputSchema"], nothing);
        assert!(tools.iter().all(|tool| tool["inputSchema"]["type"] == "object"));
    }
}

/// JS1 JS3
#[tokio::test]
async fn a_schema_of_the_authors_own_is_listed_whole() {
    for era in ERAS {
        let mut peer = Peer::of(era).await;
        let schema = peer.list("tools/list", "tools").await[2]["inputSchema"].take();
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert_eq!((&schema["$defs"]["Flag"]["$anchor"], &schema["x-own"]), (&json!("flag"), &json!([1])));
        assert_eq!(
            (&schema["properties"]["upper"]["$ref"], &schema["additionalProperties"]),
            (&json!("#/$defs/Flag"), &json!(false))
        );
        peer.call("names", json!({ "upper": true })).await;
        assert_eq!(peer.call("names", json!({ "upper": 1 })).await["isError"], true);
    }
}

/// T6 T7
#[tokio::test]
async fn a_call_that_is_none_is_an_error_of_the_protocol() {
    for revision in Revision::ALL {
        let mut peer = Peer::of(revision).await;
        assert_eq!(
            types(&peer.result("tools/call", json!({ "name": "contents" })).await)[0],
            "text",
            "no arguments are none"
        );
        for params in [
            json!({ "name": "none" }),
            json!({ "name": "Echo" }),
            json!({}),
            json!({ "name": null }),
            json!({ "name": "echo", "arguments": [] }),
        ] {
            assert_eq!(peer.error("tools/call", params).await["code"], -32_602, "{revision}");
        }
    }
}

/// T8 T9
#[tokio::test]
async fn a_model_can_act_on_what_fails() {
    for revision in Revision::ALL {
        let mut peer = Peer::of(revision).await;
        for (tool, arguments, word) in [
            ("echo", json!({}), "text"),
            ("echo", json!({ "text": [] }), "/text: expected a string"),
            ("echo", json!({ "text": "a", "loud": true }), "/loud: unknown argument"),
            ("act", json!({ "how": "fail" }), "the door is locked"),
            ("act", json!({ "how": "break" }), SECRET),
        ] {
            let result = peer.call(tool, arguments).await;
            let text = result["content"][0]["text"].as_str().expect("a text");
            assert_eq!(result["isError"], true, "{revision}: {result}");
            assert!(text.contains(word), "{revision}: {text}");
        }
    }
}

/// T10 T11
#[tokio::test]
async fn a_result_with_an_output_schema_is_structured_and_a_text() {
    for revision in Revision::ALL {
        let mut peer = Peer::of(revision).await;
        let result = peer.call("echo", json!({ "text": "2.5" })).await;
        let structured = revision >= Revision::V2025_06_18;
        let expected = json!({ "text": "2.5", "weight": 2.5 });
        assert_eq!(result.get("structuredContent"), structured.then_some(&expected), "{revision}");
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().expect("a text")).expect("JSON");
        assert_eq!((text, result.get("isError")), (expected, None));
    }
}

/// T11 R30
#[tokio::test]
async fn an_output_that_breaks_its_schema_is_our_fault_and_an_error_has_none() {
    for era in ERAS {
        let mut peer = Peer::of(era).await;
        let error = peer.error("tools/call", json!({ "name": "echo", "arguments": { "text": "nan" } })).await;
        assert_eq!(error["code"], -32_603, "{error}");
        let failed = peer.call("echo", json!({ "text": 7.5, "loud": 1 })).await;
        assert_eq!((&failed["isError"], failed.get("structuredContent")), (&json!(true), None));
    }
}

/// T12
#[tokio::test]
async fn an_output_that_is_no_object_is_a_text_for_those_who_know_only_objects() {
    for revision in Revision::ALL {
        let mut peer = Peer::of(revision).await;
        let result = peer.call("names", json!({})).await;
        let names = json!(["hall", "attic"]);
        assert_eq!(result.get("structuredContent"), revision.is_stateless().then_some(&names), "{revision}");
        assert_eq!(result["content"][0]["text"], names.to_string());
    }
}

/// T13 G3
#[tokio::test]
async fn content_that_a_revision_lacks_is_told_in_words() {
    for revision in Revision::ALL {
        let mut peer = Peer::of(revision).await;
        let result = peer.call("contents", json!({})).await;
        let audio = if revision >= Revision::V2025_03_26 { "audio" } else { "text" };
        let link = if revision >= Revision::V2025_06_18 { "resource_link" } else { "text" };
        assert_eq!(types(&result), ["text", "image", audio, link, "resource", "resource"], "{revision}");
        let content = &result["content"];
        assert_eq!((&content[0]["annotations"]["priority"], &content[1]["data"]), (&json!(0.5), &json!("iVBORw==")));
        assert_eq!(content[0].get("_meta").is_some(), revision >= Revision::V2025_06_18);
        assert_eq!(
            (&content[4]["resource"]["text"], &content[5]["resource"]["blob"]),
            (&json!("Two floors."), &json!("iVBORw=="))
        );
    }
}

/// T15 RS8 P4
#[tokio::test]
async fn changes_of_lists_reach_sessions_and_the_streams_that_asked() {
    let changes = Changes::new();
    let mut session = Peer::with(server().changes(&changes), Revision::V2025_11_25).await;
    session.memory.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    session.result("ping", json!({})).await;
    let mut stateless = Peer::with(server().changes(&changes), Revision::V2026_07_28).await;
    let listen = json!({ "notifications": { "toolsListChanged": true } });
    stateless.start("subscriptions/listen", listen).await;
    assert_eq!(stateless.memory.hear().await["method"], "notifications/subscriptions/acknowledged");
    changes.tools_changed();
    changes.prompts_changed();
    changes.resources_changed();
    let mut heard = Vec::new();
    for _ in 0..3 {
        heard.push(session.memory.hear().await["method"].take());
    }
    for kind in ["tools", "prompts", "resources"] {
        assert!(heard.contains(&json!(format!("notifications/{kind}/list_changed"))), "{heard:?}");
    }
    assert_eq!(stateless.memory.hear().await["method"], "notifications/tools/list_changed");
    // and of nothing else
    stateless.result("tools/list", json!({})).await;
}

/// T16
#[tokio::test]
async fn calls_change_no_list() {
    let mut peer = Peer::of(Revision::V2026_07_28).await;
    let before = peer.list("tools/list", "tools").await;
    peer.call("act", json!({ "how": "fail" })).await;
    peer.call("echo", json!({ "text": "a" })).await;
    assert_eq!(peer.list("tools/list", "tools").await, before);
}
