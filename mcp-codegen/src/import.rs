//! Contracts that come from elsewhere: what is offered by somebody's server or described in another format, written down as a
//! person would write it.
//!
//! A `Draft` holds features as they stand on the wire; `write` says them in TOML, so that reading the text gives the same
//! definitions back. Neither knows where a draft came from.

mod layout;
mod offer;
pub mod openapi;
mod proof;
mod schema;
mod short;
mod text;
mod write;

pub(crate) use self::offer::node;
pub use self::offer::{Offer, from_offer};

use crate::document::Node;

/// A contract that was written down.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Imported {
    /// The contract, in TOML.
    pub text: String,
    /// What a contract cannot say and the text therefore lacks: a sentence each, which also stands there as a comment.
    pub left_out: Vec<String>,
}

/// A contract that is to be written, by [`write::write`]. Where a node came from does not matter: its span may be any.
///
/// Whoever makes a draft says in notes where a choice was made; they become comments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    /// Comments at the head of the file, a paragraph each.
    pub(crate) notes: Vec<String>,
    /// `[server]`: an object of MCP's keys (`name`, `version`, `title`, `description`, `websiteUrl`, `icons`,
    /// `instructions`). Nulls count as absent.
    pub(crate) server: Option<Node>,
    pub(crate) tools: Vec<Feature>,
    pub(crate) resources: Vec<Feature>,
    pub(crate) templates: Vec<Feature>,
    pub(crate) prompts: Vec<Feature>,
}

/// A tool, resource, resource template or prompt.
#[derive(Clone, Debug)]
pub(crate) struct Feature {
    /// The wire definition: an object as it stands in a list answer.
    pub(crate) definition: Node,
    /// Keys of ours beside it, such as `timeout` or `scopes`; they never reach the wire.
    pub(crate) own: Vec<(&'static str, Node)>,
    /// Comments above it, a paragraph each.
    pub(crate) notes: Vec<String>,
}

impl Feature {
    /// A feature without notes or keys of ours.
    pub(crate) fn new(definition: Node) -> Self {
        Self { definition, own: Vec::new(), notes: Vec::new() }
    }
}

/// A JSON text as it is best read: what fits on a line stands on one, keys keep their order, and characters that people do
/// not see are escaped. A text that is no JSON comes back as it is.
///
/// ```
/// assert_eq!(mcp_codegen::import::readable(r#"{"b":[1,2],"a":{}}"#), r#"{ "b": [1, 2], "a": {} }"#);
/// ```
#[must_use]
pub fn readable(json: &str) -> String {
    node(json).map_or_else(|_| json.to_owned(), |node| layout::json(&node))
}

#[cfg(test)]
mod tests;
