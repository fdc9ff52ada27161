//! A schema in a few words.

use super::check::Checker;
use super::spot::show;
use super::types::TypeSet;
use crate::json::{Object, Tree};

/// The most values of a list of allowed ones.
const VALUES_SHOWN: usize = 20;

impl<'s> Checker<'s, '_> {
    /// What a schema asks for: `an integer of at least 1`, `one of "a", "b"`.
    pub(super) fn describe(&self, schema: &'s Tree<'s>) -> String {
        let Tree::Object(keywords) = self.schemas.target(schema) else { return "a value".to_owned() };
        if let Some(value) = keywords.get("const") {
            return show(value);
        }
        if let Some(Tree::Array(values)) = keywords.get("enum") {
            return one_of(values);
        }
        let types = TypeSet::allowed(self.schemas, schema).describe();
        let mut rules = Vec::new();
        for (keyword, words) in [
            ("minimum", "at least"),
            ("exclusiveMinimum", "greater than"),
            ("maximum", "at most"),
            ("exclusiveMaximum", "less than"),
            ("multipleOf", "a multiple of"),
        ] {
            if let Some(Tree::Number(bound)) = keywords.get(keyword) {
                rules.push(format!("{words} {bound}"));
            }
        }
        rules.extend(text(keywords, "pattern").map(|pattern| format!("matching {pattern}")));
        rules.extend(text(keywords, "format").map(|format| format!("format {format}")));
        if rules.is_empty() { types } else { format!("{types} ({})", rules.join(", ")) }
    }

    /// What several alternatives ask for.
    pub(super) fn describe_union(&self, branches: &[&'s Tree<'s>]) -> String {
        let mut words: Vec<String> = Vec::new();
        for branch in branches {
            let description = self.describe(branch);
            if !words.contains(&description) {
                words.push(description);
            }
        }
        words.join(" or ")
    }
}

/// The values of an `enum`.
pub(super) fn one_of(values: &[Tree<'_>]) -> String {
    let shown: Vec<String> = values.iter().take(VALUES_SHOWN).map(show).collect();
    let more = if values.len() > VALUES_SHOWN { ", …" } else { "" };
    match shown.as_slice() {
        [only] if more.is_empty() => only.clone(),
        _ => format!("one of {}{more}", shown.join(", ")),
    }
}

fn text<'s>(keywords: &'s Object<'s>, keyword: &str) -> Option<&'s str> {
    match keywords.get(keyword) {
        Some(Tree::String(text)) => Some(text),
        _ => None,
    }
}
