//! What browsers are told of pages of other origins: nothing, unless the server is told to, and then not of all.

use serde_json::json;
use support::web::{Reply, Request, Site};

use crate::service::{World, call, server, stateless};

const PAGE: &str = "https://app.example";
const ALLOW_ORIGIN: &str = "access-control-allow-origin";
const ALLOW_HEADERS: &str = "access-control-allow-headers";

async fn site() -> Site {
    Site::start(server(&World::default()).allowed_origins([PAGE]).cors()).await
}

/// What a browser asks before a page sends a call.
fn preflight(origin: &str) -> Request {
    Request::bare("OPTIONS", "none")
        .without("Mcp-Session-Id")
        .with("Origin", origin)
        .with("Access-Control-Request-Method", "POST")
        .with(
            "Access-Control-Request-Headers",
            "authorization,content-type,mcp-param-city, MCP-Protocol-Version,x-other",
        )
}

fn echo() -> Request {
    Request::stateless(&stateless(call(1, "echo", json!({ "text": "hello" }))))
}

fn is_silent(reply: &Reply) -> bool {
    [ALLOW_ORIGIN, ALLOW_HEADERS, "access-control-allow-methods", "access-control-expose-headers"]
        .iter()
        .all(|name| reply.header(name).is_none())
}

#[tokio::test]
async fn nothing_is_told_by_default() {
    let site = Site::start(server(&World::default()).allowed_origins([PAGE])).await;
    let refused = site.send(&preflight(PAGE)).await;
    assert!(refused.status == 405 && is_silent(&refused), "{refused:?}");
    let answered = site.send(&echo().with("Origin", PAGE)).await;
    assert!(answered.status == 200 && is_silent(&answered), "{answered:?}");
}

#[tokio::test]
async fn pages_of_allowed_origins_are_told_what_they_may_send() {
    let site = site().await;
    for origin in [PAGE, "http://localhost:5173"] {
        let mut reply = site.send(&preflight(origin)).await;
        assert_eq!((reply.status, reply.text().await.as_str()), (204, ""));
        assert_eq!(reply.header(ALLOW_ORIGIN), Some(origin), "the page, and not `*`");
        assert_eq!(reply.header("access-control-allow-methods"), Some("GET, POST, DELETE"));
        let allowed = "authorization, content-type, mcp-param-city, mcp-protocol-version";
        assert_eq!(reply.header(ALLOW_HEADERS), Some(allowed), "what means something here");
        assert_eq!(reply.header("vary"), Some("Origin"));
        assert_eq!(reply.header("access-control-allow-credentials"), None, "no cookies");
    }
}

#[tokio::test]
async fn other_pages_are_refused_without_a_word_for_their_browsers() {
    let site = site().await;
    for origin in ["https://evil.example", "http://app.example", "https://app.example.evil.example", "null"] {
        for request in [preflight(origin), echo().with("Origin", origin)] {
            let reply = site.send(&request).await;
            assert!(reply.status == 403 && is_silent(&reply), "{origin}: {reply:?}");
            assert_eq!(reply.header("vary"), Some("Origin"), "no cache may take it for an answer to others");
        }
    }
    let foreign_host = site.send(&preflight(PAGE).with("Host", "evil.example")).await;
    assert!(foreign_host.status == 403 && is_silent(&foreign_host), "{foreign_host:?}");
}

#[tokio::test]
async fn answers_of_every_kind_can_be_read() {
    let site = site().await;
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    let initialize = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }).to_string();
    let mut held = stateless(call(1, "chatter", json!({})));
    held["params"]["_meta"]["progressToken"] = "p".into();
    for (request, status) in [
        (Request::post(&initialize), 200),
        (echo(), 200),
        (Request::stateless(&held), 200),
        (echo().with("Accept", "text/html"), 406),
        (echo().without("Mcp-Name"), 400),
        (Request::bare("GET", "no-such-session"), 404),
        // a plain `OPTIONS` asks nothing of this kind
        (preflight(PAGE).without("Access-Control-Request-Method"), 405),
    ] {
        let reply = site.send(&request.with("Origin", PAGE)).await;
        assert_eq!((reply.status, reply.header(ALLOW_ORIGIN)), (status, Some(PAGE)));
        let exposed = reply.header("access-control-expose-headers").expect("a list");
        assert!(exposed.contains("Mcp-Session-Id") && exposed.contains("WWW-Authenticate"), "{exposed}");
    }
    assert!(is_silent(&site.send(&echo()).await), "without a page there is nobody to tell");
}
