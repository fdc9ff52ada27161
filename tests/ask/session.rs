//! Clients with a session are asked by requests on the stream.

use std::sync::atomic::Ordering;
use std::time::Duration;

use mcp_runtime::Server;
use serde_json::{Value, json};
use support::memory::Memory;

use crate::service::Shop;
use crate::{accept, everything, text};

fn call(id: u32, tool: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool, "arguments": {} } })
}

fn answer(question: &Value, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": question["id"], "result": result })
}

async fn newest() -> Memory {
    Memory::session(Server::new(Shop::default()), "2025-11-25", everything()).await
}

/// EL4 MR8 MR9
#[tokio::test]
async fn accept_decline_and_cancel_reach_the_handler() {
    for version in ["2025-06-18", "2025-11-25"] {
        let mut client = Memory::session(Server::new(Shop::default()), version, everything()).await;
        for (id, reply, expected) in [
            (1, accept(&json!({ "sure": true })), "Accepted(true)"),
            (2, accept(&json!({ "sure": false, "more": 1 })), "Accepted(false)"),
            (3, accept(&json!({ "sure": "true" })), "Accepted(true)"),
            (4, json!({ "action": "decline" }), "Declined"),
            (5, json!({ "action": "cancel" }), "Cancelled"),
        ] {
            let question = client.ask(&call(id, "confirm")).await;
            assert_eq!(question["method"], "elicitation/create");
            assert_eq!(question["params"]["message"], "Are you sure?");
            assert_eq!(question["params"]["requestedSchema"]["required"], json!(["sure"]));
            let answered = client.ask(&answer(&question, &reply)).await;
            assert_eq!((answered["id"].as_u64(), text(&answered)), (Some(id.into()), expected));
        }
    }
}

/// J2 IO3
#[tokio::test]
async fn answers_find_their_questions_in_any_order() {
    let mut client = newest().await;
    let first = client.ask(&call(1, "both")).await;
    let second = client.hear().await;
    assert_ne!(first["id"], second["id"]);
    assert_eq!(second["params"]["message"], "Really?");
    client.say(&answer(&second, &json!({ "action": "decline" }))).await;
    let answered = client.ask(&answer(&first, &accept(&json!({ "sure": true })))).await;
    assert_eq!(text(&answered), "Accepted(true) Declined");
}

/// EL4
#[tokio::test]
async fn an_answer_that_does_not_fit_the_form_is_an_error() {
    let mut client = newest().await;
    for (id, reply) in [(1, accept(&json!({ "sure": 7 }))), (2, accept(&json!({}))), (3, json!({})), (4, json!([]))] {
        let question = client.ask(&call(id, "confirm")).await;
        let answered = client.ask(&answer(&question, &reply)).await;
        assert_eq!(answered["result"]["isError"], true);
        assert!(text(&answered).contains("does not fit"), "{answered}");
    }
}

#[tokio::test]
async fn a_client_that_refuses_is_told_apart_from_a_user_who_declines() {
    let mut client = newest().await;
    let question = client.ask(&call(1, "confirm")).await;
    let error = json!({ "code": -1, "message": "not now" });
    let answered = client.ask(&json!({ "jsonrpc": "2.0", "id": question["id"], "error": error })).await;
    assert_eq!(text(&answered), "the client refused to answer: not now (-1)");
}

/// EL5 SA1 RO1 MR9
#[tokio::test]
async fn pages_models_and_roots_are_asked_for() {
    let mut client = newest().await;
    let question = client.ask(&call(1, "sign_in")).await;
    assert_eq!(
        (&question["params"]["mode"], &question["params"]["url"]),
        (&json!("url"), &json!("https://example.com/in"))
    );
    assert_eq!(question["params"]["elicitationId"].as_str().map(str::len), Some(32));
    assert_eq!(text(&client.ask(&answer(&question, &json!({ "action": "accept" }))).await), "Accepted(())");

    let question = client.ask(&call(2, "sample")).await;
    assert_eq!(question["params"]["maxTokens"], 100);
    let said = json!({ "role": "assistant", "model": "m", "content": { "type": "text", "text": "Nobody." } });
    assert_eq!(text(&client.ask(&answer(&question, &said)).await), "m: Nobody.");

    let question = client.ask(&call(3, "roots")).await;
    assert_eq!(question["method"], "roots/list");
    let roots = json!({ "roots": [{ "uri": "file:///a" }, { "uri": "file:///b", "name": "B" }] });
    assert_eq!(text(&client.ask(&answer(&question, &roots)).await), "file:///a");
}

