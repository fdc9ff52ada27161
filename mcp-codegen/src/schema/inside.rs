//! The schemas directly inside a schema, by what its keywords take.

use crate::document::{Key, Node, NodeKind};
use crate::schema::{Takes, escape, takes};

/// A step from a keyword's value to a schema in it.
enum Step<'n> {
    Here,
    Index(usize),
    Name(&'n str),
}

/// The schemas directly inside one, each with the pointer that leads to it.
pub(crate) fn subschemas(node: &Node) -> Vec<(String, &Node)> {
    let mut inside = Vec::new();
    each_inside(node, |key, step, schema| {
        let here = escape(key);
        let pointer = match step {
            Step::Here => format!("/{here}"),
            Step::Index(index) => format!("/{here}/{index}"),
            Step::Name(name) => format!("/{here}/{}", escape(name)),
        };
        inside.push((pointer, schema));
    });
    inside
}

/// The same without their pointers.
pub(crate) fn schemas_inside(node: &Node) -> Vec<&Node> {
    let mut inside = Vec::new();
    each_inside(node, |_, _, schema| inside.push(schema));
    inside
}

fn each_inside<'n>(node: &'n Node, mut visit: impl FnMut(&'n str, Step<'n>, &'n Node)) {
    for (Key { name: key, .. }, value) in node.members().unwrap_or_default() {
        // Most are texts and numbers, and the table is long.
        if matches!(value.kind, NodeKind::Null | NodeKind::Number(_) | NodeKind::String(_)) {
            continue;
        }
        let Some(takes) = takes(key) else { continue };
        match (takes, &value.kind) {
            (Takes::Schema | Takes::SchemaOrList, NodeKind::Object(_) | NodeKind::Bool(_)) => {
                visit(key, Step::Here, value);
            }
            (Takes::SchemaList | Takes::SchemaOrList, NodeKind::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    visit(key, Step::Index(index), item);
                }
            }
            (Takes::SchemaMap | Takes::Needs, NodeKind::Object(members)) => {
                for (Key { name, .. }, schema) in members {
                    visit(key, Step::Name(name), schema);
                }
            }
            _ => {}
        }
    }
}

/// The same, to change them.
pub(crate) fn subschemas_mut(node: &mut Node) -> Vec<&mut Node> {
    let mut inside = Vec::new();
    let NodeKind::Object(members) = &mut node.kind else { return inside };
    for (key, value) in members {
        let Some(takes) = takes(&key.name) else { continue };
        if matches!(takes, Takes::Schema | Takes::SchemaOrList) && value.members().is_some() {
            inside.push(value);
            continue;
        }
        match (takes, &mut value.kind) {
            (Takes::SchemaList | Takes::SchemaOrList, NodeKind::Array(items)) => inside.extend(items),
            (Takes::SchemaMap | Takes::Needs, NodeKind::Object(members)) => {
                inside.extend(members.iter_mut().map(|(_, value)| value));
            }
            _ => {}
        }
    }
    inside
}
