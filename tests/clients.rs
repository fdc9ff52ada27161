//! The weather example, driven by the official clients in both eras of the protocol.
//!
//! The clients are installed by `.ci/run`; without them the tests are skipped, except where `CI` is set.

use std::env;
use std::path::Path;
use std::process::Command;

use support::{note, weather};

#[test]
fn typescript_client_1_finds_all_well() {
    drive("clients/ts/node_modules", Command::new("node").arg("clients/ts/sdk-v1.mjs"));
}

#[test]
fn typescript_client_2_finds_all_well_in_both_eras() {
    drive("clients/ts/node_modules", Command::new("node").arg("clients/ts/client-v2.mjs"));
}

#[test]
fn python_client_finds_all_well_in_both_eras() {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/python/.venv/bin/python");
    drive("clients/python/.venv", Command::new(python).arg("clients/python/drive.py"));
}

/// Runs a script against the weather example, if its client is `installed`.
fn drive(installed: &str, script: &mut Command) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !tests.join(installed).exists() {
        let why = format!("tests/{installed} is absent; `.ci/run` installs it");
        assert!(env::var_os("CI").is_none(), "{why}");
        return note(&format!("skipped: {why}"));
    }
    let run = script.arg(weather()).current_dir(tests).output().expect("run a client");
    let (checks, talk) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success() && !checks.is_empty(), "{checks}\n{talk}");
}
