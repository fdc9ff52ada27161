//! A server over standard input and output that lists what a file says, or misbehaves as it is told to.
//!
//! ```sh
//! replay lists FILE [PAGE]     # what the list answer in FILE says, PAGE features a page, in a session
//! replay stateless FILE        # the same to clients that ask without a session
//! replay MISCHIEF              # see `mischief`
//! ```

use std::env;
use std::io::{self, BufRead as _, Write as _};
use std::process;
use std::thread;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// What the server lists, as it is written in the file.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Lists {
    server: Value,
    tools: Vec<Box<RawValue>>,
    resources: Vec<Box<RawValue>>,
    resource_templates: Vec<Box<RawValue>>,
    prompts: Vec<Box<RawValue>>,
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["lists", file] => serve(&read(file), usize::MAX),
        ["lists", file, page] => serve(&read(file), page.parse().expect("a number")),
        ["stateless", file] => serve_stateless(&read(file)),
        [mischief] => self::mischief(mischief),
        other => panic!("{other:?}"),
    }
}

fn read(file: &str) -> Lists {
    let text = std::fs::read_to_string(file).expect("a file");
    // A message is one line. No string of JSON holds an end of line as it is.
    serde_json::from_str(&text.replace('\n', " ")).expect("a list answer")
}

/// Every line is a request or a notification.
fn requests() -> impl Iterator<Item = Value> {
    io::stdin().lock().lines().map(|line| serde_json::from_str(&line.expect("a line")).expect("JSON"))
}

fn say(text: &str) {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{text}").and_then(|()| stdout.flush()).unwrap_or_else(|_| process::exit(0));
}

fn answer(request: &Value, result: &str) {
    say(&format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, request["id"]));
}

fn refuse(request: &Value) {
    let error = json!({ "code": -32601, "message": "no such method" });
    say(&json!({ "jsonrpc": "2.0", "id": request["id"], "error": error }).to_string());
}

fn serve(lists: &Lists, page: usize) {
    for request in requests().filter(|request| request.get("id").is_some()) {
        match request["method"].as_str().unwrap_or_default() {
            "initialize" => answer(&request, &initialized(&lists.server).to_string()),
            method => match list(lists, method) {
                Some((key, items)) => answer(&request, &paged(key, items, &request, page)),
                None => refuse(&request),
            },
        }
    }
}

fn initialized(server: &Value) -> Value {
    let mut info = server.clone();
    let mut result = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": { "tools": {}, "resources": {}, "prompts": {} },
    });
    for key in ["package", "packageVersion", "protocolVersion", "capabilities", "instructions"] {
        let taken = info.as_object_mut().and_then(|info| info.remove(key));
        if let Some(text) = taken.filter(|text| key == "instructions" && !text.is_null()) {
            result["instructions"] = text;
        }
    }
    result["serverInfo"] = info;
    result
}

fn list<'l>(lists: &'l Lists, method: &str) -> Option<(&'static str, &'l [Box<RawValue>])> {
    match method {
        "tools/list" => Some(("tools", &lists.tools)),
        "resources/list" => Some(("resources", &lists.resources)),
        "resources/templates/list" => Some(("resourceTemplates", &lists.resource_templates)),
        "prompts/list" => Some(("prompts", &lists.prompts)),
        _ => None,
    }
}

