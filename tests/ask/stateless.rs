//! Stateless clients bring their answers along with the next request.

use std::sync::atomic::Ordering;
use std::time::Duration;

use mcp_runtime::Server;
use serde_json::{Map, Value, json};
use support::memory::Memory;

use crate::service::Shop;
use crate::{accept, everything, text};

fn call(id: u32, tool: &str) -> Value {
    request(id, "tools/call", &json!({ "name": tool, "arguments": { "a": 1, "b": 2 } }))
}

fn request(id: u32, method: &str, params: &Value) -> Value {
    let mut params = params.clone();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": everything(),
    });
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// The same request again, with the answers to what was asked, in its order.
fn retry(request: &Value, asked: &Value, answers: &[Value]) -> Value {
    let mut request = request.clone();
    let questions = asked["result"]["inputRequests"].as_object().expect("questions");
    let responses: Map<String, Value> = questions.keys().cloned().zip(answers.iter().cloned()).collect();
    request["id"] = json!(request["id"].as_u64().expect("an id") + 100);
    request["params"]["inputResponses"] = responses.into();
    request["params"]["requestState"] = asked["result"]["requestState"].clone();
    request
}

/// The one question of an answer.
fn question(asked: &Value) -> &Value {
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    let questions = asked["result"]["inputRequests"].as_object().expect("questions");
    assert_eq!(questions.len(), 1, "{asked}");
    questions.values().next().expect("one")
}

fn code(answer: &Value) -> Option<i64> {
    answer["error"]["code"].as_i64()
}

fn yes() -> Value {
    accept(&json!({ "sure": true }))
}

async fn asked(client: &mut Memory, tool: &str) -> (Value, Value) {
    let request = call(1, tool);
    let asked = client.ask(&request).await;
    (request, asked)
}

/// EL4 MR8
#[tokio::test]
async fn accept_decline_and_cancel_reach_the_handler() {
    let mut client = Memory::start(Server::new(Shop::default()));
    for (reply, expected) in [
        (yes(), "Accepted(true)"),
        (json!({ "action": "decline" }), "Declined"),
        (json!({ "action": "cancel" }), "Cancelled"),
    ] {
        let (request, asked) = asked(&mut client, "confirm").await;
        assert_eq!(question(&asked)["method"], "elicitation/create");
        assert_eq!(question(&asked)["params"]["message"], "Are you sure?");
        let answered = client.ask(&retry(&request, &asked, &[reply])).await;
        assert_eq!((answered["result"]["resultType"].as_str(), text(&answered)), (Some("complete"), expected));
    }
}

/// EL5 SA1 RO1 J10 IO3
#[tokio::test]
async fn pages_models_and_roots_are_asked_for() {
    let mut client = Memory::start(Server::new(Shop::default()));
    let said = json!({ "role": "assistant", "model": "m", "content": [{ "type": "text", "text": "Nobody." }] });
    let roots = json!({ "roots": [{ "uri": "file:///a" }] });
    for (tool, reply, expected) in [
        ("sign_in", json!({ "action": "accept" }), "Accepted(())"),
        ("sample", said, "m: Nobody."),
        ("roots", roots, "file:///a"),
    ] {
        let (request, asked) = asked(&mut client, tool).await;
        assert_eq!(question(&asked)["params"].get("elicitationId"), None);
        assert_eq!(text(&client.ask(&retry(&request, &asked, &[reply])).await), expected);
    }
}

/// MR2 MR6
#[tokio::test]
async fn questions_that_are_asked_together_make_one_round() {
    let mut client = Memory::start(Server::new(Shop::default()));
    let (request, asked) = asked(&mut client, "both").await;
    assert_eq!(asked["result"]["inputRequests"].as_object().map(Map::len), Some(2));
    let some = client.ask(&retry(&request, &asked, &[yes()])).await;
    assert_eq!(question(&some)["params"]["message"], "Really?", "what is missing is asked again");
    let answered = client.ask(&retry(&request, &some, &[json!({ "action": "decline" })])).await;
    assert_eq!(text(&answered), "Accepted(true) Declined");
}

