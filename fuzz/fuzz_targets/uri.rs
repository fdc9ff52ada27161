//! A URI template: it becomes code or findings, never a panic.

#![no_main]

use std::path::PathBuf;

use libfuzzer_sys::fuzz_target;
use mcp_codegen::source::{Role, SourceFile, Sources};
use mcp_codegen::{Config, generate};

fuzz_target!(|text: &str| {
    let template = serde_json::Value::from(text);
    let text = format!(r#"{{"resourceTemplates":[{{"name":"t","uriTemplate":{template}}}]}}"#);
    let mut sources = Sources::default();
    sources.add(SourceFile { name: "t.json".to_owned(), path: PathBuf::new(), text, role: Role::Json });
    let _ = generate(&sources, &Config::new().name("fuzzed"));
});
