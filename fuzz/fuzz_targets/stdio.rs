//! Bytes of a client on a byte stream, from the first line to the end: no panic, every line out is one JSON message, every
//! request is answered once, and nobody else is.

#![no_main]

use std::collections::HashMap;

use libfuzzer_sys::fuzz_target;
use mcp_codegen_fuzz::{runtime, server};
use mcp_runtime::json::decode;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

const INITIALIZE: &[u8] = br#"{"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"f","version":"1"}}}
"#;

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, said)) = bytes.split_first() else { return };
    let all = if first % 2 == 0 { [INITIALIZE, said].concat() } else { said.to_vec() };
    let heard = runtime().block_on(converse(all.clone()));
    let mut answers = HashMap::<String, usize>::new();
    for line in heard.lines() {
        let message: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        if message.get("result").is_some() || message.get("error").is_some() {
            *answers.entry(message["id"].to_string()).or_default() += 1;
        }
    }
    let asked = ids(&all);
    for (id, count) in &answers {
        let may = asked.get(id).map_or(0, |asked| asked.0);
        assert!(id == "null" || *count <= may, "{id} was asked {may} times and answered {count} times\n{heard}");
    }
    for (id, (_, must)) in &asked {
        assert!(answers.get(id).copied().unwrap_or(0) >= *must, "{id} was asked and never answered\n{heard}");
    }
});

/// What the server says to all of that.
async fn converse(said: Vec<u8>) -> String {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(theirs);
    let served = tokio::spawn(server().serve_streams(input, output));
    let (mut output, mut input) = tokio::io::split(ours);
    let writer = tokio::spawn(async move {
        // a server that ends early has its reasons
        let _ = input.write_all(&said).await;
        let _ = input.shutdown().await;
    });
    let mut heard = String::new();
    output.read_to_string(&mut heard).await.expect("UTF-8");
    writer.await.expect("no panic");
    served.await.expect("no panic").expect("no error");
    heard
}

/// For each id, how many answers there may be and how many there must be, as another reader of JSON sees it.
fn ids(said: &[u8]) -> HashMap<String, (usize, usize)> {
    let gives_up = String::from_utf8_lossy(said).contains("cancelled");
    let mut ids = HashMap::<String, (usize, usize)>::new();
    for line in said.split(|byte| *byte == b'\n') {
        // what is no text is no request, whatever it looks like
        let is_text = std::str::from_utf8(line).is_ok();
        let line = String::from_utf8_lossy(line);
        // ids of what is no message may be seen, too, and a message may come in a batch: each mention counts
        let line = line.trim_start_matches('\u{feff}').trim();
        let messages = match serde_json::from_str::<Value>(line) {
            Ok(Value::Array(messages)) => messages,
            Ok(message) => vec![message],
            Err(_) => continue,
        };
        let alone = messages.len() == 1 && line.starts_with('{');
        for message in messages {
            let Some(id) = message.get("id").filter(|id| id.is_string() || id.is_number()) else {
                continue;
            };
            let entry = ids.entry(id.to_string()).or_default();
            entry.0 += 1;
            let is_request = message["jsonrpc"] == "2.0" && message["method"].is_string();
            let is_answer = message.get("result").is_some() || message.get("error").is_some();
            // integers of any length are ids, and this reader has only floats for them
            let is_exact = !id.is_f64();
            // a key that comes twice is refused, and what is spelled in another way may give up what nobody sees here
            let is_plain = is_exact && is_text && !gives_up && !line.contains("\\u") && decode::<Value>(line).is_ok();
            entry.1 = usize::from(entry.1 > 0 || (alone && is_request && !is_answer && is_plain));
        }
    }
    ids
}