/// EL1 EL3 SA1 RO1 LC4
#[tokio::test]
async fn nothing_is_asked_that_the_client_or_its_revision_does_not_know() {
    for (version, capabilities, tool) in [
        ("2025-11-25", json!({}), "confirm"),
        ("2025-11-25", json!({ "elicitation": { "url": {} } }), "confirm"),
        ("2025-11-25", json!({ "elicitation": {} }), "sign_in"),
        ("2025-11-25", json!({}), "sample"),
        ("2025-11-25", json!({}), "roots"),
        ("2025-06-18", everything(), "sign_in"),
        ("2025-03-26", everything(), "confirm"),
        ("2024-11-05", everything(), "confirm"),
    ] {
        let mut client = Memory::session(Server::new(Shop::default()), version, capabilities).await;
        let answered = client.ask(&call(1, tool)).await;
        assert_eq!(answered["result"]["isError"], true);
        assert!(text(&answered).contains("does not have the capability"), "{answered}");
    }
}

#[tokio::test]
async fn a_handler_can_do_without_what_the_client_cannot_show() {
    let mut client = Memory::session(Server::new(Shop::default()), "2025-06-18", everything()).await;
    assert_eq!(text(&client.ask(&call(1, "toppings")).await), "all of them");
    let mut client = newest().await;
    let question = client.ask(&call(1, "toppings")).await;
    let answered = client.ask(&answer(&question, &accept(&json!({ "chosen": ["olives"] })))).await;
    assert_eq!(text(&answered), r#"Some(["olives"])"#);
}

/// LC9
#[tokio::test]
async fn a_client_that_never_answers_is_given_up() {
    let server = Server::new(Shop::default()).answer_timeout(Duration::from_millis(50));
    let mut client = Memory::session(server, "2025-11-25", everything()).await;
    let question = client.ask(&call(1, "confirm")).await;
    let heard = [client.hear().await, client.hear().await];
    assert_eq!(heard[0]["method"], "notifications/cancelled");
    assert_eq!(heard[0]["params"]["requestId"], question["id"]);
    assert_eq!(text(&heard[1]), "the client did not answer within 50ms");
    // an answer that comes too late is nobody's
    client.say(&answer(&question, &accept(&json!({ "sure": true })))).await;
    assert_eq!(client.ask(&call(2, "roots")).await["method"], "roots/list");
}

/// CN1 LC9
#[tokio::test]
async fn a_cancelled_call_takes_its_question_back() {
    let shop = Shop::default();
    let mut client = Memory::session(Server::new(shop.clone()), "2025-11-25", everything()).await;
    let question = client.ask(&call(1, "slow")).await;
    let params = json!({ "requestId": 1 });
    let heard = client.ask(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })).await;
    assert_eq!(heard["params"]["requestId"], question["id"]);
    assert_eq!(shop.world.dropped.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_client_that_goes_away_leaves_no_handler_waiting() {
    let mut client = newest().await;
    client.ask(&call(1, "confirm")).await;
    let last = client.close().await;
    assert_eq!(last.len(), 1, "{last:?}");
    assert_eq!(text(&last[0]), "the client is gone");
}

#[tokio::test]
async fn an_answer_in_the_last_breath_counts() {
    let mut client = newest().await;
    let question = client.ask(&call(1, "confirm")).await;
    client.say(&answer(&question, &accept(&json!({ "sure": true })))).await;
    let last = client.close().await;
    assert_eq!(text(&last[0]), "Accepted(true)");
}

#[tokio::test]
async fn waiting_for_the_client_is_not_counted_against_a_time_limit() {
    let mut client = newest().await;
    let question = client.ask(&call(1, "watched")).await;
    tokio::time::sleep(Duration::from_millis(400)).await;
    let answered = client.ask(&answer(&question, &accept(&json!({ "sure": true })))).await;
    assert_eq!(text(&answered), "Accepted(true)");

    let question = client.ask(&call(2, "slow")).await;
    tokio::time::sleep(Duration::from_millis(400)).await;
    let answered = client.ask(&answer(&question, &accept(&json!({ "sure": true })))).await;
    assert!(text(&answered).starts_with("timed out after 150ms"), "its own work is: {answered}");
}

#[tokio::test]
async fn calls_that_wait_for_the_client_take_no_place() {
    let server = Server::new(Shop::default()).max_in_flight(1);
    let mut client = Memory::session(server, "2025-11-25", everything()).await;
    let first = client.ask(&call(1, "confirm")).await;
    client.say(&answer(&first, &accept(&json!({ "sure": true })))).await;
    assert_eq!(text(&client.hear().await), "Accepted(true)");
    let first = client.ask(&call(2, "confirm")).await;
    assert_eq!(
        client.ask(&call(3, "charge")).await["result"]["isError"],
        true,
        "one question is what it may leave open"
    );
    let answered = client.ask(&answer(&first, &json!({ "action": "cancel" }))).await;
    assert_eq!(text(&answered), "Cancelled");
}

#[tokio::test]
async fn what_happens_once_happens_once() {
    let shop = Shop::default();
    let mut client = Memory::session(Server::new(shop.clone()), "2025-11-25", everything()).await;
    let question = client.ask(&call(1, "charge")).await;
    let answered = client.ask(&answer(&question, &accept(&json!({ "sure": true })))).await;
    assert_eq!(text(&answered), "charge 1, Accepted(true)");
    assert_eq!((shop.world.charges.load(Ordering::Relaxed), shop.world.runs.load(Ordering::Relaxed)), (1, 1));
}

#[tokio::test]
async fn a_blocking_handler_can_ask() {
    let mut client = newest().await;
    let question = client.ask(&call(1, "blocking")).await;
    let answered = client.ask(&answer(&question, &accept(&json!({ "sure": true })))).await;
    assert_eq!(text(&answered), "Accepted(true)");
}

#[tokio::test]
async fn resources_and_prompts_ask_as_tools_do() {
    let mut client = newest().await;
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": { "uri": "shop://stock" } });
    let question = client.ask(&request).await;
    let answered = client.ask(&answer(&question, &json!({ "action": "decline" }))).await;
    assert_eq!(answered["result"]["contents"][0]["text"], "Declined");
    let request = json!({ "jsonrpc": "2.0", "id": 2, "method": "prompts/get", "params": { "name": "offer" } });
    let question = client.ask(&request).await;
    let answered = client.ask(&answer(&question, &json!({ "action": "decline" }))).await;
    assert_eq!(answered["result"]["messages"][0]["content"]["text"], "a draft: Declined");
}

/// SA1, SA2: the model calls a tool, and hears what came of it.
#[tokio::test]
async fn a_model_calls_tools() {
    let mut client = newest().await;
    let first = client.ask(&call(1, "agent")).await;
    assert_eq!(first["params"]["toolChoice"], json!({ "mode": "required" }));
    assert_eq!(first["params"]["tools"][0]["name"], "weather");
    let wants = json!([{ "type": "tool_use", "id": "u1", "name": "weather", "input": { "city": "Oslo" } }]);
    let said = json!({ "role": "assistant", "model": "m", "content": wants, "stopReason": "toolUse" });
    let second = client.ask(&answer(&first, &said)).await;
    assert_eq!(second["params"]["toolChoice"], json!({ "mode": "none" }));
    assert_eq!(second["params"]["messages"][1], json!({ "role": "assistant", "content": wants }));
    let result = &second["params"]["messages"][2];
    assert_eq!((&result["role"], &result["content"][0]["toolUseId"]), (&json!("user"), &json!("u1")));
    let said = json!({ "role": "assistant", "model": "m", "content": { "type": "text", "text": "No rain." } });
    assert_eq!(text(&client.ask(&answer(&second, &said)).await), "No rain.");
}

/// SA2: tools are for models that can call them.
#[tokio::test]
async fn a_model_that_calls_no_tools_is_not_offered_any() {
    for (version, sampling) in [("2025-11-25", json!({})), ("2025-06-18", json!({ "tools": {} }))] {
        let capabilities = json!({ "sampling": sampling });
        let mut client = Memory::session(Server::new(Shop::default()), version, capabilities).await;
        let refused = client.ask(&call(1, "agent")).await;
        assert_eq!(text(&refused), "the client does not have the capability `sampling.tools`");
    }
}

/// EL5: the client hears when the user is done with a page, under the id that it was asked with.
#[tokio::test]
async fn a_page_is_completed_under_its_id() {
    let mut client = newest().await;
    let question = client.ask(&call(1, "connect")).await;
    let completed = client.ask(&answer(&question, &json!({ "action": "accept" }))).await;
    assert_eq!(completed["method"], "notifications/elicitation/complete");
    assert_eq!(completed["params"]["elicitationId"], question["params"]["elicitationId"]);
    assert_eq!(text(&client.hear().await), "Accepted(())");
}

/// EL5: a call that cannot go on before the user has been on a page says which.
#[tokio::test]
async fn a_call_that_needs_a_page_says_which() {
    let shop = Shop::default();
    let mut client = Memory::session(Server::new(shop.clone()), "2025-11-25", everything()).await;
    let refused = client.ask(&call(1, "locked")).await;
    assert_eq!(refused["error"]["code"], -32_042);
    let pages = refused["error"]["data"]["elicitations"].as_array().expect("pages");
    assert_eq!(
        (pages.len(), &pages[0]["url"], &pages[0]["mode"]),
        (1, &json!("https://example.com/in"), &json!("url"))
    );
    shop.world.files.store(1, Ordering::Relaxed);
    assert_eq!(text(&client.ask(&call(2, "locked")).await), "open");
    for (version, capabilities) in [("2025-11-25", json!({ "elicitation": {} })), ("2025-06-18", everything())] {
        let mut client = Memory::session(Server::new(Shop::default()), version, capabilities).await;
        let refused = client.ask(&call(1, "locked")).await;
        assert_eq!(refused["result"]["isError"], true);
        assert!(text(&refused).contains("elicitation.url"), "{refused}");
    }
}
