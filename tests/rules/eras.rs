//! §3 to §6: which era a request belongs to, and what each says of itself.

use mcp_runtime::{Changes, Revision};
use serde_json::{Value, json};
use support::memory::Memory;

use crate::ERAS;
use crate::peer::{Peer, server};

const STATELESS: Revision = Revision::V2026_07_28;

fn sessions() -> impl Iterator<Item = Revision> {
    Revision::ALL.into_iter().filter(|revision| !revision.is_stateless())
}

async fn initialized(version: Revision) -> Value {
    let mut client = Memory::start(server().changes(&Changes::new()));
    let info = json!({ "name": "test", "version": "1" });
    let params = json!({ "protocolVersion": version.as_str(), "capabilities": {}, "clientInfo": info });
    client.ask(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params })).await["result"].take()
}

/// LC1 LC2 LC5
#[tokio::test]
async fn every_version_is_agreed_to_with_what_it_knows_of_the_server() {
    let always = ["name", "version"];
    for version in sessions() {
        let result = initialized(version).await;
        assert_eq!(
            (&result["protocolVersion"], &result["instructions"]),
            (&json!(version.as_str()), &json!("Knock first."))
        );
        let info = &result["serverInfo"];
        assert!(always.iter().all(|key| info[*key].is_string()), "{info}");
        assert_eq!(info.get("title").is_some(), version >= Revision::V2025_06_18, "{version}");
        for key in ["description", "icons", "websiteUrl"] {
            assert_eq!(info.get(key).is_some(), version >= Revision::V2025_11_25, "{version}: {key}");
        }
    }
}

/// LC4 LC8
#[tokio::test]
async fn capabilities_are_those_of_the_revision_and_of_the_server() {
    let changing = json!({ "listChanged": true });
    for version in sessions() {
        let expected = json!({ "logging": {}, "tools": changing, "resources": changing, "prompts": changing });
        assert_eq!(initialized(version).await["capabilities"], expected, "{version}");
    }
}

/// E11 E12 X1
#[tokio::test]
async fn codes_of_stateless_answers_never_stand_in_those_of_sessions() {
    let stateless = [-32_020, -32_021, -32_022];
    for session in [false, true] {
        let mut client =
            if session { Memory::session(server(), "2025-11-25", json!({})).await } else { Memory::start(server()) };
        for (id, (method, params)) in (1..).zip([
            ("tools/list", json!({ "cursor": "x" })),
            ("tools/call", json!({ "name": "none" })),
            ("resources/read", json!({ "uri": "house:none" })),
            ("server/discover", json!({})),
            ("subscriptions/listen", json!({ "notifications": {} })),
            ("unheard/of", json!({})),
            ("initialize", json!({ "protocolVersion": 7 })),
        ]) {
            let answer = client.ask(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
            let code = answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("{method} succeeds: {answer}"));
            assert!(!stateless.contains(&code), "{method}: {answer}");
        }
    }
}

/// E8 E9 E10 MD8
#[tokio::test]
async fn both_eras_are_served_on_one_stream_and_know_nothing_of_each_other() {
    let mut session = Peer::of(Revision::V2024_11_05).await;
    let mut stateless = Peer::of(STATELESS).await;
    for _ in 0..2 {
        let mut request = stateless.request("tools/list", json!({}));
        request["id"] = json!("stateless");
        let answer = session.memory.ask(&request).await;
        assert_eq!(
            (&answer["result"]["resultType"], &answer["result"]["tools"][0]["title"]),
            (&json!("complete"), &json!("Echo"))
        );
        let tools = session.list("tools/list", "tools").await;
        assert_eq!((tools.len(), tools[0].get("title")), (6, None));
    }
    let mut request = stateless.request("initialize", json!({ "protocolVersion": "2025-11-25", "capabilities": {} }));
    request["id"] = json!("again");
    let error = session.memory.ask(&request).await["error"].take();
    assert_eq!(error["code"], -32_601);
    assert!(error["data"]["supported"].as_array().is_some_and(|versions| versions.len() == Revision::ALL.len()));
}

/// LC3 LC6 LC7
#[tokio::test]
async fn a_session_is_served_at_once_pinged_at_any_time_and_opened_once() {
    let mut client = Memory::start(server());
    let ping = json!({ "jsonrpc": "2.0", "id": "p", "method": "ping" });
    assert_eq!(client.ask(&ping).await["result"], json!({}));
    let mut peer = Peer::of(Revision::V2025_11_25).await;
    peer.result("tools/list", json!({})).await;
    assert_eq!(peer.result("ping", json!({})).await, json!({}));
    let again =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    assert_eq!(peer.error("initialize", again).await["code"], -32_600);
}

