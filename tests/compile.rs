//! Generated code compiles without a warning under the strictest lints, documentation included, and lists what the
//! contract says.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mcp_codegen::import::{Offer, from_offer};
use serde::Deserialize;
use serde_json::value::RawValue;
use support::generated_crate::GeneratedCrate;
use support::ordered::Ordered;

#[test]
fn readable_contracts_compile_without_a_warning() {
    let code = GeneratedCrate::new("valid-contracts", &support::specs("valid"), 1);
    lint(&code);
}

/// JS3
/// 76 servers, 3,119 tools, none of them written by us.
#[test]
fn the_contracts_of_real_servers_compile_and_list_what_the_servers_listed() {
    let Some(corpus) = support::shared("corpus/servers") else { return };
    let entries = std::fs::read_dir(corpus).expect("the corpus");
    let mut dumps: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder entry").path()).collect();
    dumps.sort();
    let code = GeneratedCrate::new("real-servers", &dumps, 4);
    lint(&code);
    code.cargo(&["build", "--quiet"]);
    let mut tools = 0;
    for dump in &dumps {
        tools += compare_lists(&code.program(), dump);
    }
    support::note(&format!("{} servers, {tools} tools: compiled, and listed as in the dumps", dumps.len()));
}

/// Servers whose imported contracts have schemas of every form, and features of every kind.
const IMPORTED: [&str; 8] =
    ["aws-iac", "blender", "fetch", "gsheets", "home-assistant", "kubernetes-npm", "motherduck", "nixos"];

/// What is imported says in other words what the dump says: as short forms, tables or JSON text.
#[test]
fn imported_contracts_compile_and_list_what_the_servers_listed() {
    let Some(corpus) = support::shared("corpus/servers") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let import = |name: &&str| {
        let dump = std::fs::read_to_string(corpus.join(format!("{name}.json"))).expect("a dump");
        let path = folder.path().join(format!("{name}.toml"));
        std::fs::write(&path, from_offer(&offer(&dump), &[]).text).expect("write a contract");
        path
    };
    let contracts: Vec<PathBuf> = IMPORTED.iter().map(import).collect();
    let code = GeneratedCrate::new("imported-servers", &contracts, 1);
    code.cargo(&["build", "--quiet"]);
    for name in IMPORTED {
        compare_lists_by(&code.program(), &corpus.join(format!("{name}.json")), Ordered::is_equal_as_json);
    }
}

/// What a server offers whose answers are in a dump.
fn offer(dump: &str) -> Offer {
    #[derive(Default, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    struct Dump {
        tools: Vec<Box<RawValue>>,
        resources: Vec<Box<RawValue>>,
        resource_templates: Vec<Box<RawValue>>,
        prompts: Vec<Box<RawValue>>,
    }
    let dump: Dump = serde_json::from_str(dump).expect("a dump");
    let mut offer = Offer::default();
    offer.server_info = RawValue::from_string(r#"{"name":"s","version":"1"}"#.to_owned()).ok();
    (offer.tools, offer.resources) = (dump.tools, dump.resources);
    (offer.resource_templates, offer.prompts) = (dump.resource_templates, dump.prompts);
    offer
}

/// Compiler, clippy and rustdoc have nothing to say, and no example in somebody's prose is run.
fn lint(code: &GeneratedCrate) {
    code.cargo(&["clippy", "--quiet", "--workspace"]);
    code.cargo(&["doc", "--quiet", "--workspace", "--no-deps"]);
    code.cargo(&["test", "--quiet", "--workspace", "--doc"]);
}

/// Compares what the server lists with what the dump says, and counts the tools.
fn compare_lists(program: &Path, dump: &Path) -> usize {
    compare_lists_by(program, dump, PartialEq::eq)
}

fn compare_lists_by(program: &Path, dump: &Path, is_equal: fn(&Ordered, &Ordered) -> bool) -> usize {
    let name = support::stem(dump);
    let dumped = Ordered::parse(&std::fs::read_to_string(dump).expect("a dump"));
    let asked: Vec<_> = [
        ("tools", "tools/list"),
        ("resources", "resources/list"),
        ("resourceTemplates", "resources/templates/list"),
        ("prompts", "prompts/list"),
    ]
    .into_iter()
    .filter(|(kind, _)| dumped.get(kind).is_some_and(|list| !list.items().is_empty()))
    .collect();
    let answers = ask(program, name, &asked);
    for ((kind, _), answer) in asked.iter().zip(&answers) {
        let listed = answer.get("result").and_then(|result| result.get(kind));
        let (listed, dumped) =
            (listed.map(Ordered::items).unwrap_or_default(), dumped.get(kind).expect("asked").items());
        assert_eq!(listed.len(), dumped.len(), "{name}: {kind}");
        for (listed, dumped) in listed.iter().zip(dumped) {
            assert!(is_equal(listed, dumped), "{name}: {kind}\n{listed:?}\n{dumped:?}");
        }
    }
    dumped.get("tools").map(|tools| tools.items().len()).unwrap_or_default()
}

/// The answers to list requests, at the revision that knows all members of the dumps.
fn ask(program: &Path, contract: &str, asked: &[(&str, &str)]) -> Vec<Ordered> {
    let mut server = Command::new(program)
        .arg(contract)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("start the server");
    let mut input = server.stdin.take().expect("a pipe");
    let mut lines = String::from(
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#,
    );
    for (id, (_, method)) in asked.iter().enumerate() {
        let _ = write!(lines, "\n{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"{method}\"}}", id + 1);
    }
    lines.push('\n');
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = server.wait_with_output().expect("answers");
    writer.join().expect("no panic").expect("the server reads");
    assert!(output.status.success(), "{contract}: {:?}", output.status);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().skip(1).map(Ordered::parse).collect()
}
