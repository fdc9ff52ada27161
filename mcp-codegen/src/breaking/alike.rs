//! Whether two schemas say the same in the same words: descriptions and the places of definitions do not count.

use crate::document::{Node, NodeKind};
use crate::schema::{Takes, takes};

use super::at::{At, equal, is_annotation};

/// Whether two schemas are the same, word for word.
pub(super) fn alike(a: At<'_>, b: At<'_>) -> bool {
    schemas(a, b, &mut Vec::new())
}

fn schemas(a: At<'_>, b: At<'_>, known: &mut Vec<(usize, usize)>) -> bool {
    let pair = (a.id(), b.id());
    if known.contains(&pair) {
        return true;
    }
    let (NodeKind::Object(members), NodeKind::Object(others)) = (&a.node.kind, &b.node.kind) else {
        return equal(a.node, b.node);
    };
    known.push(pair);
    let counts =
        |members: &[(crate::document::Key, Node)]| members.iter().filter(|(key, _)| !is_annotation(&key.name)).count();
    counts(members) == counts(others)
        && members.iter().filter(|(key, _)| !is_annotation(&key.name)).all(|(key, value)| {
            b.node.get(&key.name).is_some_and(|other| keyword(&key.name, (a, value), (b, other), known))
        })
}

fn keyword(
    name: &str,
    (a, value): (At<'_>, &Node),
    (b, other): (At<'_>, &Node),
    known: &mut Vec<(usize, usize)>,
) -> bool {
    let mut inside = |value: &Node, other: &Node| schemas(At { node: value, ..a }, At { node: other, ..b }, known);
    match takes(name) {
        Some(Takes::Text) if name == "$ref" => match (a.target(), b.target()) {
            (Some(target), Some(other)) => schemas(target, other, known),
            _ => false,
        },
        // What it leads to is decided while validating.
        Some(Takes::Text) if name == "$dynamicRef" || name == "$recursiveRef" => false,
        Some(Takes::Schema | Takes::SchemaOrList | Takes::SchemaList) => match (value.items(), other.items()) {
            (Some(list), Some(others)) => {
                list.len() == others.len() && list.iter().zip(others).all(|(value, other)| inside(value, other))
            }
            (None, None) => inside(value, other),
            _ => false,
        },
        Some(Takes::SchemaMap | Takes::Needs) => {
            let (members, others) = (value.members().unwrap_or_default(), other.members().unwrap_or_default());
            members.len() == others.len()
                && members.iter().all(|(key, value)| match (value.items(), other.get(&key.name)) {
                    (Some(_), Some(other)) => is_same_set(value, other),
                    (None, Some(other)) => inside(value, other),
                    (_, None) => false,
                })
        }
        Some(Takes::Type) if value.items().is_some() && other.items().is_some() => is_same_set(value, other),
        Some(Takes::List | Takes::Texts) => is_same_set(value, other),
        _ => equal(value, other),
    }
}

/// Equality of lists whose order says nothing.
fn is_same_set(a: &Node, b: &Node) -> bool {
    let (Some(a), Some(b)) = (a.items(), b.items()) else { return false };
    let within = |some: &[Node], all: &[Node]| some.iter().all(|one| all.iter().any(|other| equal(one, other)));
    within(a, b) && within(b, a)
}
