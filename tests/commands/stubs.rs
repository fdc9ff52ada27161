//! `stubs`: what it finds in a crate, what it writes, and what it leaves alone.

use std::fs;

use support::{Run, Sandbox};

/// A contract with one of each thing that somebody implements, and of each that nobody does.
const CONTRACT: &str = r#"format = 1
server = { name = "demo" }

[[tools]]
name = "echo"
args = { text = { type = "string", required = true } }
examples = [{ args = { text = "a */ \n b" }, output = "x" }]

[[tools]]
name = "app"
description = "Its trait is called as the type that implements it"

[[tools]]
name = "type"
blocking = true

[[tools]]
name = "a_tool_whose_name_is_rather_long"
args = { a = { type = "integer" } }
output = { b = { type = "integer" } }

[[resources]]
uri = "a://news"
name = "news"

[[resources]]
uri = "a://static"
name = "static"
text = "static"

[[resourceTemplates]]
uriTemplate = "a://{city}/{day}"
name = "echo"
args = { city = { type = "string", complete = true }, day = { type = "integer" } }

[[prompts]]
name = "greet"
arguments = [{ name = "who", required = true, complete = true }]

[[prompts]]
name = "fixed"
arguments = [{ name = "who", required = true, complete = true }]
messages = [{ role = "user", text = "Hi {{who}}" }]

[[prompts]]
name = "static"
messages = [{ role = "user", text = "Hi" }]
"#;

const MAIN: &str = "mod api {\n    mcp_runtime::include_service!(\"demo\");\n}\n\nstruct App;\n\nfn main() {\n    api::service(App);\n}\n";

/// A crate with this root and these other files, and the contract.
fn krate(main: &str, files: &[(&str, &str)]) -> Sandbox {
    let sandbox = Sandbox::new();
    fs::remove_file(sandbox.path("specs/weather.toml")).expect("the contract of every sandbox");
    sandbox.write("specs/demo.toml", CONTRACT);
    sandbox.write("Cargo.toml", "[package]\nname = \"demo\"\n");
    sandbox.write("src/main.rs", main);
    for (path, text) in files {
        sandbox.write(path, text);
    }
    sandbox
}

fn stubs(sandbox: &Sandbox, more: &[&str]) -> Run {
    sandbox.run(&[&["stubs", "specs", "-o", "src/handlers"], more].concat())
}

