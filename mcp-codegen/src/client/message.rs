//! JSON-RPC as a client writes and reads it.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Era, Purpose};

/// The revision without sessions.
pub(super) const STATELESS: &str = "2026-07-28";

/// The revisions with a handshake, the newest first.
pub(super) const SESSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

pub(super) const METHOD_NOT_FOUND: i64 = -32601;
pub(super) const UNSUPPORTED_VERSION: i64 = -32022;

/// A request that is ready to be sent.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) id: u64,
    pub(super) method: &'static str,
    pub(super) text: String,
    /// `Mcp-Name`: whom the request is about.
    pub(super) name: Option<String>,
    /// `Mcp-Param-…`: arguments that travel as headers, too.
    pub(super) headers: Vec<(String, String)>,
    pub(super) era: Era,
}

/// The parameters of a request.
#[derive(Clone, Debug, Default)]
pub(super) struct Params {
    /// Each with its JSON text.
    members: Vec<(&'static str, String)>,
    pub(super) name: Option<String>,
    pub(super) headers: Vec<(String, String)>,
}

/// What a server refuses a request with.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    pub(super) code: i64,
    pub(super) message: String,
    pub(super) data: Option<Value>,
}

/// The answer to a request: its result, or the server's refusal.
pub(super) type Outcome = Result<Box<RawValue>, Refusal>;

/// A message of the server.
#[derive(Debug)]
pub(super) enum Incoming {
    /// To the request of this id; without one where the server could not read it.
    Answer(Option<u64>, Outcome),
    Notification,
    /// A request of the server's, which wants an answer.
    Request(Box<RawValue>, String),
}

#[derive(Deserialize)]
struct Envelope<'m> {
    #[serde(borrow)]
    jsonrpc: Cow<'m, str>,
    #[serde(borrow, default)]
    id: Option<&'m RawValue>,
    #[serde(borrow, default)]
    method: Option<Cow<'m, str>>,
    #[serde(borrow, default)]
    result: Option<&'m RawValue>,
    #[serde(default)]
    error: Option<Fault>,
}

#[derive(Deserialize)]
struct Fault {
    code: i64,
    message: String,
    #[serde(default)]
    data: Option<Value>,
}

impl Params {
    /// Adds a member by its JSON text.
    pub(super) fn with(mut self, key: &'static str, json: impl Into<String>) -> Self {
        self.members.push((key, json.into()));
        self
    }

    /// Adds a string.
    pub(super) fn with_text(self, key: &'static str, text: &str) -> Self {
        self.with(key, Value::from(text).to_string())
    }

    /// The request, as its era wants it.
    pub(super) fn request(mut self, id: u64, method: &'static str, (era, purpose): (Era, Purpose)) -> Request {
        if era == Era::Stateless {
            self = self.with("_meta", meta(purpose));
        }
        let members: Vec<String> = self.members.iter().map(|(key, json)| format!("\"{key}\":{json}")).collect();
        let params = members.join(",");
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}}}}}"#);
        Request { id, method, text, name: self.name, headers: self.headers, era }
    }
}

/// Who we are.
pub(super) fn client_info() -> String {
    format!(r#"{{"name":"mcp-codegen","version":"{}"}}"#, env!("CARGO_PKG_VERSION"))
}

/// What we can do. Lists may depend on it: some servers offer the tools that ask for something only to clients that can be
/// asked. While listing nothing is asked, so that whoever only lists can promise it.
const fn capabilities(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Call => "{}",
        Purpose::List => r#"{"roots":{},"sampling":{},"elicitation":{}}"#,
    }
}

/// What each request of the stateless era says of its client.
fn meta(purpose: Purpose) -> String {
    let prefix = "io.modelcontextprotocol";
    let (info, capabilities) = (client_info(), capabilities(purpose));
    format!(
        r#"{{"{prefix}/protocolVersion":"{STATELESS}","{prefix}/clientCapabilities":{capabilities},"{prefix}/clientInfo":{info}}}"#
    )
}

