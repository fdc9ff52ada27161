//! What belongs to one caller opens for no other.

use http::Request;
use http_body_util::Full;
use mcp_runtime::http::HttpService;
use serde_json::{Value, json};
use support::posted::{Posted, answer, post};

use crate::issuer::{claims, token};
use crate::{service, with_token};

fn token_of(subject: &str, scope: &str) -> String {
    let mut claims = claims(scope);
    claims["sub"] = json!(subject);
    token(&claims)
}

async fn say(service: &HttpService, (session, token): (&str, &str), message: Value) -> Posted {
    let mut request = with_token(post(&message), token);
    request.headers_mut().insert("mcp-session-id", session.parse().expect("a header"));
    answer(service, request).await
}

async fn open(service: &HttpService, token: &str) -> String {
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" },
    });
    let message = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
    answer(service, with_token(post(&message), token)).await.header("mcp-session-id").to_owned()
}

fn call(tool: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool } })
}

#[tokio::test]
async fn a_session_belongs_to_who_opened_it() {
    let service = service();
    let (ada, eve) = (token_of("ada", ""), token_of("eve", ""));
    let session = open(&service, &ada).await;
    assert!(say(&service, (&session, &ada), call("whoami")).await.text().contains("ada"));
    // as unknown as if it did not exist
    assert_eq!(say(&service, (&session, &eve), call("whoami")).await.status(), 404);
    for method in ["GET", "DELETE"] {
        let request = Request::builder().method(method).uri("/mcp").header("host", "vault.example");
        let request = request.header("accept", "text/event-stream").header("mcp-session-id", &session);
        let request = with_token(request.body(Full::default()).expect("a request"), &eve);
        assert_eq!(answer(&service, request).await.status(), 404, "{method}");
    }
    // possession is not authentication
    let mut request = post(&call("whoami"));
    request.headers_mut().insert("mcp-session-id", session.parse().expect("a header"));
    assert_eq!(answer(&service, request).await.status(), 401);
    assert!(say(&service, (&session, &ada), call("whoami")).await.text().contains("ada"));
}

#[tokio::test]
async fn each_request_of_a_session_has_the_scopes_of_its_own_token() {
    let service = service();
    let (weak, strong) = (token_of("ada", ""), token_of("ada", "vault:open vault:see"));
    let session = open(&service, &weak).await;
    let denied = say(&service, (&session, &weak), call("open")).await;
    assert_eq!(denied.status(), 403);
    assert!(denied.header("www-authenticate").contains(r#"scope="vault:open vault:see""#));
    assert_eq!(say(&service, (&session, &strong), call("open")).await.text(), "open");
    assert_eq!(say(&service, (&session, &weak), call("open")).await.status(), 403);
    // also where a task is asked for
    let mut message = call("slow");
    message["params"]["task"] = json!({});
    assert_eq!(say(&service, (&session, &weak), message).await.status(), 403);
}
