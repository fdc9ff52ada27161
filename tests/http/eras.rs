//! Which era a request is of, and which status comes of what is wrong with it.

use serde_json::{Value, json};
use support::web::{Request, Site};

use crate::service::{call, stateless};
use crate::site;

fn list() -> Value {
    stateless(json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {} }))
}

/// The status and the code of the error, which must be the request's own.
async fn refused(site: &Site, request: &Request) -> (u16, i64) {
    let mut reply = site.send(request).await;
    assert_eq!(reply.header("content-type"), Some("application/json"));
    let message = reply.message().await;
    assert_eq!(message["id"], 7, "{message}");
    (reply.status, message["error"]["code"].as_i64().unwrap_or_else(|| panic!("an error: {message}")))
}

#[tokio::test]
async fn e2_the_message_says_it_before_the_headers_do() {
    let (site, _) = site().await;
    let session = site.session("2025-11-25", json!({})).await;
    // a stateless message is one, whatever session its headers name
    assert_eq!(site.send(&Request::stateless(&list()).with("Mcp-Session-Id", &session)).await.status, 200);
    assert_eq!(site.send(&Request::stateless(&list()).with("Mcp-Session-Id", "unknown")).await.status, 200);
}

#[tokio::test]
async fn e3_initialize_is_a_handshake_whatever_headers_come_with_it() {
    let (site, _) = site().await;
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    let message = json!({ "jsonrpc": "2.0", "id": 7, "method": "initialize", "params": params });
    let plain = Request::post(&message.to_string());
    let with_headers = plain.clone().with("MCP-Protocol-Version", "2025-11-25").with("Mcp-Method", "initialize");
    for request in [plain, with_headers] {
        let mut reply = site.send(&request).await;
        let id = reply.header("mcp-session-id").expect("a session").to_owned();
        assert!(id.len() >= 22 && id.bytes().all(|byte| byte.is_ascii_graphic()), "hl8: {id}");
        assert_eq!((reply.status, &reply.message().await["result"]["protocolVersion"]), (200, &"2025-11-25".into()));
    }
}

