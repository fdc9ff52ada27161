//! What a compiled server lists, held against the dump of another's lists.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::ordered::Ordered;

const LISTS: [(&str, &str); 4] = [
    ("tools", "tools/list"),
    ("resources", "resources/list"),
    ("resourceTemplates", "resources/templates/list"),
    ("prompts", "prompts/list"),
];

/// Keys of a dump's `server` that its `serverInfo` did not have: whoever made the dump noted them.
const NOTED: [&str; 5] = ["package", "packageVersion", "protocolVersion", "capabilities", "instructions"];

/// Compares all that `program` lists, as the contract of the dump's name, with what the dump says. Gives the number of
/// features.
///
/// # Panics
///
/// Panics if they differ by `is_equal`, and says where.
pub fn compare(program: &Path, dump: &Path, is_equal: fn(&Ordered, &Ordered) -> bool) -> usize {
    let name = crate::stem(dump);
    let dumped = Ordered::parse(&std::fs::read_to_string(dump).expect("a dump"));
    let answers = ask(program, name);
    let mut features = 0;
    for ((kind, _), answer) in LISTS.iter().zip(&answers[1..]) {
        let listed = answer.get("result").and_then(|result| result.get(kind)).map(Ordered::items).unwrap_or_default();
        let dumped = dumped.get(kind).map(Ordered::items).unwrap_or_default();
        assert_eq!(listed.len(), dumped.len(), "{name}: {kind}");
        for (listed, dumped) in listed.iter().zip(dumped) {
            assert!(is_equal(listed, dumped), "{name}: {kind}\n{listed:?}\n{dumped:?}");
        }
        features += dumped.len();
    }
    features
}

/// Compares what `program` says of itself with what the dump says: the members of `serverInfo`, and the instructions.
///
/// # Panics
///
/// Panics if they differ.
pub fn compare_greeting(program: &Path, dump: &Path) {
    let name = crate::stem(dump);
    let dumped = Ordered::parse(&std::fs::read_to_string(dump).expect("a dump"));
    let dumped = dumped.get("server").expect("a dump names its server");
    let answers = ask(program, name);
    let greeting = answers[0].get("result").expect("an answer to `initialize`");
    let Ordered::Object(members) = dumped else { panic!("{name}: {dumped:?}") };
    let info = members.iter().filter(|(key, _)| !NOTED.contains(&key.as_str()));
    let info: Vec<_> = info.filter(|(_, value)| !is_null(value)).cloned().collect();
    let said = greeting.get("serverInfo").expect("a server says who it is");
    assert!(said.is_equal_as_json(&Ordered::Object(info.clone())), "{name}: {said:?}\n{info:?}");
    let instructions = dumped.get("instructions").filter(|text| !is_null(text));
    assert_eq!(greeting.get("instructions"), instructions, "{name}");
}

fn is_null(value: &Ordered) -> bool {
    *value == Ordered::Scalar(serde_json::Value::Null)
}

/// The answers to `initialize`, at the revision that knows all members of the dumps, and to each list request.
fn ask(program: &Path, contract: &str) -> Vec<Ordered> {
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
    for (id, (_, method)) in LISTS.iter().enumerate() {
        let _ = write!(lines, "\n{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"{method}\"}}", id + 1);
    }
    lines.push('\n');
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = server.wait_with_output().expect("answers");
    writer.join().expect("no panic").expect("the server reads");
    assert!(output.status.success(), "{contract}: {:?}", output.status);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let answers: Vec<Ordered> = text.lines().map(Ordered::parse).collect();
    assert_eq!(answers.len(), LISTS.len() + 1, "{contract}: every request is answered");
    answers
}
