//! Requests over HTTP, without sockets: no panic, every response is one that HTTP knows, what says that it is JSON is, and
//! afterwards the server serves as before.
//!
//! An input is one request or several, with a NUL between: the method and the path, headers, a blank line, the body. `$`
//! in a header stands for the id of the session that was opened last.

#![no_main]

use std::time::Duration;

use bytes::Bytes;
use http::{Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use libfuzzer_sys::fuzz_target;
use mcp_codegen_fuzz::{runtime, server};
use mcp_runtime::http::HttpService;
use serde_json::Value;
use tower_service::Service as _;

const ECHO: &[u8] = b"POST /mcp
host: localhost
content-type: application/json
accept: application/json, text/event-stream
mcp-protocol-version: 2026-07-28
mcp-method: tools/call
mcp-name: echo

{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"text\":\"still here\"},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}}";

fuzz_target!(|bytes: &[u8]| {
    runtime().block_on(async {
        let service = server().http().service().expect("a server");
        let mut session = String::new();
        for text in bytes.split(|byte| *byte == 0).take(8) {
            if let Some(request) = request(text, &session) {
                send(&service, request, &mut session).await;
            }
        }
        let echo = request(ECHO, "").expect("a request");
        let (status, body) = send(&service, echo, &mut session).await;
        assert!(status == StatusCode::OK && body.contains("still here"), "{status} {body}");
    });
});

async fn send(service: &HttpService, request: Request<Full<Bytes>>, session: &mut String) -> (StatusCode, String) {
    let answered = service.clone().call(request).await;
    let (head, mut body) = answered.unwrap_or_else(|never| match never {}).into_parts();
    let mut text = Vec::new();
    // a stream without an end of its own is heard for a while
    let _ = tokio::time::timeout(Duration::from_secs(20), async {
        while let Some(frame) = body.frame().await {
            text.extend_from_slice(frame.unwrap_or_else(|never| match never {}).data_ref().map_or(&[], |data| data));
        }
    })
    .await;
    let text = String::from_utf8(text).expect("UTF-8");
    let header = |name| head.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if header("content-type") == "application/json" {
        serde_json::from_str::<Value>(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    }
    if !header("mcp-session-id").is_empty() {
        header("mcp-session-id").clone_into(session);
    }
    assert!(!head.status.is_server_error() || head.status == StatusCode::SERVICE_UNAVAILABLE, "{} {text}", head.status);
    (head.status, text)
}

/// A request, if it is one that a server of HTTP would let through.
fn request(text: &[u8], session: &str) -> Option<Request<Full<Bytes>>> {
    let end = text.windows(2).position(|pair| pair == b"\n\n").unwrap_or(text.len());
    let (head, body) = (std::str::from_utf8(&text[..end]).ok()?, text.get(end + 2..).unwrap_or_default());
    let mut lines = head.lines();
    let (method, path) = lines.next()?.split_once(' ')?;
    let mut request = Request::builder().method(method).uri(path);
    for line in lines {
        let (name, value) = line.split_once(':')?;
        request = request.header(name.trim(), value.trim().replace('$', session));
    }
    request.body(Full::from(body.to_vec())).ok()
}