#[tokio::test]
async fn what_a_handler_makes_of_a_question_does_not_lose_it() {
    let shop = Shop::default();
    let mut client = Memory::start(Server::new(shop));
    for tool in ["swallow", "wrap", "blocking"] {
        let (request, asked) = asked(&mut client, tool).await;
        let answered = client.ask(&retry(&request, &asked, &[yes()])).await;
        assert!(text(&answered).contains("true"), "{answered}");
    }
}

#[tokio::test]
async fn an_answer_of_the_handlers_own_wins() {
    let mut client = Memory::start(Server::new(Shop::default()));
    assert_eq!(text(&asked(&mut client, "one_of_two").await.1), "did not wait");
}

#[tokio::test]
async fn a_question_that_differs_is_asked_again() {
    let shop = Shop::default();
    let mut client = Memory::start(Server::new(shop.clone()));
    shop.world.files.store(2, Ordering::Relaxed);
    let (request, two) = asked(&mut client, "delete").await;
    assert_eq!(question(&two)["params"]["message"], "Delete 2 files?");
    shop.world.files.store(3, Ordering::Relaxed);
    let three = client.ask(&retry(&request, &two, &[yes()])).await;
    assert_eq!(question(&three)["params"]["message"], "Delete 3 files?");
    assert_eq!(text(&client.ask(&retry(&request, &three, &[yes()])).await), "Accepted(true)");
}

#[tokio::test]
async fn a_key_of_the_handlers_is_the_questions_name() {
    let mut client = Memory::start(Server::new(Shop::default()));
    let (request, first) = asked(&mut client, "delete_by_key").await;
    assert_eq!(first["result"]["inputRequests"]["sure"]["params"]["message"], "Delete 0 files?");
    let second = client.ask(&retry(&request, &first, &[yes()])).await;
    assert_eq!(second["result"]["inputRequests"]["certain"]["params"]["message"], "Really?");
    let answered = client.ask(&retry(&request, &second, &[json!({ "action": "decline" })])).await;
    assert_eq!(text(&answered), "Accepted(true) Declined");
}

/// MR6 MR7
#[tokio::test]
async fn who_knows_the_keys_can_answer_at_once() {
    let mut client = Memory::start(Server::new(Shop::default()));
    let mut request = call(1, "delete_by_key");
    request["params"]["inputResponses"] = json!({ "sure": yes(), "certain": yes(), "more": 7 });
    assert_eq!(text(&client.ask(&request).await), "Accepted(true) Accepted(true)");
}

#[tokio::test]
async fn an_answer_under_a_key_counts_for_the_question_that_was_asked() {
    let shop = Shop::default();
    let mut client = Memory::start(Server::new(shop.clone()));
    shop.world.files.store(2, Ordering::Relaxed);
    let (request, two) = asked(&mut client, "delete_by_key").await;
    shop.world.files.store(3, Ordering::Relaxed);
    let three = client.ask(&retry(&request, &two, &[yes()])).await;
    assert_eq!(question(&three)["params"]["message"], "Delete 3 files?");
    let really = client.ask(&retry(&request, &three, &[yes()])).await;
    assert_eq!(question(&really)["params"]["message"], "Really?");
    // what was answered two rounds ago is no answer either, once the question has changed
    shop.world.files.store(4, Ordering::Relaxed);
    let four = client.ask(&retry(&request, &really, &[yes()])).await;
    assert_eq!(question(&four)["params"]["message"], "Delete 4 files?");
}

#[tokio::test]
async fn two_questions_of_one_call_cannot_share_a_key() {
    let mut client = Memory::start(Server::new(Shop::default()));
    let (request, first) = asked(&mut client, "same_key").await;
    let answered = client.ask(&retry(&request, &first, &[yes()])).await;
    assert_eq!(answered["result"]["isError"], true);
    assert!(text(&answered).contains("`sure`"), "{answered}");
}

/// MR5 MR7
#[tokio::test]
async fn what_happens_once_happens_once() {
    for tool in ["charge", "charge_beside"] {
        let shop = Shop::default();
        let mut client = Memory::start(Server::new(shop.clone()));
        let (request, asked) = asked(&mut client, tool).await;
        let again = client.ask(&retry(&request, &asked, &[])).await;
        let answered = client.ask(&retry(&request, &again, &[yes()])).await;
        assert_eq!(text(&answered), "charge 1, Accepted(true)");
        assert_eq!((shop.world.charges.load(Ordering::Relaxed), shop.world.runs.load(Ordering::Relaxed)), (1, 3));
    }
}

