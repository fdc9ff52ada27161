//! Documents → [`Contract`]: the order of work.

use crate::contract::defs::Defs;
use crate::contract::envelope::{self, Envelope, Form};
use crate::contract::{Contract, ask, format, merge, prompt, resource, server, template, tool};
use crate::diagnostic::Diagnostics;
use crate::document::{Document, Node};
use crate::source::{FileId, Sources};
use crate::workers;

/// What reading a feature needs to know beside the feature.
pub(super) struct Cx<'c> {
    pub(super) sources: &'c Sources,
    pub(super) defs: &'c Defs,
    pub(super) file: FileId,
    pub(super) form: Form,
}

/// Reads all files as one contract. A feature that is half wrong is kept as far as it makes sense.
pub(crate) fn read<'d>(documents: &'d [Document], sources: &Sources, found: &mut Diagnostics) -> Contract {
    let open = |document: &'d Document| envelope::open(document, sources.file(document.file).role, found);
    let envelopes: Vec<_> = documents.iter().filter_map(open).collect();
    let mut defs = Defs::collect(&envelopes, found);
    // A file that could not be parsed may hold the definition that another one names.
    let contracts = sources.files().filter(|(_, file)| file.role.is_contract()).count();
    defs.complete = documents.len() == contracts;

    let mut contract = Contract::default();
    for envelope in &envelopes {
        let cx = Cx { sources, defs: &defs, file: envelope.file, form: envelope.form };
        add(&cx, envelope, &mut contract, found);
    }
    contract.defs = defs.expand(found);
    merge::check(&contract, found);
    contract
}

fn add(cx: &Cx<'_>, envelope: &Envelope<'_>, contract: &mut Contract, found: &mut Diagnostics) {
    if let Some(node) = envelope.server {
        let server = server::read(cx, node, found);
        merge::server(&mut contract.server, server, found);
    }
    let parts = workers::map(envelope.tools, |nodes| {
        let mut found = Diagnostics::default();
        vec![(each(nodes, |node| tool::read(cx, node, &mut found)), found)]
    });
    for (tools, of_tools) in parts {
        contract.tools.extend(tools);
        found.extend(of_tools);
    }
    contract.resources.extend(each(envelope.resources, |node| resource::read(cx, node, found)));
    contract.templates.extend(each(envelope.templates, |node| template::read(cx, node, found)));
    contract.prompts.extend(each(envelope.prompts, |node| prompt::read(cx, node, found)));
    contract.asks.extend(ask::read(cx, envelope.asks, found));
    format::read(envelope.formats, &mut contract.formats, found);
}

fn each<T>(nodes: &[Node], read: impl FnMut(&Node) -> Option<T>) -> Vec<T> {
    nodes.iter().filter_map(read).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::diagnostic::Format;
    use crate::document;
    use crate::source::Role;
    use crate::source::SourceFile;
    use std::path::{Path, PathBuf};

    /// Reads a native contract in TOML, which must be faultless.
    pub(in crate::contract) fn toml(text: &str) -> Contract {
        let (contract, told) = toml_with_faults(text);
        assert_eq!(told, "");
        contract
    }

    /// Reads a native contract in TOML, and renders what is wrong with it.
    pub(in crate::contract) fn toml_with_faults(text: &str) -> (Contract, String) {
        let mut sources = Sources::default();
        let text = format!("format = 1\n{text}");
        sources.add(SourceFile { name: "test.toml".to_owned(), path: PathBuf::new(), text, role: Role::Toml });
        let mut found = Diagnostics::default();
        let contract = read(&document::read(&sources, &mut found), &sources, &mut found);
        (contract, found.render(&sources, Format::Plain))
    }

    /// Lists of real servers, which are not part of the repository.
    fn corpus() -> Option<PathBuf> {
        let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
        let corpus = std::env::var_os("MCP_CORPUS").map_or(beside, PathBuf::from).join("servers");
        corpus.is_dir().then_some(corpus)
    }

    /// JSON text without the whitespace between its tokens.
    fn compact(text: &str) -> String {
        let (mut inside, mut escaped) = (false, false);
        let keep = |c: &char| {
            let keep = inside || !c.is_whitespace();
            inside ^= *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            keep
        };
        text.chars().filter(keep).collect()
    }

    #[test]
    #[expect(clippy::print_stderr, reason = "a skipped test says so")]
    fn lists_of_real_servers_reach_the_wire_as_they_stand() {
        let Some(corpus) = corpus() else {
            eprintln!("skipped: there is no corpus beside the repository");
            return;
        };
        for entry in std::fs::read_dir(corpus).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let mut sources = Sources::default();
            sources.add(SourceFile { name: path.display().to_string(), path, text: text.clone(), role: Role::Json });
            let mut found = Diagnostics::default();
            let contract = read(&document::read(&sources, &mut found), &sources, &mut found);
            assert!(!found.has_errors(), "{}", found.render(&sources, Format::Plain));
            let written = compact(&text);
            let commons = contract.tools.iter().map(|tool| &tool.common);
            for common in commons {
                assert!(written.contains(&common.definition.to_json()), "{}", common.name.value);
            }
        }
    }
}
