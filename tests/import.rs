//! Contracts of running servers: what they list comes back from the contract that is imported; servers that misbehave are
//! left with a word about it.

#[path = "import/commands.rs"]
mod commands;
#[path = "import/hostile.rs"]
mod hostile;
#[path = "import/http.rs"]
mod http;
#[path = "import/random.rs"]
mod random;
#[cfg(unix)]
#[path = "import/status.rs"]
mod status;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use mcp_codegen::diagnostic::Format;
use mcp_codegen::import::Offer;
use mcp_codegen::{Config, load};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use support::{Run, Sandbox};

/// The server that lists what a file says, or misbehaves.
const REPLAY: &str = env!("CARGO_BIN_EXE_replay");

/// Runs `import` on a program, into `out.toml`.
fn import(sandbox: &Sandbox, command: &[&str]) -> Run {
    sandbox.run(&[&["import", "-o", "out.toml", "--force", "--stdio"], command].concat())
}

/// What a server of a contract would list, as JSON.
fn offered(contract: &Path) -> Value {
    let sources = load::load(contract).expect("a readable contract");
    let offer = Offer::of(&sources, &Config::new());
    let offer = offer.unwrap_or_else(|found| panic!("{}", found.render(&sources, Format::Plain)));
    let list = |texts: &[Box<RawValue>]| -> Vec<Value> {
        texts.iter().map(|text| serde_json::from_str(text.get()).expect("JSON")).collect()
    };
    json!({
        "server": offer.server_info.map(|info| serde_json::from_str::<Value>(info.get()).expect("JSON")),
        "instructions": offer.instructions,
        "tools": list(&offer.tools),
        "resources": list(&offer.resources),
        "resourceTemplates": list(&offer.resource_templates),
        "prompts": list(&offer.prompts),
    })
}

/// 76 servers, none of them written by us, live over standard input and output: page by page, in both eras.
#[test]
fn lists_of_real_servers_come_back_from_what_is_imported() {
    let Some(corpus) = support::shared("corpus/servers") else { return };
    let entries = std::fs::read_dir(corpus).expect("the corpus");
    let dumps: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder entry").path()).collect();
    let (count, queue) = (dumps.len(), Mutex::new(dumps));
    let work = || {
        let sandbox = Sandbox::new();
        while let Some(dump) = { queue.lock().expect("no panic").pop() } {
            comes_back(&sandbox, &dump);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work);
        }
    });
    support::note(&format!("{count} servers: imported, and listed as in the dumps"));
}

fn comes_back(sandbox: &Sandbox, dump: &Path) {
    let name = support::stem(dump);
    let file = dump.to_str().expect("a path in UTF-8");
    let run = import(sandbox, &[REPLAY, "lists", file, "7"]);
    // It generated the code, too, to see whether that can be done.
    assert_eq!(run.code, Some(0), "{name}: {}", run.stderr);
    let tidy = sandbox.run(&["fmt", "--check", "out.toml"]);
    assert_eq!(tidy.code, Some(0), "{name}: {}", tidy.stdout);
    let contract = sandbox.path("out.toml");
    let offered = offered(&contract);
    let dumped: Value = serde_json::from_str(&std::fs::read_to_string(dump).expect("a dump")).expect("JSON");
    for list in ["tools", "resources", "resourceTemplates", "prompts"] {
        let (listed, dumped) = (offered[list].as_array().expect("a list"), dumped[list].as_array().expect("a list"));
        assert_eq!(listed.len(), dumped.len(), "{name}: {list}");
        for (listed, dumped) in listed.iter().zip(dumped) {
            assert_eq!(listed, dumped, "{name}: {list}");
        }
    }
    for key in ["name", "version", "title"] {
        assert_eq!(offered["server"][key], dumped["server"][key], "{name}");
    }
    assert_eq!(offered["instructions"], dumped["server"]["instructions"], "{name}");
}

#[test]
fn servers_without_sessions_are_imported_too() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "lists.json",
        r#"{"server":{"name":"new","version":"2","instructions":"Be kind."},"tools":[{"name":"t","inputSchema":{"type":"object","properties":{},"additionalProperties":false}}]}"#,
    );
    let run = import(&sandbox, &[REPLAY, "stateless", "lists.json"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), "wrote `out.toml`: 1 tool\n"));
    let text = sandbox.read("out.toml");
    assert!(
        text.ends_with(
            "[server]\nname = \"new\"\nversion = \"2\"\ninstructions = \"Be kind.\"\n\n[[tools]]\nname = \"t\"\n"
        ),
        "{text}"
    );
    assert!(text.contains("which speaks MCP 2026-07-28."), "{text}");
}

#[test]
fn a_server_that_was_generated_gives_its_contract_back() {
    for (program, contract) in
        [(support::weather(), "examples/weather/specs"), (support::everything(), "examples/everything/specs")]
    {
        let sandbox = Sandbox::new();
        let run = import(&sandbox, &[program.to_str().expect("a path in UTF-8")]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(offered(&sandbox.path("out.toml")), offered(&support::workspace().join(contract)), "{contract}");
    }
}

/// A person wrote the contract of the weather example; what is imported reads like it, less the keys that no client sees.
#[test]
fn what_is_imported_reads_as_if_a_person_had_written_it() {
    let sandbox = Sandbox::new();
    let program = support::weather().to_str().expect("a path in UTF-8");
    let text = sandbox.run(&["import", "--stdio", program]).stdout;
    insta::with_settings!({ prepend_module_to_snapshot => false }, { insta::assert_snapshot!("import-weather", text) });
}

#[test]
fn somebodys_file_is_not_replaced_unasked() {
    let sandbox = Sandbox::new();
    sandbox.write("out.toml", "mine");
    for (file, said) in [("out.toml", "is there already"), ("out.json", "does not end in `.toml`")] {
        let run = sandbox.run(&["import", "-o", file, "--stdio", REPLAY, "dies"]);
        assert!(run.code == Some(2) && run.stderr.contains(said), "{}", run.stderr);
    }
    assert_eq!(sandbox.read("out.toml"), "mine");
    let run = import(&sandbox, &[REPLAY, "dies"]);
    assert_eq!((run.code, sandbox.read("out.toml")), (Some(2), "mine".to_owned()), "nothing is half written");
}

#[test]
fn what_a_contract_cannot_say_is_named_and_what_is_wrong_with_it_reported() {
    let sandbox = Sandbox::new();
    let run = import(&sandbox, &[REPLAY, "odd-json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let said = "note: left out: tool 1 of the list; the key `type` stands twice\nnote: left out: tool 2 of the list, which is a number\n";
    assert!(run.stderr.starts_with(said), "{}", run.stderr);
    sandbox.write(
        "lists.json",
        r#"{"server":{"name":"s","version":"1"},"tools":[{"name":"a b","inputSchema":{"type":"object"}}]}"#,
    );
    let run = import(&sandbox, &[REPLAY, "lists", "lists.json"]);
    assert!(
        run.code == Some(1) && run.stderr.contains("error[E0202]") && run.stderr.contains("out.toml:"),
        "{}",
        run.stderr
    );
}
