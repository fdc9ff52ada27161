//! Programs of the workspace, built for a test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// What makes clippy the compiler of the workspace, in CI. It is not what a person has, and has not the words of one.
const LINTER: [&str; 2] = ["RUSTC_WORKSPACE_WRAPPER", "CLIPPY_ARGS"];

/// Cargo as a person would run it. What the cargo that runs this test says of the test's own package is not passed on:
/// build scripts that look at it would run again, here and after the test, and all that depends on them be built again.
#[must_use]
pub fn cargo() -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let is_of_package = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_CFG_"].iter().any(|start| text.starts_with(start));
        if is_of_package || text == "OUT_DIR" || LINTER.contains(&&*text) {
            cargo.env_remove(&name);
        }
    }
    cargo
}

/// The program that users install, with the features that it has then: what the tests switch on in its dependencies must
/// not be what makes it work.
#[must_use]
pub fn installed(package: &str) -> PathBuf {
    build(package, &["--package", package])
}

/// The compiled program of the workspace that is called `name`. Cargo builds programs for the tests of their own package
/// only, so this asks for it.
#[must_use]
pub fn program(name: &str) -> PathBuf {
    // The workspace with `--examples`, of which it has none: so each dependency gets the features that
    // `cargo test --workspace` gave it, those for tests included, and nothing but the program is built again.
    build(name, &["--workspace", "--examples", "--bin", name])
}

/// Holds the project that somebody made in `folder` against what a person would do first: it has rustfmt's layout, compiles
/// without a warning, and where `tests` says so passes its tests.
///
/// It shares the workspace's target folder and versions, so that it finds most crates built.
///
/// # Panics
///
/// Panics where cargo refuses.
pub fn check_project(folder: &Path, package: &str, tests: bool) {
    fs::copy(crate::workspace().join("Cargo.lock"), folder.join("Cargo.lock")).expect("copy the lock file");
    let program = crate::program();
    let target = program.ancestors().nth(2).expect("a target folder");
    let run = |arguments: &[&str]| {
        let mut cargo = cargo();
        // As the workspace builds dependencies, or none of them could be shared.
        cargo.env("CARGO_TARGET_DIR", target).env("CARGO_PROFILE_DEV_DEBUG", "false");
        let output = cargo.args(arguments).current_dir(folder).output().expect("run cargo");
        let text = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(output.status.success(), "cargo {arguments:?}: {}", text.concat());
    };
    run(&["fmt", "--check"]);
    run(&["rustc", "--quiet", "--", "-D", "warnings"]);
    if tests {
        run(&["test", "--quiet"]);
    }
    run(&["clean", "--quiet", "--package", package]);
}

fn build(name: &str, what: &[&str]) -> PathBuf {
    let mut cargo = cargo();
    cargo.args(["build", "--quiet", "--message-format", "json-render-diagnostics"]).args(what);
    // with the compiler that built this test, or all would be built again
    cargo.envs(LINTER.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    let built = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).stderr(Stdio::inherit()).output().expect("run cargo");
    assert!(built.status.success(), "{name} does not build");
    let messages = String::from_utf8(built.stdout).expect("cargo writes text");
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut programs = messages.filter(|message| message["target"]["kind"][0] == "bin");
    let path = programs.find_map(|message| message["executable"].as_str().map(PathBuf::from));
    path.unwrap_or_else(|| panic!("{name} is no program"))
}
