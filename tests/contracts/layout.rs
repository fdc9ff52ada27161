//! `fmt`: one layout for contract files, that never changes what they say.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use mcp_codegen::fmt::format;
use mcp_codegen::source::{Role, SourceFile, Sources};
use support::{Run, Sandbox, WEATHER};

const UNTIDY: &str = r#"#:schema ./mcp-codegen.schema.json


# First words.
format=1
[server]
  name   =   "s"   # who
version="1"



# A tool.
[[ tools ]]

name = "t" # called so
annotations={readOnlyHint=true,  title="T" }
  # indented
  groups = [ "a" , "b",]
scopes = [
  "x", # the first
    # between
  "y"
  # the last
]
[tools . args]
city   = { type = "string", description = "where # not a comment" }
days   = { type = "integer", "x-note"='''
  kept  ''' }

at.items  = { type='string' }
short = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "21"]
# the end
"#;

/// The laid out text of a file that nobody has.
fn laid_out(text: &str, role: Role) -> String {
    let mut sources = Sources::default();
    let path = std::path::PathBuf::new();
    let file = sources.add(SourceFile { name: "file".to_owned(), path, text: text.to_owned(), role });
    format(&sources, file).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn through(sandbox: &Sandbox, arguments: &[&str], text: &str) -> Run {
    let mut command = sandbox.command(arguments);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("run mcp-codegen");
    child.stdin.take().expect("its input").write_all(text.as_bytes()).expect("write");
    child.wait_with_output().expect("its end").into()
}

#[test]
fn toml_has_one_layout() {
    let made = laid_out(UNTIDY, Role::Toml);
    insta::with_settings!({ prepend_module_to_snapshot => false, snapshot_path => "../snapshots" }, {
        insta::assert_snapshot!("fmt-toml", made);
    });
    assert_eq!(laid_out(&made, Role::Toml), made, "a second time changes nothing");
}

#[test]
fn json_has_one_layout() {
    let text = "{\"format\":1,\n\"server\":{\"name\":\"s\",\"version\":\"1\"},\"tools\":[{\"name\":\"t\",\"inputSchema\":\n{\"type\":\"object\",\"properties\":{\"a\":{\"minimum\":1.50,\"title\":\"\\u00e9, {\"}}}}]}";
    let made = laid_out(text, Role::Json);
    insta::with_settings!({ prepend_module_to_snapshot => false, snapshot_path => "../snapshots" }, {
        insta::assert_snapshot!("fmt-json", made);
    });
    assert_eq!(laid_out(&made, Role::Json), made, "a second time changes nothing");
}

#[test]
fn what_a_server_answered_stays_as_it_was_recorded() {
    let text = "[{\"name\":\"t\",\n\"inputSchema\":{\"type\":\"object\"}}]";
    assert_eq!(laid_out(text, Role::Json), text);
}

/// Every contract of the project, in layouts that nobody would choose: laid out, it says the same, and stays.
#[test]
fn contracts_keep_what_they_say() {
    let files = ["specs/valid", "examples/weather/specs", "examples/everything/specs", "tests/served/contract"];
    let mut count = 0;
    for folder in files {
        for entry in fs::read_dir(support::workspace().join(folder)).expect(folder) {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|ending| ending != "toml") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("a text");
            let made = laid_out(&text, Role::Toml);
            // Lines inside of strings are not ours to move.
            let is_simple = !text.contains("'''") && !text.contains("\"\"\"");
            for mangled in [
                text.clone(),
                text.replace("\n\n", "\n\n\n\n"),
                if is_simple { text.replace('\n', "\n\t ") } else { text.clone() },
                text.replace(" = ", "  =\t"),
            ] {
                let tidied = laid_out(&mangled, Role::Toml);
                assert_eq!(laid_out(&tidied, Role::Toml), tidied, "{}", path.display());
            }
            assert_eq!(laid_out(&text.replace("\n\n", "\n\n\n\n"), Role::Toml), made, "{}", path.display());
            count += 1;
        }
    }
    assert!(count > 15, "only {count} contracts were found");
}

#[test]
fn line_endings_and_permissions_stay() {
    let sandbox = Sandbox::new();
    sandbox.write("specs/weather.toml", &WEATHER.replace(" = ", "=").replace('\n', "\r\n"));
    assert_eq!(sandbox.run(&["fmt", "specs"]).stderr, "laid out 1 of 1 file\n");
    let text = sandbox.read("specs/weather.toml");
    assert_eq!(text.matches("\r\n").count(), text.matches('\n').count());
    assert_eq!(sandbox.run(&["fmt", "specs"]).stderr, "1 file laid out already\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let file = sandbox.path("real.toml");
        sandbox.write("real.toml", "format=1\n");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        symlink("real.toml", sandbox.path("link.toml")).unwrap();
        assert_eq!(sandbox.run(&["fmt", "link.toml"]).code, Some(0));
        assert_eq!(sandbox.read("real.toml"), "format = 1\n");
        assert!(fs::symlink_metadata(sandbox.path("link.toml")).unwrap().is_symlink(), "the link is still one");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn check_shows_what_would_change_and_writes_nothing() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["fmt", "--check", "specs"]).code, Some(0));
    let untidy = WEATHER.replace("format = 1", "format=1");
    sandbox.write("specs/weather.toml", &untidy);
    let run = sandbox.run(&["fmt", "--check", "specs"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("\n-format=1\n+format = 1\n"), "{}", run.stdout);
    assert_eq!(sandbox.read("specs/weather.toml"), untidy);
    let github = sandbox.run(&["fmt", "--check", "specs", "--format", "github"]);
    assert_eq!((github.code, github.stderr.as_str()), (Some(1), ""));
    let place = "::error file=specs/weather.toml,line=1,col=1,endLine=1,endColumn=1,title=untidy-layout::";
    assert!(github.stdout.starts_with(place), "{}", github.stdout);
}

