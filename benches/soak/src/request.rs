//! Random requests, each with what its answer must be.

use fastrand::Rng;
use serde_json::{Value, json};

/// A request, less its id.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: &'static str,
    pub(crate) params: Value,
    pub(crate) expected: Expected,
}

/// What the answer must be.
#[derive(Clone, Debug)]
pub(crate) enum Expected {
    /// A result with this text.
    Text(String),
    /// A result that says that the call failed, with this in its text.
    Failure(&'static str),
    /// An error with this code.
    Error(i64),
    /// Any result.
    Result,
}

impl Request {
    /// A request of any kind; a nap is one that can be given up.
    pub(crate) fn random(rng: &mut Rng) -> Self {
        match rng.u32(..1000) {
            0..500 => {
                let (a, b) = (i64::from(rng.i32(..)), i64::from(rng.i32(..)));
                Self::call("add", json!({ "a": a, "b": b }), Expected::Text((a + b).to_string()))
            }
            500..700 => Self::nap(rng, 2_000),
            700..760 => Self::call("add", json!({ "a": "x", "b": 1 }), Expected::Failure("/a")),
            760..800 => Self::call("ad", json!({}), Expected::Error(-32_602)),
            800..830 => Self { method: "no/such", params: json!({}), expected: Expected::Error(-32_601) },
            830..850 => Self::call("boom", json!({ "late": rng.bool() }), Expected::Failure("internal error")),
            850..860 => {
                let text = "é".repeat(rng.usize(1_000..40_000));
                Self::call("echo", json!({ "text": text }), Expected::Text(text))
            }
            860..900 => Self::call("add", json!({ "a": "7", "b": 1 }), Expected::Text("8".to_owned())),
            _ => Self { method: "tools/list", params: json!({}), expected: Expected::Result },
        }
    }

    pub(crate) fn nap(rng: &mut Rng, longest: u64) -> Self {
        let text = rng.u64(..).to_string();
        let arguments = json!({ "micros": rng.u64(..longest), "text": text });
        Self::call("nap", arguments, Expected::Text(text))
    }

    #[expect(clippy::needless_pass_by_value, reason = "it is written at the place of the call")]
    fn call(tool: &str, arguments: Value, expected: Expected) -> Self {
        Self { method: "tools/call", params: json!({ "name": tool, "arguments": arguments }), expected }
    }

    /// The message, of a session or of a client that needs none.
    pub(crate) fn message(&self, id: u64, stateless: bool) -> Value {
        let mut params = self.params.clone();
        if stateless {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        if id.is_multiple_of(3) {
            params["_meta"]["progressToken"] = json!(id);
        }
        json!({ "jsonrpc": "2.0", "id": id, "method": self.method, "params": params })
    }
}

impl Expected {
    /// Whether an answer is this.
    pub(crate) fn is(&self, answer: &Value) -> bool {
        let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
        let failed = answer["result"]["isError"] == true;
        match self {
            Self::Text(expected) => !failed && text == expected,
            Self::Failure(words) => failed && text.contains(words),
            Self::Error(code) => answer["error"]["code"] == *code,
            Self::Result => answer["result"].is_object(),
        }
    }
}

/// `initialize` of a session.
pub(crate) fn initialize() -> Value {
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "soak", "version": "1" },
    });
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })
}

/// Gives a request up.
pub(crate) fn cancel(id: u64) -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } })
}
