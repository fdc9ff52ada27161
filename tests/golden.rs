//! The generated code is as agreed: one snapshot for each contract in `specs/valid`.
//!
//! A new case is a new file there. Review what changed with `cargo insta review`.

use std::fmt::Write as _;
use std::path::Path;

use mcp_codegen::{Config, generate, load};

#[test]
fn generated_code_is_as_agreed() {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => "snapshots/golden" }, {
        for contract in support::specs("valid") {
            insta::assert_snapshot!(support::stem(&contract), generated(&contract));
        }
    });
}

/// All files of a contract, one after the other.
fn generated(contract: &Path) -> String {
    let sources = load::load(contract).expect("a readable contract");
    let config = Config::new().name("unnamed");
    let generated = generate(&sources, &config).unwrap_or_else(|found| panic!("{}: {found:?}", contract.display()));
    let mut text = String::new();
    for (path, file) in generated.files.iter() {
        let _ = writeln!(text, "══════ {path}\n{file}");
    }
    text
}