/// MR5
#[tokio::test]
async fn a_state_serves_no_other_call() {
    let shop = Shop::default();
    let mut client = Memory::start(Server::new(shop.clone()));
    let (request, asked) = asked(&mut client, "charge").await;
    let state = &asked["result"]["requestState"];
    let mut touched = state.as_str().unwrap().to_owned();
    let last = if touched.pop() == Some('A') { 'Q' } else { 'A' };
    touched.push(last);
    let others = [
        ("/params/name", json!("confirm")),
        ("/params/arguments/a", json!(2)),
        ("/params/requestState", json!(touched)),
        ("/params/requestState", json!("")),
        ("/params/requestState", json!("A".repeat(70_000))),
        ("/params/requestState", json!(7)),
        ("/params/inputResponses", json!([])),
    ];
    for (place, value) in others {
        let mut other = retry(&request, &asked, &[yes()]);
        *other.pointer_mut(place).unwrap() = value;
        let answered = client.ask(&other).await;
        assert_eq!(code(&answered), Some(-32_602), "{place}: {answered}");
    }
    let mut same = retry(&request, &asked, &[yes()]);
    same["params"]["arguments"] = serde_json::from_str(r#"{ "b": 2, "a": 1 }"#).unwrap();
    assert_eq!(text(&client.ask(&same).await), "charge 1, Accepted(true)");
    let mut stranger = Memory::start(Server::new(Shop::default()));
    assert_eq!(code(&stranger.ask(&retry(&request, &asked, &[yes()])).await), Some(-32_602));
}

/// MR4
#[tokio::test]
async fn servers_that_share_a_key_share_the_work() {
    let server = || Server::new(Shop::default()).state_key([7; 32]);
    let (request, asked) = asked(&mut Memory::start(server()), "charge").await;
    let answered = Memory::start(server()).ask(&retry(&request, &asked, &[yes()])).await;
    assert_eq!(text(&answered), "charge 1, Accepted(true)");
}

/// MR5
#[tokio::test]
async fn a_state_expires() {
    let mut client = Memory::start(Server::new(Shop::default()).answer_timeout(Duration::from_millis(30)));
    let (request, asked) = asked(&mut client, "confirm").await;
    tokio::time::sleep(Duration::from_millis(60)).await;
    let answered = client.ask(&retry(&request, &asked, &[yes()])).await;
    assert_eq!(code(&answered), Some(-32_602));
    assert!(answered["error"]["message"].as_str().unwrap().contains("expired"));
}

#[tokio::test]
async fn a_state_has_a_size() {
    let mut client = Memory::start(Server::new(Shop::default()));
    let (_, asked) = asked(&mut client, "long").await;
    assert_eq!(asked["result"]["isError"], true);
    assert!(text(&asked).contains("64 KiB"), "{asked}");
}

/// MR6
#[tokio::test]
async fn malformed_answers_are_refused_and_unknown_ones_ignored() {
    let mut client = Memory::start(Server::new(Shop::default()));
    let (request, asked) = asked(&mut client, "confirm").await;
    for malformed in [json!(7), json!({}), json!({ "action": "maybe" }), json!({ "roots": [] })] {
        let answered = client.ask(&retry(&request, &asked, &[malformed])).await;
        assert_eq!(code(&answered), Some(-32_602), "{answered}");
    }
    let mut unknown = retry(&request, &asked, &[yes()]);
    unknown["params"]["inputResponses"]["9-unknown"] = json!(7);
    assert_eq!(text(&client.ask(&unknown).await), "Accepted(true)");
}

/// MR4
#[tokio::test]
async fn answers_may_come_without_a_state() {
    let mut client = Memory::start(Server::new(Shop::default()));
    let (request, asked) = asked(&mut client, "confirm").await;
    let mut early = retry(&request, &asked, &[yes()]);
    early["params"].as_object_mut().unwrap().remove("requestState");
    assert_eq!(text(&client.ask(&early).await), "Accepted(true)");
}

/// MD5 MR3 EL1
#[tokio::test]
async fn a_missing_capability_is_told_by_the_protocols_own_error() {
    let mut client = Memory::start(Server::new(Shop::default()));
    for (tool, required) in [
        ("confirm", json!({ "elicitation": { "form": {} } })),
        ("wrap", json!({ "elicitation": { "form": {} } })),
        ("sign_in", json!({ "elicitation": { "url": {} } })),
        ("sample", json!({ "sampling": {} })),
        ("roots", json!({ "roots": {} })),
    ] {
        let mut request = call(1, tool);
        request["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
        let answered = client.ask(&request).await;
        assert_eq!(code(&answered), Some(-32_021));
        assert_eq!(answered["error"]["data"]["requiredCapabilities"], required);
    }
    let mut request = call(1, "swallow");
    request["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    assert_eq!(text(&client.ask(&request).await), "sure: false", "a handler that does without is served");
}

/// MR1
#[tokio::test]
async fn resources_and_prompts_ask_as_tools_do() {
    let mut client = Memory::start(Server::new(Shop::default()));
    let read = request(1, "resources/read", &json!({ "uri": "shop://stock" }));
    let asked = client.ask(&read).await;
    let answered = client.ask(&retry(&read, &asked, &[json!({ "action": "decline" })])).await;
    assert_eq!(answered["result"]["contents"][0]["text"], "Declined");
    let render = request(2, "prompts/get", &json!({ "name": "offer" }));
    let asked = client.ask(&render).await;
    let answered = client.ask(&retry(&render, &asked, &[yes()])).await;
    assert_eq!(answered["result"]["messages"][0]["content"]["text"], "a draft: Accepted(true)");
    let mut other = retry(&read, &asked, &[yes()]);
    other["params"]["uri"] = json!("offer");
    assert_eq!(code(&client.ask(&other).await), Some(-32_602));
}

/// EL5: there is no -32042 here. The page is asked for, and what came of it is learnt by the retry.
#[tokio::test]
async fn a_call_that_needs_a_page_asks_for_it() {
    let shop = Shop::default();
    let mut client = Memory::start(Server::new(shop.clone()));
    let (request, asked) = asked(&mut client, "locked").await;
    assert_eq!(question(&asked)["params"]["url"], "https://example.com/in");
    let agreed = json!({ "action": "accept" });
    let not_yet = client.ask(&retry(&request, &asked, std::slice::from_ref(&agreed))).await;
    assert_eq!(text(&not_yet), "Sign in, please: that is not done yet");
    shop.world.files.store(1, Ordering::Relaxed);
    let mut done = retry(&request, &asked, &[agreed]);
    done["id"] = json!(300);
    assert_eq!(text(&client.ask(&done).await), "open");
}

/// SA1, SA2: tools of a model travel as its other questions do; EL5: nothing tells that a page is completed.
#[tokio::test]
async fn a_model_calls_tools() {
    let mut client = Memory::start(Server::new(Shop::default()));
    let (request, first) = asked(&mut client, "agent").await;
    assert_eq!(question(&first)["params"]["tools"][0]["name"], "weather");
    let wants = json!([{ "type": "tool_use", "id": "u1", "name": "weather", "input": { "city": "Oslo" } }]);
    let said = json!({ "role": "assistant", "model": "m", "content": wants, "stopReason": "toolUse" });
    let second = client.ask(&retry(&request, &first, &[said])).await;
    assert_eq!(question(&second)["params"]["messages"][2]["content"][0]["toolUseId"], "u1");
    let said = json!({ "role": "assistant", "model": "m", "content": { "type": "text", "text": "No rain." } });
    let mut last = retry(&request, &second, &[said]);
    last["id"] = json!(300);
    assert_eq!(text(&client.ask(&last).await), "No rain.");
    let (request, opened) = asked(&mut client, "connect").await;
    let mut last = retry(&request, &opened, &[json!({ "action": "accept" })]);
    last["id"] = json!(400);
    assert_eq!(text(&client.ask(&last).await), "Accepted(())");
}
