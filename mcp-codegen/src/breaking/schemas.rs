//! Two schemas of one place in the contract, old and new: what of the change matters to whom.

use crate::contract::SchemaPair;
use crate::diagnostic::Diagnostics;
use crate::document::Node;
use crate::formats::AllFormats;
use crate::lower;
use crate::schema;
use crate::source::Span;

use super::reason::{Kind, Reason, reasons};
use super::rule::{self, Rule};

/// What a schema is about: its words in messages, and where its feature is named.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'c> {
    pub(super) name: &'c str,
    /// Now, and before.
    pub(super) spans: (Span, Span),
    /// What is asserted now, and what was before.
    pub(super) formats: (&'c AllFormats, &'c AllFormats),
}

/// Compares what a tool takes: it may take more.
pub(super) fn arguments(subject: Subject<'_>, (old, new): (&SchemaPair, &SchemaPair), found: &mut Diagnostics) {
    let (old, new) = (&settled(old, subject.formats.1), &settled(new, subject.formats.0));
    let lost = reasons(old, new);
    let won = without_echoes(reasons(new, old), &lost);
    for reason in lost {
        let (rule, message) = argument_lost(subject, &reason);
        found.push(rule.at(places(subject, (reason.refuses, reason.accepts)), message));
    }
    for reason in won {
        let (rule, message) = argument_won(subject, &reason);
        found.push(rule.at(places(subject, (reason.accepts, reason.refuses)), message));
    }
    headers(subject, (old, new), found);
}

/// Compares what a tool gives: it may give less.
pub(super) fn result(subject: Subject<'_>, (old, new): (&SchemaPair, &SchemaPair), found: &mut Diagnostics) {
    let (old, new) = (&settled(old, subject.formats.1), &settled(new, subject.formats.0));
    let won = reasons(new, old);
    let lost = without_echoes(reasons(old, new), &won);
    for reason in won {
        let (rule, message) = result_won(subject, &reason);
        found.push(rule.at(places(subject, (reason.accepts, reason.refuses)), message));
    }
    for reason in lost {
        let message = result_lost(subject, &reason);
        found.push(rule::RESULT_NARROWED.at(places(subject, (reason.refuses, reason.accepts)), message));
    }
}

/// What is worth a note, less what follows from something worse: a property that is new and required needs one finding.
fn without_echoes(mut notes: Vec<Reason>, worse: &[Reason]) -> Vec<Reason> {
    let is_presence = |kind: Kind| matches!(kind, Kind::Property | Kind::Required);
    notes.retain(|note| {
        let echoes = |other: &Reason| other.path == note.path && is_presence(other.kind) && other.kind != note.kind;
        !(is_presence(note.kind) && worse.iter().any(echoes))
    });
    notes
}

/// References lead somewhere: the contracts have been checked. Formats are left in where they are asserted.
fn settled(pair: &SchemaPair, formats: &AllFormats) -> Node {
    let mut settled = schema::settle(&pair.wire, &mut Diagnostics::default());
    lower::leave_out_formats(&mut settled, formats.of(pair.portable));
    settled
}

fn places(subject: Subject<'_>, (new, old): (Option<Span>, Option<Span>)) -> (Option<Span>, Option<Span>) {
    (new.or(Some(subject.spans.0)), old.or(Some(subject.spans.1)))
}

/// The place in words: `` `days` of `forecast` ``.
fn shown(subject: Subject<'_>, path: &str) -> String {
    if path.is_empty() { format!("`{}`", subject.name) } else { format!("`{path}` of `{}`", subject.name) }
}

fn such_as(reason: &Reason) -> &str {
    reason.value.as_deref().unwrap_or_default()
}

