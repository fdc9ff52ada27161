//! Standard input and output as a transport: lines, ids, what is no message, who waits for whom, and how it ends.

#[cfg(target_os = "linux")]
#[path = "stdio/alone.rs"]
mod alone;
#[cfg(unix)]
#[path = "stdio/faults.rs"]
mod faults;
#[cfg(unix)]
#[path = "stdio/noise.rs"]
mod noise;

#[cfg(unix)]
use std::io::{Read as _, Write as _};
#[cfg(unix)]
use std::process::{Command, Stdio};

use insta::assert_snapshot;
use serde_json::json;
use support::messages::{META, code, initialize, ping, request, watch};
use support::weather;
use support::wire::Wire;

/// J1 J5 J8 IO6 R44
#[test]
fn what_is_no_message_is_refused_and_the_next_one_is_served() {
    let mut server = Wire::session(weather(), "2025-11-25");
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
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"name":"a","name":"b"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_weather","arguments":{"city":"\ud83d"}}}"#,
    ] {
        server.ask(broken);
    }
    server.say_bytes("(not UTF-8)", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}\n");
    server.hear();
    server.ask(&ping(2));
    assert_snapshot!("no-message", server.close());
}

/// IO1 R44
#[test]
fn lines_may_begin_and_end_as_other_systems_write_them() {
    let mut server = Wire::session(weather(), "2025-11-25");
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

/// IO6 R41
#[test]
fn a_line_beyond_16_mib_is_refused_and_the_next_one_is_served() {
    let mut server = Wire::session(weather(), "2025-11-25");
    let long = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"x":"{}"}}}}"#, "x".repeat(17 << 20));
    server.say_bytes("(17 MiB)", format!("{long}\n").as_bytes());
    server.hear();
    let long = format!(r#"{{"jsonrpc":"2.0","id":2,"method":"ping","params":{{"x":"{}"}}}}"#, "x".repeat(15 << 20));
    server.say_bytes("(15 MiB)", format!("{long}\n").as_bytes());
    server.hear();
    assert_snapshot!("long-line", server.close());
}

