//! Each mistake is explained at the right place: one snapshot for each file in `specs/invalid`.
//!
//! A new case is a new file there, named after the one mistake in it.

use mcp_codegen::diagnostic::Format;
use mcp_codegen::{Config, generate, load};

/// T3 JS1 JS2 JS4 JS5 EL2 EL6 R48
#[test]
fn mistakes_are_explained() {
    std::env::set_current_dir(support::workspace()).expect("the workspace");
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => "snapshots/diagnostics" }, {
        for contract in support::specs("invalid") {
            let shown = contract.strip_prefix(support::workspace()).expect("inside the workspace");
            let sources = load::load(shown).expect("a readable contract");
            let found = match generate(&sources, &Config::new().name("unnamed")) {
                Ok(generated) => generated.warnings,
                Err(found) => found,
            };
            assert!(!found.is_empty(), "{} is not a mistake", shown.display());
            let text = found.render(&sources, Format::Plain);
            insta::assert_snapshot!(support::stem(&contract), text);
        }
    });
}
