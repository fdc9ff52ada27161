//! `requestState`: what the server did not seal, or sealed for another call, opens nothing; what it did seal opens.
//!
//! An input is a kind and a text. The text stands in place of the state, is written over a part of it, or is another
//! argument of the call.

#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use mcp_codegen_fuzz::{runtime, server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

thread_local! {
    /// A state that the server has sealed, and the key of its question.
    static SEALED: RefCell<Option<(String, String)>> = const { RefCell::new(None) };
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&kind, rest)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(rest);
    let (state, key) = SEALED.with_borrow_mut(|sealed| sealed.get_or_insert_with(sealed_state).clone());
    let (brought, what) = match kind % 3 {
        0 => (text.to_string(), "it"),
        1 => (overwritten(&state, rest), "it"),
        _ => (state.clone(), &*text),
    };
    let opens = brought == state && what == "it";
    let answers = json!({ &key: { "action": "accept", "content": { "sure": true } } });
    let answer = call(
        json!({ "name": "sure", "arguments": { "what": what }, "requestState": brought, "inputResponses": answers }),
    );
    if opens {
        assert!(answer["result"]["content"][0]["text"].as_str().is_some_and(|text| text.contains("true")), "{answer}");
    } else {
        assert_eq!(answer["error"]["code"], -32_602, "{brought} opened for {what}: {answer}");
    }
});

/// The state with some letters of the text written over it, from a place on that its first byte says.
fn overwritten(state: &str, text: &[u8]) -> String {
    let Some((&at, text)) = text.split_first() else { return state.to_owned() };
    let mut bytes = state.as_bytes().to_vec();
    let at = usize::from(at) % bytes.len();
    for (byte, new) in bytes[at..].iter_mut().zip(text.iter().take_while(|byte| byte.is_ascii_alphanumeric())) {
        *byte = *new;
    }
    String::from_utf8(bytes).expect("ASCII")
}

fn sealed_state() -> (String, String) {
    let asked = call(json!({ "name": "sure", "arguments": { "what": "it" } }));
    let questions = asked["result"]["inputRequests"].as_object().expect("a question");
    let state = asked["result"]["requestState"].as_str().expect("a state");
    (state.to_owned(), questions.keys().next().expect("a key").clone())
}

fn call(mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
    });
    let line = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string() + "\n";
    runtime().block_on(async {
        let (mut ours, theirs) = tokio::io::duplex(1 << 20);
        let (input, output) = tokio::io::split(theirs);
        let served = tokio::spawn(server().serve_streams(input, output));
        ours.write_all(line.as_bytes()).await.expect("written");
        ours.shutdown().await.expect("closed");
        let mut heard = String::new();
        ours.read_to_string(&mut heard).await.expect("UTF-8");
        served.await.expect("no panic").expect("no error");
        serde_json::from_str(&heard).expect("one answer")
    })
}
