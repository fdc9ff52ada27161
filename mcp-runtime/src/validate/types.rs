//! The types that a schema allows at a place, as a set.

use super::schemas::Schemas;
use crate::json::{Decimal, Tree};

/// A set of JSON's types, `integer` being a part of `number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TypeSet(u8);

const NAMES: [(&str, u8, &str); 7] = [
    ("string", 1, "a string"),
    ("integer", 2, "an integer"),
    ("number", 2 | 4, "a number"),
    ("boolean", 8, "a boolean"),
    ("array", 16, "an array"),
    ("object", 32, "an object"),
    ("null", 64, "null"),
];

/// Schemas in schemas, beyond which a set is not narrowed any more.
const MAX_DEPTH: u8 = 16;

impl TypeSet {
    const ALL: Self = Self(127);
    pub(super) const NUMBER: Self = Self(2 | 4);
    /// Numbers that are not integers.
    pub(super) const FRACTION: Self = Self(4);
    pub(super) const STRING: Self = Self(1);
    const NONE: Self = Self(0);

    /// The one type of a value.
    pub(super) fn of(value: &Tree<'_>) -> Self {
        match value {
            Tree::String(_) => Self::STRING,
            Tree::Number(text) if Decimal::new(text).is_integer() => Self(2),
            Tree::Number(_) => Self::FRACTION,
            Tree::Bool(_) => Self(8),
            Tree::Array(_) => Self(16),
            Tree::Object(_) => Self(32),
            Tree::Null => Self(64),
        }
    }

    /// What the keyword `type` says: a name or an array of names.
    pub(super) fn named(names: &Tree<'_>) -> Self {
        match names {
            Tree::String(name) => {
                let known = NAMES.iter().find(|(known, ..)| known == name);
                known.map_or(Self::ALL, |&(_, bits, _)| Self(bits))
            }
            Tree::Array(names) => names.iter().fold(Self::NONE, |set, name| set.or(Self::named(name))),
            _ => Self::ALL,
        }
    }

    /// What a schema leaves open, or more where it cannot be told.
    pub(super) fn allowed<'s>(schemas: &Schemas<'s>, schema: &'s Tree<'s>) -> Self {
        Self::allowed_within(schemas, schema, MAX_DEPTH)
    }

    fn allowed_within<'s>(schemas: &Schemas<'s>, schema: &'s Tree<'s>, depth: u8) -> Self {
        let Tree::Object(keywords) = schema else {
            return if schema == &Tree::Bool(false) { Self::NONE } else { Self::ALL };
        };
        let Some(depth) = depth.checked_sub(1) else { return Self::ALL };
        if let (true, Some(target)) = (schemas.is_only_reference(keywords), schemas.reference(keywords)) {
            return Self::allowed_within(schemas, target, depth);
        }
        let mut set = keywords.get("type").map_or(Self::ALL, Self::named);
        if let Some(value) = keywords.get("const") {
            set = set.and(Self::of(value));
        }
        if let Some(Tree::Array(values)) = keywords.get("enum") {
            set = set.and(values.iter().fold(Self::NONE, |set, value| set.or(Self::of(value))));
        }
        if let Some(target) = schemas.reference(keywords) {
            set = set.and(Self::allowed_within(schemas, target, depth));
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Tree::Array(branches)) = keywords.get(keyword) {
                let each = branches.iter().map(|branch| Self::allowed_within(schemas, branch, depth));
                set = set.and(each.fold(Self::NONE, Self::or));
            }
        }
        if let Some(Tree::Array(branches)) = keywords.get("allOf") {
            set = branches.iter().fold(set, |set, branch| set.and(Self::allowed_within(schemas, branch, depth)));
        }
        set
    }

    pub(super) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// In words: `a string or null`.
    pub(super) fn describe(self) -> String {
        if self == Self::ALL {
            return "a value".to_owned();
        }
        let is_number = self.0 & 4 != 0;
        let named = NAMES.iter().filter(|&&(name, bits, _)| {
            // `integer` is said only where it is not a part of `number`
            self.0 & bits != 0 && if is_number { name != "integer" } else { name != "number" }
        });
        let words: Vec<&str> = named.map(|&(.., words)| words).collect();
        if words.is_empty() { "nothing".to_owned() } else { words.join(" or ") }
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
