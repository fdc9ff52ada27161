//! The program as a user types it: help texts, exit codes, and what happens to files.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use support::{Sandbox, WEATHER};

const GENERATE: &[&str] = &["generate", "specs", "-o", "gen"];
const CHECK: &[&str] = &["generate", "specs", "-o", "gen", "--check"];

/// Adds a tool to the contract, and with it a file to its code.
fn with_second_tool() -> String {
    format!("{WEATHER}\n[[tools]]\nname = \"echo\"\n")
}

#[test]
fn help_texts_stay() {
    let sandbox = Sandbox::new();
    let commands = [
        "",
        "generate",
        "check",
        "lint",
        "breaking",
        "explain",
        "import",
        "call",
        "connect",
        "init",
        "stubs",
        "mock",
        "docs",
        "fmt",
        "schema",
        "completions",
        "man",
    ];
    for command in commands {
        let arguments: Vec<_> = [command, "--help"].into_iter().filter(|argument| !argument.is_empty()).collect();
        let run = sandbox.run(&arguments);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        let name = format!("help-{}", if command.is_empty() { "mcp-codegen" } else { command });
        insta::with_settings!({ prepend_module_to_snapshot => false }, { insta::assert_snapshot!(name, run.stdout) });
    }
}

#[test]
fn a_second_generate_changes_nothing() {
    let sandbox = Sandbox::new();
    let first = sandbox.run(GENERATE);
    assert_eq!((first.code, first.stderr.as_str()), (Some(0), "wrote 2 files, removed 0, 0 unchanged\n"));
    let before = fs::metadata(sandbox.path("gen/mod.rs")).unwrap().modified().unwrap();
    let second = sandbox.run(GENERATE);
    assert_eq!((second.code, second.stderr.as_str()), (Some(0), "2 files unchanged\n"));
    assert_eq!(fs::metadata(sandbox.path("gen/mod.rs")).unwrap().modified().unwrap(), before);
}

#[test]
fn a_faulty_contract_writes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("specs/weather.toml", &WEATHER.replace("description", "descripton"));
    let run = sandbox.run(GENERATE);
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    assert!(run.stderr.contains("descripton") && !sandbox.path("gen").exists(), "{}", run.stderr);
}

