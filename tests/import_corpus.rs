//! The whole way, for every server whose lists we have: a live server lists what its dump says, `import` writes its contract
//! down, the contract becomes code, the code a server, and that lists the same, and says the same of itself.
//!
//! Equal means equal as JSON: `import` may write the members of an object in another order where it writes TOML.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use support::generated_crate::GeneratedCrate;
use support::ordered::Ordered;
use support::{Sandbox, lists, note};

/// Features a page of the live server, so that most lists have several pages.
const PAGE: &str = "7";

/// Crates that the code is spread over. With fewer, one compiler would need more memory than many machines have.
const PARTS: usize = 4;

#[test]
fn what_was_imported_from_real_servers_compiles_and_lists_what_they_listed() {
    let Some(corpus) = support::shared("corpus/servers") else { return };
    let entries = std::fs::read_dir(corpus).expect("the corpus");
    let mut dumps: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder entry").path()).collect();
    dumps.sort();
    let sandbox = Sandbox::new();
    let contracts = import(&sandbox, &dumps);
    let code = GeneratedCrate::new("imported-corpus", &contracts, PARTS);
    code.cargo(&["build", "--quiet"]);
    let mut features = 0;
    for dump in &dumps {
        features += lists::compare(&code.program(), dump, Ordered::is_equal_as_json);
        lists::compare_greeting(&code.program(), dump);
    }
    note(&format!("{} servers, {features} features: imported live, compiled, and listed as in the dumps", dumps.len()));
}

/// The contracts of servers that replay the dumps, imported side by side.
fn import(sandbox: &Sandbox, dumps: &[PathBuf]) -> Vec<PathBuf> {
    let queue = Mutex::new(dumps.iter());
    let work = || {
        while let Some(dump) = { queue.lock().expect("no panic").next() } {
            import_one(sandbox, dump);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work);
        }
    });
    dumps.iter().map(|dump| sandbox.path(&contract(dump))).collect()
}

fn import_one(sandbox: &Sandbox, dump: &Path) {
    let file = dump.to_str().expect("a path in UTF-8");
    let server = [env!("CARGO_BIN_EXE_replay"), "lists", file, PAGE];
    let run = sandbox.run(&[&["import", "-o", &contract(dump), "--stdio"], &server[..]].concat());
    assert_eq!(run.code, Some(0), "{file}: {}", run.stderr);
}

fn contract(dump: &Path) -> String {
    format!("imported/{}.toml", support::stem(dump))
}
