//! The server, asked in the same process in both eras. The official clients ask for more: see `tests/clients` of the
//! workspace.

use mcp_runtime::Revision;
use mcp_runtime::testing::{self, Client};
use serde_json::{Value, json};

use crate::{Everything, api, server};

const ERAS: [Revision; 2] = [Revision::NEWEST_WITH_SESSION, Revision::V2026_07_28];

#[tokio::test]
async fn the_examples_of_the_contract_hold() {
    testing::check_examples(api::service(Everything::default())).await.unwrap();
}

#[tokio::test]
async fn the_first_tool_takes_nothing() {
    for revision in ERAS {
        let tools = Client::new(server()).revision(revision).tools().await.unwrap();
        let nothing = json!({ "type": "object", "properties": {}, "additionalProperties": false });
        assert_eq!((&tools[0]["name"], &tools[0]["inputSchema"]), (&json!("test_simple_text"), &nothing));
    }
}

#[tokio::test]
async fn every_tool_that_asks_nothing_answers() {
    let contact = json!({ "name": "Ada", "contactMethod": "email", "email": "ada@example.com" });
    for revision in ERAS {
        let mut client = Client::new(server()).revision(revision);
        for (tool, arguments, kinds) in [
            ("test_simple_text", json!({}), "text"),
            ("test_image_content", json!({}), "image"),
            ("test_audio_content", json!({}), "audio"),
            ("test_embedded_resource", json!({}), "resource"),
            ("test_multiple_content_types", json!({}), "text image resource"),
            ("test_tool_with_progress", json!({}), "text"),
            ("test_tool_with_logging", json!({}), "text"),
            ("test_logging_tool", json!({}), "text"),
            ("test_trigger_tool_change", json!({}), "text"),
            ("test_trigger_prompt_change", json!({}), "text"),
            ("test_trigger_resource_update", json!({}), "text"),
            ("json_schema_2020_12_tool", contact.clone(), "text"),
            ("test_custom_header", json!({ "value": "a" }), "text"),
        ] {
            let answer = client.call(tool, arguments).await.unwrap();
            let blocks: Vec<&str> = answer.content().iter().filter_map(|block| block["type"].as_str()).collect();
            assert_eq!((answer.is_error(), blocks.join(" ").as_str()), (false, kinds), "{tool}");
        }
    }
}

#[tokio::test]
async fn every_tool_that_asks_is_refused_where_nobody_can_answer() {
    let mut client = Client::new(server()).revision(Revision::V2026_07_28);
    for (tool, arguments, lacking) in [
        ("test_sampling", json!({ "prompt": "a" }), "/sampling"),
        ("test_elicitation", json!({ "message": "a" }), "/elicitation/form"),
        ("test_elicitation_sep1034_defaults", json!({}), "/elicitation/form"),
        ("test_elicitation_sep1330_enums", json!({}), "/elicitation/form"),
        ("test_elicitation_url", json!({}), "/elicitation/url"),
        ("test_list_roots", json!({}), "/roots"),
        ("test_missing_capability", json!({}), "/sampling"),
        ("test_streaming_elicitation", json!({}), "/elicitation/form"),
        ("test_input_required_result_elicitation", json!({}), "/elicitation/form"),
        ("test_input_required_result_sampling", json!({}), "/sampling"),
        ("test_input_required_result_list_roots", json!({}), "/roots"),
        ("test_input_required_result_request_state", json!({}), "/elicitation/form"),
        ("test_input_required_result_tampered_state", json!({}), "/elicitation/form"),
        ("test_input_required_result_multiple_inputs", json!({}), "/elicitation/form"),
        ("test_input_required_result_multi_round", json!({}), "/elicitation/form"),
    ] {
        let refused = client.call(tool, arguments).await.unwrap_err();
        let required = refused.data.unwrap()["requiredCapabilities"].take();
        assert_eq!((refused.code, required.pointer(lacking)), (-32_021, Some(&json!({}))), "{tool}");
    }
    let spared = client.call("test_input_required_result_capabilities", json!({})).await.unwrap();
    assert_eq!(spared.text(), "That is all that the client can be asked.");
}

#[tokio::test]
async fn a_client_may_answer_before_it_is_asked() {
    let mut client = Client::new(server()).revision(Revision::V2026_07_28).capabilities(json!({ "elicitation": {} }));
    let name = json!({ "action": "accept", "content": { "name": "Alice" } });
    let call =
        |responses: Value| json!({ "name": "test_input_required_result_elicitation", "inputResponses": responses });
    let answered = client.request("tools/call", call(json!({ "user_name": name, "more": 1 }))).await.unwrap();
    assert_eq!(answered["content"][0]["text"], "Hello, Alice!");
    let asked = client.request("tools/call", call(json!({ "another": name }))).await.unwrap();
    assert_eq!(asked["inputRequests"]["user_name"]["params"]["message"], "What is your name?");
}