pub(super) fn initialize(id: u64, purpose: Purpose) -> Request {
    let newest = SESSIONS[0];
    let params = Params::default().with_text("protocolVersion", newest).with("capabilities", capabilities(purpose));
    params.with("clientInfo", client_info()).request(id, "initialize", (Era::Session(newest), purpose))
}

/// `notifications/initialized`.
pub(super) const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// The answer to a request of the server: there is nobody to be asked, no folder and no model.
pub(super) fn reply(id: &RawValue, method: &str) -> String {
    let id = id.get();
    let result = |json: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{json}}}"#);
    match method {
        "ping" => return result("{}"),
        "elicitation/create" => return result(r#"{"action":"decline"}"#),
        "roots/list" => return result(r#"{"roots":[]}"#),
        _ => {}
    }
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{METHOD_NOT_FOUND},"message":"Method not found"}}}}"#)
}

/// Reads a text: one message, or a batch of them.
///
/// # Errors
///
/// Says what is wrong with what is no message.
pub(super) fn read(text: &str) -> Result<Vec<Incoming>, String> {
    let said = |error: serde_json::Error| error.to_string();
    if !text.trim_start().starts_with('[') {
        return Ok(vec![message(text)?]);
    }
    let batch: Vec<&RawValue> = serde_json::from_str(text).map_err(said)?;
    batch.into_iter().map(|raw| message(raw.get())).collect()
}

fn message(text: &str) -> Result<Incoming, String> {
    let envelope: Envelope<'_> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if envelope.jsonrpc != "2.0" {
        return Err("`jsonrpc` is not \"2.0\"".to_owned());
    }
    let number = |id: &RawValue| id.get().parse().ok();
    match (envelope.method, envelope.id, envelope.result, envelope.error) {
        (Some(method), Some(id), None, None) => Ok(Incoming::Request(id.to_owned(), method.into_owned())),
        (Some(_), None, None, None) => Ok(Incoming::Notification),
        (None, Some(id), Some(result), None) => Ok(Incoming::Answer(number(id), Ok(result.to_owned()))),
        (None, id, None, Some(fault)) => {
            let refusal = Refusal { code: fault.code, message: fault.message, data: fault.data };
            Ok(Incoming::Answer(id.and_then(number), Err(refusal)))
        }
        _ => Err("it is neither a request nor an answer".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_apart() {
        let kind = |text: &str| match read(text).map(|mut messages| messages.remove(0)) {
            Ok(Incoming::Answer(id, Ok(result))) => format!("{id:?} {result}"),
            Ok(Incoming::Answer(id, Err(refusal))) => format!("{id:?} {}", refusal.code),
            Ok(Incoming::Notification) => "notification".to_owned(),
            Ok(Incoming::Request(id, method)) => format!("{method} {id}"),
            Err(_) => "none".to_owned(),
        };
        for (text, expected) in [
            (r#"{"jsonrpc":"2.0","id":7,"result":{"a":1.0}}"#, r#"Some(7) {"a":1.0}"#),
            (r#"[{"jsonrpc":"2.0","id":7,"result":{}}]"#, "Some(7) {}"),
            (r#"{"jsonrpc":"2.0","id":"x","result":{}}"#, "None {}"),
            (r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}"#, "None -32700"),
            (r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}"#, "None -32700"),
            (r#"{"jsonrpc":"2.0","method":"a"}"#, "notification"),
            (r#"{"jsonrpc":"2.0","id":"s","method":"p\u0069ng"}"#, "ping \"s\""),
            (r#"{"jsonrpc":"2.0","id":7,"result":{},"result":{}}"#, "none"),
            (r#"{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":"m"}}"#, "none"),
            (r#"{"jsonrpc":"1.0","id":7,"result":{}}"#, "none"),
            (r#"{"jsonrpc":"2.0","id":7}"#, "none"),
            ("Server is listening", "none"),
        ] {
            assert_eq!(kind(text), expected, "{text}");
        }
    }
}
