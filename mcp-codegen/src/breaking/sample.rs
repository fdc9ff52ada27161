//! Values of a schema, made to show where another one differs: bounds and what lies just beside them, every listed value,
//! properties that are absent, present, or that only the other schema knows.

use std::collections::BTreeSet;

use crate::document::{Node, NodeKind};
use crate::schema::{JsonType, schemas_inside};
use crate::source::Span;

use super::at::{At, equal};
use super::budget::Fuel;
use super::judge::{judge, steps};
use super::number::Decimal;
use super::part::{Part, parts};

/// Values that are tried at the root.
const MAX_VALUES: usize = 4_000;

/// Values that are tried at each place inside: few at first, which is enough for most.
const INSIDE: [usize; 2] = [5, 24];

/// Schemas inside each other.
const MAX_DEPTH: usize = 7;

/// Longer texts are not made.
const MAX_LENGTH: u64 = 4_096;

/// Longer lists are not made.
const MAX_ITEMS: u64 = 256;

/// What looking for the values of a place costs, beside making them.
const CALL: usize = 100;

/// A value that one schema surely accepts and the other surely refuses: the shortest that was found.
pub(super) fn counterexample(from: At<'_>, to: At<'_>) -> Option<Node> {
    let mut words = Words::default();
    words.add(from.node);
    words.add(to.node);
    INSIDE.into_iter().find_map(|inside| {
        let mut sampler = Sampler { words: &words, inside, left: MAX_VALUES * 4, fuel: from.fuel };
        let mut values = sampler.values(&[from], 0);
        values.retain(|value| judge(to, value) == Some(false) && judge(from, value) == Some(true));
        values.into_iter().min_by_key(|value| value.to_json().len())
    })
}

/// Values that a schema perhaps accepts, of every shape that it speaks of.
pub(super) fn proposals(schema: At<'_>) -> Vec<Node> {
    let mut words = Words::default();
    words.add(schema.node);
    let mut sampler = Sampler { words: &words, inside: INSIDE[0], left: MAX_VALUES, fuel: schema.fuel };
    sampler.values(&[schema], 0)
}

/// What the schemas speak of, as material for values.
#[derive(Default)]
struct Words {
    numbers: BTreeSet<Decimal>,
    lengths: BTreeSet<u64>,
    values: Vec<Node>,
    names: BTreeSet<String>,
}

impl Words {
    fn add(&mut self, root: &Node) {
        let mut open = vec![root];
        while let Some(schema) = open.pop() {
            for (key, value) in schema.members().unwrap_or_default() {
                match key.name.as_str() {
                    "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
                        self.numbers.extend(value.as_number().and_then(Decimal::parse));
                    }
                    "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties"
                    | "minContains" | "maxContains" => {
                        self.lengths.extend(value.as_number().and_then(|text| text.parse::<u64>().ok()));
                    }
                    "const" => self.values.push(value.clone()),
                    "enum" => self.values.extend(value.items().unwrap_or_default().iter().cloned()),
                    "properties" => {
                        self.names.extend(value.members().unwrap_or_default().iter().map(|(key, _)| key.name.clone()));
                    }
                    "required" => self
                        .names
                        .extend(value.items().unwrap_or_default().iter().filter_map(Node::as_str).map(str::to_owned)),
                    _ => {}
                }
            }
            open.extend(schemas_inside(schema));
        }
    }

    /// Lengths at and beside every bound.
    fn lengths(&self) -> BTreeSet<u64> {
        let around = self.lengths.iter().flat_map(|length| [length.saturating_sub(1), *length, length + 1]);
        around.chain([0, 1, 2]).filter(|length| *length <= MAX_LENGTH).collect()
    }
}

struct Sampler<'w> {
    words: &'w Words,
    /// Values at each place inside.
    inside: usize,
    left: usize,
    fuel: &'w Fuel,
}

