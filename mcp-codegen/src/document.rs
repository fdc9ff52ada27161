//! The tree that both formats become: values, keys and numbers as written, each with its place.
//!
//! Nothing here knows what an MCP tool is.

pub(crate) mod cursor;
mod json;
mod print;
mod toml;

use crate::source::{FileId, Span};

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