/// MD1 MD4 MD7
#[tokio::test]
async fn a_stateless_request_states_a_version_that_is_served_so() {
    let mut peer = Peer::of(STATELESS).await;
    let discovered = peer.result("server/discover", json!({})).await["supportedVersions"].take();
    let discovered = discovered.as_array().expect("a list").clone();
    for (version, asks_for_sessions) in [("2025-11-25", true), ("2024-11-05", true), ("2099-01-01", false)] {
        let mut request = peer.request("tools/list", json!({}));
        request["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(version);
        let error = peer.memory.ask(&request).await["error"].take();
        assert_eq!((&error["code"], &error["data"]["requested"]), (&json!(-32_022), &json!(version)));
        let supported = error["data"]["supported"].as_array().expect("a list");
        assert!(!supported.is_empty() && supported.iter().all(|version| discovered.contains(version)));
        // naming the one that it asked for would send the client round in a circle
        assert_eq!(supported.contains(&json!("2025-11-25")), !asks_for_sessions, "{version}");
    }
    for key in ["io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"] {
        for wrong in [None, Some(json!([])), Some(json!(7))] {
            let mut request = peer.request("server/discover", json!({}));
            let meta = request["params"]["_meta"].as_object_mut().expect("an object");
            meta.remove(key);
            meta.extend(wrong.map(|wrong| (key.to_owned(), wrong)));
            assert_eq!(peer.memory.ask(&request).await["error"]["code"], -32_602, "{request}");
        }
    }
}

/// MD2 MD6
#[tokio::test]
async fn the_client_need_not_say_who_it_is_and_the_server_always_does() {
    let mut peer = Peer::of(STATELESS).await;
    let info = json!({ "name": "house", "version": "1.2.3" });
    for (method, params) in [
        ("server/discover", json!({})),
        ("tools/list", json!({})),
        ("tools/call", json!({ "name": "echo", "arguments": { "text": "a" } })),
        ("tools/call", json!({ "name": "echo", "arguments": {} })),
        ("resources/read", json!({ "uri": "house://plan" })),
        ("prompts/get", json!({ "name": "rules" })),
    ] {
        for client in [json!(null), json!({ "name": "c", "version": "1" }), json!("anybody")] {
            let mut request = peer.request(method, params.clone());
            if !client.is_null() {
                request["params"]["_meta"]["io.modelcontextprotocol/clientInfo"] = client;
            }
            let answer = peer.memory.ask(&request).await;
            assert_eq!(answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"], info, "{answer}");
        }
    }
}

/// MD3 DI5
#[tokio::test]
async fn nothing_is_remembered_from_one_stateless_request_to_the_next() {
    let mut peer = Peer::of(STATELESS).await;
    let loud = json!({ "io.modelcontextprotocol/logLevel": "debug", "progressToken": "t" });
    let talk = json!({ "name": "talk", "_meta": loud });
    let (_, heard) = peer.heard("tools/call", talk).await;
    assert!(heard.len() > 4, "{heard:?}");
    peer.call("talk", json!({})).await;
    let list = peer.list("tools/list", "tools").await;
    peer.result("server/discover", json!({})).await;
    assert_eq!(peer.list("tools/list", "tools").await, list);
}

/// MD9
#[tokio::test]
async fn a_handler_sees_what_the_client_says_beside_the_arguments() {
    for era in ERAS {
        let mut peer = Peer::of(era).await;
        let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let params = json!({ "name": "echo", "arguments": { "text": "a" }, "_meta": { "traceparent": trace, "tracestate": "x=1" } });
        assert_eq!(peer.result("tools/call", params).await["_meta"]["example.com/traced"], trace);
        assert_eq!(peer.call("echo", json!({ "text": "a" })).await["_meta"]["example.com/traced"], Value::Null);
    }
}

/// DI1 DI2 DI3 DI4
#[tokio::test]
async fn discover_tells_what_is_really_served() {
    let mut peer = Peer::with(server().changes(&Changes::new()), STATELESS).await;
    let found = peer.result("server/discover", json!({})).await;
    let changing = json!({ "listChanged": true });
    let expected = json!({ "logging": {}, "tools": changing, "resources": changing, "prompts": changing });
    assert_eq!(found["capabilities"], expected);
    assert_eq!((&found["instructions"], found.get("serverInfo")), (&json!("Knock first."), None));
    assert_eq!((&found["ttlMs"], &found["cacheScope"]), (&json!(60_000), &json!("public")));
    // nothing in the house can be completed
    let complete =
        json!({ "ref": { "type": "ref/prompt", "name": "greet" }, "argument": { "name": "who", "value": "" } });
    assert_eq!(peer.error("completion/complete", complete).await["code"], -32_601);
}
