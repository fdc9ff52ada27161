//! A schema taken apart: its values, type by type, each part with all that is asked of it.
//!
//! The parts together hold every value of the schema, and perhaps more: what no part can say (`not`, `if`) stays among
//! the keywords, and who reads a part decides what to make of it.

use crate::document::{Node, NodeKind};
use crate::pattern::Step;
use crate::schema::JsonType;

use super::at::{At, equal, type_of};
use super::judge::{judge, matches, steps};
use super::number::Decimal;

/// More ways through `anyOf` and `oneOf` than this are not followed.
const MAX_WAYS: usize = 64;

/// So many integers in a row are looked at one by one.
const FEW: i128 = 64;

/// Values of one type that fulfill several schemas at once.
#[derive(Clone, Debug)]
pub(super) struct Part<'n> {
    pub(super) ty: JsonType,
    /// Every schema object on the way: each of them must accept.
    pub(super) all: Vec<At<'n>>,
    /// All of its values, where they can be listed.
    pub(super) values: Option<Vec<Node>>,
}

/// What a part asks of one property.
#[derive(Clone, Debug)]
pub(super) struct Member<'n> {
    pub(super) schemas: Vec<At<'n>>,
    /// Whether the property cannot be there.
    pub(super) forbidden: bool,
}

/// So deep in properties that must be there is looked for one that cannot be.
const MAX_DEPTH: usize = 4;

/// Takes several schemas apart that must all accept; nothing where that are too many parts.
pub(super) fn parts<'n>(all: &[At<'n>]) -> Option<Vec<Part<'n>>> {
    parts_at(all, 0)
}

fn parts_at<'n>(all: &[At<'n>], depth: usize) -> Option<Vec<Part<'n>>> {
    let mut parts = Vec::new();
    for way in ways(all)? {
        for ty in types(&way) {
            let part = Part { ty, values: values(&way, ty), all: way.clone() };
            if !part.is_empty(depth) {
                parts.push(part);
            }
        }
    }
    Some(parts)
}

/// One way through the schemas: what is still to be entered, and the objects on the way so far.
struct Way<'n> {
    open: Vec<At<'n>>,
    all: Vec<At<'n>>,
}

/// Every way through references, `allOf`, `anyOf` and `oneOf`.
fn ways<'n>(all: &[At<'n>]) -> Option<Vec<Vec<At<'n>>>> {
    let mut open = vec![Way { open: all.to_vec(), all: Vec::new() }];
    let mut done = Vec::new();
    while let Some(mut way) = open.pop() {
        if !all.iter().all(|schema| schema.fuel.spend(1)) {
            return None;
        }
        let Some(schema) = way.open.pop() else {
            done.push(way.all);
            continue;
        };
        match &schema.node.kind {
            NodeKind::Bool(false) => continue,
            NodeKind::Object(_) if schema.node.get("not").and_then(Node::as_bool) == Some(true) => continue,
            NodeKind::Object(_) if !way.all.iter().any(|known| known.id() == schema.id()) => {
                way.all.push(schema);
                way.open.extend(schema.target());
                way.open.extend(schema.list("allOf"));
                open.extend(forks(schema, way));
            }
            _ => open.push(way),
        }
        if open.len() + done.len() > MAX_WAYS {
            return None;
        }
    }
    Some(done)
}

/// The ways on from a schema: one for each pair of branches.
fn forks<'n>(schema: At<'n>, way: Way<'n>) -> Vec<Way<'n>> {
    let mut ways = vec![way];
    for keyword in ["anyOf", "oneOf"] {
        let branches = schema.list(keyword);
        if branches.is_empty() {
            continue;
        }
        let fork = |way: &Way<'n>, branch: &At<'n>| {
            let mut open = way.open.clone();
            open.push(*branch);
            Way { open, all: way.all.clone() }
        };
        ways = ways.iter().flat_map(|way| branches.iter().map(move |branch| fork(way, branch))).collect();
    }
    ways
}