#[test]
fn a_valid_contract_is_called_so() {
    let run = Sandbox::new().run(&["check", "specs"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", "the contract is valid\n"));
}

#[test]
fn a_missing_contract_cannot_be_run() {
    let run = Sandbox::new().run(&["check", "nowhere"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.starts_with("error: ") && run.stderr.contains("nowhere"), "{}", run.stderr);
}

#[test]
fn an_unknown_option_cannot_be_run() {
    assert_eq!(Sandbox::new().run(&["check", "--frobnicate"]).code, Some(2));
}

#[test]
fn findings_are_talk_for_people_and_data_for_programs() {
    let sandbox = Sandbox::new();
    sandbox.write("specs/weather.toml", &WEATHER.replace("description", "descripton"));
    let human = sandbox.run(&["check", "specs"]);
    assert!(human.stdout.is_empty() && human.stderr.contains("specs/weather.toml:9:1\n"), "{}", human.stderr);
    assert!(human.stderr.ends_with("\n1 error\n"), "{}", human.stderr);
    let json = sandbox.run(&["check", "specs", "--format", "json"]);
    assert!(json.stderr.is_empty() && json.stdout.starts_with('{'), "{}", json.stdout);
    let github = sandbox.run(&["check", "specs", "--format", "github"]);
    let place = "::error file=specs/weather.toml,line=9,col=1,";
    assert!(github.stderr.is_empty() && github.stdout.starts_with(place), "{}", github.stdout);
    assert_eq!([human.code, json.code, github.code], [Some(1); 3]);
}

#[test]
fn lint_exits_by_what_weighs_for_its_targets() {
    let sandbox = Sandbox::new();
    let long = format!("[[tools]]\nname = \"read.all\"\ndescription = \"{}\"\n", "x".repeat(2000));
    sandbox.write("specs/weather.toml", &format!("format = 1\n{long}"));
    let code = |more: &[&str]| sandbox.run(&[&["lint", "specs"], more].concat()).code;
    assert_eq!(code(&["--target", "openai"]), Some(1), "a dot is an error there");
    assert_eq!(code(&["--target", "vscode"]), Some(0), "a long description is a warning");
    assert_eq!(code(&["--target", "vscode", "--deny-warnings"]), Some(1));
    assert_eq!(code(&["--target", "openai", "--allow", "tool-name-characters"]), Some(0));
    for wrong in [["--target", "nobody"], ["--allow", "nothing"]] {
        let run = sandbox.run(&["lint", "specs", wrong[0], wrong[1]]);
        assert!(run.code == Some(2) && run.stderr.contains(wrong[1]), "{}", run.stderr);
    }
}

#[test]
fn lint_tells_what_a_contract_costs() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "specs/weather.toml",
        &with_second_tool().replace("name = \"echo\"", "name = \"echo\"\ndescription = \"E\""),
    );
    let run = sandbox.run(&["lint", "specs", "--tokens"]);
    assert!(run.stderr.ends_with("tokens for 2 tools, 33 of them for `get_weather`\n"), "{}", run.stderr);
    let rows: Vec<&str> = run.stdout.lines().filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(rows, ["get_weather", "echo", "(total)"]);
    let json = sandbox.run(&["lint", "specs", "--tokens", "--format", "json"]);
    assert_eq!(json.stdout.matches("\"code\":\"tokens\"").count(), 2, "{}", json.stdout);
}

#[test]
fn lint_of_a_faulty_contract_tells_its_faults() {
    let sandbox = Sandbox::new();
    sandbox.write("specs/weather.toml", &WEATHER.replace("description", "descripton"));
    let run = sandbox.run(&["lint", "specs"]);
    assert!(run.code == Some(1) && run.stderr.starts_with("error[E0106]"), "{}", run.stderr);
}

#[test]
fn breaking_exits_by_what_a_client_would_notice() {
    let sandbox = Sandbox::new();
    sandbox.write("old.toml", WEATHER);
    let against = |contract: &str| {
        sandbox.write("specs/weather.toml", contract);
        sandbox.run(&["breaking", "specs", "--against", "old.toml"])
    };
    let same = against(WEATHER);
    assert_eq!((same.code, same.stderr.as_str()), (Some(0), "nothing changed that a client could notice\n"));
    let more = against(&with_second_tool());
    assert!(more.code == Some(0) && more.stderr.starts_with("note[tool-added]"), "{}", more.stderr);
    let less = against(&WEATHER.replace("city = { type = \"string\"", "town = { type = \"string\""));
    assert_eq!(less.code, Some(1));
    assert!(
        less.stderr.contains("error[argument-removed]: `get_weather` no longer takes the argument `city`"),
        "{}",
        less.stderr
    );
    assert!(
        less.stderr.contains("old.toml:12:1") && less.stderr.contains("specs/weather.toml:12:1"),
        "{}",
        less.stderr
    );
    let faulty = against(&WEATHER.replace("description", "descripton"));
    assert!(faulty.code == Some(2) && faulty.stderr.contains("E0106"), "{}", faulty.stderr);
}

#[test]
fn breaking_compares_with_a_revision_of_git() {
    let sandbox = Sandbox::new();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]);
        let output = command.args(arguments).current_dir(sandbox.path("")).output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "first"]);
    sandbox.write("specs/weather.toml", &WEATHER.replace("get_weather", "weather_now"));
    for against in ["git:HEAD", "git:HEAD:specs", "git:HEAD:specs/weather.toml"] {
        let run = sandbox.run(&["breaking", "specs", "--against", against]);
        let place = " --> git:HEAD/specs/weather.toml:8:8\n";
        assert!(run.code == Some(1) && run.stderr.contains(place), "{against}: {}", run.stderr);
    }
    let file = sandbox.run(&["breaking", "specs/weather.toml", "--against", "git:HEAD"]);
    assert_eq!(file.code, Some(1), "{}", file.stderr);
    assert_eq!(git(&["status", "--porcelain"]), " M specs/weather.toml\n", "nothing else is touched");
    for (wrong, said) in [("git:nowhere", "nowhere"), ("git:--help", "--help"), ("git:HEAD:other", "other")] {
        let run = sandbox.run(&["breaking", "specs", "--against", wrong]);
        assert!(run.code == Some(2) && run.stderr.contains(said), "{}", run.stderr);
    }
}

#[test]
fn a_rule_is_explained_by_any_of_its_names() {
    let sandbox = Sandbox::new();
    let texts = ["E0306", "W0306", "0306", "306"].map(|name| sandbox.run(&["explain", name]).stdout);
    assert!(texts[0].starts_with("E0306: a default that its own schema refuses\n"), "{}", texts[0]);
    assert!(texts.iter().all(|text| *text == texts[0]));
    let rule = sandbox.run(&["explain", "tuple"]).stdout;
    insta::with_settings!({ prepend_module_to_snapshot => false }, { insta::assert_snapshot!("explain-tuple", rule) });
    let all = sandbox.run(&["explain"]).stdout;
    assert!(all.contains("  E0101 ") && all.contains("  root-combinator "), "{all}");
    assert_eq!(sandbox.run(&["explain", "E9999"]).code, Some(2));
}

