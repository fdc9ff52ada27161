//! JSON text for the runtime's reader: it takes what serde_json takes, as the same value, and nothing else. Keys that come
//! twice are refused, and so is what nests deeper than 128 levels. What was read is written so that it reads the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_runtime::json::{Encode, Writer, decode};
use serde_json::Value;

fuzz_target!(|text: &str| {
    let ours = decode::<Value>(text);
    match (ours, serde_json::from_str::<Value>(text)) {
        (Ok(ours), Ok(theirs)) => {
            assert_eq!(ours, theirs, "{text}");
            let mut written = Vec::new();
            ours.encode(&mut Writer::new(&mut written));
            let again: Value = serde_json::from_slice(&written).expect("what is written is JSON");
            assert_eq!(again, ours, "{text}");
        }
        (Ok(ours), Err(fault)) => panic!("took {text:?} as {ours}, which is refused: {fault}"),
        (Err(fault), Ok(_)) => {
            assert!(["duplicate key", "nested too deeply"].contains(&fault.reason()), "refused {text:?}: {fault}")
        }
        (Err(_), Err(_)) => {}
    }
});
