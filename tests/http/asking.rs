//! Handlers that ask the client: on the stream of their call with a session, by the next request without one.

use serde_json::{Value, json};
use support::web::Request;

use crate::service::{call, stateless, text};
use crate::site;

fn roots(question: &Value, folder: &str) -> Value {
    let root = json!({ "uri": format!("file:///{folder}") });
    json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "roots": [root] } })
}

#[tokio::test]
async fn hl5_a_question_goes_out_on_its_call_and_is_answered_by_another_post() {
    let (site, _) = site().await;
    let session = site.session("2025-11-25", json!({ "roots": {} })).await;
    let mut first = site.send(&Request::session(&session, &call(1, "trip", json!({})))).await;
    let mut second = site.send(&Request::session(&session, &call(2, "trip", json!({})))).await;
    let (one, two) = (first.next_message().await, second.next_message().await);
    assert_eq!((&one["method"], &two["method"]), (&"roots/list".into(), &"roots/list".into()));
    assert_ne!(one["id"], two["id"]);
    // another session's answer to the same id is no answer
    let other = site.session("2025-11-25", json!({ "roots": {} })).await;
    assert_eq!(site.send(&Request::session(&other, &roots(&one, "wrong"))).await.status, 202);
    assert_eq!(site.send(&Request::session(&session, &roots(&two, "two"))).await.status, 202);
    assert_eq!(text(&second.message().await), "file:///two");
    assert_eq!(site.send(&Request::session(&session, &roots(&one, "one"))).await.status, 202);
    assert_eq!(text(&first.message().await), "file:///one");
}

#[tokio::test]
async fn a_question_can_be_heard_again() {
    let (site, _) = site().await;
    let session = site.session("2025-11-25", json!({ "roots": {} })).await;
    let mut reply = site.send(&Request::session(&session, &call(1, "trip", json!({})))).await;
    let first = reply.event().await.and_then(|event| event.id).expect("an id before all");
    drop(reply);
    let mut reply = site.send(&Request::bare("GET", &session).with("Last-Event-ID", &first)).await;
    let question = reply.next_message().await;
    assert_eq!(site.send(&Request::session(&session, &roots(&question, "late"))).await.status, 202);
    assert_eq!(text(&reply.message().await), "file:///late");
}

#[tokio::test]
async fn who_declares_nothing_is_not_asked() {
    let (site, _) = site().await;
    let session = site.session("2025-11-25", json!({})).await;
    let answer = site.send(&Request::session(&session, &call(1, "trip", json!({})))).await.message().await;
    assert_eq!(answer["result"]["isError"], true);
}

#[tokio::test]
async fn without_a_session_the_next_request_brings_the_answer() {
    let (site, _) = site().await;
    let mut message = stateless(call(1, "trip", json!({})));
    let mut asked = site.ask(&message).await;
    assert_eq!(asked["result"]["resultType"], "input_required");
    let key = asked["result"]["inputRequests"].as_object().unwrap().keys().next().unwrap().clone();
    message["id"] = json!(2);
    message["params"]["inputResponses"] = json!({ key: { "roots": [{ "uri": "file:///here" }] } });
    message["params"]["requestState"] = asked["result"]["requestState"].take();
    assert_eq!(text(&site.ask(&message).await), "file:///here");
}
