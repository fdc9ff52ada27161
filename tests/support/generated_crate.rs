//! A crate outside of the workspace that holds generated code, under the strictest lints that a user can choose.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use mcp_codegen::diagnostic::Format;
use mcp_codegen::{Config, Generated, generate, load, output};
use serde_json::Value;

use crate::workspace;

/// Crates with one module for each contract, and a program that serves any of them.
///
/// Several crates, so that cargo can build them side by side.
#[derive(Debug)]
pub struct GeneratedCrate {
    name: String,
    folder: PathBuf,
    parts: usize,
}

const LINTS: &str = "#![deny(warnings, missing_debug_implementations, rust_2018_idioms, unreachable_pub)]
#![deny(clippy::all, clippy::pedantic, clippy::use_self)]
#![deny(rustdoc::all)]
#![allow(rustdoc::missing_crate_level_docs, reason = \"the crate is not what is looked at\")]

/// Handles nothing.
#[derive(Clone, Copy, Debug)]
pub struct Stub;
";

impl GeneratedCrate {
    /// Generates all contracts into `parts` crates of the workspace `name`. What was generated before and is the same is
    /// left alone, so that cargo has less to do.
    ///
    /// # Panics
    ///
    /// Panics if a contract is at fault.
    #[must_use]
    pub fn new(name: &str, contracts: &[PathBuf], parts: usize) -> Self {
        let folder = scratch().join(name);
        let mut libraries = vec![LINTS.to_owned(); parts];
        let mut program = String::new();
        for (index, contract) in contracts.iter().enumerate() {
            let part = index % parts;
            let module = format!("c_{}", crate::stem(contract).replace('-', "_"));
            let generated = generated(contract);
            let code = folder.join(format!("part{part}/src/{module}"));
            output::write(&generated.files, &code).expect("write the code");
            let library = &mut libraries[part];
            let _ = writeln!(library, "\n/// One contract.\npub mod {module};");
            for handler in handlers(generated.files.get("mod.rs").expect("a root")) {
                let _ = writeln!(library, "impl {module}::{handler} for Stub {{}}");
            }
            let service = format!("part{part}::{module}::service(part{part}::Stub)");
            let _ = writeln!(program, "        {:?} => serve({service}),", crate::stem(contract));
        }
        for (part, library) in libraries.iter().enumerate() {
            write(&folder.join(format!("part{part}/src/lib.rs")), library);
            write(&folder.join(format!("part{part}/Cargo.toml")), &manifest(&format!("part{part}"), ""));
        }
        let workspace = format!("[workspace]\nmembers = [\"part*\"]\n\n{PROFILE}");
        let uses: Vec<_> = (0..parts).map(|part| format!("part{part} = {{ path = \"part{part}\" }}\n")).collect();
        write(&folder.join("Cargo.toml"), &format!("{workspace}{}", manifest(name, &uses.concat())));
        write(&folder.join("src/main.rs"), &format!("{MAIN_HEAD}{program}{MAIN_TAIL}"));
        Self { name: name.to_owned(), folder, parts }
    }

    /// Runs a cargo command in the workspace. All such workspaces share one target folder, since most of what they
    /// compile is the runtime and its dependencies.
    ///
    /// # Panics
    ///
    /// Panics with cargo's words if it fails.
    pub fn cargo(&self, arguments: &[&str]) {
        let mut cargo = crate::build::cargo();
        cargo.args(arguments).current_dir(&self.folder).env("CARGO_TARGET_DIR", target());
        succeed(&mut cargo);
    }

