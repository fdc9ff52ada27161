//! Programs that misbehave: each is ended, and said in words what it did.

use support::{Run, Sandbox};

use super::{REPLAY, import};

fn run(mischief: &str) -> Run {
    let sandbox = Sandbox::new();
    let haste = if matches!(mischief, "silent" | "deaf") { "3" } else { "120" };
    let run = sandbox.run(&["import", "--timeout", haste, "--stdio", REPLAY, mischief]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{mischief}: {}", run.stderr);
    run
}

fn says(mischief: &str, words: &[&str]) {
    let said = run(mischief).stderr;
    for word in words {
        assert!(said.contains(word), "{mischief}: {said}");
    }
    assert!(said.starts_with("error: ") && !said.contains(['\u{1b}', '\u{202e}']), "{mischief}: {said:?}");
}

#[test]
fn a_server_that_never_answers_is_not_waited_for() {
    says("silent", &["did not answer `initialize` within 3 seconds"]);
    says("deaf", &["did not answer `initialize` within 3 seconds"]);
}

#[test]
fn a_server_that_dies_is_told_of_with_its_last_words() {
    let status = if cfg!(windows) { "exit code: 7" } else { "exit status: 7" };
    let ended = format!("ended before it answered `initialize` ({status})");
    says("dies", &[&ended, "it wrote to standard error:\n   [31mno  database"]);
    let nothing = Sandbox::new().run(&["import", "--stdio", "no-such-program"]);
    assert!(
        nothing.code == Some(2) && nothing.stderr.contains("`no-such-program` cannot be started"),
        "{}",
        nothing.stderr
    );
}

#[test]
fn a_program_that_writes_something_else_is_no_server() {
    says("garbage", &["writes what is no MCP", "it wrote to standard output: Listening on port 3000"]);
    // At once: its answer is lost, and it writes no other.
    says("latin-1", &["writes a message that is not UTF-8: {\"jsonrpc\"", "it wrote to standard output: Gr"]);
    says("wrong-version", &["revisions of MCP that are not known here: 1999-01-01"]);
}

#[test]
fn nothing_grows_without_bound() {
    says("long-line", &["a line of more than 16 MiB"]);
    says("endless", &["`tools/list` has more than 1000 pages"]);
    says("circle", &["the pages of `tools/list` go round in a circle: `1` comes twice"]);
    says("huge-pages", &["what the server offers has more than 64 MiB"]);
}

#[test]
fn a_refusal_is_repeated_without_what_steers_a_terminal() {
    says("refuses", &["the server refuses `tools/list`: no [2J luck (-32603)"]);
}

#[test]
fn greetings_and_missing_lists_are_borne() {
    let sandbox = Sandbox::new();
    let run = import(&sandbox, &[REPLAY, "no-list"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), "wrote `out.toml`: the server offers nothing\n"));
    let text = sandbox.read("out.toml");
    for list in ["tools", "prompts"] {
        assert!(text.contains(&format!("# the server declares `{list}`, but does not know `{list}/list`\n")), "{text}");
    }
}

#[test]
fn a_server_that_wants_to_know_something_first_is_answered() {
    let sandbox = Sandbox::new();
    assert_eq!(import(&sandbox, &[REPLAY, "asks"]).code, Some(0));
    assert!(sandbox.read("out.toml").contains("name = \"answered\""));
}

#[test]
fn a_server_that_knows_nothing_but_initialize_is_started_again() {
    let sandbox = Sandbox::new();
    let run = import(&sandbox, &[REPLAY, "dies-at-the-probe"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(sandbox.read("out.toml").contains("name = \"shy\""));
}

/// What a server starts is ended with it, though it does not end by itself.
#[cfg(unix)]
#[test]
fn nothing_that_was_started_runs_on() {
    let sandbox = Sandbox::new();
    let script = "trap '' TERM; (trap '' TERM; echo $$ > pid; while true; do sleep 1; done) & cat > /dev/null; wait";
    let run = sandbox.run(&["import", "--timeout", "1", "--stdio", "sh", "-c", script]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    let group = sandbox.read("pid").trim().to_owned();
    let start = std::time::Instant::now();
    let is_alive = || {
        let listed = std::process::Command::new("ps").args(["-A", "-o", "pgid=,stat="]).output().expect("ps");
        let listed = String::from_utf8(listed.stdout).expect("text");
        // What has ended and is not yet reaped by its parent is a zombie.
        listed.lines().any(|line| line.split_whitespace().next() == Some(&group) && !line.contains('Z'))
    };
    while is_alive() {
        assert!(start.elapsed().as_secs() < 10, "the group {group} runs on");
    }
}

/// A script is found by its name, as `npx` is, and what it starts is ended with it.
#[cfg(windows)]
#[test]
fn a_script_is_found_and_nothing_that_it_started_runs_on() {
    let sandbox = Sandbox::new();
    let program = sandbox.path("lingers.exe");
    std::fs::copy(REPLAY, &program).expect("a copy of the program");
    sandbox.write("server.cmd", "@lingers.exe silent\r\n");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path =
        std::env::join_paths([sandbox.path("")].into_iter().chain(std::env::split_paths(&path))).expect("a PATH");
    let mut command = sandbox.command(&["import", "--timeout", "2", "--stdio", "server", "-y"]);
    let run = Run::from(command.env("PATH", path).output().expect("run mcp-codegen"));
    assert!(run.code == Some(2) && run.stderr.contains("did not answer `initialize`"), "{}", run.stderr);
    // a program that runs cannot be removed
    std::fs::remove_file(program).expect("it has ended");
}

#[cfg(unix)]
#[test]
fn an_interrupted_command_ends_what_it_started() {
    let sandbox = Sandbox::new();
    let mut child = sandbox
        .command(&["import", "--stdio", "sh", "-c", "echo ready > pid; cat > /dev/null; sleep 600"])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("run mcp-codegen");
    while !sandbox.path("pid").exists() {
        std::thread::yield_now();
    }
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(killed.success() && child.wait().expect("an end").code() == Some(2));
}
