//! What a client says beside its request, and the trace that the request is a part of.

use mcp_runtime::testing::Client;
use serde_json::json;

use crate::travel::Travel;
use crate::{ERAS, api};

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// MD9: `_meta` passes through to the handler, in both eras; J9: keys that nobody knows harm nobody.
#[tokio::test]
async fn handlers_see_the_metadata_of_their_request() {
    for era in ERAS {
        let mut client = Client::new(api::service(Travel)).revision(era);
        let meta = json!({ "traceparent": PARENT, "com.example/tenant": "blue", "other": [1] });
        let called = client.request("tools/call", json!({ "name": "trace", "_meta": meta })).await.expect("a result");
        let text = called["content"][0]["text"].as_str().expect("text");
        assert!(text.starts_with("Some(\"blue\") Some(\"0af7651916cd43dd8448eb211c80319c\") {"), "{text}");
        assert!(text.contains(r#""other":[1]"#), "{text}");
    }
}

/// MD9: a trace that breaks the rules is no trace, and no reason to refuse a request.
#[tokio::test]
async fn a_broken_trace_is_none() {
    for era in ERAS {
        let mut client = Client::new(api::service(Travel)).revision(era);
        let meta = json!({ "traceparent": "00-0-0-0" });
        let called = client.request("tools/call", json!({ "name": "trace", "_meta": meta })).await.expect("a result");
        assert!(called["content"][0]["text"].as_str().expect("text").starts_with("None None {"), "{called}");
        let mistyped = json!({ "com.example/tenant": 7 });
        let called = client.request("tools/call", json!({ "name": "trace", "_meta": mistyped })).await;
        assert_eq!(called.expect("a result")["isError"], true);
    }
}
