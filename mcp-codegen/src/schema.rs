//! JSON Schema as written: every keyword that types or validation need, with its place.
//!
//! Reading a schema never fails as a whole: what is malformed is reported, and that keyword is left out.

mod audit;
mod dialect;
mod inside;
mod keyword;
mod number;
mod pointer;
mod read;
mod reference;
#[cfg(feature = "cli")]
mod sample;
mod uri;
mod value;

use crate::document::Node;
use crate::source::{Span, Spanned};

pub(crate) use self::audit::audit;
pub(crate) use self::dialect::known;
pub(crate) use self::inside::{schemas_inside, subschemas, subschemas_mut};
pub(crate) use self::keyword::{KEYWORDS, OLDER, Takes, takes};
#[cfg(feature = "cli")]
pub(crate) use self::number::Decimal;
pub(crate) use self::number::{as_integer, is_multiple};
#[cfg(feature = "cli")]
pub(crate) use self::pointer::decode_percent;
pub(crate) use self::pointer::{escape, unescape};
pub(crate) use self::read::read;
pub(crate) use self::reference::{DEFS, at, resolve, settle};
#[cfg(feature = "cli")]
pub(crate) use self::sample::{merged, samples};
pub(crate) use self::value::{Refusal, refusal, same};

/// A schema: `true`, `false`, or an object of keywords.
#[derive(Clone, Debug)]
pub(crate) struct Schema {
    pub(crate) span: Span,
    pub(crate) kind: SchemaKind,
}

/// The two forms of a schema.
#[derive(Clone, Debug)]
pub(crate) enum SchemaKind {
    /// `true` accepts all, `false` nothing.
    Bool(bool),
    Object(Box<SchemaObject>),
}

/// The keywords of one schema object.
#[derive(Clone, Debug, Default)]
pub(crate) struct SchemaObject {
    pub(crate) dialect: Option<Spanned<String>>,
    pub(crate) id: Option<Spanned<String>>,
    pub(crate) anchor: Option<Spanned<String>>,
    pub(crate) dynamic_anchor: Option<Spanned<String>>,
    pub(crate) reference: Option<Spanned<String>>,
    pub(crate) dynamic_reference: Option<Spanned<String>>,
    /// `$defs` and `definitions`.
    pub(crate) defs: Vec<(Spanned<String>, Schema)>,

    pub(crate) title: Option<Spanned<String>>,
    pub(crate) description: Option<Spanned<String>>,
    pub(crate) default: Option<Node>,
    pub(crate) format: Option<Spanned<String>>,

    /// `type`, one or several.
    pub(crate) types: Option<Spanned<Vec<JsonType>>>,
    pub(crate) enumeration: Option<Spanned<Vec<Node>>>,
    pub(crate) constant: Option<Node>,

    pub(crate) properties: Vec<(Spanned<String>, Schema)>,
    pub(crate) required: Vec<Spanned<String>>,
    pub(crate) additional_properties: Option<Schema>,
    pub(crate) pattern_properties: Vec<(Spanned<String>, Schema)>,
    pub(crate) property_names: Option<Schema>,
    pub(crate) min_properties: Option<Spanned<u64>>,
    pub(crate) max_properties: Option<Spanned<u64>>,

    /// `items` (or, in older dialects, `additionalItems` after an array of `items`).
    pub(crate) items: Option<Schema>,
    /// `prefixItems` (or an array of `items` in older dialects).
    pub(crate) prefix_items: Vec<Schema>,
    pub(crate) min_items: Option<Spanned<u64>>,
    pub(crate) max_items: Option<Spanned<u64>>,
    pub(crate) unique_items: bool,

    /// Numbers as their JSON text; the exclusive ones as 2020-12 spells them (a number).
    pub(crate) minimum: Option<Spanned<String>>,
    pub(crate) maximum: Option<Spanned<String>>,
    pub(crate) exclusive_minimum: Option<Spanned<String>>,
    pub(crate) exclusive_maximum: Option<Spanned<String>>,
    pub(crate) multiple_of: Option<Spanned<String>>,

    pub(crate) min_length: Option<Spanned<u64>>,
    pub(crate) max_length: Option<Spanned<u64>>,
    pub(crate) pattern: Option<Spanned<String>>,

    pub(crate) all_of: Vec<Schema>,
    pub(crate) any_of: Vec<Schema>,
    pub(crate) one_of: Vec<Schema>,

    /// Assertions that no Rust type says (`not`, `if`, `contains`, `dependentRequired`, `unevaluated*`, …): where one
    /// stands, the type alone does not decide.
    pub(crate) beyond_types: Vec<Spanned<String>>,
}

/// The values of `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum JsonType {
    Array,
    Boolean,
    Integer,
    Null,
    Number,
    Object,
    String,
}

impl JsonType {
    /// All of them, by name.
    pub(crate) const ALL: [(&'static str, Self); 7] = [
        ("array", Self::Array),
        ("boolean", Self::Boolean),
        ("integer", Self::Integer),
        ("null", Self::Null),
        ("number", Self::Number),
        ("object", Self::Object),
        ("string", Self::String),
    ];

    /// The type of that name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, ty)| *ty)
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, ty)| *ty == self).map_or("", |(name, _)| name)
    }
}

impl Schema {
    /// The keywords, unless it is `true` or `false`.
    pub(crate) fn object(&self) -> Option<&SchemaObject> {
        match &self.kind {
            SchemaKind::Bool(_) => None,
            SchemaKind::Object(object) => Some(object),
        }
    }
}
