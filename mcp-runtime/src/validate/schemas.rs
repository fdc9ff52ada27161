//! The schema as a whole: its dialect, and where its references lead.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::types::TypeSet;
use crate::json::{Object, Tree};
use crate::percent::percent_decode;

/// A schema document.
pub(super) struct Schemas<'s> {
    pub(super) root: &'s Tree<'s>,
    /// Up to draft 7 nothing that stands beside a `$ref` counts.
    ref_stands_alone: bool,
    /// In draft-04 alone, `1.0` is no integer.
    integers_are_spelled: bool,
    /// Anchors as `#name`, embedded schemas by their `$id`.
    named: OnceCell<BTreeMap<String, &'s Tree<'s>>>,
}

impl<'s> Schemas<'s> {
    pub(super) fn new(root: &'s Tree<'s>) -> Self {
        let dialect = match root {
            Tree::Object(keywords) => text(keywords, "$schema").unwrap_or_default(),
            _ => "",
        };
        let ref_stands_alone = ["draft-03", "draft-04", "draft-06", "draft-07"].iter().any(|old| dialect.contains(old));
        let integers_are_spelled = dialect.contains("draft-04");
        Self { root, ref_stands_alone, integers_are_spelled, named: OnceCell::new() }
    }

    /// Whether only the reference counts, among the keywords of a schema that has one.
    pub(super) fn is_only_reference(&self, keywords: &Object<'_>) -> bool {
        self.ref_stands_alone && keywords.get("$ref").is_some()
    }

    /// The type of a value.
    pub(super) fn type_of(&self, value: &Tree<'_>) -> TypeSet {
        match value {
            Tree::Number(text) if self.integers_are_spelled && text.contains(['.', 'e', 'E']) => TypeSet::FRACTION,
            value => TypeSet::of(value),
        }
    }

    /// Whether the dialect still has `dependencies`.
    pub(super) fn has_dependencies(&self) -> bool {
        self.ref_stands_alone
    }

    /// The schema that `$ref` or one of its relatives names, if it is there.
    pub(super) fn reference(&self, keywords: &Object<'s>) -> Option<&'s Tree<'s>> {
        // most schemas have none of them: one walk tells that
        keywords.iter().find(|(key, _)| key.starts_with('$'))?;
        ["$ref", "$dynamicRef", "$recursiveRef"].iter().find_map(|keyword| self.resolve(text(keywords, keyword)?))
    }

    /// Follows references until a schema says something itself.
    pub(super) fn target(&self, mut schema: &'s Tree<'s>) -> &'s Tree<'s> {
        for _ in 0..16 {
            let Tree::Object(keywords) = schema else { break };
            let Some(target) = self.reference(keywords) else { break };
            schema = target;
        }
        schema
    }

    fn resolve(&self, reference: &str) -> Option<&'s Tree<'s>> {
        let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let base = if document.is_empty() { self.root } else { self.document(document)? };
        if fragment.is_empty() {
            return Some(base);
        }
        if fragment.starts_with('/') {
            // a broken escape stands for itself
            let pointer = percent_decode(fragment).unwrap_or(Cow::Borrowed(fragment));
            return lookup(base, &pointer).last().copied();
        }
        self.named(&format!("#{fragment}"))
    }

    fn document(&self, id: &str) -> Option<&'s Tree<'s>> {
        self.named(id).or_else(|| self.named(&format!("{id}#")))
    }

    /// Most schemas refer by pointers only, so the names are collected when one is asked for.
    fn named(&self, name: &str) -> Option<&'s Tree<'s>> {
        let collect = || {
            let mut named = BTreeMap::new();
            collect_names(self.root, &mut named);
            named
        };
        self.named.get_or_init(collect).get(name).copied()
    }
}

/// The values that a JSON Pointer passes, each inside the one before; empty if it leads nowhere.
pub(super) fn lookup<'s>(root: &'s Tree<'s>, pointer: &str) -> Vec<&'s Tree<'s>> {
    let mut passed = vec![root];
    let mut here = root;
    for step in pointer.split('/').skip(1) {
        let key = step.replace("~1", "/").replace("~0", "~");
        let next = match here {
            Tree::Object(members) => members.get(&key),
            Tree::Array(items) => key.parse().ok().and_then(|index: usize| items.get(index)),
            _ => None,
        };
        let Some(next) = next else { return Vec::new() };
        passed.push(next);
        here = next;
    }
    passed
}

fn collect_names<'s>(tree: &'s Tree<'s>, named: &mut BTreeMap<String, &'s Tree<'s>>) {
    match tree {
        Tree::Object(members) => {
            for keyword in ["$anchor", "$dynamicAnchor"] {
                if let Some(name) = text(members, keyword) {
                    named.entry(format!("#{name}")).or_insert(tree);
                }
            }
            if let Some(id) = text(members, "$id") {
                named.entry(id.to_owned()).or_insert(tree);
            }
            members.iter().for_each(|(_, value)| collect_names(value, named));
        }
        Tree::Array(items) => items.iter().for_each(|item| collect_names(item, named)),
        Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::String(_) => {}
    }
}

fn text<'s>(keywords: &'s Object<'_>, keyword: &str) -> Option<&'s str> {
    match keywords.get(keyword) {
        Some(Tree::String(text)) => Some(text),
        _ => None,
    }
}
