//! A crate outside of the workspace that holds generated code, under the strictest lints that a user can choose.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use mcp_codegen::{Config, generate, load, output};

use crate::workspace;

/// A crate with one module for each contract, and a program that serves any of them.
#[derive(Debug)]
pub struct GeneratedCrate {
    folder: PathBuf,
    modules: Vec<String>,
}

const LINTS: &str = "#![deny(warnings, missing_debug_implementations, rust_2018_idioms, unreachable_pub)]
#![deny(clippy::all, clippy::pedantic)]
#![deny(rustdoc::all)]
#![allow(rustdoc::missing_crate_level_docs, reason = \"the crate is not what is looked at\")]
";

impl GeneratedCrate {
    /// Generates all contracts into the crate `name`. What was generated before and is the same is left alone, so that
    /// cargo has less to do.
    ///
    /// # Panics
    ///
    /// Panics if a contract is at fault.
    #[must_use]
    pub fn new(name: &str, contracts: &[PathBuf]) -> Self {
        let folder = scratch().join(name);
        let mut modules = Vec::new();
        let (mut library, mut program) = (LINTS.to_owned(), String::new());
        for contract in contracts {
            let module = format!("c_{}", crate::stem(contract).replace('-', "_"));
            let sources = load::load(contract).expect("a readable contract");
            let config = Config::new().name("unnamed").default_stubs(true);
            let generated = generate(&sources, &config)
                .unwrap_or_else(|found| panic!("{}", found.render(&sources, mcp_codegen::diagnostic::Format::Plain)));
            output::write(&generated.files, &folder.join("src").join(&module)).expect("write the code");
            let root = generated.files.get("mod.rs").expect("a root");
            let _ = writeln!(library, "\n/// One contract.\npub mod {module};");
            let _ = writeln!(program, "        {:?} => serve(generated::{module}::service(Stub)),", crate::stem(contract));
            for handler in handlers(root) {
                let _ = writeln!(library, "impl {module}::{handler} for Stub {{}}");
            }
            modules.push(module);
        }
        library.push_str("\n/// Handles nothing.\n#[derive(Clone, Copy, Debug)]\npub struct Stub;\n");
        write(&folder.join("src/lib.rs"), &library);
        write(&folder.join("src/main.rs"), &format!("{MAIN_HEAD}{program}{MAIN_TAIL}"));
        write(&folder.join("Cargo.toml"), &manifest(name));
        Self { folder, modules }
    }

    /// Runs a cargo command in the crate, with its own target folder.
    ///
    /// # Panics
    ///
    /// Panics with cargo's words if it fails.
    pub fn cargo(&self, arguments: &[&str]) {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(arguments).current_dir(&self.folder).env("CARGO_TARGET_DIR", self.folder.join("target"));
        let output = cargo.output().expect("run cargo");
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "cargo {} failed:\n{words}", arguments.join(" "));
    }

    /// The compiled program.
    #[must_use]
    pub fn program(&self) -> PathBuf {
        self.folder.join("target/debug/generated").with_extension(std::env::consts::EXE_EXTENSION)
    }

    /// How many contracts are in it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.modules.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }
}

/// The traits that the root of generated code asks of a handler.
fn handlers(root: &str) -> impl Iterator<Item = &str> {
    let bounds = root.lines().filter_map(|line| line.trim().strip_prefix("Self: "));
    bounds.map(|bound| bound.trim_end_matches(','))
}

fn write(path: &Path, text: &str) {
    if std::fs::read_to_string(path).is_ok_and(|before| before == text) {
        return;
    }
    std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("create a folder");
    std::fs::write(path, text).expect("write a file");
}

fn manifest(name: &str) -> String {
    let runtime = workspace().join("mcp-runtime");
    format!(
        r#"[package]
name = "{name}"
version = "0.0.0"
edition = "2024"
publish = false

[workspace]

[lib]
name = "generated"

[[bin]]
name = "generated"
path = "src/main.rs"
doc = false

[dependencies]
mcp-runtime = {{ path = {runtime:?} }}
tokio = {{ version = "1", features = ["rt"] }}

[profile.dev]
debug = false
incremental = false
"#
    )
}

const MAIN_HEAD: &str = "//! Serves the contract that is named on the command line.

use generated::Stub;
use mcp_runtime::{Server, Service};

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    match name.as_str() {
";

const MAIN_TAIL: &str = "        other => panic!(\"no contract {other}\"),
    }
}

fn serve(service: impl Service) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect(\"a runtime\");
    runtime.block_on(Server::new(service).serve_stdio()).expect(\"a client\");
}
";

/// A folder of cargo's for the files of tests, kept from run to run.
fn scratch() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), PathBuf::from);
    target.join("tmp")
}