/// The files that were written, sorted.
fn written(sandbox: &Sandbox) -> Vec<String> {
    let Ok(entries) = fs::read_dir(sandbox.path("src/handlers")) else { return Vec::new() };
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("a folder entry").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

#[test]
fn each_missing_feature_gets_a_file() {
    let sandbox = krate(MAIN, &[]);
    let run = stubs(&sandbox, &[]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{}", run.stderr);
    assert!(run.stderr.ends_with("next: add to `src/main.rs`:\n\nmod handlers;\n\n"), "{}", run.stderr);
    let mut all = String::new();
    for file in written(&sandbox) {
        let text = sandbox.read(&format!("src/handlers/{file}"));
        all.extend(["=== ", &file, "\n", &text, "\n"]);
    }
    insta::with_settings!({ prepend_module_to_snapshot => false, snapshot_path => "../snapshots" }, { insta::assert_snapshot!("stubs-written", all) });
}

#[test]
fn a_second_run_has_nothing_to_do() {
    let sandbox = krate(&format!("mod handlers;\n{MAIN}"), &[]);
    assert_eq!(stubs(&sandbox, &[]).code, Some(0));
    let before: Vec<_> = written(&sandbox).iter().map(|file| sandbox.read(&format!("src/handlers/{file}"))).collect();
    let run = stubs(&sandbox, &[]);
    assert_eq!(run.stderr, "nothing to do: the crate implements 8 features of the contract\n");
    let after: Vec<_> = written(&sandbox).iter().map(|file| sandbox.read(&format!("src/handlers/{file}"))).collect();
    assert_eq!(after, before);
}

/// Every way to say which trait is meant.
#[test]
fn impls_are_found_wherever_they_stand() {
    let files = [
        (
            "src/inner.rs",
            "mod deep;\nuse crate::api as generated;\nimpl generated::tools::r#type::Type for crate::App {}\n",
        ),
        (
            "src/inner/deep.rs",
            "use super::super::{App, api::{a_tool_whose_name_is_rather_long::*, *}};\nimpl AToolWhoseNameIsRatherLong for App {}\n",
        ),
        (
            "src/elsewhere/x.rs",
            "pub use crate::api::News as Latest;\nmod y { mod z { use super::super::Latest; impl Latest for crate::App {} } }\n",
        ),
        ("src/folder/mod.rs", "mod beside;\n"),
        ("src/folder/beside.rs", "impl crate::api::resource_templates::echo::Echo for crate::App {}\n"),
    ];
    let main = "mod inner;\n#[path = \"elsewhere/x.rs\"]\nmod x;\nmod folder;\nmod missing;\nuse api::{Echo as E, Greet};\n\
                impl E for App {}\nimpl<T: Send> api::App for T {}\nimpl Greet for App {}\n\
                use std::fmt::Display as Fixed;\nimpl Fixed for App {}\nimpl Clone for App {}\n";
    let sandbox = krate(&format!("{main}{MAIN}"), &files);
    let run = stubs(&sandbox, &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(written(&sandbox), ["fixed.rs", "mod.rs"], "`Fixed` is `Display` there: {}", run.stderr);
}

#[test]
fn generated_code_that_is_checked_in_is_known() {
    let main = MAIN
        .replace(
            "mod api {\n    mcp_runtime::include_service!(\"demo\");\n}",
            "#[path = \"gen/mod.rs\"]\nmod generated;",
        )
        .replace("api::", "generated::");
    let sandbox = krate(&main, &[]);
    assert_eq!(sandbox.run(&["generate", "specs", "-o", "src/gen"]).code, Some(0));
    let run = stubs(&sandbox, &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(sandbox.read("src/handlers/echo.rs").contains("use crate::generated::Echo;\n"));
}

#[test]
fn the_type_is_the_one_that_has_most_impls() {
    let impls = "mod state { pub struct Shared; impl crate::api::Echo for Shared {} impl crate::api::News for Shared {} }\nimpl api::Greet for App {}\n";
    let sandbox = krate(&format!("{impls}{MAIN}"), &[]);
    assert_eq!(stubs(&sandbox, &[]).code, Some(0));
    assert!(sandbox.read("src/handlers/type.rs").contains("use crate::state::Shared;\n"));
    let named = krate(&format!("{impls}{MAIN}"), &[]);
    assert_eq!(stubs(&named, &["--handler", "crate::App"]).code, Some(0));
    assert!(named.read("src/handlers/type.rs").contains("impl Type for App {"));
}

#[test]
fn what_the_crate_does_not_say_must_be_said() {
    let without_type = krate("mod api {\n    mcp_runtime::include_service!(\"demo\");\n}\nfn main() {}\n", &[]);
    let run = stubs(&without_type, &[]);
    assert!(run.code == Some(2) && run.stderr.contains("--handler"), "{}", run.stderr);
    let without_code = krate("struct App;\nfn main() {}\n", &[]);
    let run = stubs(&without_code, &[]);
    assert!(run.code == Some(2) && run.stderr.contains("include_service!(\"demo\")"), "{}", run.stderr);
    let two = "mod a { mcp_runtime::include_service!(\"a\"); }\nmod b { mcp_runtime::include_service!(\"b\"); }\nstruct App;\nfn main() {}\n";
    let run = stubs(&krate(two, &[]), &[]);
    assert!(run.code == Some(2) && run.stderr.contains("`crate::a`, `crate::b`"), "{}", run.stderr);
    let run = stubs(&krate(two, &[]), &["--api", "crate::b", "--handler", "crate::App"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let nowhere = krate(MAIN, &[]);
    let run = nowhere.run(&["stubs", "specs", "-o", "/nowhere/handlers"]);
    assert!(run.code == Some(2) && run.stderr.contains("in no package"), "{}", run.stderr);
}

/// Wherever the folder lies: what the program says to add makes modules of the files, so that the next run finds them.
#[test]
fn what_is_to_be_added_declares_the_folder_wherever_it_lies() {
    for (folder, said) in [
        ("src/handlers", "mod handlers;\n"),
        ("src/../src/./handlers", "mod handlers;\n"),
        ("src/gone/../handlers", "mod handlers;\n"),
        ("handlers", "#[path = \"../handlers/mod.rs\"]\nmod handlers;\n"),
        ("src/../handlers", "#[path = \"../handlers/mod.rs\"]\nmod handlers;\n"),
        ("src/deep/er", "#[path = \"deep/er/mod.rs\"]\nmod er;\n"),
        ("src/my-handlers", "#[path = \"my-handlers/mod.rs\"]\nmod my_handlers;\n"),
        ("src/type", "#[path = \"type/mod.rs\"]\nmod r#type;\n"),
    ] {
        let sandbox = krate(MAIN, &[]);
        let run = sandbox.run(&["stubs", "specs", "-o", folder]);
        assert_eq!(run.code, Some(0), "{folder}: {}", run.stderr);
        let (_, add) =
            run.stderr.split_once("next: add to `src/main.rs`:\n\n").unwrap_or_else(|| panic!("{}", run.stderr));
        assert_eq!(add, format!("{said}\n"), "{folder}");
        assert!(!sandbox.path("src/gone").exists());
        sandbox.write("src/main.rs", &format!("{add}{MAIN}"));
        let again = sandbox.run(&["stubs", "specs", "-o", folder]);
        assert_eq!(again.stderr, "nothing to do: the crate implements 8 features of the contract\n", "{folder}");
    }
    // The folder of the root is no module of its own.
    for folder in ["src", "src/handlers/.."] {
        let sandbox = krate(MAIN, &[]);
        let run = sandbox.run(&["stubs", "specs", "-o", folder]);
        assert!(run.stderr.contains("next: add to `src/main.rs`:\n\nmod a_tool_"), "{folder}: {}", run.stderr);
        assert!(!sandbox.path("src/mod.rs").exists());
    }
}

#[test]
fn a_path_that_is_none_or_leads_nowhere_is_refused() {
    for (option, value, said) in [
        ("--handler", "crate::Ap p", "is not the path of a type, such as `--handler crate::App`"),
        ("--handler", "crate::App; fn x() {}", "is not the path of a type"),
        ("--handler", "", "is not the path of a type"),
        ("--handler", "crate::Ap", "the crate has no `crate::Ap`"),
        ("--handler", "Ap", "the crate has no `Ap`"),
        ("--handler", "crate::nowhere::App", "the crate has no `crate::nowhere::App`"),
        ("--api", "src/api", "is not the path of a module, such as `--api crate::api`"),
        ("--api", "crate::ap", "the crate has no `crate::ap`"),
    ] {
        let sandbox = krate(MAIN, &[]);
        let run = stubs(&sandbox, &[option, value]);
        assert!(run.code == Some(2) && run.stderr.contains(said), "{option} {value}: {}", run.stderr);
        assert_eq!(written(&sandbox), [""; 0], "{option} {value}");
    }
    // What can be meant is taken: from the root, by a name that is imported, of another crate, by a macro.
    let main = format!("mod state;\nuse state::Shared;\n{MAIN}");
    let state = ("src/state.rs", "pub struct Shared;\nmake_types!();\n");
    for (value, import) in [
        ("App", "use crate::App;\n"),
        ("Shared", "use crate::state::Shared;\n"),
        ("crate::state::Made", "use crate::state::Made;\n"),
        ("other::App", "use other::App;\n"),
    ] {
        let sandbox = krate(&main, &[state]);
        assert_eq!(stubs(&sandbox, &["--handler", value]).code, Some(0), "{value}");
        let text = sandbox.read("src/handlers/type.rs");
        assert!(text.contains(import), "{value}: {text}");
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let sandbox = krate(MAIN, &[("src/handlers", "a file")]);
    let run = stubs(&sandbox, &[]);
    assert!(run.code == Some(2) && run.stderr.contains("`src/handlers`"), "{}", run.stderr);
    let run = sandbox.run(&["man", "-o", "src/handlers"]);
    assert!(run.code == Some(2) && run.stderr.contains("`src/handlers`"), "{}", run.stderr);
}

#[test]
fn nothing_is_overwritten() {
    let mine = "// mine\n";
    let sandbox = krate(MAIN, &[("src/handlers/echo.rs", mine), ("src/handlers/mod.rs", mine)]);
    let run = stubs(&sandbox, &[]);
    assert_eq!(run.code, Some(0));
    assert!(run.stderr.contains("warning: `src/handlers/echo.rs` is there and stays"), "{}", run.stderr);
    assert!(
        run.stderr.contains("next: add to `src/handlers/mod.rs`:\n\nmod a_tool_whose_name_is_rather_long;\n"),
        "{}",
        run.stderr
    );
    assert_eq!([sandbox.read("src/handlers/echo.rs"), sandbox.read("src/handlers/mod.rs")], [mine, mine]);
    let beside = krate(MAIN, &[("src/handlers.rs", mine)]);
    let run = stubs(&beside, &[]);
    assert!(run.stderr.contains("next: add to `src/handlers.rs`:\n"), "{}", run.stderr);
    assert_eq!(beside.read("src/handlers.rs"), mine);
    assert!(!beside.path("src/handlers/mod.rs").exists());
}

#[test]
fn what_a_later_contract_adds_and_removes_is_followed() {
    let sandbox = krate(&format!("mod handlers;\n{MAIN}"), &[]);
    assert_eq!(stubs(&sandbox, &[]).code, Some(0));
    let before = sandbox.read("src/handlers/mod.rs");
    sandbox.write("specs/demo.toml", &CONTRACT.replace("name = \"news\"", "name = \"newspaper\""));
    let run = stubs(&sandbox, &[]);
    assert_eq!(run.code, Some(0));
    assert!(
        run.stderr.contains(
            "warning[handler-left]: `News` is no feature of the contract any more\n --> src/handlers/news.rs:9:6\n"
        ),
        "{}",
        run.stderr
    );
    assert_eq!(sandbox.read("src/handlers/mod.rs"), format!("{before}\nmod newspaper;\n"));
    assert!(sandbox.path("src/handlers/news.rs").exists() && sandbox.path("src/handlers/newspaper.rs").exists());
    let denied = stubs(&sandbox, &["--deny-warnings", "--format", "json"]);
    assert!(denied.code == Some(1) && denied.stdout.contains("\"file\":\"src/handlers/news.rs\""), "{}", denied.stdout);
}

#[test]
fn a_file_that_is_no_rust_is_named_with_its_place() {
    let run = stubs(&krate(&format!("mod broken;\n{MAIN}"), &[("src/broken.rs", "fn a() {}\nfn b( {}\n")]), &[]);
    assert!(run.code == Some(2) && run.stderr.contains("src/broken.rs:2:"), "{}", run.stderr);
}

/// A project that `init` made, with features of every kind added: what is written compiles without a warning, and has
/// rustfmt's layout.
#[test]
fn stubs_compile_in_a_new_project() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["init", "stubbed"]).code, Some(0));
    let contract = sandbox.read("stubbed/specs/stubbed.toml");
    let (_, features) = CONTRACT.split_once("\n\n").unwrap();
    sandbox.write("stubbed/specs/stubbed.toml", &format!("{contract}\n{features}"));
    let folder = sandbox.path("stubbed");
    let run = sandbox.command(&["stubs", "specs", "-o", "src/handlers"]).current_dir(&folder).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let main = sandbox.read("stubbed/src/main.rs").replace("\nuse api::", "\nmod handlers;\n\nuse api::");
    sandbox.write("stubbed/src/main.rs", &main);
    support::build::check_project(&folder, "stubbed", false);
}

#[test]
fn handlers_of_tests_are_not_those_of_the_server() {
    let tests = "#[cfg(test)]\nmod tests { struct Fake; impl crate::api::Echo for Fake {} impl crate::api::News for Fake {} }\n";
    let sandbox = krate(&format!("{MAIN}{tests}"), &[]);
    let run = stubs(&sandbox, &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let echo = sandbox.read("src/handlers/echo.rs");
    assert!(echo.contains("for App") && !echo.contains("Fake"), "{echo}");
}
