//! Where one schema refuses what another accepts: a reason for each place.

use crate::document::{Key, Node};
use crate::source::Span;

use super::at::{At, is_annotation};
use super::budget::Fuel;
use super::include::{Verdict, included};
use super::judge::refusing;
use super::part::parts;

/// In which way a schema refuses what another accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A property that was free of any schema has one.
    Claimed,
    /// It refuses properties that it does not name.
    Closed,
    /// It refuses a property that the other names.
    Property,
    /// It wants a property that could be absent.
    Required,
    /// It refuses a value.
    Value,
    /// Nobody can tell.
    Unclear,
}

/// One place.
#[derive(Clone, Debug)]
pub(super) struct Reason {
    pub(super) kind: Kind,
    /// The way to it, as people write it: `address.lines[]`; empty for the whole.
    pub(super) path: String,
    /// Its place in the schema that accepts, and in the one that refuses, where it has one there.
    pub(super) accepts: Option<Span>,
    pub(super) refuses: Option<Span>,
    /// A value of that place, as JSON.
    pub(super) value: Option<String>,
}

/// Every place where `to` refuses what `from` accepts; none where it accepts all of it.
pub(super) fn reasons(from: &Node, to: &Node) -> Vec<Reason> {
    let mut search = Search { found: Vec::new(), known: Vec::new() };
    let fuel = Fuel::default();
    search.schemas(At::root(from, &fuel), At::root(to, &fuel), &Place::default());
    search.found
}

/// The way to a schema, and what marks it on both sides.
#[derive(Clone, Debug, Default)]
struct Place {
    path: String,
    accepts: Option<Span>,
    refuses: Option<Span>,
}

impl Place {
    fn property(&self, name: &str, (accepts, refuses): (Option<Span>, Option<Span>)) -> Self {
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        Self { path, accepts: accepts.or(self.accepts), refuses: refuses.or(self.refuses) }
    }

    fn items(&self) -> Self {
        Self { path: format!("{}[]", self.path), ..self.clone() }
    }
}

struct Search {
    found: Vec<Reason>,
    /// Pairs that were looked at: what is wrong inside a recursive schema is told once.
    known: Vec<(usize, usize)>,
}

