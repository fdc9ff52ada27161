//! What schemas and arguments say of themselves: models go by it as they go by the description of a feature.

use std::collections::BTreeMap;

use crate::contract::SchemaPair;
use crate::diagnostic::Diagnostics;
use crate::document::Node;
use crate::schema::subschemas;
use crate::source::Span;

use super::at::{equal, is_annotation};
use super::rule::{self, Rule};
use super::schemas::Subject;

/// Which schema of a feature it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Arguments,
    Result,
}

/// Annotations that are compared elsewhere, or that only say where something stands.
const PASSED_OVER: [&str; 11] = [
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
    "x-mcp-header",
];

/// Compares the words of two schemas that clients see, part by part. A part that only one of them has is told of elsewhere.
pub(super) fn compare(feature: (Subject<'_>, Side), (old, new): (&SchemaPair, &SchemaPair), found: &mut Diagnostics) {
    part(feature, (&old.wire, &new.wire), "", found);
}

fn part((subject, side): (Subject<'_>, Side), (old, new): (&Node, &Node), path: &str, found: &mut Diagnostics) {
    let here = place(subject, side, path);
    annotations(&here, subject.spans, (old, new), found);
    let rule = if side == Side::Arguments { rule::DEFAULT_CHANGED } else { rule::DEFINITION_CHANGED };
    default(&rule, (&here, subject.spans), (old, new), found);
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

/// Compares the defaults of one place. A default of null stands for none.
pub(super) fn default(
    rule: &Rule,
    (place, spans): (&str, (Span, Span)),
    (old, new): (&Node, &Node),
    found: &mut Diagnostics,
) {
    let (before, now) = (old.get("default"), new.get("default"));
    let is_same = match (before, now) {
        (Some(before), Some(now)) => equal(before, now),
        (before, now) => before.or(now).is_none_or(Node::is_null),
    };
    if !is_same {
        let said =
            |value: Option<&Node>| value.map_or_else(|| "none".to_owned(), |value| format!("`{}`", value.to_json()));
        let message = format!("the default of {place} was {}, and is {}", said(before), said(now));
        let span = |value: Option<&Node>, otherwise| Some(value.map_or(otherwise, |value| value.span));
        found.push(rule.at((span(now, spans.0), span(before, spans.1)), message));
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
