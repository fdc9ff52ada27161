//! The examples, driven by the official clients in both eras of the protocol.
//!
//! The clients are installed by `.ci/run`; without them the tests are skipped, except where `CI` is set. Each client is
//! one program; what it checks lies beside it, in files of the examples' names.

use std::path::Path;
use std::process::Command;

use support::{everything, installed, note, weather};

#[test]
fn typescript_client_1_finds_all_well() {
    typescript("sdk-v1.mjs", "weather", weather());
}

#[test]
fn typescript_client_1_finds_everything() {
    typescript("sdk-v1.mjs", "everything", everything());
}

#[test]
fn typescript_client_2_finds_all_well_in_both_eras() {
    typescript("client-v2.mjs", "weather", weather());
}

#[test]
fn typescript_client_2_finds_everything_in_both_eras() {
    typescript("client-v2.mjs", "everything", everything());
}

#[test]
fn python_client_finds_all_well_in_both_eras() {
    python("weather", weather());
}

#[test]
fn python_client_finds_everything_in_both_eras() {
    python("everything", everything());
}

fn typescript(client: &str, checks: &str, server: &Path) {
    if installed("clients/ts/node_modules") {
        drive(Command::new("node").arg(client).arg(checks).arg(server).current_dir(tests().join("clients/ts")));
    }
}

fn python(checks: &str, server: &Path) {
    if installed("clients/python/.venv") {
        let folder = tests().join("clients/python");
        let python = folder.join(".venv/bin/python");
        drive(Command::new(python).arg("drive.py").arg(checks).arg(server).current_dir(folder));
    }
}

fn tests() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs a client, which says of each check on a line whether it holds.
fn drive(client: &mut Command) {
    let run = client.output().expect("run a client");
    let (checks, talk) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success() && !checks.is_empty(), "{checks}\n{talk}");
    note(&format!("{} checks", checks.lines().count()));
}
