//! What goes over the wire, byte for byte: the weather example as a process, with one transcript per subject.
//!
//! Every line that the server sends is also judged by the official schemas, where those are at hand.

use std::time::{Duration, Instant};

use insta::assert_snapshot;
use serde_json::{Value, json};
use support::weather;
use support::wire::Wire;

/// The `_meta` of a request that needs no session.
const META: &str = concat!(
    r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
    r#""io.modelcontextprotocol/clientCapabilities":{}}"#,
);

/// A server with an open session.
fn session(version: &str) -> Wire {
    let mut server = Wire::start(weather());
    let capabilities = r#""capabilities":{},"clientInfo":{"name":"test","version":"1.0.0"}"#;
    server.ask(&request(0, "initialize", &format!(r#""protocolVersion":"{version}",{capabilities}"#)));
    server.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    server
}

fn request(id: u32, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}}}}}"#)
}

fn watch(id: u32, seconds: f32, meta: &str) -> String {
    request(id, "tools/call", &format!(r#""name":"watch_station","arguments":{{"seconds":{seconds}}}{meta}"#))
}

fn cancel(id: u32) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":"enough"}}}}"#)
}

fn ping(id: u32) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)
}

fn code(answer: &Value) -> Option<i64> {
    answer["error"]["code"].as_i64()
}

#[test]
fn every_revision_with_sessions_is_served_in_its_own_words() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut server = session(version);
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

#[test]
fn an_unknown_version_is_answered_with_the_newest_that_has_sessions() {
    for asked in ["1999-01-01", "2026-07-28", "2099-01-01"] {
        let mut server = Wire::start(weather());
        let params =
            format!(r#""protocolVersion":"{asked}","capabilities":{{}},"clientInfo":{{"name":"t","version":"1"}}"#);
        let answer = server.ask(&request(1, "initialize", &params));
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "asked for {asked}");
    }
}

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

#[test]
fn stateless_requests_leave_the_session_alone() {
    let mut server = Wire::start(weather());
    assert!(server.ask(&request(1, "tools/list", META))["result"].is_object());
    assert_eq!(code(&server.ask(&request(2, "tools/list", ""))), Some(-32_600));
    let hello = r#""protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"t","version":"1"}"#;
    assert_eq!(server.ask(&request(3, "initialize", hello))["result"]["protocolVersion"], "2024-11-05");
    assert_eq!(server.ask(&request(4, "tools/list", META))["result"]["resultType"], "complete");
    let listed = server.ask(&request(5, "tools/list", ""));
    assert_eq!(listed["result"]["resultType"], Value::Null);
    assert_eq!(listed["result"]["tools"][0]["title"], Value::Null);
}