#[test]
fn a_file_that_is_no_contract_is_told_and_left_alone() {
    let sandbox = Sandbox::new();
    sandbox.write("specs/broken.toml", "format = \n");
    sandbox.write("specs/date.toml", "format=1\nx = 1979-05-27\n");
    sandbox.write("specs/twice.json", "{\"format\":1,\"format\":1}");
    let run = sandbox.run(&["fmt", "specs"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    for told in ["specs/broken.toml:1:", "specs/date.toml:2:5", "specs/twice.json:1:13"] {
        assert!(run.stderr.contains(told), "{told}: {}", run.stderr);
    }
    assert_eq!(sandbox.read("specs/date.toml"), "format=1\nx = 1979-05-27\n");
}

#[test]
fn standard_input_goes_to_standard_output() {
    let sandbox = Sandbox::new();
    let toml = through(&sandbox, &["fmt", "-"], "format=1\n");
    assert_eq!((toml.code, toml.stdout.as_str()), (Some(0), "format = 1\n"), "{}", toml.stderr);
    let json = through(&sandbox, &["fmt", "-"], "{\"format\":1}");
    assert_eq!(json.stdout, "{ \"format\": 1 }\n");
    let check = through(&sandbox, &["fmt", "--check", "-"], "format=1\n");
    assert!(check.code == Some(1) && check.stdout.contains("+format = 1"), "{}", check.stdout);
    assert_eq!(through(&sandbox, &["fmt", "-"], "format = ").code, Some(1));
    assert_eq!(through(&sandbox, &["fmt", "-", "specs"], "").code, Some(2));
}

#[test]
fn a_last_comment_needs_no_line_end_and_one_file_that_cannot_be_kept_stops_no_other() {
    let sandbox = Sandbox::new();
    sandbox.write("specs/a.toml", "format = 1\n[tools.x]\nbig = 18446744073709551615\n");
    sandbox.write("specs/weather.toml", "format=1\n# end");
    let run = sandbox.run(&["fmt", "specs"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("an integer beyond 64 bits with a sign"), "{}", run.stderr);
    assert_eq!(sandbox.read("specs/a.toml"), "format = 1\n[tools.x]\nbig = 18446744073709551615\n");
    assert_eq!(sandbox.read("specs/weather.toml"), "format = 1\n# end\n");
}

#[test]
fn no_command_writes_over_a_contract() {
    let sandbox = Sandbox::new();
    let contract = sandbox.read("specs/weather.toml");
    for arguments in [
        ["docs", "specs", "-o", "specs/weather.toml", "--as", "html"].as_slice(),
        &["schema", "-o", "specs/weather.toml"],
    ] {
        let run = sandbox.run(arguments);
        assert!(run.code == Some(2) && run.stderr.contains("can be a contract"), "{}", run.stderr);
        assert_eq!(sandbox.read("specs/weather.toml"), contract);
    }
}

/// What somebody has locked stays as it is, and what has several names keeps them.
#[cfg(unix)]
#[test]
fn read_only_files_are_refused_and_names_stay_together() {
    use std::os::unix::fs::PermissionsExt as _;

    let untidy = "format=1\n";
    let sandbox = Sandbox::new();
    sandbox.write("locked.toml", untidy);
    fs::set_permissions(sandbox.path("locked.toml"), fs::Permissions::from_mode(0o444)).expect("lock the file");
    let run = sandbox.run(&["fmt", "locked.toml"]);
    assert!(run.code == Some(2) && run.stderr.contains("locked.toml`: it is read-only"), "{}", run.stderr);
    assert_eq!(sandbox.read("locked.toml"), untidy);
    // To look at it is not to write it.
    assert_eq!(sandbox.run(&["fmt", "--check", "locked.toml"]).code, Some(1));

    sandbox.write("one.toml", untidy);
    fs::hard_link(sandbox.path("one.toml"), sandbox.path("other.toml")).expect("a second name");
    assert_eq!(sandbox.run(&["fmt", "one.toml"]).code, Some(0));
    assert_eq!([sandbox.read("one.toml"), sandbox.read("other.toml")], ["format = 1\n"; 2]);
}
