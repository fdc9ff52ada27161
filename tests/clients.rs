//! The examples, driven by the official clients in both eras of the protocol.
//!
//! The clients are installed by `.ci/run`; without them the tests are skipped, except where `CI` is set. Each client is
//! one program; what it checks lies beside it, in files of the examples' names.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

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

/// The clients of one server, and of one whose lists have small pages: all of them twice, all at once.
#[test]
fn clients_of_all_kinds_share_a_server() {
    if !["clients/ts/node_modules", "clients/python/.venv"].into_iter().all(installed) {
        return;
    }
    let servers = [Process::everything(&[]), Process::everything(&["--page-size", "4"])];
    let urls = servers.each_ref().map(|server| server.url.as_str());
    std::thread::scope(|clients| {
        for _ in 0..2 {
            clients.spawn(|| check(typescript_client("sdk-v1.mjs").args(["everything", "shared"]).args(urls)));
            clients.spawn(|| check(typescript_client("client-v2.mjs").args(["everything", "shared"]).args(urls)));
            clients.spawn(|| check(python_client().args(["everything", "shared"]).args(urls)));
        }
    });
}

/// A server that several clients share.
struct Process {
    process: Child,
    url: String,
}

impl Process {
    fn everything(arguments: &[&str]) -> Self {
        let mut command = Command::new(everything());
        command.args(["--http", "127.0.0.1:0"]).args(arguments).stdout(Stdio::piped());
        let mut process = command.spawn().expect("start a server");
        let mut url = String::new();
        let said = BufReader::new(process.stdout.take().expect("it is piped")).read_line(&mut url);
        said.expect("the server says where it listens");
        Self { process, url: url.trim().to_owned() }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // it may have ended by itself, which its clients have noticed
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn typescript(client: &str, example: &str, way: &str) {
    if installed("clients/ts/node_modules") {
        drive(&mut typescript_client(client), example, way);
    }
}

fn python(example: &str, way: &str) {
    if installed("clients/python/.venv") {
        drive(&mut python_client(), example, way);
    }
}

fn typescript_client(client: &str) -> Command {
    let mut command = Command::new("node");
    command.arg(client).current_dir(tests().join("clients/ts"));
    command
}

fn python_client() -> Command {
    let folder = tests().join("clients/python");
    let mut command = Command::new(folder.join(".venv/bin/python"));
    command.arg("drive.py").current_dir(folder);
    command
}

fn tests() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs a client against an example, of which it has the checks.
fn drive(client: &mut Command, example: &str, way: &str) {
    let server = match example {
        "everything" => everything(),
        _ => weather(),
    };
    check(client.args([example, way]).arg(server));
}

/// Runs a client, which says of each check on a line whether it holds.
fn check(client: &mut Command) {
    let run = client.output().expect("run a client");
    let (checks, talk) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success() && !checks.is_empty(), "{checks}\n{talk}");
    note(&format!("{} checks", checks.lines().count()));
}