fn argument_lost(subject: Subject<'_>, reason: &Reason) -> (Rule, String) {
    let (name, path) = (subject.name, &reason.path);
    let place = shown(subject, path);
    match reason.kind {
        Kind::Claimed => {
            (rule::ARGUMENT_CLAIMED, format!("{place} could be anything, and no longer `{}`", such_as(reason)))
        }
        Kind::Closed => (rule::ARGUMENT_CLOSED, format!("{place} no longer takes arguments that it does not name")),
        Kind::Property => (rule::ARGUMENT_REMOVED, format!("`{name}` no longer takes the argument `{path}`")),
        Kind::Required => (rule::ARGUMENT_REQUIRED, format!("`{name}` needs the argument `{path}` now")),
        Kind::Value => (rule::ARGUMENT_NARROWED, format!("{place} no longer takes `{}`", such_as(reason))),
        Kind::Unclear => (rule::ARGUMENT_UNCLEAR, format!("cannot tell whether {place} still takes all that it took")),
    }
}

fn argument_won(subject: Subject<'_>, reason: &Reason) -> (Rule, String) {
    let (name, path) = (subject.name, &reason.path);
    let place = shown(subject, path);
    match reason.kind {
        Kind::Claimed => (rule::ARGUMENT_WIDENED, format!("{place} has no schema any more")),
        Kind::Closed => (rule::ARGUMENT_WIDENED, format!("{place} takes arguments that it does not name")),
        Kind::Property => (rule::ARGUMENT_ADDED, format!("`{name}` takes the new argument `{path}`")),
        Kind::Required => (rule::ARGUMENT_WIDENED, format!("{place} may be absent now")),
        Kind::Value => (rule::ARGUMENT_WIDENED, format!("{place} takes `{}` now", such_as(reason))),
        Kind::Unclear => (rule::ARGUMENT_WIDENED, format!("{place} may take more than it took")),
    }
}

fn result_won(subject: Subject<'_>, reason: &Reason) -> (Rule, String) {
    let (name, path) = (subject.name, &reason.path);
    let place =
        if path.is_empty() { format!("the result of `{name}`") } else { format!("`{path}` in the result of `{name}`") };
    match reason.kind {
        Kind::Claimed => (rule::RESULT_FREED, format!("{place} may be anything now, such as `{}`", such_as(reason))),
        Kind::Closed => (rule::RESULT_ADDED, format!("{place} may have properties that it does not name")),
        Kind::Property => (rule::RESULT_ADDED, format!("the result of `{name}` may have the new property `{path}`")),
        Kind::Required => (rule::RESULT_OPTIONAL, format!("{place} may be missing now")),
        Kind::Value => (rule::RESULT_WIDENED, format!("{place} may be `{}` now", such_as(reason))),
        Kind::Unclear => (rule::RESULT_UNCLEAR, format!("cannot tell whether {place} is still what it was")),
    }
}

fn result_lost(subject: Subject<'_>, reason: &Reason) -> String {
    let (name, path) = (subject.name, &reason.path);
    let place =
        if path.is_empty() { format!("the result of `{name}`") } else { format!("`{path}` in the result of `{name}`") };
    match reason.kind {
        Kind::Claimed => format!("{place} has a schema now"),
        Kind::Closed => format!("{place} has no properties any more that it does not name"),
        Kind::Property => format!("the result of `{name}` has no `{path}` any more"),
        Kind::Required => format!("{place} is always there now"),
        Kind::Value => format!("{place} is never `{}` any more", such_as(reason)),
        Kind::Unclear => format!("{place} may be less than it was"),
    }
}

/// Headers that clients send for arguments, of those that both know.
fn headers(subject: Subject<'_>, (old, new): (&Node, &Node), found: &mut Diagnostics) {
    const KEYWORD: &str = "x-mcp-header";
    for (key, before) in old.get("properties").and_then(Node::members).unwrap_or_default() {
        let Some(now) = new.get("properties").and_then(|properties| properties.get(&key.name)) else { continue };
        let name = |node: &Node| node.get(KEYWORD).and_then(Node::as_str).map(str::to_ascii_lowercase);
        if name(before) != name(now) {
            let span = |node: &Node| node.get(KEYWORD).map(|value| value.span);
            let message = format!("{} travels in another header, or in none", shown(subject, &key.name));
            found.push(rule::HEADER_CHANGED.at(places(subject, (span(now), span(before))), message));
        }
        headers(subject, (before, now), found);
    }
}