/// One page; the first cursor is the empty string, which is a cursor like any other.
fn paged(key: &str, items: &[Box<RawValue>], request: &Value, page: usize) -> String {
    let start = match request["params"]["cursor"].as_str() {
        None => 0,
        Some("") => page,
        Some(cursor) => cursor.parse().expect("one of our cursors"),
    };
    let end = start.saturating_add(page).min(items.len());
    let texts: Vec<&str> = items[start..end].iter().map(|item| item.get()).collect();
    let next = if start == 0 { String::new() } else { end.to_string() };
    let next = if end < items.len() { format!(r#","nextCursor":"{next}""#) } else { String::new() };
    format!(r#"{{"{key}":[{}]{next}}}"#, texts.join(","))
}

/// Knows nothing but the stateless revision.
fn serve_stateless(lists: &Lists) {
    let prefix = "io.modelcontextprotocol";
    for request in requests().filter(|request| request.get("id").is_some()) {
        let version = &request["params"]["_meta"][format!("{prefix}/protocolVersion")];
        if version != "2026-07-28" {
            refuse(&request);
            continue;
        }
        match request["method"].as_str().unwrap_or_default() {
            "server/discover" => {
                let info = json!({ format!("{prefix}/serverInfo"): initialized(&lists.server)["serverInfo"] });
                let capabilities = json!({ "tools": {}, "resources": {}, "prompts": {} });
                let found = json!({ "resultType": "complete", "supportedVersions": ["2026-07-28"], "_meta": info,
                    "capabilities": capabilities, "instructions": lists.server["instructions"] });
                answer(&request, &found.to_string());
            }
            method => match list(lists, method) {
                Some((key, items)) => answer(&request, &paged(key, items, &request, usize::MAX)),
                None => refuse(&request),
            },
        }
    }
}

/// What a client has to live with.
fn mischief(kind: &str) {
    match kind {
        "silent" => thread::sleep(Duration::from_secs(600)),
        "dies" => {
            let _ = writeln!(io::stderr(), "\u{1b}[31mno \u{202e}database");
            process::exit(7);
        }
        "dies-at-the-probe" => dies_at_the_probe(),
        "latin-1" => {
            let mut stdout = io::stdout().lock();
            let _ = stdout.write_all(b"Gr\xfc\xdf Gott\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"x\":\"\xfc\"}}\n");
            let _ = stdout.flush();
            thread::sleep(Duration::from_secs(600));
        }
        "garbage" => loop {
            say("Listening on port 3000");
        },
        "long-line" => {
            let mut stdout = io::stdout().lock();
            while stdout.write_all(&[b'x'; 1 << 14]).is_ok() {}
        }
        "deaf" => loop {
            // It talks without end, and says nothing that was asked.
            say(r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#);
        },
        "wrong-version" => only(|request| answer(request, r#"{"protocolVersion":"1999-01-01","capabilities":{}}"#)),
        "endless" | "circle" | "huge-pages" | "refuses" | "no-list" | "asks" | "odd-json" => lists_badly(kind),
        other => panic!("{other}"),
    }
}

/// Refuses the probe, and answers what comes after it.
fn only(answer: impl Fn(&Value)) {
    for request in requests().filter(|request| request.get("id").is_some()) {
        if request["method"] == "server/discover" { refuse(&request) } else { answer(&request) }
    }
}

/// As servers do that take anything but `initialize` for the end.
fn dies_at_the_probe() {
    let mut requests = requests();
    if requests.next().is_none_or(|first| first["method"] != "initialize") {
        process::exit(1);
    }
    say(
        r#"{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"shy","version":"1"}}}"#,
    );
    requests.for_each(drop);
}

fn lists_badly(kind: &str) {
    let tool = r#"{"name":"t","inputSchema":{"type":"object"}}"#;
    let mut pages = 0_u64;
    let (mut greeted, mut rooted, mut asked) = (false, false, Value::Null);
    for message in requests() {
        match message["method"].as_str() {
            Some("server/discover") => refuse(&message),
            Some("initialize") => {
                let capabilities = if kind == "no-list" { r#"{"tools":{},"prompts":{}}"# } else { r#"{"tools":{}}"# };
                say("Welcome!");
                answer(
                    &message,
                    &format!(
                        r#"{{"protocolVersion":"2025-06-18","capabilities":{capabilities},"serverInfo":{{"name":"bad","version":"1"}}}}"#
                    ),
                );
            }
            Some("tools/list") => {
                pages += 1;
                match kind {
                    "endless" => answer(&message, &format!(r#"{{"tools":[{tool}],"nextCursor":"{pages}"}}"#)),
                    "circle" => answer(&message, &format!(r#"{{"tools":[{tool}],"nextCursor":"{}"}}"#, pages % 3)),
                    "huge-pages" => {
                        let text = "x".repeat(12 << 20);
                        answer(&message, &format!(r#"{{"tools":[],"x":"{text}","nextCursor":"{pages}"}}"#));
                    }
                    "refuses" => say(&format!(
                        r#"{{"jsonrpc":"2.0","id":{},"error":{{"code":-32603,"message":"no\u001b[2J luck"}}}}"#,
                        message["id"]
                    )),
                    "asks" => {
                        asked = message["id"].clone();
                        ask_first();
                    }
                    "odd-json" => answer(
                        &message,
                        r#"{"tools":[{"name":"a","inputSchema":{"type":"object","type":"string"}},7,{"name":"b","inputSchema":{"type":"object"}}]}"#,
                    ),
                    _ => refuse(&message),
                }
            }
            Some(_) if message.get("id").is_some() => refuse(&message),
            Some(_) => {}
            // Answers to what it asked.
            None if message["id"] == "ping" => greeted = message["result"] == json!({}),
            None if message["id"] == "roots" => rooted = message["result"] == json!({ "roots": [] }),
            None => {
                let refused = message["error"]["code"] == -32601;
                let name = if greeted && rooted && refused { "answered" } else { "ignored" };
                let request = json!({ "id": asked });
                answer(&request, &format!(r#"{{"tools":[{{"name":"{name}","inputSchema":{{"type":"object"}}}}]}}"#));
            }
        }
    }
}

/// Wants answers before it gives one.
fn ask_first() {
    for (id, method) in [("ping", "ping"), ("roots", "roots/list"), ("model", "sampling/createMessage")] {
        say(&json!({ "jsonrpc": "2.0", "id": id, "method": method }).to_string());
    }
}
