//! The other commands that talk to servers: `call`, `connect`, and `breaking` against one.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Stdio};

use serde_json::{Value, json};
use support::{Run, Sandbox};

use super::REPLAY;

fn everything() -> &'static str {
    support::everything().to_str().expect("a path in UTF-8")
}

fn weather() -> &'static str {
    support::weather().to_str().expect("a path in UTF-8")
}

fn call(program: &str, arguments: &[&str]) -> Run {
    Sandbox::new().run(&[&["call"], arguments, &["--stdio", program]].concat())
}

/// The everything example on the network, until the test ends.
struct Site(Child, String);

impl Site {
    fn start() -> Self {
        let mut command = std::process::Command::new(everything());
        let mut child = command.args(["--http", "127.0.0.1:0"]).stdout(Stdio::piped()).spawn().expect("start");
        let mut url = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut url).expect("its URL");
        Self(child, url.trim().to_owned())
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn results_are_shown_to_people() {
    let shown = |program, arguments: &[&str]| {
        let run = call(program, arguments);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stdout
    };
    let forecast = shown(weather(), &["get_weather", r#"{"city": "Oslo"}"#]);
    assert!(
        forecast.starts_with("{ \"city\": \"Oslo\", \"temperature\": ") && forecast.lines().count() == 1,
        "{forecast}"
    );
    assert_eq!(shown(weather(), &["get_weather", "city=Oslo", "days=1"]), forecast);
    // The program may come first, too.
    let run = |arguments: &[&str]| Sandbox::new().run(&[&["call"], arguments].concat()).stdout;
    assert_eq!(run(&["--stdio", weather(), "--", "get_weather", "city=Oslo"]), forecast);
    assert_eq!(run(&[&format!("--stdio='{}' --", weather()), "get_weather", "city=Oslo"]), forecast);
    let blocks = shown(everything(), &["test_multiple_content_types"]);
    assert!(blocks.contains("\n[image: image/png, ") && blocks.contains(" bytes]\n[resource: "), "{blocks}");
}

#[test]
fn results_are_given_to_scripts_as_they_came() {
    let run = call(weather(), &["get_weather", "city=Oslo", "--format", "json"]);
    let result: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(
        (run.code, &result["structuredContent"]["city"], run.stdout.lines().count()),
        (Some(0), &json!("Oslo"), 1)
    );
}

#[test]
fn arguments_are_typed_by_the_schema_and_read_from_standard_input() {
    let echo = |arguments: &[&str]| call(everything(), &[&["test_custom_header"], arguments].concat());
    assert_eq!(echo(&["value=7"]).stdout, "7\n", "a string, because the schema says so");
    let mut child = Sandbox::new()
        .command(&["call", "test_custom_header", "-", "--stdio", everything()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("run mcp-codegen");
    child.stdin.take().expect("a pipe").write_all(b"{\n  \"value\": \"on two lines\"\n}\n").expect("it reads");
    let output = child.wait_with_output().expect("an end");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "on two lines\n");
    for (wrong, said) in [
        (&["value"][..], "`value` is neither a JSON object nor `NAME=VALUE`"),
        (&["a=1", "a=2"], "the argument `a` is given twice"),
        (&["{"], "the arguments are no JSON object"),
        (&[r#"{"a":1,"a":2}"#], "the key `a` stands twice"),
    ] {
        let run = echo(wrong);
        assert!(run.code == Some(2) && run.stderr.contains(said), "{}", run.stderr);
    }
}

#[test]
fn a_tool_that_fails_is_a_finding_and_one_that_cannot_be_called_an_error() {
    let failed = call(everything(), &["test_error_handling"]);
    assert_eq!((failed.code, failed.stderr.as_str()), (Some(1), "the tool says that it failed\n"), "{}", failed.stdout);
    let refused = call(weather(), &["get_weather", "city="]);
    assert!(refused.code == Some(1) && refused.stdout.contains("- /city: "), "{}", refused.stdout);
    let unknown = call(weather(), &["get_wether"]);
    assert!(unknown.code == Some(2) && unknown.stderr.contains("did you mean `get_weather`?"), "{}", unknown.stderr);
    let asks = call(everything(), &["test_elicitation", "message=Who?"]);
    assert!(asks.code == Some(1) || asks.code == Some(2), "{asks:?}");
    assert!(!asks.stderr.is_empty());
}

#[test]
fn tools_on_the_network_are_called_with_their_headers() {
    let site = Site::start();
    let run = |arguments: &[&str]| Sandbox::new().run(&[arguments, &["--http", &site.1]].concat());
    // The server holds the header against the argument, and refuses the call where they differ.
    assert_eq!(run(&["call", "test_custom_header", "value=Zürich"]).stdout, "Zürich\n");
    let progress = run(&["call", "test_tool_with_progress"]);
    assert_eq!(progress.code, Some(0), "{}", progress.stderr);
    let imported = run(&["import"]);
    assert!(
        imported.code == Some(0) && imported.stdout.contains("name = \"test_custom_header\""),
        "{}",
        imported.stderr
    );
}

#[test]
fn a_contract_is_compared_with_what_a_server_says() {
    let sandbox = Sandbox::new();
    let specs = support::workspace().join("examples/everything/specs");
    let specs = specs.to_str().expect("a path in UTF-8");
    let site = Site::start();
    for against in [format!("stdio:'{}'", everything()), site.1.clone()] {
        let run = sandbox.run(&["breaking", specs, "--against", &against]);
        let findings: Vec<_> = run.stderr.lines().filter(|line| !line.starts_with("note: ")).collect();
        assert_eq!((run.code, findings), (Some(0), vec!["nothing changed that a client could notice"]), "{against}");
    }
    let run = sandbox.run(&["breaking", "specs", "--against", &format!("stdio:{REPLAY} no-list")]);
    assert!(run.code == Some(0) && run.stderr.contains("note[tool-added]"), "{}", run.stderr);
    let run = sandbox.run(&["breaking", "specs", "--against", &format!("stdio:{REPLAY} dies")]);
    assert!(run.code == Some(2) && run.stderr.contains("the server ended"), "{}", run.stderr);
}

/// One entry for each client, of a program and of a URL.
#[test]
fn each_client_is_told_in_its_own_words() {
    let clients = "claude,claude-code,codex,copilot-cli,cursor,gemini,vscode,windsurf";
    let sandbox = Sandbox::new();
    let program = ["--env", "KEY=a \"b\"", "--stdio", "npx", "-y", "@example/weather-server"];
    let url = ["--http", "https://mcp.example/mcp", "--header", "Authorization: Bearer TOKEN"];
    for (name, server) in [("connect-program", &program[..]), ("connect-url", &url)] {
        let run = sandbox.run(&[&["connect", "--client", clients], server].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let text = format!("{}\n{}", run.stderr, run.stdout);
        insta::with_settings!({ prepend_module_to_snapshot => false, snapshot_path => "../snapshots" }, {
            insta::assert_snapshot!(name, text);
        });
    }
}

#[test]
fn without_a_server_clients_are_told_of_the_package_in_this_folder() {
    let sandbox = Sandbox::new();
    let here = sandbox.run(&["connect", "--client", "cursor"]);
    assert!(here.code == Some(2) && here.stderr.contains("there is no server"), "{}", here.stderr);
    sandbox
        .write("Cargo.toml", "[package]\nname = \"my-server\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n");
    sandbox.write("src/main.rs", "fn main() {}\n");
    let mut command = sandbox.command(&["connect", "--client", "cursor"]);
    let run: Run = command.env_remove("CARGO_TARGET_DIR").output().expect("run mcp-codegen").into();
    let entry: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr));
    let command = entry["mcpServers"]["my-server"]["command"].as_str().expect("a command");
    assert!(command.ends_with("target/release/my-server") && run.stderr.contains("cargo build --release"), "{command}");
    let run = sandbox.run(&["connect", "--client", "cursor", "--name", "my server", "--stdio", "server"]);
    assert!(run.code == Some(2) && run.stderr.contains("`my server` is no name"), "{}", run.stderr);
    // A path means the same wherever the client starts it.
    let run = sandbox.run(&["connect", "--client", "cursor", "--stdio", "bin/server"]);
    let program = sandbox.path("bin/server").display().to_string();
    assert!(run.stdout.contains(&program), "{}", run.stdout);
    assert!(run.stderr.contains(&format!("note: `{program}` is not there; build it")), "{}", run.stderr);
    sandbox.write("bin/server", "");
    let run = sandbox.run(&["connect", "--client", "cursor", "--stdio", "bin/server"]);
    assert!(!run.stderr.contains("note:"), "{}", run.stderr);
}

#[test]
fn a_command_in_quotes_ends_there_and_what_lists_do_not_tell_is_noted() {
    let sandbox = Sandbox::new();
    let command = format!("'{}' --page-size 5", everything());
    let run = sandbox.run(&["import", "--stdio", &command, "-o", "everything/specs.toml"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let contract = sandbox.read("everything/specs.toml");
    for word in ["takes subscriptions to resources", "completes arguments"] {
        assert!(contract.contains(&format!("# the server {word}")), "{contract:.600}");
    }
    let run = sandbox.run(&["breaking", "everything", "--against", &format!("stdio:{command}")]);
    assert!(run.code == Some(0) && run.stderr.contains("takes subscriptions to resources"), "{}", run.stderr);
    // Words that are not in quotes are all the program's.
    let run = sandbox.run(&["import", "--stdio", weather(), "-o", "weather.toml"]);
    assert!(run.stderr.contains("`-o` goes to the program"), "{}", run.stderr);
}

#[test]
fn what_stands_in_an_address_or_a_command_is_shown_to_nobody() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&["import", "--http", "http://user:PASSW@127.0.0.1:1/mcp?token=TOKEN"]);
    assert!(run.code == Some(2) && run.stderr.contains("`http://127.0.0.1:1/mcp`"), "{}", run.stderr);
    assert!(!run.stderr.contains("PASSW") && !run.stderr.contains("TOKEN"), "{}", run.stderr);
    let against = format!("stdio:'{}' --api-key=SEKRET", weather());
    for format in ["json", "github", "sarif", "human"] {
        let run = sandbox.run(&["breaking", "specs", "--against", &against, "--format", format]);
        assert_ne!(run.code, Some(2), "{}", run.stderr);
        assert!(!format!("{}{}", run.stdout, run.stderr).contains("SEKRET"), "{}{}", run.stdout, run.stderr);
    }
}
