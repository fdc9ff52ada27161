//! The schema of a tool's arguments and result: it becomes types or findings, never a panic.

#![no_main]

use std::path::PathBuf;

use libfuzzer_sys::fuzz_target;
use mcp_codegen::source::{Role, SourceFile, Sources};
use mcp_codegen::{Config, generate};

fuzz_target!(|schema: &str| {
    if serde_json::from_str::<serde_json::Value>(schema).is_err() {
        return;
    }
    let text = format!(
        r#"{{"tools":[{{"name":"t","inputSchema":{{"type":"object","properties":{{"value":{schema}}}}},"outputSchema":{schema}}}]}}"#
    );
    let mut sources = Sources::default();
    sources.add(SourceFile { name: "t.json".to_owned(), path: PathBuf::new(), text, role: Role::Json });
    let _ = generate(&sources, &Config::new().name("fuzzed").single_file(true));
});
