//! The line that says what takes so long: on a terminal, and nowhere else.

use std::path::Path;
use std::process::{Command, Stdio};

use support::{Run, Sandbox, note};

use super::REPLAY;

/// Runs a command on a terminal of its own, whose bytes come back as standard output.
const ON_A_TERMINAL: &str = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";

/// What a terminal shows of a command; nothing where there is no Python to make one.
fn on_a_terminal(sandbox: &Sandbox, arguments: &[&str], variables: &[(&str, &str)]) -> Option<Run> {
    let mut python = Command::new("python3");
    python.args(["-c", ON_A_TERMINAL]).arg(support::program()).args(arguments).current_dir(sandbox.path(""));
    python.env("TERM", "xterm").env_remove("NO_COLOR").envs(variables.iter().copied()).stdin(Stdio::null());
    let is_python = Command::new("python3").args(["-c", "import os, pty; os.waitstatus_to_exitcode"]).output();
    if !is_python.is_ok_and(|output| output.status.success()) {
        note("skipped: no `python3` with `pty` is here");
        return None;
    }
    Some(python.output().expect("run python3").into())
}

/// A server that lets us wait for much longer than the line does.
fn waiting(more: &[&'static str]) -> Vec<&'static str> {
    [more, &["--timeout", "4", "--stdio", REPLAY, "silent"]].concat()
}

#[test]
fn long_work_is_told_of_on_a_terminal_and_the_line_is_gone_afterwards() {
    let sandbox = Sandbox::new();
    for variables in [&[][..], &[("NO_COLOR", "1")]] {
        let Some(run) = on_a_terminal(&sandbox, &waiting(&["import"]), variables) else { return };
        assert_eq!(run.code, Some(2), "{run:?}");
        let end = run.stdout.find("error:").unwrap_or_else(|| panic!("{run:?}"));
        let (line, rest) = run.stdout.split_at(end);
        assert!(line.starts_with("\rwaiting for `replay` … 0 s\rwaiting for `replay` … "), "{run:?}");
        // Blanks over the last of them, and the error where the line began.
        let blanks = line.trim_end_matches('\r').rsplit('\r').next().unwrap_or("x");
        assert!(line.ends_with('\r') && blanks.len() >= 20 && blanks.trim().is_empty(), "{run:?}");
        assert!(rest.starts_with("error: the server did not answer") && !line.contains('\u{1b}'), "{run:?}");
    }
}

#[test]
fn pipes_and_programs_are_told_nothing() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&waiting(&["import"]));
    assert!(run.code == Some(2) && !run.stderr.contains('\r') && run.stdout.is_empty(), "{run:?}");
    let against = format!("stdio:'{}' silent", Path::new(REPLAY).display());
    let breaking = ["breaking", "specs", "--against", &against, "--timeout", "3", "--format", "json"];
    let Some(run) = on_a_terminal(&sandbox, &breaking, &[]) else { return };
    assert!(run.code == Some(2) && run.stdout.starts_with("error: "), "{run:?}");
    let Some(run) = on_a_terminal(&sandbox, &waiting(&["import"]), &[("TERM", "dumb")]) else { return };
    assert!(run.code == Some(2) && run.stdout.starts_with("error: "), "{run:?}");
    // What is done at once has no line either.
    let Some(run) = on_a_terminal(&sandbox, &["check", "specs"], &[]) else { return };
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "the contract is valid\r\n"));
}
