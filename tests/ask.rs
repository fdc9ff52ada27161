//! Handlers that ask the client something: the same ones for clients with a session and for those without.

#[path = "ask/service.rs"]
mod service;
#[path = "ask/session.rs"]
mod session;
#[path = "ask/stateless.rs"]
mod stateless;

use serde_json::{Value, json};

/// All that a client can be asked for.
fn everything() -> Value {
    json!({ "elicitation": { "form": {}, "url": {} }, "sampling": { "tools": {} }, "roots": {} })
}

/// The text of a tool's answer, or what it failed with.
fn text(answer: &Value) -> &str {
    let result = &answer["result"]["content"][0]["text"];
    result.as_str().unwrap_or_else(|| panic!("a tool's answer: {answer}"))
}

/// A form that was filled in.
fn accept(content: &Value) -> Value {
    json!({ "action": "accept", "content": content })
}
