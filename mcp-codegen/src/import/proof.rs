//! Reads a text back, and holds it against what it should say. Nothing is written on hope.

use std::path::PathBuf;

use super::write::Kind;
use crate::contract::{self, Common};
use crate::diagnostic::Diagnostics;
use crate::document::{self, Node, NodeKind};
use crate::source::{Role, SourceFile, Sources};

/// What reading a text of one feature gives.
pub(super) struct Proof {
    definition: Option<Node>,
    pub(super) has_errors: bool,
}

/// Reads a text that holds one feature.
pub(super) fn of(kind: Kind, text: &str) -> Proof {
    let mut sources = Sources::default();
    let text = format!("format = 1\n\n{text}");
    sources.add(SourceFile { name: "draft.toml".to_owned(), path: PathBuf::new(), text, role: Role::Toml });
    let mut found = Diagnostics::default();
    let contract = contract::read(&document::read(&sources, &mut found), &sources, &mut found);
    let common: Option<&Common> = match kind {
        Kind::Prompt => contract.prompts.first().map(|prompt| &prompt.common),
        Kind::Resource => contract.resources.first().map(|resource| &resource.common),
        Kind::Template => contract.templates.first().map(|template| &template.common),
        Kind::Tool => contract.tools.first().map(|tool| &tool.common),
    };
    Proof { definition: common.map(|common| common.definition.clone()), has_errors: found.has_errors() }
}

impl Proof {
    /// Whether the text says this definition, and its schema in these very words, in their order.
    pub(super) fn says(&self, definition: &Node) -> bool {
        self.definition.as_ref().is_some_and(|read| same(read, definition))
    }

    /// Whether it says the definition, and nothing is wrong with how.
    pub(super) fn says_well(&self, definition: &Node) -> bool {
        !self.has_errors && self.says(definition)
    }

    /// Whether it says what stands at one key, in the same order.
    pub(super) fn repeats(&self, key: &str, value: &Node) -> bool {
        let read = self.definition.as_ref().and_then(|read| read.get(key));
        read.is_some_and(|read| read.to_json() == value.to_json())
    }
}

/// Equality of JSON values, down to the spelling of numbers. The order of keys says nothing.
pub(super) fn same(a: &Node, b: &Node) -> bool {
    match (&a.kind, &b.kind) {
        (NodeKind::Object(members), NodeKind::Object(others)) => {
            let has = |(key, value): &(document::Key, Node)| b.get(&key.name).is_some_and(|other| same(value, other));
            members.len() == others.len() && members.iter().all(has)
        }
        (NodeKind::Array(items), NodeKind::Array(others)) => {
            items.len() == others.len() && items.iter().zip(others).all(|(item, other)| same(item, other))
        }
        (NodeKind::Number(text), NodeKind::Number(other)) | (NodeKind::String(text), NodeKind::String(other)) => {
            text == other
        }
        (NodeKind::Bool(value), NodeKind::Bool(other)) => value == other,
        (NodeKind::Null, NodeKind::Null) => true,
        _ => false,
    }
}