#[test]
fn color_is_only_where_it_is_asked_for() {
    let sandbox = Sandbox::new();
    sandbox.write("specs/weather.toml", &WEATHER.replace("description", "descripton"));
    assert!(!sandbox.run(&["check", "specs"]).stderr.contains('\u{1b}'));
    assert!(sandbox.run(&["check", "specs", "--color", "always"]).stderr.contains('\u{1b}'));
}

#[test]
fn a_file_that_is_no_longer_needed_is_removed() {
    let sandbox = Sandbox::new();
    sandbox.write("specs/weather.toml", &with_second_tool());
    assert_eq!(sandbox.run(GENERATE).code, Some(0));
    assert!(sandbox.path("gen/tools/echo.rs").exists());
    sandbox.write("specs/weather.toml", WEATHER);
    assert_eq!(sandbox.run(GENERATE).stderr, "wrote 1 file, removed 1, 1 unchanged\n");
    assert!(!sandbox.path("gen/tools/echo.rs").exists());
}

#[test]
fn a_strangers_file_is_never_touched() {
    let sandbox = Sandbox::new();
    sandbox.write("gen/mod.rs", "mine");
    sandbox.write("gen/other.rs", "mine too");
    let run = sandbox.run(GENERATE);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("was not written by mcp-codegen"), "{}", run.stderr);
    assert_eq!((sandbox.read("gen/mod.rs"), sandbox.path("gen/tools").exists()), ("mine".to_owned(), false));
    fs::remove_file(sandbox.path("gen/mod.rs")).unwrap();
    assert_eq!(sandbox.run(GENERATE).code, Some(0));
    assert_eq!(sandbox.read("gen/other.rs"), "mine too");
}

#[test]
fn an_edited_file_is_replaced_and_named() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(GENERATE).code, Some(0));
    let generated = sandbox.read("gen/mod.rs");
    sandbox.write("gen/mod.rs", "edited");
    let run = sandbox.run(GENERATE);
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("had been edited"), "{}", run.stderr);
    assert_eq!(sandbox.read("gen/mod.rs"), generated);
}

#[test]
fn check_shows_a_diff_and_writes_nothing() {
    let sandbox = Sandbox::new();
    let missing = sandbox.run(CHECK);
    assert!(missing.code == Some(1) && !sandbox.path("gen").exists());
    assert_eq!(sandbox.run(GENERATE).code, Some(0));
    let clean = sandbox.run(CHECK);
    assert_eq!((clean.code, clean.stdout.as_str()), (Some(0), ""));
    sandbox.write("specs/weather.toml", &WEATHER.replace("current weather", "the weather"));
    let before = sandbox.read("gen/tools/get_weather.rs");
    let changed = sandbox.run(CHECK);
    assert_eq!(changed.code, Some(1));
    assert!(
        changed.stdout.contains("\n-/// Get current weather for a city\n+/// Get the weather for a city\n"),
        "{}",
        changed.stdout
    );
    assert_eq!(sandbox.read("gen/tools/get_weather.rs"), before);
}

/// Two contracts take turns; whenever a run dies, each file is one of the two texts, and the next run goes through.
#[test]
fn a_killed_run_leaves_whole_files_that_the_next_run_takes_up() {
    let sandbox = Sandbox::new();
    let contracts = [WEATHER.to_owned(), with_second_tool().replace("current weather", "the weather")];
    let texts = contracts.clone().map(|contract| {
        sandbox.write("specs/weather.toml", &contract);
        assert_eq!(sandbox.run(GENERATE).code, Some(0));
        ["gen/mod.rs", "gen/tools/get_weather.rs"].map(|path| sandbox.read(path))
    });
    for round in 0..40 {
        sandbox.write("specs/weather.toml", &contracts[round % 2]);
        let mut child = sandbox.command(GENERATE).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_micros(round as u64 * 100));
        child.kill().unwrap();
        child.wait().unwrap();
        for (index, path) in ["gen/mod.rs", "gen/tools/get_weather.rs"].into_iter().enumerate() {
            let text = sandbox.read(path);
            assert!(texts.iter().any(|texts| texts[index] == text), "{path} is neither text");
        }
    }
    let last = sandbox.run(GENERATE);
    assert_eq!(last.code, Some(0), "{}", last.stderr);
}

