//! What a scope opens.

use mcp_runtime::auth::Auth;
use mcp_runtime::provider::{ToolDefinition, ToolFuture, ToolProvider};
use mcp_runtime::{Context, Server};
use serde_json::{Map, Value, json};
use support::posted::{answer, post, stateless};

use crate::issuer::{claims, token};
use crate::{Heard, Vault, api, ask, call, guarded, service, verifier, with_token};

const STEP_UP: &str = concat!(
    r#"Bearer error="insufficient_scope", scope="vault:open vault:see", "#,
    r#"resource_metadata="https://vault.example/.well-known/oauth-protected-resource/mcp", "#,
    r#"error_description="the token lacks a scope""#
);

#[tokio::test]
async fn a_missing_scope_is_named_with_all_that_are_needed() {
    let heard = Heard::default();
    let server = Server::new(api::service(Vault)).listener(heard.clone());
    let service = server.http().auth(Auth::new(verifier())).service().expect("a server");
    for scope in ["", "vault:open", "vault:see other"] {
        let denied = call(&service, scope, "open").await;
        assert_eq!((denied.status().as_u16(), denied.header("www-authenticate")), (403, STEP_UP), "{scope}");
        assert_eq!((&denied.body["id"], &denied.body["error"]["code"]), (&json!(1), &json!(-32_600)));
    }
    assert_eq!(call(&service, "vault:see vault:open", "open").await.text(), "open");
    service.shut_down().await;
    assert_eq!(heard.all(), vec!["permission_denied: `open` needs the scope `vault:open vault:see`"; 3]);
}

/// A tool that is not ready at once.
struct Nap;

impl ToolProvider for Nap {
    fn tools(&self) -> Vec<ToolDefinition> {
        vec![ToolDefinition::new("nap", json!({ "type": "object" }))]
    }

    fn call<'a>(&'a self, _: &'a str, _: Map<String, Value>, _: &'a Context) -> ToolFuture<'a> {
        Box::pin(async {
            tokio::task::yield_now().await;
            Ok("slept".into())
        })
    }
}

/// A stream has no status to say it with, but it has headers.
#[tokio::test]
async fn a_missing_scope_is_named_beside_calls_that_are_under_way() {
    let server = Server::new(api::service(Vault)).provider(Nap);
    let service = server.http().auth(Auth::new(verifier())).service().expect("a server");
    let token = token(&claims("vault:see"));
    let params =
        json!({ "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    let opened = post(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }));
    let opened = answer(&service, with_token(opened, &token)).await;
    let call = |id, tool| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool } });
    for (batch, challenge) in
        [(json!([call(1, "open"), call(2, "nap")]), STEP_UP), (json!([call(1, "whoami"), call(2, "nap")]), "")]
    {
        let mut request = with_token(post(&batch), &token);
        request.headers_mut().insert("mcp-session-id", opened.header("mcp-session-id").parse().expect("a header"));
        let answered = answer(&service, request).await;
        assert_eq!((answered.status().as_u16(), answered.header("www-authenticate")), (200, challenge));
        assert_eq!(answered.header("content-type"), "text/event-stream");
    }
}

