//! Generated code compiles without a warning under the strictest lints, documentation included, and lists what the
//! contract says.

use std::path::PathBuf;

use mcp_codegen::import::{Offer, from_offer};
use serde::Deserialize;
use serde_json::value::RawValue;
use support::generated_crate::GeneratedCrate;
use support::lists;
use support::ordered::Ordered;

#[test]
fn readable_contracts_compile_without_a_warning() {
    let code = GeneratedCrate::new("valid-contracts", &support::specs("valid"), 1);
    code.lint();
}

/// JS3
/// 76 servers, 3,119 tools, none of them written by us: with the feature `corpus` all of them, otherwise a quarter, which
/// takes a quarter of the time.
#[test]
fn the_contracts_of_real_servers_compile_and_list_what_the_servers_listed() {
    let Some(corpus) = support::shared("corpus/servers") else { return };
    let entries = std::fs::read_dir(corpus).expect("the corpus");
    let mut dumps: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder entry").path()).collect();
    dumps.sort();
    if cfg!(not(feature = "corpus")) {
        dumps = dumps.into_iter().skip(1).step_by(4).collect();
    }
    let code = GeneratedCrate::new("real-servers", &dumps, 4);
    code.lint();
    let features: usize = dumps.iter().map(|dump| lists::compare(&code.program(), dump, PartialEq::eq)).sum();
    support::note(&format!("{} servers, {features} features: compiled, and listed as in the dumps", dumps.len()));
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
        lists::compare(&code.program(), &corpus.join(format!("{name}.json")), Ordered::is_equal_as_json);
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