#[test]
fn nothing_but_ping_comes_before_initialize_and_nothing_initializes_twice() {
    let mut server = Wire::start(weather());
    server.ask(&ping(1));
    server.ask(&request(2, "tools/list", ""));
    server.ask(&request(3, "tools/call", r#""name":"get_weather","arguments":{"city":"Oslo"}"#));
    server.ask(&request(4, "initialize", ""));
    server.ask(&request(5, "initialize", r#""protocolVersion":"2025-11-25","capabilities":7"#));
    let hello = r#""protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}"#;
    server.ask(&request(6, "initialize", hello));
    // clients race: what comes before `notifications/initialized` is served
    server.ask(&request(7, "tools/call", r#""name":"get_weather","arguments":{"city":"Oslo"}"#));
    server.ask(&request(8, "initialize", hello));
    assert_snapshot!("before-initialize", server.close());
}

#[test]
fn what_is_no_message_is_refused_and_the_next_one_is_served() {
    let mut server = session("2025-11-25");
    for broken in [
        "{",
        "tools/list",
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"} trailing"#,
        "[]",
        "7",
        "null",
        "{}",
        r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
        r#"{"id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
        r#"{"jsonrpc":"2.0","id":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":7}"#,
        r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
    ] {
        server.ask(broken);
    }
    server.say_bytes("(not UTF-8)", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}\n");
    server.hear();
    server.ask(&ping(2));
    assert_snapshot!("no-message", server.close());
}

#[test]
fn lines_may_begin_and_end_as_other_systems_write_them() {
    let mut server = session("2025-11-25");
    server.say("");
    server.say("  \t ");
    server.say_bytes("(byte order mark)", b"\xef\xbb\xbf");
    server.ask(&ping(1));
    server.ask(&format!("{}\r", ping(2)));
    server.say("\r");
    server.ask(&format!("  {}  ", ping(3)));
    server.ask(r#"{"jsonrpc":"2.0","id":4,"method":"pi\u006eg","params":{"unknown":[null]},"unknown":{}}"#);
    assert_snapshot!("lines", server.close());
}

#[test]
fn a_line_beyond_16_mib_is_refused_and_the_next_one_is_served() {
    let mut server = session("2025-11-25");
    let long = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"x":"{}"}}}}"#, "x".repeat(17 << 20));
    server.say_bytes("(17 MiB)", format!("{long}\n").as_bytes());
    server.hear();
    let long = format!(r#"{{"jsonrpc":"2.0","id":2,"method":"ping","params":{{"x":"{}"}}}}"#, "x".repeat(15 << 20));
    server.say_bytes("(15 MiB)", format!("{long}\n").as_bytes());
    server.hear();
    assert_snapshot!("long-line", server.close());
}

#[test]
fn ids_are_strings_or_integers_and_come_back_as_they_are() {
    let mut server = session("2025-11-25");
    for id in ["\"a\"", "\"\"", "\"\\u00e9 \\n\"", "0", "-7", "9007199254740993", "18446744073709551616"] {
        server.ask(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#));
    }
    for id in ["null", "1.5", "true", "[1]", "{}"] {
        server.ask(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#));
    }
    assert_snapshot!("ids", server.close());
}

#[test]
fn an_id_in_flight_is_not_taken_twice() {
    let mut server = session("2025-11-25");
    server.say(&watch(1, 0.3, ""));
    assert_eq!(code(&server.ask(&ping(1))), Some(-32_600));
    let watched = server.hear();
    assert_eq!((&watched["id"], code(&watched)), (&json!(1), None));
    assert_eq!(code(&server.ask(&ping(1))), None, "the id is free again");
}

#[test]
fn notifications_are_never_answered() {
    let mut server = session("2025-11-25");
    server.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    server.say(r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#);
    server.say(r#"{"jsonrpc":"2.0","method":"notifications/unheard_of","params":{"x":1}}"#);
    server.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}"#);
    server.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#);
    server.say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#);
    server
        .say(r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"get_weather","arguments":{"city":"Oslo"}}}"#);
    server.say(&format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":1,{META}}}}}"#));
    // answers to questions that the server never asked
    server.say(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    server.say(r#"{"jsonrpc":"2.0","id":"x","error":{"code":-32603,"message":"no"}}"#);
    assert_eq!(server.ask(&ping(1))["id"], 1);
}

#[test]
fn revisions_whose_errors_need_an_id_hear_nothing_of_broken_lines() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18"] {
        let mut server = session(version);
        server.say("{");
        server.say_bytes("(not UTF-8)", b"\xff\n");
        server.say(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#);
        assert_eq!(server.ask(&ping(1))["id"], 1, "{version}");
    }
}

#[test]
fn batches_are_served_where_the_revision_has_them() {
    let mut server = session("2025-03-26");
    server.say(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"}]"#);
    server.say(&ping(2));
    let transcript = server.close();
    assert!(transcript.contains(r#""id":1"#) && transcript.contains(r#"← [{"#), "{transcript}");
}

#[test]
fn a_cancelled_call_is_never_answered() {
    for meta in [String::new(), format!(",{META}")] {
        let mut server = session("2025-11-25");
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
    let mut server = session("2025-11-25");
    let start = Instant::now();
    server.say(&watch(1, 10.0, ""));
    server.say(&watch(2, 10.0, &format!(",{META}")));
    let answers = [server.hear(), server.hear()];
    let took = start.elapsed();
    assert!(took > Duration::from_millis(1900) && took < Duration::from_secs(8), "took {took:?}");
    assert!(answers.iter().all(|answer| answer["result"]["isError"] == true), "{answers:?}");
    assert_snapshot!("time-out", server.close());
}

#[test]
fn progress_comes_with_the_token_of_its_request_and_before_the_answer() {
    let mut server = session("2025-11-25");
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
    let mut server = session("2024-11-05");
    server.say(&watch(1, 0.1, r#","_meta":{"progressToken":1}"#));
    let mut steps = Vec::new();
    while let message = server.hear()
        && message["method"] == "notifications/progress"
    {
        steps.push(message["params"].clone());
    }
    assert!(!steps.is_empty() && steps.iter().all(|step| step.get("message").is_none()), "{steps:?}");
}

#[test]
fn a_slow_call_delays_nobody() {
    let mut server = session("2025-11-25");
    server.say(&watch(1, 0.5, ""));
    server.say(&watch(2, 0.3, ""));
    let heard = [server.ask(&ping(3)), server.hear(), server.hear()].map(|answer| answer["id"].clone());
    assert_eq!(heard, [3, 2, 1]);
}

#[test]
fn all_that_was_asked_is_answered_after_the_input_ends() {
    let mut server = session("2025-11-25");
    server.say(&watch(1, 0.3, ""));
    server.say(&request(2, "tools/call", r#""name":"get_weather","arguments":{"city":"Rome"}"#));
    server.say_bytes("(a line without its end)", ping(3).as_bytes());
    assert_snapshot!("end-of-input", server.close());
}

#[test]
fn an_input_that_ends_at_once_ends_the_server() {
    let start = Instant::now();
    assert_eq!(Wire::start(weather()).close(), "exit Some(0)\n");
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_client_that_reads_no_more_ends_the_server() {
    assert_eq!(session("2025-11-25").stop_hearing(&ping(1)), Some(0));
}

#[test]
fn hostile_arguments_break_nothing() {
    let mut server = session("2025-11-25");
    let call =
        |id, arguments: &str| request(id, "tools/call", &format!(r#""name":"get_weather","arguments":{arguments}"#));
    for (id, arguments) in (1..).zip([
        r#"{"city":"\ud800"}"#,
        r#"{"city":"Oslo","city":"Rome"}"#,
        r#"{"city":"\u0000\u001b[31m"}"#,
        r#"{"city":"Oslo","days":1e400}"#,
        r#"{"city":"Oslo","days":9223372036854775808}"#,
        r#"{"city":"Oslo","__proto__":{}}"#,
        "5",
        "[]",
    ]) {
        let answer = server.ask(&call(id, arguments));
        assert!(code(&answer).is_some() || answer["result"]["isError"] == true, "{arguments}: {answer}");
    }
    let deep = format!(r#"{{"city":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    server.say_bytes("(deep arrays)", format!("{}\n", call(90, &deep)).as_bytes());
    server.hear();
    assert_eq!(server.ask(&ping(91))["id"], 91);
}
