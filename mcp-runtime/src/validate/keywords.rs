//! The keywords of JSON Schema 2020-12, and older spellings of them, by the kind of value that they speak about.

mod array;
mod combine;
mod number;
mod object;
mod presence;
mod string;
mod unevaluated;
pub(super) mod value;

pub(super) use self::array::item_schema;
use crate::json::{Decimal, Object, Tree};

/// A keyword's count: `2` or `2.0`.
fn count(keywords: &Object<'_>, keyword: &str) -> Option<usize> {
    let Some(Tree::Number(text)) = keywords.get(keyword) else { return None };
    Decimal::new(text).to_i128().and_then(|count| usize::try_from(count).ok())
}

/// A keyword's schemas.
fn branches<'s>(keywords: &'s Object<'s>, keyword: &str) -> &'s [Tree<'s>] {
    match keywords.get(keyword) {
        Some(Tree::Array(branches)) => branches,
        _ => &[],
    }
}

/// A keyword's schemas by name.
fn named<'s>(keywords: &'s Object<'s>, keyword: &str) -> impl Iterator<Item = (&'s str, &'s Tree<'s>)> {
    let named = match keywords.get(keyword) {
        Some(Tree::Object(named)) => Some(named),
        _ => None,
    };
    named.into_iter().flat_map(Object::iter)
}
