//! What schemas and arguments say of themselves: models go by it as they go by the description of a feature.

use std::collections::BTreeMap;

use crate::contract::SchemaPair;
use crate::diagnostic::Diagnostics;
use crate::document::Node;
use crate::schema::subschemas;
use crate::source::Span;

use super::at::{equal, is_annotation};
use super::rule;
use super::schemas::Subject;

/// Which schema of a feature it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Arguments,
    Result,
}

/// Annotations that are compared elsewhere, or that only say where something stands.
const PASSED_OVER: [&str; 12] = [
    "$anchor",
    "$defs",
    "$dynamicAnchor",
    "$id",
    "$recursiveAnchor",
    "$schema",
    "$vocabulary",
    "contentSchema",
    "default",
    "definitions",
    "name",
    "x-mcp-header",
];

/// Compares the words of two schemas that clients see, part by part. A part that only one of them has is told of elsewhere.
pub(super) fn compare(feature: (Subject<'_>, Side), (old, new): (&SchemaPair, &SchemaPair), found: &mut Diagnostics) {
    part(feature, (&old.wire, &new.wire), "", found);
}

fn part((subject, side): (Subject<'_>, Side), (old, new): (&Node, &Node), path: &str, found: &mut Diagnostics) {
    annotations(&place(subject, side, path), subject.spans, (old, new), found);
    let before: BTreeMap<String, &Node> = subschemas(old).into_iter().collect();
    for (step, now) in subschemas(new) {
        if let Some(before) = before.get(&step) {
            part((subject, side), (before, now), &longer(path, &step), found);
        }
    }
}

/// Compares what one object says of itself, such as a schema or the argument of a prompt. `place` names it in words; `spans`
/// are where its feature stands now, and where it stood.
pub(super) fn annotations(place: &str, spans: (Span, Span), (old, new): (&Node, &Node), found: &mut Diagnostics) {
    let said = |node: &Node| -> Vec<String> {
        let members = node.members().unwrap_or_default().iter().map(|(key, _)| key.name.clone());
        members.filter(|key| is_annotation(key) && !PASSED_OVER.contains(&key.as_str())).collect()
    };
    let mut keys = said(new);
    keys.extend(said(old).into_iter().filter(|key| new.get(key).is_none()));
    for key in keys {
        let (before, now) = (old.get(&key), new.get(&key));
        if before.is_some_and(|before| now.is_some_and(|now| equal(before, now))) {
            continue;
        }
        let span = |value: Option<&Node>, otherwise| Some(value.map_or(otherwise, |value| value.span));
        let places = (span(now, spans.0), span(before, spans.1));
        let change = match key.as_str() {
            "description" | "title" => {
                rule::TEXT_CHANGED.at(places, format!("the {key} of {place} says something else"))
            }
            _ => rule::DEFINITION_CHANGED.at(places, format!("`{key}` of {place} is another")),
        };
        found.push(change);
    }
}

/// The part in words.
fn place(subject: Subject<'_>, side: Side, path: &str) -> String {
    let name = subject.name;
    match (side, path) {
        (Side::Arguments, "") => format!("the schema of `{name}`"),
        (Side::Result, "") => format!("the result of `{name}`"),
        (Side::Arguments, path) => format!("`{path}` of `{name}`"),
        (Side::Result, path) => format!("`{path}` in the result of `{name}`"),
    }
}

/// The path of a part: properties by their names, items as `[]`. Other steps stay where they are.
fn longer(path: &str, step: &str) -> String {
    if let Some(name) = step.strip_prefix("/properties/") {
        let name = crate::schema::unescape(name);
        return if path.is_empty() { name } else { format!("{path}.{name}") };
    }
    if step.starts_with("/items") || step.starts_with("/prefixItems/") {
        return format!("{path}[]");
    }
    path.to_owned()
}
