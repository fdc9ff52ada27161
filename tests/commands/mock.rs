//! `mock` as a user runs it. What it answers is told by `tests/served/mock.rs`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::{Value, json};
use support::{Run, Sandbox};

const EXAMPLE: &str = r#"
[[tools.examples]]
args = { city = "Oslo" }
output = "rain"
"#;

fn request(id: u64, tool: &str, arguments: &Value) -> String {
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} });
    let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
}

/// Asks over standard input and output, and closes it.
fn ask(sandbox: &Sandbox, arguments: &[&str], requests: &str) -> Run {
    let mut command = sandbox.command(arguments);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("run mcp-codegen");
    // It may have ended before it read anything.
    let _ = child.stdin.take().expect("a pipe").write_all(requests.as_bytes());
    child.wait_with_output().expect("answers").into()
}

fn with_example() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("specs/weather.toml", &format!("{}{EXAMPLE}", support::WEATHER));
    sandbox
}

#[test]
fn requests_are_answered_on_stdio_and_told_on_standard_error() {
    let sandbox = with_example();
    let asked = format!(
        "{}\n{}\n{}\n",
        request(1, "get_weather", &json!({ "city": "Oslo" })),
        request(2, "get_weather", &json!({})),
        request(3, "get_weather", &json!({ "city": "Bergen\u{2028}\n" })),
    );
    let run = ask(&sandbox, &["mock", "specs"], &asked);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let answers: Vec<Value> = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0]["result"]["content"][0]["text"], "rain");
    assert_eq!(answers[1]["result"]["isError"], true);
    let told: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(told.len(), 3, "one line for each: {}", run.stderr);
    assert!(told.contains(&r#"tools/call get_weather {"city":"Oslo"}: example 1"#), "{}", run.stderr);
    let quiet = ask(&sandbox, &["mock", "specs", "--quiet"], &asked);
    assert_eq!((quiet.stdout, quiet.stderr.as_str()), (run.stdout, ""));
}

#[test]
fn a_faulty_contract_is_reported_as_check_reports_it() {
    let sandbox = Sandbox::new();
    sandbox.write("specs/weather.toml", &support::WEATHER.replace("description", "descripton"));
    for format in ["human", "json", "github", "sarif"] {
        let [mock, check] = ["mock", "check"].map(|command| ask(&sandbox, &[command, "specs", "--format", format], ""));
        assert_eq!(mock, check);
        assert_eq!(mock.code, Some(1));
    }
}

/// A warning is no reason not to serve, and never gets between the messages.
#[test]
fn warnings_leave_standard_output_to_the_protocol() {
    let sandbox = with_example();
    let odd = format!("{}{EXAMPLE}\n[[tools]]\nname = \"odd\"\nxyzzy = 1\n", support::WEATHER);
    sandbox.write("specs/weather.toml", &odd);
    let asked = request(1, "odd", &json!({}));
    let run = ask(&sandbox, &["mock", "specs"], &asked);
    assert!(run.code == Some(0) && run.stderr.contains("xyzzy"), "{}", run.stderr);
    let run = ask(&sandbox, &["mock", "specs", "--format", "json"], &asked);
    assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
    assert!(run.stdout.contains("\"id\":1"), "{}", run.stdout);
}

#[test]
fn a_group_that_nobody_is_in_cannot_be_served() {
    let run = ask(&with_example(), &["mock", "specs", "--only", "nobody"], "");
    assert!(run.code == Some(2) && run.stderr.contains("nobody"), "{}", run.stderr);
}

/// Ends the process with the test, however that ends.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_same_contract_is_served_over_http() {
    let sandbox = with_example();
    let mut command = sandbox.command(&["mock", "specs", "--http", "127.0.0.1:0"]);
    let mut served = Served(command.stderr(Stdio::piped()).spawn().unwrap());
    let mut told = BufReader::new(served.0.stderr.take().unwrap()).lines();
    let first = told.next().unwrap().unwrap();
    let address =
        first.strip_prefix("serving at http://").and_then(|rest| rest.split_once("/mcp")).unwrap().0.to_owned();
    let body = request(1, "get_weather", &json!({ "city": "Oslo" }));
    let mut stream = TcpStream::connect(&address).unwrap();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: get_weather\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("rain"), "{answer}");
    assert_eq!(told.next().unwrap().unwrap(), r#"tools/call get_weather {"city":"Oslo"}: example 1"#);
}

#[test]
fn an_address_that_others_can_reach_is_refused() {
    let run = ask(&with_example(), &["mock", "specs", "--http", "0.0.0.0:0"], "");
    assert!(run.code == Some(2) && run.stderr.contains("can be reached from elsewhere"), "{}", run.stderr);
}
