//! Messages of a client, for the weather example.

use serde_json::Value;

/// The `_meta` of a request that needs no session.
pub const META: &str = concat!(
    r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
    r#""io.modelcontextprotocol/clientCapabilities":{}}"#,
);

/// A request whose `params` has the given members.
#[must_use]
pub fn request(id: u32, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}}}}}"#)
}

/// Opens a session.
#[must_use]
pub fn initialize(id: u32, version: &str) -> String {
    let client = r#""capabilities":{},"clientInfo":{"name":"test","version":"1.0.0"}"#;
    request(id, "initialize", &format!(r#""protocolVersion":"{version}",{client}"#))
}

/// A call that takes so many seconds, with members that follow the arguments, and a progress notification at each tenth.
#[must_use]
pub fn watch(id: u32, seconds: f32, more: &str) -> String {
    request(id, "tools/call", &format!(r#""name":"watch_station","arguments":{{"seconds":{seconds}}}{more}"#))
}

/// Gives a request up.
#[must_use]
pub fn cancel(id: u32) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":"enough"}}}}"#)
}

/// The cheapest request.
#[must_use]
pub fn ping(id: u32) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)
}

/// The code of an answer that is an error.
#[must_use]
pub fn code(answer: &Value) -> Option<i64> {
    answer["error"]["code"].as_i64()
}
