//! Programs of the workspace, built for a test.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

/// The compiled program of `package`. Cargo builds programs for the tests of their own package only, so this asks for it.
#[must_use]
pub fn program(package: &str) -> PathBuf {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--message-format", "json-render-diagnostics", "--package", package]);
    let built = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).stderr(Stdio::inherit()).output().expect("run cargo");
    assert!(built.status.success(), "{package} does not build");
    let messages = String::from_utf8(built.stdout).expect("cargo writes text");
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut programs = messages.filter(|message| message["target"]["kind"][0] == "bin");
    let path = programs.find_map(|message| message["executable"].as_str().map(PathBuf::from));
    path.unwrap_or_else(|| panic!("{package} has no program"))
}