#[tokio::test]
async fn e5_a_stateless_header_needs_a_stateless_message() {
    let (site, _) = site().await;
    let header = |message: &Value| Request::post(&message.to_string()).with("MCP-Protocol-Version", "2026-07-28");
    let mut lacking = [list(), list(), list(), list()];
    lacking[0]["params"] = json!({});
    lacking[1]["params"]["_meta"].as_object_mut().unwrap().remove("io.modelcontextprotocol/protocolVersion");
    lacking[2]["params"]["_meta"].as_object_mut().unwrap().remove("io.modelcontextprotocol/clientCapabilities");
    lacking[3]["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(5);
    for message in &lacking {
        assert_eq!(refused(&site, &header(message)).await, (400, -32_602), "{message}");
    }
    // also where nothing else says which era it is
    assert_eq!(refused(&site, &Request::post(&lacking[3].to_string())).await, (400, -32_602));
}

#[tokio::test]
async fn e6_a_version_that_nobody_knows_is_told_which_there_are() {
    let (site, _) = site().await;
    let message = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/list" });
    let mut reply = site.send(&Request::post(&message.to_string()).with("MCP-Protocol-Version", "1999-01-01")).await;
    // by the letter no error of a session's revision, but it tells a client of both eras which there are
    let error = serde_json::from_str::<Value>(&reply.text().await).unwrap()["error"].take();
    assert_eq!(
        (reply.status, &error["code"], &error["data"]["requested"]),
        (400, &json!(-32_022), &json!("1999-01-01"))
    );
    assert_eq!(error["data"]["supported"].as_array().map(Vec::len), Some(5));
    for method in ["GET", "DELETE"] {
        let request = Request::bare(method, "any").with("MCP-Protocol-Version", "1999-01-01");
        assert_eq!(site.send(&request).await.status, 400, "hl9: {method}");
    }
}

#[tokio::test]
async fn e7_a_request_that_says_nothing_needs_a_session() {
    let (site, _) = site().await;
    let message = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/list" });
    assert_eq!(refused(&site, &Request::post(&message.to_string())).await, (400, -32_600));
    let session = site.session("2025-06-18", json!({})).await;
    assert_eq!(site.send(&Request::session(&session, &message)).await.status, 200);
}

#[tokio::test]
async fn e8_a_stateless_initialize_is_unknown() {
    let (site, _) = site().await;
    for method in ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "no/such"]
    {
        let message = stateless(json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": {} }));
        assert_eq!(refused(&site, &Request::stateless(&message)).await, (404, -32_601), "{method}");
    }
}

#[tokio::test]
async fn e9_no_handshake_agrees_to_a_revision_without_one() {
    let (site, _) = site().await;
    let params =
        json!({ "protocolVersion": "2026-07-28", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    let message = json!({ "jsonrpc": "2.0", "id": 7, "method": "initialize", "params": params });
    let answer = site.send(&Request::post(&message.to_string())).await.message().await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
}

#[tokio::test]
async fn hm9_what_is_wrong_first_is_told() {
    let (site, _) = site().await;
    let mut message = stateless(call(7, "no-such", json!({})));
    message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "v9".into();
    message["params"]["_meta"].as_object_mut().unwrap().remove("io.modelcontextprotocol/clientCapabilities");
    let mut request = Request::stateless(&message).with("Mcp-Method", "other").with("Origin", "http://evil.example");
    let mut steps = vec![site.send(&request).await.status];
    request = request.without("Origin").with("Accept", "text/html");
    steps.push(site.send(&request).await.status);
    request = request.with("Accept", "*/*").with("Content-Type", "text/plain");
    steps.push(site.send(&request).await.status);
    assert_eq!(steps, [403, 406, 415]);

    let send = async |message: &Value, method: &str| {
        let request = Request::stateless(message).with("Mcp-Method", method);
        refused(&site, &request).await
    };
    assert_eq!(send(&message, "other").await, (400, -32_602), "required members of `_meta`");
    message["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    assert_eq!(send(&message, "other").await, (400, -32_020), "the version in header and message");
    let v9 = Request::stateless(&message).with("MCP-Protocol-Version", "v9").with("Mcp-Method", "other");
    assert_eq!(refused(&site, &v9).await, (400, -32_022), "the version at all");
    message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
    assert_eq!(send(&message, "other").await, (400, -32_020), "`Mcp-Method`");
    assert_eq!(send(&message, "tools/call").await, (400, -32_602), "the tool");
}

#[tokio::test]
async fn statuses_of_bodies_that_are_no_request() {
    let (site, _) = site().await;
    let session = site.session("2025-11-25", json!({})).await;
    let bodies = [
        ("{", -32_700),
        ("", -32_700),
        ("[]", -32_600),
        ("[1]", -32_600),
        ("[{", -32_700),
        ("5", -32_600),
        (r#"{"jsonrpc":"2.0"}"#, -32_600),
        (r#"{"jsonrpc":"2.0","method":"a","method":"b"}"#, -32_600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#, -32_600),
    ];
    for (body, code) in bodies {
        let stateless = Request::post(body).with("MCP-Protocol-Version", "2026-07-28");
        for request in [stateless, Request::post(body).with("Mcp-Session-Id", &session)] {
            let mut reply = site.send(&request).await;
            let message = reply.message().await;
            assert_eq!(message["error"]["code"], code, "{body}: {message}");
            assert_eq!((reply.status, message.get("id")), (400, None), "{body}");
        }
    }
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    let stateless = Request::post(answer).with("MCP-Protocol-Version", "2026-07-28");
    assert_eq!(site.send(&stateless).await.status, 400, "j10: nothing was asked");
    assert_eq!(site.send(&Request::post(answer).with("Mcp-Session-Id", &session)).await.status, 202, "hl3");
}

#[tokio::test]
async fn hm4_notifications_are_accepted_whatever_they_are() {
    let (site, _) = site().await;
    for method in ["notifications/cancelled", "notifications/unknown"] {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": { "requestId": 1 } });
        let mut reply =
            site.send(&Request::post(&message.to_string()).with("MCP-Protocol-Version", "2026-07-28")).await;
        assert_eq!((reply.status, reply.text().await.as_str()), (202, ""), "{method}");
    }
}

#[tokio::test]
async fn hm1_a_stateless_client_has_nothing_to_get_or_delete() {
    let (site, _) = site().await;
    for method in ["GET", "DELETE"] {
        let reply = site.send(&Request::bare(method, "x").with("MCP-Protocol-Version", "2026-07-28")).await;
        assert_eq!((reply.status, reply.header("allow")), (405, Some("POST")), "{method}");
    }
}
