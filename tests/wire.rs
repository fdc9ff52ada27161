//! What both eras of the protocol say, byte for byte: the weather example as a process, one transcript per subject.
//!
//! Every line that the server sends is also judged by the official schemas, where those are at hand.

use insta::assert_snapshot;
use serde_json::{Value, json};
use support::messages::{META, cancel, code, initialize, ping, request, watch};
use support::official::Conversation;
use support::wire::Wire;
use support::{shared, weather};

#[test]
fn the_official_schemas_tell_right_from_wrong() {
    if shared("mcp/schema").is_none() {
        return;
    }
    let mut conversation = Conversation::default();
    conversation.sent(request(1, "tools/list", META).as_bytes());
    let answer = |result: Value| json!({ "jsonrpc": "2.0", "id": 1, "result": result });
    let list = json!({ "resultType": "complete", "tools": [], "ttlMs": 0, "cacheScope": "private" });
    assert!(conversation.faults(&answer(list.clone())).is_empty());
    for required in ["resultType", "tools", "ttlMs", "cacheScope"] {
        let mut list = list.clone();
        list.as_object_mut().unwrap().remove(required);
        assert!(!conversation.faults(&answer(list)).is_empty(), "a list without `{required}` is refused");
    }
}

/// LC1 LC2 LC4
#[test]
fn every_revision_with_sessions_is_served_in_its_own_words() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut server = Wire::session(weather(), version);
        server.ask(&ping(1));
        server.ask(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#);
        let oslo = r#""name":"get_weather","arguments":{"city":"Oslo","days":3}"#;
        server.ask(&request(3, "tools/call", oslo));
        server.ask(&request(4, "tools/call", r#""name":"get_weather","arguments":{"city":"Oslo","days":99}"#));
        server.ask(&request(5, "tools/call", r#""name":"get_weather","arguments":{"city":"Atlantis"}"#));
        server.ask(&request(6, "tools/call", r#""name":"get_wether","arguments":{}"#));
        server.ask(&request(7, "tools/call", r#""arguments":{}"#));
        server.ask(&request(8, "tools/cal", ""));
        server.ask(&request(9, "tools/list", r#""cursor":"2""#));
        server.ask(&request(10, "logging/setLevel", r#""level":"warning""#));
        server.ask(&request(11, "logging/setLevel", r#""level":"loud""#));
        assert_snapshot!(format!("session-{version}"), server.close());
    }
}

/// E9 LC2
#[test]
fn an_unknown_version_is_answered_with_the_newest_that_has_sessions() {
    for asked in ["1999-01-01", "2026-07-28", "2099-01-01"] {
        let mut server = Wire::start(weather());
        let answer = server.ask(&initialize(1, asked));
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "asked for {asked}");
    }
}

/// E8 MD2 DI1 R65
#[test]
fn requests_without_a_session_carry_all_that_is_needed() {
    let mut server = Wire::start(weather());
    server.ask(&request(1, "server/discover", META));
    server.ask(&request(2, "tools/list", META));
    server.ask(&request(
        3,
        "tools/call",
        &format!(r#""name":"get_weather","arguments":{{"city":"Oslo","days":3}},{META}"#),
    ));
    server.ask(&request(
        4,
        "tools/call",
        &format!(r#""name":"get_weather","arguments":{{"city":"Oslo","days":99}},{META}"#),
    ));
    server.ask(&request(5, "tools/call", &format!(r#""name":"get_weather","arguments":{{"city":"Atlantis"}},{META}"#)));
    server.ask(&request(6, "tools/call", &format!(r#""name":"get_wether","arguments":{{}},{META}"#)));
    server.ask(&request(7, "tools/call", &format!(r#""arguments":{{}},{META}"#)));
    server.ask(&request(8, "tools/list", &format!(r#""cursor":"2",{META}"#)));
    server.ask(&request(9, "resources/list", META));
    for (id, removed) in (10..).zip(["initialize", "ping", "logging/setLevel", "resources/subscribe", "tools/cal"]) {
        server.ask(&request(id, removed, META));
    }
    assert_snapshot!("stateless", server.close());
}

/// MD1 MD4 MD7
#[test]
fn stateless_requests_say_their_version_and_capabilities() {
    let mut server = Wire::start(weather());
    let meta = |version: &str, capabilities: &str| {
        let version = format!(r#""io.modelcontextprotocol/protocolVersion":{version}"#);
        format!(r#""_meta":{{{version}{capabilities}}}"#)
    };
    let capabilities = r#","io.modelcontextprotocol/clientCapabilities":{}"#;
    server.ask(r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#);
    server.ask(&request(2, "server/discover", r#""_meta":{}"#));
    server.ask(&request(3, "tools/list", &meta(r#""2026-07-28""#, "")));
    server.ask(&request(4, "tools/list", &meta("20260728", capabilities)));
    server.ask(&request(
        5,
        "tools/list",
        &meta(r#""2026-07-28""#, r#","io.modelcontextprotocol/clientCapabilities":[]"#),
    ));
    server.ask(&request(6, "tools/list", r#""_meta":5"#));
    server.ask(&request(7, "tools/list", &meta(r#""2099-01-01""#, capabilities)));
    server.ask(&request(8, "tools/list", &meta(r#""2025-11-25""#, capabilities)));
    assert_snapshot!("stateless-meta", server.close());
}

/// E10
#[test]
fn stateless_requests_leave_the_session_alone() {
    let mut server = Wire::start(weather());
    assert!(server.ask(&request(1, "tools/list", META))["result"].is_object());
    assert_eq!(code(&server.ask(&request(2, "tools/list", ""))), Some(-32_600));
    assert_eq!(server.ask(&initialize(3, "2024-11-05"))["result"]["protocolVersion"], "2024-11-05");
    assert_eq!(server.ask(&request(4, "tools/list", META))["result"]["resultType"], "complete");
    let listed = server.ask(&request(5, "tools/list", ""));
    assert_eq!(listed["result"]["resultType"], Value::Null);
    assert_eq!(listed["result"]["tools"][0]["title"], Value::Null);
}

/// E11 LC1 LC3 LC6 LC7
#[test]
fn nothing_but_ping_comes_before_initialize_and_nothing_initializes_twice() {
    let mut server = Wire::start(weather());
    server.ask(&ping(1));
    server.ask(&request(2, "tools/list", ""));
    server.ask(&request(3, "tools/call", r#""name":"get_weather","arguments":{"city":"Oslo"}"#));
    server.ask(&request(4, "initialize", ""));
    server.ask(&request(5, "initialize", r#""protocolVersion":"2025-11-25","capabilities":7"#));
    server.ask(&initialize(6, "2025-11-25"));
    // clients race: what comes before `notifications/initialized` is served
    server.ask(&request(7, "tools/call", r#""name":"get_weather","arguments":{"city":"Oslo"}"#));
    server.ask(&initialize(8, "2025-11-25"));
    assert_snapshot!("before-initialize", server.close());
}

/// CN1
#[test]
fn a_cancelled_call_is_never_answered() {
    for meta in [String::new(), format!(",{META}")] {
        let mut server = Wire::session(weather(), "2025-11-25");
        server.say(&watch(1, 0.4, &meta));
        server.say(&cancel(1));
        assert_eq!(server.ask(&ping(1))["id"], 1, "the id is free at once");
        server.say(&watch(2, 0.6, &meta));
        assert_eq!(server.hear()["id"], 2, "what was cancelled would have been answered by now");
        server.say(&cancel(2));
        assert_eq!(server.ask(&ping(3))["id"], 3, "what is finished cannot be cancelled, and nobody complains");
    }
}

#[test]
fn a_call_past_its_time_limit_is_answered_as_a_failed_tool() {
    let mut server = Wire::session(weather(), "2025-11-25");
    server.say(&watch(1, 10.0, ""));
    server.say(&watch(2, 10.0, &format!(",{META}")));
    let answers = [server.hear(), server.hear()];
    assert!(answers.iter().all(|answer| answer["result"]["isError"] == true), "{answers:?}");
    assert_snapshot!("time-out", server.close());
}

/// PR1
#[test]
fn progress_comes_with_the_token_of_its_request_and_before_the_answer() {
    let mut server = Wire::session(weather(), "2025-11-25");
    for (id, token) in (1..).zip(["\"t\"", "7"]) {
        for meta in [
            format!(r#""_meta":{{"progressToken":{token}}}"#),
            META.replacen('{', &format!(r#"{{"progressToken":{token},"#), 1),
        ] {
            server.say(&watch(id, 0.1, &format!(",{meta}")));
            while server.hear()["method"] == "notifications/progress" {}
        }
    }
    assert_snapshot!("progress", server.close());
}

#[test]
fn revisions_before_2025_03_26_have_progress_without_words() {
    let mut server = Wire::session(weather(), "2024-11-05");
    server.say(&watch(1, 0.1, r#","_meta":{"progressToken":1}"#));
    let mut steps = Vec::new();
    while let message = server.hear()
        && message["method"] == "notifications/progress"
    {
        steps.push(message["params"].clone());
    }
    assert!(!steps.is_empty() && steps.iter().all(|step| step.get("message").is_none()), "{steps:?}");
}
