//! List answers: definitions that were made at generation, joined once for each revision.

use std::sync::OnceLock;

use crate::engine::Features;
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
    /// Each with the scopes that its use needs.
    definitions: Vec<(&'static str, &'static [&'static str])>,
    /// Entries on a page; `None` for all on one.
    page_size: Option<usize>,
    /// The joined bytes, made when a peer of that revision first asks.
    joined: [OnceLock<Box<[u8]>>; Revision::ALL.len()],
}

impl Lists {
    /// The lists of `features`, on pages of `page_size`, or of the size that the catalogs state. `by_scope` says that not
    /// every caller gets to see the same.
    pub(crate) fn new(
        catalogs: &[&'static Catalog],
        features: &Features,
        (page_size, by_scope): (Option<usize>, bool),
    ) -> Self {
        let stated = || catalogs.iter().filter_map(|catalog| catalog.server.page_size).min().map(|size| size.max(1));
        let page_size = page_size.or_else(stated);
        let list =
            |member, kind, definitions| List { member, kind, definitions, page_size, joined: Default::default() };
        let ttl = catalogs.iter().map(|catalog| catalog.server.ttl_ms).min().unwrap_or(0);
        let Features { tools, resources, templates, prompts, .. } = features;
        // what not everybody may read is nobody else's to keep
        let contents = resources.iter().map(|one| &one.settings).chain(templates.iter().map(|one| &one.settings));
        let is_guarded = by_scope || contents.into_iter().any(|settings| !settings.scopes.is_empty());
        let public = !is_guarded && !catalogs.is_empty() && catalogs.iter().all(|catalog| catalog.server.public);
        let resources = resources.iter().map(|one| (one.definition, one.settings.scopes)).collect();
        let templates = templates.iter().map(|one| (one.definition, one.settings.scopes)).collect();
        let prompts = prompts.iter().map(|one| (one.definition, one.settings.scopes)).collect();
        Self {
            tools: list(
                "tools",
                Kind::Tool,
                tools.iter().map(|tool| (tool.definition, tool.settings.scopes)).collect(),
            ),
            resources: list("resources", Kind::Resource, resources),
            templates: list("resourceTemplates", Kind::ResourceTemplate, templates),
            prompts: list("prompts", Kind::Prompt, prompts),
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

    /// Appends `"tools":[…]` with `more` definitions after those of the contract, from the page that `cursor` names.
    ///
    /// # Errors
    ///
    /// Fails if the cursor is none of ours.
    pub(crate) fn write(&self, revision: Revision, more: &[String], page: Page<'_>) -> Result<(), UnknownCursor> {
        let Page { cursor, permits, out } = page;
        let permitted = |scopes: &[&str]| permits.is_none_or(|permits| permits(scopes));
        let own = self.definitions.iter().filter(|(_, scopes)| permitted(scopes)).map(|(definition, _)| *definition);
        let all = own.clone().count() + more.len();
        let start = match cursor {
            None => 0,
            // a cursor is the number of entries before its page: it holds no secret, and means the same everywhere
            Some(cursor) => cursor.parse().ok().filter(|start| *start > 0 && *start < all).ok_or(UnknownCursor)?,
        };
        let end = self.page_size.map_or(all, |size| all.min(start + size));
        if start == 0 && end == all && more.is_empty() && permits.is_none() {
            out.extend_from_slice(self.joined[revision as usize].get_or_init(|| {
                let mut joined = Vec::new();
                self.join(revision, own, &mut joined);
                joined.into()
            }));
            return Ok(());
        }
        let definitions = own.chain(more.iter().map(String::as_str));
        self.join(revision, definitions.skip(start).take(end - start), out);
        if end < all {
            out.extend_from_slice(format!(r#","nextCursor":"{end}""#).as_bytes());
        }
        Ok(())
    }

    fn join<'d>(&self, revision: Revision, definitions: impl Iterator<Item = &'d str>, out: &mut Vec<u8>) {
        out.push(b'"');
        out.extend_from_slice(self.member.as_bytes());
        out.extend_from_slice(b"\":[");
        for (index, definition) in definitions.enumerate() {
            if index > 0 {
                out.push(b',');
            }
            revision.project(self.kind, definition, out);
        }
        out.push(b']');
    }
}

/// Tells whether the caller may use what needs these scopes.
pub(crate) type Permits<'p> = &'p dyn Fn(&[&str]) -> bool;

/// Which page to write, and where.
pub(crate) struct Page<'p> {
    pub(crate) cursor: Option<&'p str>,
    /// Whether the caller may use what needs these scopes; `None` lists everything.
    pub(crate) permits: Option<Permits<'p>>,
    pub(crate) out: &'p mut Vec<u8>,
}

/// A cursor that no answer of ours has named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnknownCursor;

fn caching(ttl_ms: u64, public: bool) -> String {
    let scope = if public { "public" } else { "private" };
    format!(r#","ttlMs":{ttl_ms},"cacheScope":"{scope}""#)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(definitions: &[&'static str]) -> List {
        let (member, kind, joined) = ("tools", Kind::Tool, Default::default());
        List {
            member,
            kind,
            definitions: definitions.iter().map(|one| (*one, [].as_slice())).collect(),
            page_size: Some(2),
            joined,
        }
    }

    fn page(list: &List, cursor: Option<&str>) -> Result<String, UnknownCursor> {
        let mut out = Vec::new();
        let more = [r#"{"name":"d"}"#.to_owned()];
        list.write(Revision::V2025_11_25, &more, Page { cursor, permits: None, out: &mut out })?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn pages_follow_each_other_to_the_end() {
        let list = list(&[r#"{"name":"a"}"#, r#"{"name":"b"}"#, r#"{"name":"c"}"#]);
        assert_eq!(page(&list, None).unwrap(), r#""tools":[{"name":"a"},{"name":"b"}],"nextCursor":"2""#);
        assert_eq!(page(&list, Some("2")).unwrap(), r#""tools":[{"name":"c"},{"name":"d"}]"#);
    }

    #[test]
    fn cursors_that_no_page_named_are_refused() {
        for cursor in ["", "0", "9", "-2", "x"] {
            assert_eq!(page(&list(&[]), Some(cursor)), Err(UnknownCursor), "{cursor}");
        }
    }
}
