//! Pipes that are full or closed, and signals in the middle of load.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use support::messages::{ping, watch};
use support::weather;

fn start() -> Child {
    let mut command = Command::new(weather());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("start the server")
}

/// A client that reads nothing for a while fills both pipes: the server waits, and no answer is lost or doubled.
#[test]
fn full_pipes_lose_no_answer() {
    const PINGS: u32 = 30_000;
    let mut server = start();
    let mut input = server.stdin.take().expect("a pipe");
    let writer = thread::spawn(move || {
        for id in 0..PINGS {
            writeln!(input, "{}", ping(id)).expect("write to the server");
        }
    });
    thread::sleep(Duration::from_millis(200));
    assert!(!writer.is_finished(), "the pipes are full, and nobody reads");
    let mut heard = String::new();
    server.stdout.take().expect("a pipe").read_to_string(&mut heard).expect("read from the server");
    writer.join().expect("no panic");
    for (id, line) in (0..PINGS).zip(heard.lines()) {
        assert_eq!(line, format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#));
    }
    assert_eq!(heard.lines().count(), PINGS as usize);
    assert_eq!(server.wait().expect("an end").code(), Some(0));
}

/// Standard output that is closed in the middle of calls ends the server in good order, whatever is under way.
#[test]
fn an_output_that_is_closed_in_the_middle_of_calls_ends_the_server() {
    let mut server = start();
    let mut input = server.stdin.take().expect("a pipe");
    let mut output = BufReader::new(server.stdout.take().expect("a pipe"));
    // one after the other, so that there is more to say when nobody hears any more
    for id in 0..10u8 {
        let call = watch(id.into(), 0.05 + f32::from(id) * 0.1, "");
        writeln!(input, "{}", with_version(&call)).expect("write to the server");
    }
    let mut line = String::new();
    output.read_line(&mut line).expect("one answer");
    drop(output);
    // the input stays open: it is the output that says that nobody is there
    assert_eq!(server.wait().expect("an end").code(), Some(0));
    drop(input);
}

/// A signal in the middle of load ends the process; of what it wrote, only the last line may be cut.
#[test]
fn a_signal_in_the_middle_of_load_leaves_whole_lines() {
    for signal in ["-TERM", "-INT"] {
        if signal == "-INT" && interrupts_are_ignored() {
            support::note("skipped: who started this test ignores SIGINT, and so does the server then");
            continue;
        }
        let mut server = start();
        let mut input = server.stdin.take().expect("a pipe");
        let writer = thread::spawn(move || (0..).try_for_each(|id| writeln!(input, "{}", ping(id))));
        let mut output = BufReader::new(server.stdout.take().expect("a pipe"));
        let mut heard = Vec::new();
        for _ in 0..2_000 {
            output.read_until(b'\n', &mut heard).expect("an answer");
        }
        let told = Command::new("kill").args([signal, &server.id().to_string()]).status();
        assert!(told.expect("kill is there").success());
        output.read_to_end(&mut heard).expect("the rest");
        assert!(writer.join().expect("no panic").is_err(), "the server is gone");
        server.wait().expect("an end");
        let text = String::from_utf8(heard).expect("UTF-8");
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        for (id, line) in whole.lines().enumerate() {
            let answer: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            assert_eq!(answer["id"], id, "in order, none missing");
        }
    }
}

/// Whether children ignore SIGINT because we do: a shell starts what it puts into the background like that.
fn interrupts_are_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 2 != 0)
}

/// A request that needs no session.
fn with_version(request: &str) -> String {
    request.replacen(r#""params":{"#, &format!(r#""params":{{{},"#, support::messages::META), 1)
}