/// A disk that takes no more: nothing changes, nothing is left lying about, and the message says where it happened.
#[cfg(unix)]
#[test]
fn a_disk_that_is_full_changes_nothing() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(GENERATE).code, Some(0));
    let texts = || ["gen/mod.rs", "gen/tools/get_weather.rs"].map(|path| sandbox.read(path));
    let before = texts();
    sandbox.write("specs/weather.toml", &with_second_tool().replace("current weather", "the weather"));
    // no file may grow beyond 512 bytes or 1 KiB, and the system says so instead of ending the process
    let limited = r#"trap '' XFSZ; ulimit -f 1; exec "$0" generate specs -o gen"#;
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(limited).arg(support::program()).current_dir(sandbox.path("."));
    let run = support::Run::from(shell.output().unwrap());
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("gen/") && run.stderr.contains("File too large"), "{}", run.stderr);
    assert_eq!(texts(), before);
    assert!(!sandbox.path("gen/tools/echo.rs").exists());
    let left = ["gen", "gen/tools"].map(|folder| fs::read_dir(sandbox.path(folder)).unwrap().count());
    assert_eq!(left, [3, 1], "the manifest, `mod.rs` and `tools`, and one tool");
    let again = sandbox.run(GENERATE);
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    assert!(sandbox.read("gen/tools/get_weather.rs").contains("the weather"));
}

/// A place that nobody can write to, not even root.
#[cfg(target_os = "linux")]
#[test]
fn a_place_that_cannot_be_written_to_is_named() {
    let sandbox = Sandbox::new();
    for place in ["/proc/gen", "specs/weather.toml/gen"] {
        let run = sandbox.run(&["generate", "specs", "-o", place]);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.starts_with("error: ") && run.stderr.contains(place), "{}", run.stderr);
    }
    assert_eq!(sandbox.read("specs/weather.toml"), WEATHER);
}

#[test]
fn init_refuses_a_folder_that_holds_something() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&["init", "specs"]);
    assert!(run.code == Some(2) && run.stderr.contains("not empty"), "{}", run.stderr);
    assert_eq!(sandbox.read("specs/weather.toml"), WEATHER);
}

#[test]
fn init_names_the_project_after_its_folder() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&["init", "My Server"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
    assert!(sandbox.read("My Server/Cargo.toml").contains("name = \"my-server\""));
    assert!(sandbox.path("My Server/specs/my-server.toml").exists());
}

#[test]
fn init_refuses_a_name_that_cargo_would_refuse() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&["init", "new", "--name", "two words"]);
    assert!(run.code == Some(2) && run.stderr.contains("`two words`"), "{}", run.stderr);
    assert!(!sandbox.path("new").exists());
}

#[test]
fn init_warns_of_the_workspace_around_a_new_project_and_of_no_other() {
    let sandbox = Sandbox::new();
    sandbox.write("house/Cargo.toml", "[workspace]\n");
    let init = |dir: &str| {
        let run = sandbox.command(&["init", dir]).current_dir(sandbox.path("house")).output().unwrap();
        String::from_utf8(run.stderr).unwrap()
    };
    assert!(init("inside").contains("is a workspace"), "cargo takes the new project for a member");
    assert!(!init("../beside").contains("is a workspace"), "the new project lies elsewhere");
}

/// The longest test: cargo builds the new project and runs its tests.
#[test]
fn a_new_project_builds_without_warnings_and_passes_its_tests() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["init", "demo"]).code, Some(0));
    support::build::check_project(&sandbox.path("demo"), "demo", true);
}

#[test]
fn a_change_that_is_meant_can_be_accepted() {
    let sandbox = Sandbox::new();
    let open = "format = 1\n[[tools]]\nname = \"a\"\n[tools.inputSchema]\ntype = \"object\"\nproperties = {}\n";
    sandbox.write("old.toml", open);
    sandbox.write("new.toml", &format!("{open}additionalProperties = false\n"));
    let compare = |more: &[&str]| sandbox.run(&[&["breaking", "new.toml", "--against", "old.toml"], more].concat());
    assert_eq!(compare(&[]).code, Some(1));
    let accepted = compare(&["--allow", "arguments-closed"]);
    assert!(accepted.code == Some(0) && accepted.stderr.contains("1 change accepted"), "{}", accepted.stderr);
    let unknown = compare(&["--allow", "arguments-close"]);
    assert!(unknown.code == Some(2) && unknown.stderr.contains("no change `arguments-close`"), "{}", unknown.stderr);
}
