//! Generates the contracts of real servers, where their collection lies beside the repository: none fails, and none
//! gives text that is not Rust.

use std::fs;
use std::path::{Path, PathBuf};

use mcp_codegen::diagnostic::Format;
use mcp_codegen::{Config, Files, load};

/// The list answers of real servers, outside of the repository.
fn servers() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/servers");
    let Ok(entries) = fs::read_dir(&folder) else { return Vec::new() };
    let mut servers: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    servers.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    servers.sort();
    servers
}

fn generate(path: &Path, config: Config) -> Files {
    let sources = load::load(path).expect("the server is readable");
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    match mcp_codegen::generate(&sources, &config.name(name)) {
        Ok(generated) => generated.files,
        Err(found) => panic!("{}\n{}", path.display(), found.render(&sources, Format::Plain)),
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn every_server_becomes_rust() {
    let servers = servers();
    if servers.is_empty() {
        eprintln!("skipped: there is no collection of servers beside the repository");
    }
    for path in servers {
        // One file has all that a tree has.
        for (_, text) in generate(&path, Config::new().single_file(true).default_stubs(true)).iter() {
            assert!(syn::parse_file(text).is_ok(), "what {} becomes is not Rust", path.display());
        }
    }
}
