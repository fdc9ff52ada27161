//! The slips that models make again and again, mended where the schema leaves one reading.
//!
//! The walk only proposes. Whether the result counts is decided by judging it whole.

use super::arguments::{Given, parse_cow};
use super::check::Checker;
use super::keywords::item_schema;
use super::spot::{Spot, join};
use super::types::TypeSet;
use crate::json::{Object, Tree};

/// One thing that was mended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// Where, as a JSON Pointer into the arguments; empty for the arguments themselves.
    pub pointer: String,
    /// What was done, without the value: `read an integer from text`.
    pub what: &'static str,
}

/// Proposes arguments that the schema may accept.
pub(super) fn repair<'v>(checker: Checker<'_, '_>, given: &Given<'v>) -> Given<'v> {
    let root = checker.schemas.root;
    let mut mender = Mender { checker, repairs: given.repairs.clone() };
    // read from a disguise, the arguments may be right already; else they have just been refused
    let tree = match given.repairs[..] {
        [] => mender.mend_refused(root, &given.tree, ""),
        _ => mender.mend(root, &given.tree, ""),
    };
    Given { tree, repairs: mender.repairs }
}

struct Mender<'s, 'o> {
    checker: Checker<'s, 'o>,
    repairs: Vec<Repair>,
}

impl<'s> Mender<'s, '_> {
    /// A value as the schema may want it, or as it was.
    fn mend<'v>(&mut self, schema: &'s Tree<'s>, value: &Tree<'v>, pointer: &str) -> Tree<'v> {
        if self.checker.accepts(schema, &Spot::root(value)) || self.checker.is_exhausted() {
            return value.clone();
        }
        self.mend_refused(schema, value, pointer)
    }

    fn mend_refused<'v>(&mut self, schema: &'s Tree<'s>, value: &Tree<'v>, pointer: &str) -> Tree<'v> {
        let Tree::Object(keywords) = schema else { return value.clone() };
        let allowed = TypeSet::allowed(self.checker.schemas, schema);
        let mut mended = value.clone();
        if let Some((tree, what)) = converted(value, allowed) {
            self.repairs.push(Repair { pointer: pointer.to_owned(), what });
            mended = tree;
        }
        if let Some(target) = self.checker.schemas.reference(keywords) {
            mended = self.mend(target, &mended, pointer);
        }
        if self.checker.schemas.is_only_reference(keywords) {
            return mended;
        }
        mended = self.mend_inside(keywords, &mended, pointer);
        if let Some(Tree::Array(branches)) = keywords.get("allOf") {
            for branch in branches {
                mended = self.mend(branch, &mended, pointer);
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Tree::Array(branches)) = keywords.get(keyword) {
                mended = self.mend_union(branches, &mended, pointer);
            }
        }
        mended
    }

    /// Takes the alternative that accepts the value after a repair, if all that do agree about it.
    fn mend_union<'v>(&mut self, branches: &'s [Tree<'s>], value: &Tree<'v>, pointer: &str) -> Tree<'v> {
        let before = self.repairs.len();
        let mut readings: Vec<(Tree<'v>, Vec<Repair>)> = Vec::new();
        for branch in branches {
            let tree = self.mend(branch, value, pointer);
            let repairs = self.repairs.split_off(before);
            let is_new = readings.iter().all(|(known, _)| *known != tree);
            if is_new && self.checker.accepts(branch, &Spot::root(&tree)) {
                readings.push((tree, repairs));
            }
        }
        if readings.len() != 1 {
            return value.clone();
        }
        let Some((tree, repairs)) = readings.pop() else { return value.clone() };
        self.repairs.extend(repairs);
        tree
    }

    fn mend_inside<'v>(&mut self, keywords: &'s Object<'s>, value: &Tree<'v>, pointer: &str) -> Tree<'v> {
        match value {
            Tree::Object(members) => self.mend_members(keywords, members, pointer),
            Tree::Array(items) => {
                let mended = items.iter().enumerate().map(|(index, item)| match item_schema(keywords, index) {
                    Some(schema) => self.mend(schema, item, &format!("{pointer}/{index}")),
                    None => item.clone(),
                });
                Tree::Array(mended.collect())
            }
            scalar => scalar.clone(),
        }
    }

    fn mend_members<'v>(&mut self, keywords: &'s Object<'s>, members: &Object<'v>, pointer: &str) -> Tree<'v> {
        let mut mended = Vec::new();
        for (key, value) in members.entries() {
            let pointer = join(pointer, key);
            if self.stands_for_absence(keywords, key, value) {
                self.repairs.push(Repair { pointer, what: "took null for an absent argument" });
                continue;
            }
            let schemas = self.checker.member_schemas(keywords, key);
            let mended_value =
                schemas.into_iter().fold(value.clone(), |value, schema| self.mend(schema, &value, &pointer));
            mended.push((key.clone(), mended_value));
        }
        Tree::Object(Object::new(mended))
    }

    /// Whether a declared member is null, may be absent and may not be null.
    fn stands_for_absence(&mut self, keywords: &'s Object<'s>, key: &str, value: &Tree<'_>) -> bool {
        let is_required = match keywords.get("required") {
            Some(Tree::Array(names)) => names.contains(&Tree::String(key.into())),
            _ => false,
        };
        if value != &Tree::Null || is_required {
            return false;
        }
        let mut schemas = self.checker.declared_schemas(keywords, key).into_iter();
        !schemas.all(|schema| self.checker.accepts(schema, &Spot::root(value)))
    }
}

/// A value of a type that is allowed, if it can be had without loss. A string where a string is allowed stays one.
fn converted<'v>(value: &Tree<'v>, allowed: TypeSet) -> Option<(Tree<'v>, &'static str)> {
    if allowed.meets(TypeSet::of(value)) {
        return None;
    }
    let text = match value {
        Tree::Number(digits) if allowed.meets(TypeSet::STRING) => {
            return Some((Tree::String(digits.clone()), "took a number's digits for text"));
        }
        Tree::String(text) => text,
        _ => return None,
    };
    let tree = parse_cow(text).filter(|tree| allowed.meets(TypeSet::of(tree)))?;
    let what = match &tree {
        Tree::Number(digits) if digits == text => "read a number from text",
        Tree::Bool(_) if text.trim() == text => "read a boolean from text",
        Tree::Array(_) => "read an array from its JSON text",
        Tree::Object(_) => "read an object from its JSON text",
        Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::String(_) => return None,
    };
    Some((tree, what))
}
