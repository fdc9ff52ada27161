//! The examples, driven by the official clients in both eras of the protocol.
//!
//! The clients are installed by `.ci/run`; without them the tests are skipped, except where `CI` is set. Each client is
//! one program; what it checks lies beside it, in files of the examples' names.

use std::path::Path;
use std::process::Command;

use support::{everything, installed, note, weather};

#[test]
fn typescript_client_1_finds_all_well() {
    typescript("sdk-v1.mjs", "weather", "stdio");
}

#[test]
fn typescript_client_1_finds_everything() {
    typescript("sdk-v1.mjs", "everything", "stdio");
}

#[test]
fn typescript_client_1_finds_everything_over_http() {
    typescript("sdk-v1.mjs", "everything", "http");
}

#[test]
fn typescript_client_2_finds_all_well_in_both_eras() {
    typescript("client-v2.mjs", "weather", "stdio");
}

#[test]
fn typescript_client_2_finds_everything_in_both_eras() {
    typescript("client-v2.mjs", "everything", "stdio");
}

#[test]
fn typescript_client_2_finds_everything_in_both_eras_over_http() {
    typescript("client-v2.mjs", "everything", "http");
}

#[test]
fn python_client_finds_all_well_in_both_eras() {
    python("weather", "stdio");
}

#[test]
fn python_client_finds_everything_in_both_eras() {
    python("everything", "stdio");
}

#[test]
fn python_client_finds_everything_in_both_eras_over_http() {
    python("everything", "http");
}

fn typescript(client: &str, example: &str, way: &str) {
    if installed("clients/ts/node_modules") {
        let folder = tests().join("clients/ts");
        drive(Command::new("node").arg(client).current_dir(folder), example, way);
    }
}

fn python(example: &str, way: &str) {
    if installed("clients/python/.venv") {
        let folder = tests().join("clients/python");
        let python = folder.join(".venv/bin/python");
        drive(Command::new(python).arg("drive.py").current_dir(folder), example, way);
    }
}

fn tests() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs a client against an example, of which it has the checks; it says of each on a line whether it holds.
fn drive(client: &mut Command, example: &str, way: &str) {
    let server = match example {
        "everything" => everything(),
        _ => weather(),
    };
    let run = client.args([example, way]).arg(server).output().expect("run a client");
    let (checks, talk) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success() && !checks.is_empty(), "{checks}\n{talk}");
    note(&format!("{} checks", checks.lines().count()));
}
