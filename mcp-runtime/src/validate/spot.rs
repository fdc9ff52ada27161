//! A place in the arguments: a value, and the way to it.

use super::fault::Fault;
use super::types::TypeSet;
use crate::json::{Object, Tree};

/// A value and the way to it. The way lives on the stack of the walk; a pointer is made only for a fault.
#[derive(Clone, Copy)]
pub(super) struct Spot<'v> {
    pub(super) value: &'v Tree<'v>,
    way: Option<(&'v Self, Step<'v>)>,
}

#[derive(Clone, Copy)]
enum Step<'v> {
    Item(usize),
    Member(&'v str),
}

impl<'v> Spot<'v> {
    pub(super) fn root(value: &'v Tree<'v>) -> Self {
        Self { value, way: None }
    }

    pub(super) fn member(&'v self, key: &'v str, value: &'v Tree<'v>) -> Self {
        Self { value, way: Some((self, Step::Member(key))) }
    }

    pub(super) fn item(&'v self, index: usize, value: &'v Tree<'v>) -> Self {
        Self { value, way: Some((self, Step::Item(index))) }
    }

    /// The key, if it is an object's member.
    pub(super) fn key(&self) -> Option<&'v str> {
        match self.way {
            Some((_, Step::Member(key))) => Some(key),
            Some((_, Step::Item(_))) | None => None,
        }
    }

    /// The members or items.
    pub(super) fn parts(&'v self) -> impl Iterator<Item = Self> {
        let (members, items) = match self.value {
            Tree::Object(members) => (Some(members), None),
            Tree::Array(items) => (None, Some(items)),
            Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::String(_) => (None, None),
        };
        let members = members.into_iter().flat_map(Object::iter).map(|(key, value)| self.member(key, value));
        let items = items.into_iter().flatten().enumerate().map(|(index, item)| self.item(index, item));
        members.chain(items)
    }

    /// The JSON Pointer.
    pub(super) fn pointer(&self) -> String {
        let mut steps = Vec::new();
        let mut way = self.way;
        while let Some((spot, step)) = way {
            steps.push(step);
            way = spot.way;
        }
        steps.iter().rev().fold(String::new(), |pointer, step| match step {
            Step::Item(index) => format!("{pointer}/{index}"),
            Step::Member(key) => join(&pointer, key),
        })
    }

    /// The JSON Pointer of a member, which need not exist.
    pub(super) fn pointer_to(&self, key: &str) -> String {
        join(&self.pointer(), key)
    }

    /// The fault that another value was expected here.
    pub(super) fn mismatch(&self, expected: impl Into<String>) -> Fault {
        Fault::mismatch(self.pointer(), expected, self.show())
    }

    /// The value, as a report shows it.
    pub(super) fn show(&self) -> String {
        match self.value {
            // what was sent instead of the arguments can hold any of them
            Tree::String(_) if self.way.is_none() => "a string".to_owned(),
            value => show(value),
        }
    }
}

/// The pointer of a member.
pub(super) fn join(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// The most characters of a value that a report shows.
const SHOWN: usize = 40;

/// A value on one line. Arrays and objects are only named: they can hold secrets and are long.
pub(super) fn show(value: &Tree<'_>) -> String {
    match value {
        Tree::Array(_) | Tree::Object(_) => TypeSet::of(value).describe(),
        _ => shorten(&value.to_text()),
    }
}

fn shorten(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(SHOWN) else { return text.to_owned() };
    let quote = if text.starts_with('"') { "\"" } else { "" };
    format!("{}…{quote}", &text[..end])
}