impl Search {
    fn schemas(&mut self, from: At<'_>, to: At<'_>, place: &Place) {
        let value = match included(from, to) {
            Verdict::Holds => return,
            Verdict::Fails(value) => Some(value),
            Verdict::Unclear => None,
        };
        let before = self.found.len();
        let (from, to) = (followed(from), followed(to));
        if self.known.contains(&(from.id(), to.id())) {
            return;
        }
        self.known.push((from.id(), to.id()));
        let both = |holds: &dyn Fn(At<'_>) -> bool| holds(from) && holds(to);
        if both(&|schema| only(schema, OBJECT) && is(schema, "object")) {
            self.objects(from, to, place);
        } else if both(&|schema| only(schema, ARRAY) && is(schema, "array")) {
            if let (Some(from), Some(to)) = (from.get("items"), to.get("items")) {
                self.schemas(from, to, &place.items());
            }
        } else if both(&|schema| only(schema, &["anyOf"])) {
            self.branches(from, to, place);
        }
        let is_told = self.found.len() > before;
        let keyword = value.as_ref().and_then(|value| refusing(to, value));
        if is_told && keyword.is_none_or(|key| INSIDE.contains(&key.name.as_str())) {
            return;
        }
        let kind = if value.is_some() { Kind::Value } else { Kind::Unclear };
        let refuses = keyword.map(|key| key.span).filter(|_| !place.path.is_empty() || is_told).or(place.refuses);
        self.found.push(Reason {
            kind,
            path: place.path.clone(),
            accepts: place.accepts,
            refuses,
            value: value.map(|value| shown(&value)),
        });
    }

    fn objects(&mut self, from: At<'_>, to: At<'_>, place: &Place) {
        for (key, _) in from.map("properties") {
            self.property(from, to, (&key.name, place));
        }
        for (key, _) in to.map("properties").iter().filter(|(key, _)| member(from, &key.name).is_none()) {
            self.property(from, to, (&key.name, place));
        }
        let names: Vec<&str> = from.required().collect();
        for name in to.required().filter(|name| !names.contains(name)) {
            let spans = (member(from, name).map(|(key, _)| key.span), member(to, name).map(|(key, _)| key.span));
            self.push(Kind::Required, &place.property(name, spans));
        }
        let (rest, wanted) = (from.get("additionalProperties"), to.get("additionalProperties"));
        if refuses_others(to) && !refuses_others(from) {
            let span = wanted.map(|at| at.node.span);
            self.push(Kind::Closed, &Place { refuses: span.or(place.refuses), ..place.clone() });
        } else if let (Some(rest), Some(wanted)) = (rest, wanted)
            && !refuses_others(from)
        {
            self.schemas(rest, wanted, &place.property("*", (None, None)));
        }
    }

    /// A property that at least one side names.
    fn property(&mut self, from: At<'_>, to: At<'_>, (name, place): (&str, &Place)) {
        let (known, wanted) = (member(from, name), member(to, name));
        let place = place.property(name, (known.map(|(key, _)| key.span), wanted.map(|(key, _)| key.span)));
        match (known, wanted) {
            (Some((_, schema)), _) if is_impossible(from.of(schema)) => {}
            (Some((_, schema)), Some((_, wanted))) => self.schemas(from.of(schema), to.of(wanted), &place),
            (Some(_), None) if refuses_others(to) => self.push(Kind::Property, &place),
            (Some((_, schema)), None) => {
                if let Some(rest) = to.get("additionalProperties") {
                    self.schemas(from.of(schema), rest, &place);
                }
            }
            (None, Some((_, wanted))) if !refuses_others(from) => {
                let anything = Node::new(crate::document::NodeKind::Bool(true), Span::NOWHERE);
                let rest = from.get("additionalProperties").unwrap_or(At::root(&anything, from.fuel));
                match included(rest, to.of(wanted)) {
                    Verdict::Holds => {}
                    Verdict::Fails(value) => {
                        self.found.push(Reason { value: Some(shown(&value)), ..reason(Kind::Claimed, &place) });
                    }
                    Verdict::Unclear => self.push(Kind::Unclear, &place),
                }
            }
            (None, _) => {}
        }
    }

    /// Each branch that the whole of the other side does not take, against its counterpart.
    fn branches(&mut self, from: At<'_>, to: At<'_>, place: &Place) {
        let (branches, wanted) = (from.list("anyOf"), to.list("anyOf"));
        if branches.len() != wanted.len() {
            return;
        }
        for (branch, counterpart) in branches.into_iter().zip(wanted) {
            if !matches!(included(branch, to), Verdict::Holds) {
                self.schemas(branch, counterpart, place);
            }
        }
    }

    fn push(&mut self, kind: Kind, place: &Place) {
        self.found.push(reason(kind, place));
    }
}

fn reason(kind: Kind, place: &Place) -> Reason {
    Reason { kind, path: place.path.clone(), accepts: place.accepts, refuses: place.refuses, value: None }
}

/// Keywords of an object that can be compared property by property.
const OBJECT: &[&str] =
    &["additionalProperties", "maxProperties", "minProperties", "properties", "propertyNames", "required", "type"];
const ARRAY: &[&str] = &["items", "maxItems", "minItems", "type", "uniqueItems"];

/// Keywords whose refusals are told inside.
const INSIDE: &[&str] = &["additionalProperties", "anyOf", "items", "properties", "required"];

/// Whether a schema asserts something, and by these keywords alone.
fn only(schema: At<'_>, keywords: &[&str]) -> bool {
    let members = schema.node.members().unwrap_or_default();
    let mut asserts = members.iter().map(|(key, _)| key.name.as_str()).filter(|name| !is_annotation(name)).peekable();
    asserts.peek().is_some() && asserts.all(|name| keywords.contains(&name))
}

fn is(schema: At<'_>, ty: &str) -> bool {
    schema.text("type") == Some(ty)
}

/// The schema behind references and `allOf`s that say nothing of their own.
fn followed(mut schema: At<'_>) -> At<'_> {
    const MOST: usize = 32;
    for _ in 0..MOST {
        let next = if only(schema, &["$ref"]) {
            schema.target()
        } else if only(schema, &["allOf"]) && schema.list("allOf").len() == 1 {
            schema.list("allOf").pop()
        } else {
            None
        };
        let Some(next) = next else { return schema };
        schema = next;
    }
    schema
}

fn member<'n>(schema: At<'n>, name: &str) -> Option<&'n (Key, Node)> {
    schema.map("properties").iter().find(|(key, _)| key.name == name)
}

fn refuses_others(schema: At<'_>) -> bool {
    schema.get("additionalProperties").is_some_and(is_impossible)
}

/// Whether a schema surely refuses everything.
fn is_impossible(schema: At<'_>) -> bool {
    schema.node.as_bool() == Some(false) || parts(&[schema]).is_some_and(|parts| parts.is_empty())
}

/// A value as JSON that people read: of a long one the beginning.
fn shown(value: &Node) -> String {
    const SHOWN: usize = 60;
    let text = value.to_json();
    if text.chars().count() <= SHOWN { text } else { text.chars().take(SHOWN).chain(['…']).collect() }
}