#[tokio::test]
async fn every_kind_of_feature_can_need_one() {
    let service = service();
    let prompt = json!({ "type": "ref/prompt", "name": "guard" });
    let template = json!({ "type": "ref/resource", "uri": "vault://drawer/{number}" });
    for (method, params) in [
        ("resources/read", json!({ "uri": "vault://rules" })),
        ("resources/read", json!({ "uri": "vault://drawer/7" })),
        ("prompts/get", json!({ "name": "guard" })),
        ("completion/complete", json!({ "ref": prompt, "argument": { "name": "time", "value": "" } })),
        ("completion/complete", json!({ "ref": template, "argument": { "name": "number", "value": "" } })),
    ] {
        let denied = ask(&service, "vault:open", (method, params.clone())).await;
        assert_eq!(denied.status(), 403, "{method} {params}");
        assert!(denied.header("www-authenticate").contains(r#"scope="vault:see""#), "{method} {params}");
        assert_eq!(ask(&service, "vault:see", (method, params.clone())).await.outcome(), (200, 0), "{method} {params}");
    }
    // what the guarded template does not match, another may
    let read = ask(&service, "", ("resources/read", json!({ "uri": "vault://drawer/green" }))).await;
    assert_eq!(read.body["result"]["contents"][0]["text"], "labelled green");
}

#[tokio::test]
async fn a_broad_scope_implies_narrower_ones() {
    let auth = Auth::new(verifier()).implies("admin", ["vault:open"]).implies("vault:open", ["vault:see"]);
    let service = guarded(auth);
    assert_eq!(call(&service, "admin", "open").await.text(), "open");
    assert_eq!(call(&service, "vault:open", "open").await.text(), "open");
    assert_eq!(call(&service, "vault:see", "open").await.status(), 403);
    assert!(call(&service, "admin", "whoami").await.text().contains("[admin vault:open vault:see]"));
    // circles end
    let service = guarded(Auth::new(verifier()).implies("a", ["b"]).implies("b", ["a"]));
    assert!(call(&service, "a", "whoami").await.text().contains("[a b]"));
}

#[tokio::test]
async fn a_scope_can_be_the_key_to_everything() {
    let service = guarded(Auth::new(verifier()).scopes(["vault:enter"]));
    let denied = call(&service, "vault:see", "whoami").await;
    assert_eq!(denied.status(), 403);
    assert!(denied.header("www-authenticate").starts_with(r#"Bearer error="insufficient_scope", scope="vault:enter""#));
    assert_eq!(call(&service, "vault:enter", "whoami").await.status(), 200);
    // a step up asks for both, and a first token for the key
    let denied = call(&service, "vault:enter", "open").await;
    assert!(denied.header("www-authenticate").contains(r#"scope="vault:enter vault:open vault:see""#));
    let refused = answer(&service, stateless("tools/list", json!({}))).await;
    assert!(refused.header("www-authenticate").starts_with(r#"Bearer scope="vault:enter", "#));
}

#[tokio::test]
async fn a_task_needs_the_scope_before_it_begins() {
    let service = service();
    let denied = call(&service, "vault:see", "slow").await;
    // without the extension the client could not have a task either
    assert_eq!(denied.outcome(), (400, -32_021));
    let mut params = json!({ "name": "slow" });
    params["_meta"] = json!({});
    let token = token(&claims("vault:see"));
    let mut message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    message["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "extensions": { "io.modelcontextprotocol/tasks": {} } },
    });
    let mut request = with_token(post(&message), &token);
    for (header, value) in [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "slow")]
    {
        request.headers_mut().insert(header, value.parse().expect("a header"));
    }
    assert_eq!(answer(&service, request).await.status(), 403);
}

fn names(listed: &Value, list: &str) -> Vec<String> {
    let listed = listed["result"][list].as_array().expect("a list");
    listed.iter().map(|one| one["name"].as_str().expect("a name").to_owned()).collect()
}

#[tokio::test]
async fn lists_show_everything_unless_they_are_told_not_to() {
    let all = service();
    let listed = ask(&all, "", ("tools/list", json!({}))).await;
    assert_eq!(names(&listed.body, "tools"), ["whoami", "open", "slow"]);
    let server = Server::new(api::service(Vault)).lists_by_scope(true);
    let service = server.http().auth(Auth::new(verifier())).service().expect("a server");
    for (method, list, nothing, see) in [
        ("tools/list", "tools", &["whoami"][..], &["whoami"][..]),
        ("resources/list", "resources", &[], &["rules"]),
        ("resources/templates/list", "resourceTemplates", &["labelled"], &["drawer", "labelled"]),
        ("prompts/list", "prompts", &[], &["guard"]),
    ] {
        let listed = ask(&service, "", (method, json!({}))).await;
        assert_eq!(names(&listed.body, list), nothing, "{method}");
        // what differs from caller to caller is nobody else's to keep
        assert_eq!(listed.body["result"]["cacheScope"], "private", "{method}");
        assert_eq!(names(&ask(&service, "vault:see", (method, json!({}))).await.body, list), see, "{method}");
    }
    let listed = ask(&service, "vault:see vault:open", ("tools/list", json!({}))).await;
    assert_eq!(names(&listed.body, "tools"), ["whoami", "open", "slow"]);
}
