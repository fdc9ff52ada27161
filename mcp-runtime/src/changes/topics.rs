//! What can change.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::json::Writer;

/// One change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change<'a> {
    Prompts,
    Resources,
    /// The task with this id, and all that is known of it: the members of an object, as JSON.
    Task(&'a str, &'a Arc<str>),
    Tools,
    /// The content of the resource with this URI.
    Updated(&'a str),
}

/// A set of things that can change: those that somebody wants to hear of, or has to be told of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Topics {
    pub(crate) tools: bool,
    pub(crate) prompts: bool,
    pub(crate) resources: bool,
    pub(crate) uris: BTreeSet<String>,
    /// Tasks by id; of those that are due, what is known of them.
    pub(crate) tasks: BTreeMap<String, Arc<str>>,
}

impl Topics {
    pub(super) fn has(&self, change: Change<'_>) -> bool {
        match change {
            Change::Prompts => self.prompts,
            Change::Resources => self.resources,
            Change::Task(id, _) => self.tasks.contains_key(id),
            Change::Tools => self.tools,
            Change::Updated(uri) => self.uris.contains(uri),
        }
    }

    pub(super) fn add(&mut self, change: Change<'_>) {
        match change {
            Change::Prompts => self.prompts = true,
            Change::Resources => self.resources = true,
            Change::Task(id, known) => _ = self.tasks.insert(id.to_owned(), Arc::clone(known)),
            Change::Tools => self.tools = true,
            Change::Updated(uri) if self.uris.contains(uri) => {}
            Change::Updated(uri) => _ = self.uris.insert(uri.to_owned()),
        }
    }

    /// Appends it as the filter of a `subscriptions/listen`.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let mut writer = Writer::new(out);
        writer.begin_object();
        if self.tools {
            writer.member(r#""toolsListChanged":"#, &true);
        }
        if self.prompts {
            writer.member(r#""promptsListChanged":"#, &true);
        }
        if self.resources {
            writer.member(r#""resourcesListChanged":"#, &true);
        }
        if !self.uris.is_empty() {
            writer.member(r#""resourceSubscriptions":"#, &self.uris.iter().cloned().collect::<Vec<_>>());
        }
        if !self.tasks.is_empty() {
            writer.member(r#""taskIds":"#, &self.tasks.keys().cloned().collect::<Vec<_>>());
        }
        writer.end_object();
    }
}