/// IO6 R41
#[test]
fn a_line_without_an_end_does_not_grow_in_memory() {
    let mut server = Wire::session(weather(), "2025-11-25");
    server.say_bytes("(the start of a line)", br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":""#);
    let piece = vec![b'x'; 1 << 20];
    for _ in 0..100 {
        server.say_bytes("(1 MiB)", &piece);
    }
    server.say_bytes("(its end)", b"\"}}\n");
    assert_eq!(code(&server.hear()), Some(-32_600));
    assert_eq!(server.ask(&ping(2))["id"], 2);
    if let Some(peak) = server.peak_memory() {
        assert!(peak < 64 << 20, "{peak} bytes");
    }
}

/// J1 IO1 R44
#[test]
fn text_of_any_kind_goes_both_ways_as_utf_8() {
    let mut server = Wire::session(weather(), "2025-11-25");
    server.say_bytes("(bytes that are no text)", b"\xff\xfe{\n");
    assert_eq!(code(&server.hear()), Some(-32_700));
    for text in ["é", "日本語", "🦀👩‍👩‍👧", "\u{200f}\u{feff}", "a\u{2028}b"] {
        let city = json!(text).to_string();
        let call = request(1, "tools/call", &format!(r#""name":"get_weather","arguments":{{"city":{city}}}"#));
        let answer = server.ask(&call);
        let said = answer["result"]["content"][0]["text"].as_str().expect("a text");
        assert!(said.contains(&format!("`{text}`")), "{answer}");
    }
}

/// J2
#[test]
fn ids_are_strings_or_integers_and_come_back_as_they_are() {
    let mut server = Wire::session(weather(), "2025-11-25");
    for id in ["\"a\"", "\"\"", "\"\\u00e9 \\n\"", "0", "-7", "9007199254740993", "18446744073709551616"] {
        server.ask(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#));
    }
    for id in ["null", "1.5", "true", "[1]", "{}"] {
        server.ask(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#));
    }
    assert_snapshot!("ids", server.close());
}

/// J3
#[test]
fn an_id_in_flight_is_not_taken_twice() {
    let mut server = Wire::session(weather(), "2025-11-25");
    server.say(&watch(1, 1.0, ""));
    assert_eq!(code(&server.ask(&ping(1))), Some(-32_600));
    let watched = server.hear();
    assert_eq!((&watched["id"], code(&watched)), (&json!(1), None));
    assert_eq!(code(&server.ask(&ping(1))), None, "the id is free again");
}

/// J6
#[test]
fn notifications_are_never_answered() {
    let mut server = Wire::session(weather(), "2025-11-25");
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

/// J5
#[test]
fn revisions_whose_errors_need_an_id_hear_nothing_of_broken_lines() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18"] {
        let mut server = Wire::session(weather(), version);
        server.say("{");
        server.say_bytes("(not UTF-8)", b"\xff\n");
        server.say(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#);
        assert_eq!(server.ask(&ping(1))["id"], 1, "{version}");
    }
}

/// J7
#[test]
fn batches_are_served_where_the_revision_has_them() {
    let mut server = Wire::session(weather(), "2025-03-26");
    let oslo = request(3, "tools/call", r#""name":"get_weather","arguments":{"city":"Oslo"}"#);
    let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    server.say_batch(&[&watch(1, 0.2, ""), notification, &ping(2), &oslo]);
    server.say_batch(&[notification, notification]);
    server.say_batch(&[r#"{"jsonrpc":"2.0","id":4,"method":"tools/cal"}"#, "7"]);
    server.say_batch(&[&initialize(5, "2025-03-26")]);
    // an empty batch is no message, and where errors need an id there is nothing to say
    server.say_batch(&[]);
    let mut answers: Vec<_> =
        (0..5).map(|_| server.hear()).map(|answer| (answer["id"].clone(), code(&answer))).collect();
    answers.sort_by_key(|(id, _)| id.as_u64());
    let expected = [(1, None), (2, None), (3, None), (4, Some(-32_601)), (5, Some(-32_600))];
    assert_eq!(answers, expected.map(|(id, code)| (json!(id), code)));
    assert_eq!(server.ask(&ping(6))["id"], 6);
}

/// IO6
#[test]
fn a_slow_call_delays_nobody() {
    let mut server = Wire::session(weather(), "2025-11-25");
    server.say(&watch(1, 0.5, ""));
    server.say(&watch(2, 0.3, ""));
    let heard = [server.ask(&ping(3)), server.hear(), server.hear()].map(|answer| answer["id"].clone());
    assert_eq!(heard, [3, 2, 1]);
}

/// IO2 R18
#[test]
fn all_that_was_asked_is_answered_after_the_input_ends() {
    let mut server = Wire::session(weather(), "2025-11-25");
    server.say(&watch(1, 0.3, ""));
    server.say(&request(2, "tools/call", r#""name":"get_weather","arguments":{"city":"Rome"}"#));
    server.say_bytes("(a line without its end)", ping(3).as_bytes());
    assert_snapshot!("end-of-input", server.close());
}

/// IO2 R17
#[test]
fn an_input_that_ends_at_once_ends_the_server() {
    assert_eq!(Wire::start(weather()).close(), "exit Some(0)\n");
}

/// IO2
#[test]
fn a_client_that_reads_no_more_ends_the_server() {
    assert_eq!(Wire::session(weather(), "2025-11-25").stop_hearing(&ping(1)), Some(0));
}

#[test]
fn hostile_arguments_break_nothing() {
    let mut server = Wire::session(weather(), "2025-11-25");
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

/// IO1: some clients hand their servers sockets that do not block.
#[cfg(unix)]
#[test]
fn sockets_that_do_not_block_serve_as_well() {
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    const PINGS: u32 = 20_000;
    let (mut ours, theirs) = UnixStream::pair().expect("a pair of sockets");
    theirs.set_nonblocking(true).expect("a socket that does not block");
    let input = OwnedFd::from(theirs.try_clone().expect("the same socket"));
    let mut server = Command::new(weather())
        .stdin(Stdio::from(input))
        .stdout(Stdio::from(OwnedFd::from(theirs)))
        .stderr(Stdio::null())
        .spawn()
        .expect("start the server");
    let mut input = ours.try_clone().expect("the same socket");
    let writer = std::thread::spawn(move || {
        for id in 0..PINGS {
            writeln!(input, "{}", ping(id)).expect("write to the server");
        }
        input.shutdown(std::net::Shutdown::Write).expect("close the input");
    });
    // the answers fill the socket meanwhile, and the server has to wait on both of its sides
    std::thread::sleep(std::time::Duration::from_millis(300));
    let mut heard = String::new();
    ours.read_to_string(&mut heard).expect("read from the server");
    writer.join().expect("no panic");
    assert_eq!(heard.lines().count(), PINGS as usize);
    assert!(heard.ends_with(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{{}}}}\n", PINGS - 1)));
    assert_eq!(server.wait().expect("an end").code(), Some(0));
}
