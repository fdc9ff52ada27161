//! List answers: definitions that were made at generation, joined once for each revision.

use std::sync::OnceLock;

use crate::protocol::{Kind, Revision};
use crate::service::Catalog;

/// The four lists of a server.
#[derive(Debug)]
pub(crate) struct Lists {
    pub(crate) tools: List,
    pub(crate) resources: List,
    pub(crate) templates: List,
    pub(crate) prompts: List,
    /// What a stateless client may keep: the members `ttlMs` and `cacheScope` with a comma before them.
    caching: String,
}

/// One list: its member in the result, and the definitions in declaration order.
#[derive(Debug)]
pub(crate) struct List {
    member: &'static str,
    kind: Kind,
    definitions: Vec<&'static str>,
    /// The joined bytes, made when a peer of that revision first asks.
    joined: [OnceLock<Box<[u8]>>; Revision::ALL.len()],
}

impl Lists {
    pub(crate) fn new(catalogs: &[&'static Catalog]) -> Self {
        let list = |member, kind, of: fn(&'static Catalog) -> Vec<&'static str>| List {
            member,
            kind,
            definitions: catalogs.iter().flat_map(|catalog| of(catalog)).collect(),
            joined: Default::default(),
        };
        let ttl = catalogs.iter().map(|catalog| catalog.server.ttl_ms).min().unwrap_or(0);
        let public = !catalogs.is_empty() && catalogs.iter().all(|catalog| catalog.server.public);
        Self {
            tools: list("tools", Kind::Tool, |c| c.tools.iter().map(|tool| tool.definition).collect()),
            resources: list("resources", Kind::Resource, |c| c.resources.iter().map(|r| r.definition).collect()),
            templates: list("resourceTemplates", Kind::ResourceTemplate, |c| {
                c.templates.iter().map(|template| template.definition).collect()
            }),
            prompts: list("prompts", Kind::Prompt, |c| c.prompts.iter().map(|prompt| prompt.definition).collect()),
            caching: caching(ttl, public),
        }
    }

    /// `,"ttlMs":…,"cacheScope":…` for a stateless peer, nothing for others.
    pub(crate) fn caching(&self, revision: Revision) -> &str {
        if revision.is_stateless() { &self.caching } else { "" }
    }
}

impl List {
    /// Whether it has no entry.
    pub(crate) fn is_empty(&self) -> bool {
        self.definitions.is_empty()
    }

    /// Appends `"tools":[…]` with `more` definitions after those of the contract.
    pub(crate) fn write(&self, revision: Revision, more: &[String], out: &mut Vec<u8>) {
        if more.is_empty() {
            out.extend_from_slice(self.joined[revision as usize].get_or_init(|| self.join(revision, &[])));
        } else {
            out.extend_from_slice(&self.join(revision, more));
        }
    }

    fn join(&self, revision: Revision, more: &[String]) -> Box<[u8]> {
        let mut out = Vec::new();
        out.push(b'"');
        out.extend_from_slice(self.member.as_bytes());
        out.extend_from_slice(b"\":[");
        let definitions = self.definitions.iter().copied().chain(more.iter().map(String::as_str));
        for (index, definition) in definitions.enumerate() {
            if index > 0 {
                out.push(b',');
            }
            revision.project(self.kind, definition, &mut out);
        }
        out.push(b']');
        out.into()
    }
}

fn caching(ttl_ms: u64, public: bool) -> String {
    let scope = if public { "public" } else { "private" };
    format!(r#","ttlMs":{ttl_ms},"cacheScope":"{scope}""#)
}
