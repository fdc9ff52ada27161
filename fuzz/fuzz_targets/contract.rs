//! The text of a contract, in TOML or JSON: it becomes code or findings, never a panic.

#![no_main]

use std::path::PathBuf;

use libfuzzer_sys::fuzz_target;
use mcp_codegen::diagnostic::Format;
use mcp_codegen::source::{Role, SourceFile, Sources};
use mcp_codegen::{Config, generate};

fuzz_target!(|text: &str| {
    let role = if text.trim_start().starts_with('{') { Role::Json } else { Role::Toml };
    let mut sources = Sources::default();
    sources.add(SourceFile { name: "contract".to_owned(), path: PathBuf::new(), text: text.to_owned(), role });
    let found = match generate(&sources, &Config::new().name("fuzzed")) {
        Ok(generated) => generated.warnings,
        Err(found) => found,
    };
    for format in [Format::Plain, Format::Json] {
        let _ = found.render(&sources, format);
    }
});