/// The types that all allow. Numbers that need not be integers include those that are.
fn types(all: &[At<'_>]) -> Vec<JsonType> {
    let every = [
        JsonType::Array,
        JsonType::Boolean,
        JsonType::Integer,
        JsonType::Null,
        JsonType::Number,
        JsonType::Object,
        JsonType::String,
    ];
    let allowed = |ty: JsonType| {
        all.iter()
            .filter_map(|schema| schema.types())
            .all(|types| types.contains(&ty) || ty == JsonType::Integer && types.contains(&JsonType::Number))
    };
    let mut types: Vec<JsonType> = every.into_iter().filter(|ty| allowed(*ty)).collect();
    if types.contains(&JsonType::Number) {
        // Steps of whole numbers leave no others.
        let is_whole = all.iter().any(|schema| schema.number("multipleOf").is_some_and(|step| step.is_integer()));
        let left_out = if is_whole { JsonType::Number } else { JsonType::Integer };
        types.retain(|ty| *ty != left_out);
    }
    types
}

/// The values of a part, where they are few: those that are surely refused are not among them.
fn values(all: &[At<'_>], ty: JsonType) -> Option<Vec<Node>> {
    let span = all.first().map(|schema| schema.node.span).unwrap_or_default();
    let listed = all.iter().find_map(|schema| schema.values());
    let candidates: Vec<Node> = match (listed, ty) {
        (Some(listed), _) => listed.into_iter().cloned().collect(),
        (None, JsonType::Null) => vec![Node::new(NodeKind::Null, span)],
        (None, JsonType::Boolean) => [true, false].map(|value| Node::new(NodeKind::Bool(value), span)).to_vec(),
        (None, JsonType::Integer) => {
            let (least, most) = (least(all)?, most(all)?);
            if most.checked_sub(least)? > FEW {
                return None;
            }
            (least..=most).map(|value| Node::new(NodeKind::Number(value.to_string()), span)).collect()
        }
        (None, JsonType::Array | JsonType::Number | JsonType::Object | JsonType::String) => return None,
    };
    let of_type = |value: &Node| {
        let found = type_of(value);
        found == ty || (found, ty) == (JsonType::Integer, JsonType::Number)
    };
    let fits = |value: &Node| of_type(value) && all.iter().all(|schema| judge(*schema, value) != Some(false));
    Some(candidates.into_iter().filter(fits).collect())
}

/// The least integer within all lower bounds.
fn least(all: &[At<'_>]) -> Option<i128> {
    let least = |(bound, beyond): (Decimal, bool)| {
        let least = bound.ceil()?;
        if beyond && bound.is_integer() { least.checked_add(1) } else { Some(least) }
    };
    all.iter().filter_map(|schema| schema.lower()).filter_map(least).max()
}

/// The greatest integer within all upper bounds.
fn most(all: &[At<'_>]) -> Option<i128> {
    let most = |(bound, beyond): (Decimal, bool)| {
        let most = bound.floor()?;
        if beyond && bound.is_integer() { most.checked_sub(1) } else { Some(most) }
    };
    all.iter().filter_map(|schema| schema.upper()).filter_map(most).min()
}

impl<'n> Part<'n> {
    /// Whether it surely holds no value.
    fn is_empty(&self, depth: usize) -> bool {
        if let Some(values) = &self.values {
            return values.is_empty();
        }
        match self.ty {
            JsonType::Array => self.count_from("minItems") > self.count_to("maxItems"),
            JsonType::Integer | JsonType::Number => match (self.lower(), self.upper()) {
                (Some((low, beyond_low)), Some((high, beyond_high))) => {
                    low > high || low == high && (beyond_low || beyond_high)
                }
                _ => false,
            },
            JsonType::Object => {
                let required = self.required();
                let named = || self.named().into_iter().filter(|name| !self.member(name).forbidden).count() as u64;
                let most = if self.is_closed() { named() } else { u64::MAX };
                let is_impossible = |name: &&str| {
                    let Member { schemas, forbidden } = self.member(name);
                    forbidden
                        || depth < MAX_DEPTH && parts_at(&schemas, depth + 1).is_some_and(|parts| parts.is_empty())
                };
                self.count_from("minProperties").max(required.len() as u64) > self.count_to("maxProperties").min(most)
                    || required.iter().any(is_impossible)
            }
            JsonType::String => self.count_from("minLength") > self.count_to("maxLength"),
            JsonType::Boolean | JsonType::Null => false,
        }
    }

    /// Whether one of the schemas says of this keyword the very same.
    pub(super) fn says(&self, keyword: &str, value: &Node) -> bool {
        self.all.iter().any(|schema| schema.node.get(keyword).is_some_and(|known| equal(known, value)))
    }

    /// The highest of what a keyword asks for at least.
    pub(super) fn count_from(&self, keyword: &str) -> u64 {
        let said = self.all.iter().filter_map(|schema| schema.count(keyword)).max().unwrap_or(0);
        if keyword == "minLength" { self.lengths().map(|(least, _)| least).max().unwrap_or(0).max(said) } else { said }
    }

    /// The lowest of what a keyword allows at most.
    pub(super) fn count_to(&self, keyword: &str) -> u64 {
        let said = self.all.iter().filter_map(|schema| schema.count(keyword)).min().unwrap_or(u64::MAX);
        if keyword == "maxLength" {
            self.lengths().map(|(_, most)| most).min().unwrap_or(u64::MAX).min(said)
        } else {
            said
        }
    }

    /// How short and how long patterns let texts be.
    fn lengths(&self) -> impl Iterator<Item = (u64, u64)> {
        let patterns = self.all.iter().filter_map(|schema| steps(schema.text("pattern")?));
        patterns.map(|steps| {
            let sum = |length: &dyn Fn(&Step) -> Option<u32>, sequence: &Vec<Step>| {
                sequence.iter().map(|step| length(step).map(u64::from)).sum::<Option<u64>>().unwrap_or(u64::MAX)
            };
            let least = steps.alternatives.iter().map(|sequence| sum(&|step| Some(step.min), sequence)).min();
            let most = steps.alternatives.iter().map(|sequence| sum(&|step| step.max, sequence)).max();
            (least.unwrap_or(0), most.filter(|_| steps.at_end).unwrap_or(u64::MAX))
        })
    }

    /// The tightest lower bound; of integers one that they reach.
    pub(super) fn lower(&self) -> Option<(Decimal, bool)> {
        if self.ty == JsonType::Integer
            && let Some(least) = least(&self.all)
        {
            return Some((Decimal::integer(least), false));
        }
        self.all.iter().filter_map(|schema| schema.lower()).max()
    }

    /// The tightest upper bound; of integers one that they reach.
    pub(super) fn upper(&self) -> Option<(Decimal, bool)> {
        if self.ty == JsonType::Integer
            && let Some(most) = most(&self.all)
        {
            return Some((Decimal::integer(most), false));
        }
        let tighter =
            |(a, beyond_a): &(Decimal, bool), (b, beyond_b): &(Decimal, bool)| a.cmp(b).then(beyond_b.cmp(beyond_a));
        self.all.iter().filter_map(|schema| schema.upper()).min_by(tighter)
    }

    /// The properties that must be there.
    pub(super) fn required(&self) -> Vec<&'n str> {
        let mut names: Vec<&str> = self.all.iter().flat_map(|schema| schema.required()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The properties that some schema names.
    pub(super) fn named(&self) -> Vec<&'n str> {
        let properties = self.all.iter().flat_map(|schema| schema.map("properties"));
        let needs = self.all.iter().flat_map(|schema| schema.map("dependentRequired"));
        let needed = needs.flat_map(|(_, names)| names.items().unwrap_or_default()).filter_map(Node::as_str);
        let declared = properties.map(|(key, _)| key.name.as_str());
        let mut names: Vec<&str> = declared.chain(self.required()).chain(needed).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Whether only named properties can be there.
    pub(super) fn is_closed(&self) -> bool {
        self.all.iter().any(|schema| schema.is_closed())
    }

    /// What is asked of a property.
    pub(super) fn member(&self, name: &str) -> Member<'n> {
        let mut member = Member { schemas: Vec::new(), forbidden: false };
        for schema in &self.all {
            let named = schema.map("properties").iter().find(|(key, _)| key.name == name);
            let by_pattern: Vec<(Option<bool>, At<'n>)> = schema
                .map("patternProperties")
                .iter()
                .map(|(pattern, node)| (matches(&pattern.name, name), schema.of(node)))
                .collect();
            member.schemas.extend(named.map(|(_, node)| schema.of(node)));
            member.schemas.extend(by_pattern.iter().filter(|(fits, _)| *fits == Some(true)).map(|(_, at)| *at));
            // A pattern that perhaps matches keeps `additionalProperties` away, perhaps.
            if named.is_none() && by_pattern.iter().all(|(fits, _)| *fits == Some(false)) {
                member.schemas.extend(schema.get("additionalProperties"));
            }
        }
        member.forbidden = member.schemas.iter().any(|schema| schema.node.as_bool() == Some(false));
        member
    }

    /// What is asked of properties that no schema names. Those that patterns speak of are left out: nothing is known.
    pub(super) fn others(&self) -> Vec<At<'n>> {
        let plain = self.all.iter().filter(|schema| schema.map("patternProperties").is_empty());
        plain.filter_map(|schema| schema.get("additionalProperties")).collect()
    }

    /// What is asked of the item at an index.
    pub(super) fn item(&self, index: usize) -> Vec<At<'n>> {
        self.all.iter().filter_map(|schema| schema.prefix().get(index).copied().or_else(|| schema.rest())).collect()
    }

    /// Up to where items have schemas of their own.
    pub(super) fn prefix_length(&self) -> usize {
        self.all.iter().map(|schema| schema.prefix().len()).max().unwrap_or(0)
    }
}
