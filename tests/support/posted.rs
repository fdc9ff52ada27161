//! A server over HTTP without sockets: requests go straight into its service.

use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use mcp_runtime::http::HttpService;
use serde_json::{Value, json};
use tower_service::Service as _;

/// An answer, with its body if that is JSON.
#[derive(Debug)]
pub struct Posted {
    /// The status, and the headers.
    pub head: Response<()>,
    /// The body; null if it is no JSON.
    pub body: Value,
}

impl Posted {
    /// The status and the code of the error, 0 if there is none.
    #[must_use]
    pub fn outcome(&self) -> (u16, i64) {
        (self.head.status().as_u16(), self.body["error"]["code"].as_i64().unwrap_or(0))
    }

    /// The status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.head.status()
    }

    /// A header, empty if it is absent.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.head.headers().get(name).map_or("", |value| value.to_str().expect("text"))
    }

    /// The text of a tool's result.
    #[must_use]
    pub fn text(&self) -> &str {
        self.body["result"]["content"][0]["text"].as_str().unwrap_or_default()
    }
}

/// A stateless request for a method, with all the headers that it needs.
#[must_use]
pub fn stateless(method: &str, mut params: Value) -> Request<Full<bytes::Bytes>> {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let name = params.get("name").or(params.get("uri")).and_then(Value::as_str).map(str::to_owned);
    let mut request = post(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }));
    let mut put = |header, value: &str| request.headers_mut().insert(header, value.parse().expect("a header"));
    put("mcp-protocol-version", "2026-07-28");
    put("mcp-method", method);
    if let Some(name) = name {
        put("mcp-name", &name);
    }
    request
}

/// A POST of a message.
#[must_use]
pub fn post(message: &Value) -> Request<Full<bytes::Bytes>> {
    let request = Request::post("/mcp").header("host", "localhost").header("content-type", "application/json");
    let request = request.header("accept", "application/json, text/event-stream");
    request.body(Full::from(message.to_string())).expect("a request")
}

/// The answer to a request.
pub async fn answer(service: &HttpService, request: Request<Full<bytes::Bytes>>) -> Posted {
    let answered = service.clone().call(request).await;
    let (head, body) = answered.unwrap_or_else(|never| match never {}).into_parts();
    let body = body.collect().await.unwrap_or_else(|never| match never {}).to_bytes();
    Posted { head: Response::from_parts(head, ()), body: serde_json::from_slice(&body).unwrap_or_default() }
}
