//! The tree that both formats become: values, keys and numbers as written, each with its place.
//!
//! Nothing here knows what an MCP tool is.

pub(crate) mod cursor;
pub(crate) mod json;
pub(crate) mod keys;
mod print;
mod toml;
#[cfg(feature = "cli")]
pub(crate) mod yaml;

use crate::diagnostic::Diagnostics;
use crate::source::{FileId, Role, Sources, Span};

/// One parsed file.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) file: FileId,
    pub(crate) root: Node,
}

/// A value and its place. Values that we make up (from short forms) carry the place of what they were made from.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) kind: NodeKind,
}

/// What a node holds. Order of keys and the spelling of numbers are kept: they reach the wire as written.
#[derive(Clone, Debug)]
pub(crate) enum NodeKind {
    Array(Vec<Node>),
    Bool(bool),
    Null,
    /// The number as JSON text.
    Number(String),
    /// Members in order; a key stands once (the reader reports a second one and drops it).
    Object(Vec<(Key, Node)>),
    String(String),
}

/// A key and its place.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) span: Span,
}

/// Reads every contract file. A file that is no TOML or JSON at all is reported and left out.
pub(crate) fn read(sources: &Sources, found: &mut Diagnostics) -> Vec<Document> {
    let read_one = |(file, source): (FileId, &crate::source::SourceFile)| {
        read_text(file, &source.text, source.role, found).map(|root| Document { file, root })
    };
    sources.files().filter_map(read_one).collect()
}

/// Reads one contract file; any other gives nothing.
pub(crate) fn read_text(file: FileId, text: &str, role: Role, found: &mut Diagnostics) -> Option<Node> {
    match role {
        Role::Attachment | Role::Binary => None,
        Role::Json => json::read(text, json::Place::At(Span::new(file, 0..0)), found),
        Role::Toml => toml::read(text, file, found),
    }
}

impl Node {
    pub(crate) const fn new(kind: NodeKind, span: Span) -> Self {
        Self { span, kind }
    }

    pub(crate) fn string(text: &str, span: Span) -> Self {
        Self::new(NodeKind::String(text.to_owned()), span)
    }

    pub(crate) fn object(span: Span) -> Self {
        Self::new(NodeKind::Object(Vec::new()), span)
    }

    /// The members, if it is an object.
    pub(crate) fn members(&self) -> Option<&[(Key, Self)]> {
        match &self.kind {
            NodeKind::Object(members) => Some(members),
            NodeKind::Array(_) | NodeKind::Bool(_) | NodeKind::Null | NodeKind::Number(_) | NodeKind::String(_) => None,
        }
    }

    /// The items, if it is an array.
    pub(crate) fn items(&self) -> Option<&[Self]> {
        match &self.kind {
            NodeKind::Array(items) => Some(items),
            NodeKind::Bool(_) | NodeKind::Null | NodeKind::Number(_) | NodeKind::Object(_) | NodeKind::String(_) => {
                None
            }
        }
    }

    /// The text, if it is a string.
    pub(crate) fn as_str(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::String(text) => Some(text),
            NodeKind::Array(_) | NodeKind::Bool(_) | NodeKind::Null | NodeKind::Number(_) | NodeKind::Object(_) => None,
        }
    }

    /// The value, if it is `true` or `false`.
    pub(crate) fn as_bool(&self) -> Option<bool> {
        match &self.kind {
            NodeKind::Bool(value) => Some(*value),
            NodeKind::Array(_) | NodeKind::Null | NodeKind::Number(_) | NodeKind::Object(_) | NodeKind::String(_) => {
                None
            }
        }
    }

    /// The number's JSON text, if it is a number.
    pub(crate) fn as_number(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Number(text) => Some(text),
            NodeKind::Array(_) | NodeKind::Bool(_) | NodeKind::Null | NodeKind::Object(_) | NodeKind::String(_) => None,
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self.kind, NodeKind::Null)
    }

    /// The value of a key, if it is an object that has it.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        self.members()?.iter().find(|(name, _)| name.name == key).map(|(_, value)| value)
    }

    /// Adds a member; on anything but an object this does nothing.
    pub(crate) fn push(&mut self, key: &str, value: Self) {
        if let NodeKind::Object(members) = &mut self.kind {
            members.push((Key { name: key.to_owned(), span: value.span }, value));
        }
    }

    /// Adds a member, or gives the key that is there another value.
    pub(crate) fn put(&mut self, key: &Key, value: Self) {
        let NodeKind::Object(members) = &mut self.kind else { return };
        match members.iter_mut().find(|(name, _)| name.name == key.name) {
            Some((_, old)) => *old = value,
            None => members.push((key.clone(), value)),
        }
    }

    /// Adds a member before all others.
    pub(crate) fn put_first(&mut self, key: &str, value: Self) {
        if let NodeKind::Object(members) = &mut self.kind {
            members.retain(|(name, _)| name.name != key);
            members.insert(0, (Key { name: key.to_owned(), span: value.span }, value));
        }
    }

    /// What it is, with an article, for messages.
    pub(crate) const fn describe(&self) -> &'static str {
        match self.kind {
            NodeKind::Array(_) => "an array",
            NodeKind::Bool(_) => "a boolean",
            NodeKind::Null => "null",
            NodeKind::Number(_) => "a number",
            NodeKind::Object(_) => "an object",
            NodeKind::String(_) => "a string",
        }
    }
}
