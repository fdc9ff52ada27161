//! Slips of models in arguments: mended where one reading is left, else explained so that the next try is right.

use std::sync::{Arc, Mutex};

use mcp_runtime::listener::Repaired;
use mcp_runtime::testing::Client;
use mcp_runtime::{Listener, Server};
use serde_json::{Value, json};

use crate::handler::Echo;
use crate::{ERAS, accepted, api, client, refused, refused_strictly};

/// What was mended, as listeners hear it.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<String>>>);

impl Listener for Heard {
    fn repaired(&self, event: &Repaired) {
        let told = event.changes.iter().map(|change| format!("{} {}: {}", event.tool, change.pointer, change.what));
        self.0.lock().expect("no panic").extend(told);
    }
}

#[tokio::test]
async fn r02_json_text_is_read_where_the_schema_wants_no_text() {
    let heard = Heard::default();
    let mut client = Client::new(Server::new(api::service(Echo)).listener(heard.clone()));
    let slip = json!({ "n": 1, "tags": "[\"a\",\"b\"]", "filter": "{\"x\":1}", "text": "[1]" });
    let told = client.call("add", slip.clone()).await.expect("the tool is there").text();
    assert!(told.contains(r#"tags: Some(["a", "b"])"#) && told.contains("x: 1"), "{told}");
    assert!(told.contains(r#"text: Some("[1]")"#), "text that is wanted as text stays: {told}");
    client.close().await.expect("a quiet end");
    let heard = heard.0.lock().expect("no panic").clone();
    let expected = ["add /tags: read an array from its JSON text", "add /filter: read an object from its JSON text"];
    assert_eq!(heard, expected);
    assert!(refused_strictly("add", slip).await.contains("/tags: expected an array"));
    let strictly = refused("add_strictly", json!({ "n": 1, "tags": "[]" })).await;
    assert!(strictly.contains("/tags: expected an array, got \"[]\""), "{strictly}");
    assert!(refused("add", json!({ "n": 1, "tags": "\"[]\"" })).await.contains("/tags"), "text in text is no slip");
}

#[tokio::test]
async fn r05_invented_arguments_are_refused_and_the_nearest_is_named() {
    let told = refused("impact", json!({ "target": "a", "depth": 1 })).await;
    assert!(told.contains("/depth: unknown argument; did you mean `max_depth`?"), "{told}");
    let told = refused("impact", json!({ "target": "a", "zz": 1 })).await;
    assert!(told.contains("/zz: unknown argument; allowed: `target`, `max_depth`, `include_tests`"), "{told}");
    assert!(
        accepted("annotate", json!({ "target": "a", "depth": 1 })).await.contains("depth"),
        "an open tool keeps it"
    );
    let tools = client().tools().await.expect("a list");
    let closed = |name: &str| {
        let tool = tools.iter().find(|tool| tool["name"] == name).expect("a tool");
        tool["inputSchema"]["additionalProperties"].clone()
    };
    assert_eq!((closed("impact"), closed("annotate")), (json!(false), json!(true)));
}

#[tokio::test]
async fn r23_scalars_in_text_are_read_and_nothing_else_is() {
    let told = accepted("add", json!({ "n": "5", "flag": "true", "ratio": "2.5", "text": "5" })).await;
    assert!(told.contains("n: 5,") && told.contains("flag: Some(true)") && told.contains("ratio: Some(2.5)"), "{told}");
    assert!(told.contains(r#"text: Some("5")"#), "{told}");
    let told = accepted("add", json!({ "n": 1, "text": 12.50 })).await;
    assert!(told.contains(r#"text: Some("12.5")"#), "a number for text: {told}");
    for (slip, place) in [
        (json!({ "n": "5x" }), "/n"),
        (json!({ "n": " 5" }), "/n"),
        (json!({ "n": "5.5" }), "/n"),
        (json!({ "n": 1, "flag": "yes" }), "/flag"),
        (json!({ "n": 1, "ratio": "-1" }), "/ratio"),
        (json!({ "n": 1, "flag": 1 }), "/flag"),
    ] {
        assert!(refused("add", slip.clone()).await.contains(place), "{slip}");
    }
    assert!(refused_strictly("add", json!({ "n": "5" })).await.contains("/n: expected an integer, got \"5\""));
}

#[tokio::test]
async fn r24_an_integer_is_one_however_it_is_spelled() {
    for (spelled, n) in [("5.0", 5), ("1e2", 100), ("-0.0", 0), ("120e-1", 12)] {
        let arguments: Value = serde_json::from_str(&format!(r#"{{"n":{spelled}}}"#)).expect("JSON");
        // Without repair, for it is right as it stands.
        assert!(accepted("add_strictly", arguments).await.contains(&format!("n: {n},")), "{spelled}");
    }
    assert!(refused("add", json!({ "n": 5.5 })).await.contains("/n: expected an integer, got 5.5"));
}

#[tokio::test]
async fn r26_null_is_absence_unless_it_is_a_value() {
    let told = accepted("add", json!({ "n": 1, "country": null, "flag": null, "note": null })).await;
    assert!(told.contains(r#"country: "NO""#) && told.contains("flag: None"), "{told}");
    assert!(told.contains("note: Null"), "null is one of its values: {told}");
    assert!(accepted("add", json!({ "n": 1 })).await.contains("note: Absent"));
    assert!(refused("add", json!({ "n": null })).await.contains("/n: expected an integer, got null"), "it is required");
    assert!(refused_strictly("add", json!({ "n": 1, "country": null })).await.contains("/country"));
}

#[tokio::test]
async fn r27_bad_arguments_are_a_result_and_an_unknown_tool_an_error() {
    for era in ERAS {
        let mut client = Client::new(api::service(Echo)).revision(era);
        let result = client.call("add", json!({ "n": "x" })).await.expect("a result");
        assert!(result.is_error() && result.structured().is_none(), "{result:?}");
        assert_eq!(result.text(), "invalid arguments for `add`:\n- /n: expected an integer, got \"x\"");
        let error = client.call("ad", json!({ "n": 1 })).await.expect_err("no such tool");
        assert_eq!((error.code, error.message.as_str()), (-32602, "unknown tool: ad; did you mean `add`?"));
        let error = client.call("zzzz", json!({})).await.expect_err("no such tool");
        assert_eq!((error.code, error.message.as_str()), (-32602, "unknown tool: zzzz"));
    }
}

#[tokio::test]
async fn r28_every_fault_is_told_at_once() {
    let told = refused("add", json!({ "ratio": -1, "lines": [{ "count": 1 }, { "count": "many", "x": 1 }] })).await;
    let expected = [
        "invalid arguments for `add`:",
        "- /ratio: expected a number that is at least 0, got -1",
        "- /lines/1/count: expected an integer, got \"many\"",
        "- /lines/1/x: unknown argument; allowed: `count`",
        "- /n: missing; send an integer",
    ];
    assert_eq!(told.lines().collect::<Vec<_>>(), expected);
}

/// Arguments that are no object: what stands for none or is the text of an object is taken so, other text is explained to
/// the model that wrote it, and anything else is no call.
#[tokio::test]
async fn arguments_that_are_no_object() {
    for nothing in [json!(null), json!("")] {
        assert!(!client().call("count", nothing.clone()).await.expect("a result").is_error(), "{nothing}");
        assert!(refused("add", nothing).await.contains("/n: missing; send an integer"));
    }
    assert!(accepted("add", json!(r#"{"n":2}"#)).await.contains("n: 2,"));
    assert!(refused("add", json!("n = 2")).await.contains("arguments: expected an object, got a string"));
    assert!(refused_strictly("add", json!(r#"{"n":2}"#)).await.contains("arguments: expected an object, got a string"));
    for other in [json!(5), json!([1]), json!(true)] {
        for era in ERAS {
            let mut client = Client::new(api::service(Echo)).revision(era);
            let result = client.call("add", other.clone()).await;
            let error = result.expect_err("the call has no such shape");
            assert_eq!((error.code, error.message.as_str()), (-32602, "`arguments` must be an object"), "{other}");
        }
    }
}