    /// Builds all crates. Compiler, clippy and rustdoc have nothing to say, and no example in somebody's prose is run.
    ///
    /// Clippy is the compiler here, and rustdoc takes what it built: `cargo clippy` and `cargo doc` would each check the
    /// code and all that it depends on once more.
    ///
    /// # Panics
    ///
    /// Panics with the words of whoever has something to say.
    pub fn lint(&self) {
        let mut cargo = crate::build::cargo();
        cargo.args(["build", "--quiet", "--workspace", "--message-format", "json-render-diagnostics"]);
        cargo.current_dir(&self.folder).env("CARGO_TARGET_DIR", target());
        let messages = succeed(cargo.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver"));
        let messages: Vec<Value> = messages.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let libraries = libraries(&messages);
        for part in (0..self.parts).map(|part| format!("part{part}")) {
            let mut rustdoc = Command::new("rustdoc");
            rustdoc.current_dir(self.folder.join(&part));
            rustdoc.args(["src/lib.rs", "--edition", "2024", "--crate-name", &part]);
            rustdoc.arg("-L").arg(format!("dependency={}", target().join("debug/deps").display()));
            rustdoc.arg("--extern").arg(format!("mcp_runtime={}", libraries["mcp_runtime"]));
            rustdoc.arg("--out-dir").arg(target().join("doc"));
            succeed(&mut rustdoc);
            succeed(rustdoc.arg("--test").arg("--extern").arg(format!("{part}={}", libraries[part.as_str()])));
        }
    }

    /// The compiled program.
    #[must_use]
    pub fn program(&self) -> PathBuf {
        target().join("debug").join(&self.name).with_extension(std::env::consts::EXE_EXTENSION)
    }
}

fn generated(contract: &Path) -> Generated {
    let sources = load::load(contract).expect("a readable contract");
    let config = Config::new().name("unnamed").default_stubs(true);
    generate(&sources, &config).unwrap_or_else(|found| panic!("{}", found.render(&sources, Format::Plain)))
}

/// The libraries that cargo says it has built, by the names that code uses.
fn libraries(messages: &[Value]) -> BTreeMap<&str, &str> {
    let built = messages.iter().filter(|message| message["target"]["kind"][0] == "lib");
    built.filter_map(|message| Some((message["target"]["name"].as_str()?, message["filenames"][0].as_str()?))).collect()
}

/// Runs a program and gives what it writes.
fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let words = String::from_utf8_lossy(&output.stderr);
    let data = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?} failed:\n{words}\n{data}");
    data
}

/// The traits that the root of generated code asks of a handler.
fn handlers(root: &str) -> impl Iterator<Item = &str> {
    let bounds = root.lines().filter_map(|line| line.trim().strip_prefix("Self: "));
    // where there is nothing to handle, only what any handler must be is asked
    bounds.map(|bound| bound.trim_end_matches(',')).filter(|bound| !bound.contains(" + "))
}

fn write(path: &Path, text: &str) {
    if std::fs::read_to_string(path).is_ok_and(|before| before == text) {
        return;
    }
    std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("create a folder");
    std::fs::write(path, text).expect("write a file");
}

fn manifest(name: &str, dependencies: &str) -> String {
    let runtime = runtime();
    format!(
        r#"[package]
name = "{name}"
version = "0.0.0"
edition = "2024"
publish = false

[dependencies]
{runtime}
tokio = {{ version = "1", features = ["rt"] }}
{dependencies}"#
    )
}

/// One for all, or the runtime and its dependencies would be built for each.
const PROFILE: &str = "[profile.dev]\ndebug = false\nincremental = false\n\n";

/// As generated code may need it.
fn runtime() -> String {
    let path = workspace().join("mcp-runtime").display().to_string();
    format!("mcp-runtime = {{ path = {path:?}, features = [\"pattern\", \"schema\"] }}")
}

const MAIN_HEAD: &str = "//! Serves the contract that is named on the command line.

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

/// What cargo makes of all that is generated here.
fn target() -> PathBuf {
    scratch().join("target")
}

/// What the compiler says of a crate in a folder, to which this gives a manifest. It is built with all that the crates
/// above are built with: to check it alone would mean to check the runtime, too.
///
/// # Panics
///
/// Panics if the manifest cannot be written, or cargo cannot be run.
#[must_use]
pub fn compile(folder: &Path) -> String {
    let package = "[package]\nname = \"user\"\nedition = \"2024\"\n";
    let runtime = runtime();
    write(&folder.join("Cargo.toml"), &format!("{package}\n[workspace]\n\n{PROFILE}[dependencies]\n{runtime}\n"));
    let mut cargo = crate::build::cargo();
    cargo.args(["build", "--quiet"]).current_dir(folder).env("CARGO_TARGET_DIR", target());
    let output = cargo.output().expect("run cargo");
    String::from_utf8_lossy(&output.stderr).into_owned()
}
