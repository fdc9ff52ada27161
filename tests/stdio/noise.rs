//! A server whose handler prints, and whose children do: this very program plays it.

/// What the contract in `headers/contract` becomes.
mod api {
    mcp_runtime::include_service!("headers");
}

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

use api::{Book, Ping, book, ping};
use mcp_runtime::{Context, Server, ToolError, ToolResponse};
use serde_json::Value;
use support::messages::{META, request};

/// Says that this process is the server.
const PLAYS: &str = "MCP_TEST_PRINTING_SERVER";

struct Noisy;

impl Ping for Noisy {
    #[expect(clippy::print_stdout, reason = "that is what must do no harm")]
    async fn call(&self, _: ping::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        println!("a handler prints");
        Command::new("sh").args(["-c", "echo a child prints"]).status()?;
        Ok("pong".into())
    }
}

impl Book for Noisy {
    async fn call(&self, _: book::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok("booked".into())
    }
}

/// The server, where this process plays it; nothing otherwise.
#[test]
fn the_server_that_prints() {
    if std::env::var_os(PLAYS).is_none() {
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(Server::new(api::service(Noisy)).serve_stdio()).expect("a clean end");
}

/// R09
#[test]
fn whatever_prints_breaks_no_stream() {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", "noise::the_server_that_prints", "--nocapture", "--test-threads=1"]).env(PLAYS, "1");
    let mut server =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut input = server.stdin.take().expect("a pipe");
    for id in 0..20 {
        writeln!(input, "{}", request(id, "tools/call", &format!(r#""name":"ping",{META}"#))).expect("written");
    }
    drop(input);
    let mut heard = String::new();
    server.stdout.take().expect("a pipe").read_to_string(&mut heard).expect("UTF-8");
    // what the harness prints before the server begins, nobody can hold back
    let begin = heard.find(r#"{"jsonrpc""#).unwrap_or_else(|| panic!("no message: {heard}"));
    let ids = heard[begin..].lines().map(|line| {
        let answer: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(answer["result"]["content"][0]["text"], "pong", "{line}");
        answer["id"].as_u64().expect("an id")
    });
    assert!(ids.eq(0..20));
    let ended = server.wait_with_output().expect("an end");
    let said = String::from_utf8(ended.stderr).expect("UTF-8");
    assert!(ended.status.success(), "{said}");
    assert_eq!(["a handler prints", "a child prints"].map(|words| said.matches(words).count()), [20, 20], "{said}");
}
