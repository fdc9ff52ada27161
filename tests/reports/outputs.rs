//! Results: those that break their schema never leave in debug builds, or where the server asks for it.

use std::sync::{Arc, Mutex};

use mcp_runtime::testing::Client;
use mcp_runtime::{Revision, Server, ToolErrorCategory};
use serde_json::json;

use crate::handler::Echo;
use crate::{ERAS, api};

#[tokio::test]
async fn a_result_that_breaks_its_schema_is_an_internal_error() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hearing = Arc::clone(&heard);
    let server = Server::new(api::service(Echo)).on_tool_error(move |event| {
        hearing.lock().expect("no panic").push((event.category, event.message.clone()));
    });
    let mut client = Client::new(server);
    for (arguments, why) in [
        (json!({ "value": 11, "unit": "m" }), "/value: expected a number that is at most 10"),
        (json!({ "value": 1, "unit": "km" }), "/unit: expected a string that matches the pattern ^(?:m|cm)$"),
        (json!({ "value": 7, "unit": "m" }), "the result: expected something other than a value"),
    ] {
        let error = client.call("measure", arguments).await.expect_err("no such result");
        let message = format!("the result of `measure` breaks its output schema: {why}");
        assert_eq!((error.code, error.message.as_str()), (-32603, message.as_str()));
    }
    let fine = client.call("measure", json!({ "value": 10, "unit": "cm", "more": [1] })).await.expect("a result");
    assert_eq!(fine.structured(), Some(&json!({ "value": 10.0, "unit": "cm", "more": [1] })));
    client.close().await.expect("a quiet end");
    let heard = heard.lock().expect("no panic");
    assert_eq!(heard.len(), 3);
    assert!(heard.iter().all(|(category, why)| *category == ToolErrorCategory::Internal && why.contains("breaks")));
}

#[tokio::test]
async fn whoever_does_not_ask_for_the_check_gets_what_the_types_allow() {
    let mut client = Client::new(Server::new(api::service(Echo)).check_outputs(false));
    let result = client.call("measure", json!({ "value": 11, "unit": "m" })).await.expect("a result");
    assert_eq!(result.structured(), Some(&json!({ "value": 11.0, "unit": "m" })));
}

#[tokio::test]
async fn lists_and_scalars_are_structured_only_where_the_revision_has_that() {
    for era in ERAS {
        let mut client = Client::new(api::service(Echo)).revision(era);
        for (tool, value, text) in [("names", json!(["Ada"]), "[\"Ada\"]"), ("count", json!(3), "3")] {
            let result = client.call(tool, json!({})).await.expect("a result");
            assert_eq!(result.text(), text);
            let structured = (era == Revision::V2026_07_28).then_some(&value);
            assert_eq!(result.structured(), structured, "{tool} in {era:?}");
        }
        let error = client.call("names", json!({ "fail": false })).await.expect_err("an empty name");
        assert_eq!(error.code, -32603, "what goes out as text alone is checked, too");
    }
}

#[tokio::test]
async fn an_error_has_no_structured_content() {
    for era in ERAS {
        let mut client = Client::new(api::service(Echo)).revision(era);
        let result = client.call("names", json!({ "fail": true })).await.expect("a result");
        assert!(result.is_error() && result.structured().is_none(), "{result:?}");
        assert_eq!(result.text(), "no names today");
        let result = client.call("measure", json!({ "value": "a lot" })).await.expect("a result");
        assert!(result.is_error() && result.structured().is_none(), "{result:?}");
    }
}

/// R37
#[tokio::test]
async fn instead_of_too_large_an_answer_the_model_is_told_to_ask_for_less() {
    for era in ERAS {
        let mut client = Client::new(api::service(Echo)).revision(era);
        let small = client.call("dump", json!({ "times": 700 })).await.expect("a result");
        assert_eq!((small.is_error(), small.text().len()), (false, 700), "{era:?}");
        let large = client.call("dump", json!({ "times": 2_000_000 })).await.expect("a result");
        assert!(large.is_error() && large.text().len() < 200, "{era:?}: {}", large.text());
        assert!(large.text().contains("may have 1000: ask for less at a time"), "{era:?}: {}", large.text());
        let error = client.read("house://log").await.expect_err("too much");
        assert!(error.message.contains("the answer of `house://log` has 2"), "{era:?}: {}", error.message);
        client.close().await.expect("a quiet end");
    }
}