impl Sampler<'_> {
    /// Values that all of the schemas perhaps accept.
    fn values(&mut self, all: &[At<'_>], depth: usize) -> Vec<Node> {
        let most = if depth == 0 { MAX_VALUES } else { self.inside };
        if depth > MAX_DEPTH || self.left == 0 || !self.fuel.spend(CALL) {
            return Vec::new();
        }
        let parts = parts(all).unwrap_or_default();
        let mut groups: Vec<Vec<Node>> = parts.iter().map(|part| self.of_part(part, depth)).collect();
        for (group, part) in groups.iter_mut().zip(&parts) {
            group.retain(|value| part.all.iter().all(|schema| judge(*schema, value) != Some(false)));
        }
        let mut values: Vec<Node> = Vec::new();
        // One of each part in turn, so that no part is left out where there are many.
        let longest = groups.iter().map(Vec::len).max().unwrap_or(0);
        for index in 0..longest {
            for group in &groups {
                let Some(value) = group.get(index) else { continue };
                if values.len() < most && !(depth > 0 && values.iter().any(|known| equal(known, value))) {
                    values.push(value.clone());
                }
            }
        }
        self.left = self.left.saturating_sub(values.len());
        values
    }

    fn of_part(&mut self, part: &Part<'_>, depth: usize) -> Vec<Node> {
        if let Some(values) = &part.values {
            return values.clone();
        }
        // Where nothing is asked for, one of each type is as good as many.
        let is_free = part.all.is_empty() && depth > 0;
        let mut values = match part.ty {
            JsonType::Array if is_free => vec![node(NodeKind::Array(Vec::new()))],
            JsonType::Object if is_free => vec![object(Vec::new())],
            JsonType::Array => self.arrays(part, depth),
            JsonType::Integer | JsonType::Number => self.numbers(part.ty),
            JsonType::Object => self.objects(part, depth),
            JsonType::String => self.strings(part),
            JsonType::Boolean | JsonType::Null => Vec::new(),
        };
        values.extend(self.words.values.iter().filter(|value| super::at::type_of(value) == part.ty).cloned());
        values
    }

    fn numbers(&self, ty: JsonType) -> Vec<Node> {
        let one = Decimal::integer(1);
        let mut numbers: BTreeSet<Decimal> = [0, 1, -1, 2, 7, 1_000_003].map(Decimal::integer).into_iter().collect();
        for number in self.words.numbers.iter().chain([&one]) {
            let near =
                |value: i128| (-1..=1).filter_map(move |step: i128| value.checked_add(step)).map(Decimal::integer);
            numbers.extend(number.floor().into_iter().flat_map(near));
            numbers.insert(number.clone());
            if let Some(half) = number.floor().and_then(|floor| Decimal::parse(&format!("{floor}.5"))) {
                numbers.insert(half);
            }
        }
        let fits = |number: &&Decimal| ty == JsonType::Number || number.is_integer();
        numbers.iter().filter(fits).map(|number| node(NodeKind::Number(number.to_text()))).collect()
    }

    fn strings(&self, part: &Part<'_>) -> Vec<Node> {
        let text = |length: u64| "a".repeat(usize::try_from(length).unwrap_or_default());
        let plain = self.words.lengths().into_iter().map(text);
        let patterns = part.all.iter().filter_map(|schema| schema.text("pattern"));
        let matching: Vec<String> = patterns.flat_map(|pattern| self.matching(pattern)).collect();
        matching.into_iter().chain(plain).map(|text| node(NodeKind::String(text))).collect()
    }

    /// Texts that a pattern without an engine matches: with the first and with the last character of each set, and as long
    /// as the bounds want them.
    fn matching(&self, pattern: &str) -> Vec<String> {
        let Some(steps) = steps(pattern) else { return Vec::new() };
        let mut texts = Vec::new();
        for sequence in &steps.alternatives {
            for extra in self.words.lengths().into_iter().chain([0]).take(12) {
                for is_last in [false, true] {
                    let mut text = String::new();
                    for step in sequence {
                        let c = if is_last {
                            step.ranges.last().map(|range| range.1)
                        } else {
                            step.ranges.first().map(|range| range.0)
                        };
                        let limit = u64::from(step.max.unwrap_or(u32::MAX));
                        let count = extra.clamp(u64::from(step.min), limit.max(u64::from(step.min))).min(MAX_LENGTH);
                        text.extend(c.into_iter().cycle().take(usize::try_from(count).unwrap_or_default()));
                    }
                    texts.push(text);
                }
            }
        }
        texts
    }

    fn arrays(&mut self, part: &Part<'_>, depth: usize) -> Vec<Node> {
        let least = part.count_from("minItems");
        let choices: Vec<Vec<Node>> =
            (0..=part.prefix_length()).map(|index| self.values(&part.item(index), depth + 1)).collect();
        let at = |index: usize| choices.get(index).or(choices.last()).map_or(&[][..], Vec::as_slice);
        let fuel = self.fuel;
        let copy = |value: &Node| fuel.spend(weight(value)).then(|| value.clone());
        let indexes =
            |length: u64| usize::try_from(length).ok().filter(|_| length <= MAX_ITEMS).map(|length| 0..length);
        let list = |length: u64, (varied, value): (usize, usize)| {
            let item = |index: usize| {
                let values = at(index);
                // Different ones where they must differ, and the varied one in its place.
                let chosen = if index == varied { value } else { index };
                values.get(chosen % values.len().max(1)).and_then(copy)
            };
            indexes(length)?.map(item).collect::<Option<Vec<Node>>>()
        };
        let same =
            |length: u64| indexes(length)?.map(|index| at(index).first().and_then(copy)).collect::<Option<Vec<Node>>>();
        let mut lists: Vec<Option<Vec<Node>>> = Vec::new();
        for length in self.words.lengths().into_iter().chain([least]) {
            lists.push(list(length, (usize::MAX, 0)));
            lists.push(same(length));
        }
        let length = least.max(part.prefix_length() as u64 + 1).min(MAX_ITEMS);
        for varied in 0..usize::try_from(length).unwrap_or_default().min(8) {
            for value in 0..at(varied).len() {
                lists.push(list(length, (varied, value)));
                lists.push(list(least.max(varied as u64 + 1), (varied, value)));
            }
        }
        lists.into_iter().flatten().map(|items| node(NodeKind::Array(items))).collect()
    }

    fn objects(&mut self, part: &Part<'_>, depth: usize) -> Vec<Node> {
        let required = part.required();
        let mut names: Vec<String> = part.named().into_iter().map(str::to_owned).collect();
        let foreign: Vec<String> = self.words.names.iter().filter(|name| !names.contains(name)).cloned().collect();
        let extra = ["extra".to_owned(), "x".to_owned(), "another_name".to_owned()];
        names.extend(foreign.into_iter().take(8).chain(extra));
        let mut choices: Vec<(String, Vec<Node>)> = Vec::new();
        for name in names {
            let member = part.member(&name);
            let values = if member.forbidden { Vec::new() } else { self.values(&member.schemas, depth + 1) };
            choices.push((name, values));
        }
        let is_required = |name: &str| required.contains(&name);
        let first = |wanted: &dyn Fn(&str) -> bool| -> Vec<(&str, &Node)> {
            let chosen = choices.iter().filter(|(name, _)| wanted(name));
            chosen.filter_map(|(name, values)| Some((name.as_str(), values.first()?))).collect()
        };
        let least = first(&is_required);
        let most = first(&|name| part.named().contains(&name));
        let mut objects = vec![least.clone(), most.clone(), first(&|_| true)];
        // Each property in every way, beside as little and as much as can be.
        for (name, values) in &choices {
            for base in [&least, &most] {
                let without: Vec<(&str, &Node)> = base.iter().filter(|(known, _)| known != name).copied().collect();
                objects.extend(values.iter().map(|value| {
                    let mut object = without.clone();
                    object.push((name, value));
                    object
                }));
                objects.push(without);
            }
        }
        // So many properties as bounds speak of.
        for length in self.words.lengths().into_iter().filter(|length| *length <= 64) {
            objects.push(first(&|_| true).into_iter().take(usize::try_from(length).unwrap_or_default()).collect());
        }
        let weights = |object: &Vec<(&str, &Node)>| object.iter().map(|(_, value)| weight(value)).sum();
        objects.retain(|object| self.fuel.spend(weights(object)));
        objects.into_iter().map(object).collect()
    }
}

/// How many values there are in a value.
fn weight(value: &Node) -> usize {
    let inside: usize = match &value.kind {
        NodeKind::Array(items) => items.iter().map(weight).sum(),
        NodeKind::Object(members) => members.iter().map(|(_, member)| weight(member)).sum(),
        NodeKind::Bool(_) | NodeKind::Null | NodeKind::Number(_) | NodeKind::String(_) => 0,
    };
    1 + inside
}

fn object(members: Vec<(&str, &Node)>) -> Node {
    let mut object = Node::object(Span::default());
    for (name, value) in members {
        object.push(name, value.clone());
    }
    object
}

const fn node(kind: NodeKind) -> Node {
    Node::new(kind, Span::NOWHERE)
}
