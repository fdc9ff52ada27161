//! What rules look at, and the walks that most of them share.

use serde::de::IgnoredAny;

use crate::contract::{Common, Contract, Tool};
use crate::document::{Key, Node};
use crate::lint::rule::Finding;
use crate::source::{Role, Sources, Span};

/// A valid contract.
pub(super) struct Cx<'a> {
    pub(super) contract: &'a Contract,
    pub(super) sources: &'a Sources,
    /// The server's name, by which clients tell its tools from those of others.
    pub(super) server: Option<&'a str>,
}

impl<'a> Cx<'a> {
    /// What a rule finds in each tool.
    pub(super) fn in_tools(&self, find: impl Fn(&'a Tool) -> Vec<Finding>) -> Vec<Finding> {
        self.contract.tools.iter().flat_map(find).collect()
    }

    /// All features, kind by kind.
    pub(super) fn features(&self) -> impl Iterator<Item = &'a Common> {
        let contract = self.contract;
        let tools = contract.tools.iter().map(|tool| &tool.common);
        let resources = contract.resources.iter().map(|resource| &resource.common);
        let templates = contract.templates.iter().map(|template| &template.common);
        let prompts = contract.prompts.iter().map(|prompt| &prompt.common);
        tools.chain(resources).chain(templates).chain(prompts)
    }

    /// A member of a tool's input schema as an author would write it there.
    pub(super) fn edit(&self, tool: &Tool, key: &str, value: &str) -> String {
        let is_json = self.is_json(tool.input.wire.span);
        if is_json { format!("`\"{key}\": {value}`") } else { format!("`{key} = {value}`") }
    }

    /// Whether an object is written as JSON: in a file of it, or in a string of another file.
    fn is_json(&self, object: Span) -> bool {
        let file = self.sources.file(object.file);
        let text = file.text.get(object.start as usize..object.end as usize).unwrap_or_default();
        let is_string = text.starts_with(['"', '\'']);
        is_string || file.role != Role::Toml || text.len() > 2 && serde_json::from_str::<IgnoredAny>(text).is_ok()
    }

    /// Where `part` of a string stands; all of the string, where it is written with escapes.
    pub(super) fn inside(&self, string: Span, part: &str) -> Span {
        self.sources.inside_string(string, part).unwrap_or(string)
    }
}

/// A member with its key.
pub(super) fn member<'n>(node: &'n Node, key: &str) -> Option<&'n (Key, Node)> {
    node.members()?.iter().find(|(name, _)| name.name == key)
}

/// Words for a count.
pub(super) fn counted(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}
