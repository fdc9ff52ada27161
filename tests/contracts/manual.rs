//! Completions and manual pages know every command.

use std::fs;

use support::Sandbox;

/// The commands that `--help` lists.
fn commands(sandbox: &Sandbox) -> Vec<String> {
    let help = sandbox.run(&["--help"]).stdout;
    let list = help.split("Commands:\n").nth(1).expect("a list of commands");
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next()).map(str::to_owned);
    names.filter(|name| name != "help").collect()
}

#[test]
fn every_shell_completes_every_command() {
    let sandbox = Sandbox::new();
    let commands = commands(&sandbox);
    assert!(commands.len() > 10, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = sandbox.run(&["completions", shell]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{shell}");
        let missing: Vec<_> = commands.iter().filter(|name| !run.stdout.contains(name.as_str())).collect();
        assert!(missing.is_empty(), "{shell} does not complete {missing:?}");
    }
    assert_eq!(sandbox.run(&["completions", "cmd"]).code, Some(2));
}

#[test]
fn every_command_has_a_manual_page() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&["man", "-o", "man1"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
    for command in commands(&sandbox) {
        let page = sandbox.read(&format!("man1/mcp-codegen-{command}.1"));
        assert!(
            page.contains(".SH SYNOPSIS") && page.contains(&format!("mcp\\-codegen\\-{}", command.replace('-', "\\-")))
        );
    }
    let main = sandbox.read("man1/mcp-codegen.1");
    assert!(main.contains("mcp\\-codegen\\-generate(1)"), "{main}");
    let again = fs::read_dir(sandbox.path("man1")).unwrap().count();
    assert_eq!(again, commands(&sandbox).len() + 1);
}
