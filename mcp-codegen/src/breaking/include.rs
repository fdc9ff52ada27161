//! Whether every value of one schema is a value of another.
//!
//! Proved by going through the parts of the first and the keywords of the second; disproved by a value. Where neither
//! succeeds, the answer is that nobody can tell.

use crate::document::{Node, NodeKind};
use crate::schema::JsonType;

use super::alike::alike;
use super::at::{At, equal, is_annotation};
use super::disjoint::disjoint;
use super::judge::judge;
use super::part::{Part, parts};
use super::sample::counterexample;

/// Comparisons of two schemas before giving up.
const MAX_STEPS: usize = 20_000;

/// Goals inside each other.
const MAX_DEPTH: usize = 200;

/// Whether all values of one schema are values of another.
#[derive(Clone, Debug)]
pub(super) enum Verdict {
    Holds,
    /// This value is one of the first and not of the second.
    Fails(Node),
    Unclear,
}

/// Compares two settled schemas.
pub(super) fn included(from: At<'_>, to: At<'_>) -> Verdict {
    from.fuel.refill();
    let mut proof = Proof { assumed: Vec::new(), level: 0, steps: 0 };
    if proof.holds(&[from], to) {
        return Verdict::Holds;
    }
    counterexample(from, to).map_or(Verdict::Unclear, Verdict::Fails)
}

/// A proof in the making.
struct Proof {
    /// What is being proved already, and how deep in the values. A circle back to it from deeper in a value adds nothing,
    /// since values end; one from the same place proves nothing.
    assumed: Vec<(Goal, usize)>,
    level: usize,
    steps: usize,
}

/// The schemas of one side, their type if it is only one, and the schema of the other side.
type Goal = (Vec<usize>, Option<JsonType>, usize);

impl Proof {
    /// Whether what fulfills all of `from` surely fulfills `to`.
    fn holds(&mut self, from: &[At<'_>], to: At<'_>) -> bool {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return false;
        }
        if from.iter().any(|schema| alike(*schema, to)) {
            return true;
        }
        let goal = (ids(from), None, to.id());
        self.prove(goal, |proof| parts(from).is_some_and(|parts| parts.iter().all(|part| proof.fulfills(part, to))))
    }

    /// Proves a goal, unless a circle has led back to it.
    fn prove(&mut self, goal: Goal, proof: impl FnOnce(&mut Self) -> bool) -> bool {
        if let Some((_, level)) = self.assumed.iter().find(|(known, _)| *known == goal) {
            return *level < self.level;
        }
        if self.assumed.len() > MAX_DEPTH {
            return false;
        }
        self.assumed.push((goal, self.level));
        let holds = proof(self);
        self.assumed.pop();
        holds
    }

    /// The same one level deeper in the values.
    fn deeper(&mut self, from: &[At<'_>], to: At<'_>) -> bool {
        self.level += 1;
        let holds = self.holds(from, to);
        self.level -= 1;
        holds
    }

    /// Whether every value of a part fulfills a schema.
    fn fulfills(&mut self, part: &Part<'_>, to: At<'_>) -> bool {
        if let Some(values) = &part.values {
            return values.iter().all(|value| judge(to, value) == Some(true));
        }
        match &to.node.kind {
            NodeKind::Bool(accepts) => *accepts,
            NodeKind::Object(members) => {
                self.steps += 1;
                self.steps <= MAX_STEPS
                    && members
                        .iter()
                        .all(|(key, node)| is_annotation(&key.name) || self.keyword(part, to, (&key.name, to.of(node))))
            }
            NodeKind::Array(_) | NodeKind::Null | NodeKind::Number(_) | NodeKind::String(_) => false,
        }
    }

    fn keyword(&mut self, part: &Part<'_>, to: At<'_>, (name, at): (&str, At<'_>)) -> bool {
        if part.all.iter().any(|schema| says_the_same(*schema, to, (name, at.node))) {
            return true;
        }
        match name {
            "$ref" => to.target().is_some_and(|target| {
                let goal = (ids(&part.all), Some(part.ty), target.id());
                self.prove(goal, |proof| proof.fulfills(part, target))
            }),
            "allOf" => to.list(name).into_iter().all(|branch| self.fulfills(part, branch)),
            "anyOf" => to.list(name).into_iter().any(|branch| self.fulfills(part, branch)),
            "oneOf" => {
                let branches = to.list(name);
                let fits = branches.iter().position(|branch| self.fulfills(part, *branch));
                fits.is_some_and(|fits| {
                    let others = branches.iter().enumerate().filter(|(index, _)| *index != fits);
                    others.into_iter().all(|(_, other)| disjoint(part, *other))
                })
            }
            // What refuses more leaves less.
            "not" => {
                let refused = |schema: &At<'_>| schema.get(name).is_some_and(|refused| self.holds(&[at], refused));
                disjoint(part, at) || part.all.iter().any(refused)
            }
            "if" => {
                let (then, otherwise) = (to.get("then"), to.get("else"));
                let then_holds = then.is_none_or(|then| self.fulfills(part, then));
                let else_holds = otherwise.is_none_or(|otherwise| self.fulfills(part, otherwise));
                then_holds && (else_holds || self.fulfills(part, at)) || else_holds && disjoint(part, at)
            }
            "then" | "else" => true,
            "type" => to.types().is_some_and(|types| {
                types.contains(&part.ty) || part.ty == JsonType::Integer && types.contains(&JsonType::Number)
            }),
            "enum" | "const" => false,
            _ => match part.ty {
                JsonType::Array => self.of_array(part, to, (name, at)),
                JsonType::Integer | JsonType::Number => of_number(part, to, name),
                JsonType::Object => self.of_object(part, to, (name, at)),
                JsonType::String => of_string(part, to, name),
                JsonType::Boolean | JsonType::Null => true,
            },
        }
    }

    fn of_array(&mut self, part: &Part<'_>, to: At<'_>, (name, at): (&str, At<'_>)) -> bool {
        let most = part.count_to("maxItems");
        match name {
            "minItems" => to.count(name).is_some_and(|least| part.count_from(name) >= least),
            "maxItems" => to.count(name).is_some_and(|limit| most <= limit),
            "uniqueItems" => {
                let says = part.all.iter().any(|schema| schema.node.get(name).and_then(Node::as_bool) == Some(true));
                at.node.as_bool() != Some(true) || says || most <= 1
            }
            "prefixItems" | "items" | "additionalItems" => self.items(part, to, most),
            "contains" | "unevaluatedItems" => false,
            // Beside `contains` these have been compared with it.
            "minContains" | "maxContains" => to.get("contains").is_none() || part.says(name, at.node),
            _ => true,
        }
    }

    fn items(&mut self, part: &Part<'_>, to: At<'_>, most: u64) -> bool {
        let prefix = to.prefix();
        // Beyond both prefixes all items are asked for the same.
        let last = prefix.len().max(part.prefix_length());
        (0..=last).all(|index| {
            if index as u64 >= most {
                return true;
            }
            let wanted = prefix.get(index).copied().or_else(|| to.rest());
            wanted.is_none_or(|wanted| self.deeper(&part.item(index), wanted))
        })
    }

    fn of_object(&mut self, part: &Part<'_>, to: At<'_>, (name, at): (&str, At<'_>)) -> bool {
        let required = part.required();
        match name {
            "required" => to.required().all(|name| required.contains(&name)),
            "minProperties" => {
                to.count(name).is_some_and(|least| part.count_from(name).max(required.len() as u64) >= least)
            }
            "maxProperties" => to.count(name).is_some_and(|most| {
                let named = part.named().into_iter().filter(|name| !part.member(name).forbidden).count() as u64;
                part.count_to(name) <= most || part.is_closed() && named <= most
            }),
            "properties" => to.map(name).iter().all(|(key, node)| self.member(part, &key.name, to.of(node))),
            "patternProperties" => to.map(name).iter().all(|(_, node)| {
                // Whatever the pattern matches, it is one of the named, or one of the others.
                let wanted = to.of(node);
                part.named().into_iter().all(|name| self.member(part, name, wanted)) && self.others(part, wanted)
            }),
            "additionalProperties" => {
                let declared = |name: &str| to.map("properties").iter().any(|(key, _)| key.name == name);
                part.named().into_iter().filter(|name| !declared(name)).all(|name| self.member(part, name, at))
                    && self.others(part, at)
            }
            "propertyNames" => {
                let known: Vec<At<'_>> = part.all.iter().filter_map(|schema| schema.get(name)).collect();
                self.deeper(&known, at)
                    || part.is_closed()
                        && part
                            .named()
                            .into_iter()
                            .filter(|name| !part.member(name).forbidden)
                            .all(|name| judge(at, &Node::string(name, at.node.span)) == Some(true))
            }
            "dependentRequired" | "dependentSchemas" | "dependencies" => to.map(name).iter().all(|(key, needs)| {
                let met = match needs.items() {
                    Some(names) => names.iter().filter_map(Node::as_str).all(|name| required.contains(&name)),
                    None => self.fulfills(part, to.of(needs)),
                };
                met || part.member(&key.name).forbidden
            }),
            "unevaluatedProperties" => false,
            _ => true,
        }
    }

    /// Whether a property is as wanted, where it is there.
    fn member(&mut self, part: &Part<'_>, name: &str, wanted: At<'_>) -> bool {
        let member = part.member(name);
        member.forbidden || self.deeper(&member.schemas, wanted)
    }

    /// Whether all properties that the part does not name are as wanted.
    fn others(&mut self, part: &Part<'_>, wanted: At<'_>) -> bool {
        part.is_closed() || self.deeper(&part.others(), wanted)
    }
}

fn of_number(part: &Part<'_>, to: At<'_>, name: &str) -> bool {
    match name {
        "minimum" | "exclusiveMinimum" => to.lower().is_none_or(|(wanted, beyond)| {
            part.lower().is_some_and(|(bound, is_beyond)| bound > wanted || bound == wanted && (is_beyond || !beyond))
        }),
        "maximum" | "exclusiveMaximum" => to.upper().is_none_or(|(wanted, beyond)| {
            part.upper().is_some_and(|(bound, is_beyond)| bound < wanted || bound == wanted && (is_beyond || !beyond))
        }),
        "multipleOf" => to.number(name).is_some_and(|wanted| {
            let steps = part.all.iter().filter_map(|schema| schema.number(name));
            let whole = (part.ty == JsonType::Integer).then(|| super::number::Decimal::integer(1));
            steps.chain(whole).any(|step| step.is_multiple(&wanted) == Some(true))
        }),
        _ => true,
    }
}

fn of_string(part: &Part<'_>, to: At<'_>, name: &str) -> bool {
    match name {
        "minLength" => to.count(name).is_some_and(|least| part.count_from(name) >= least),
        "maxLength" => to.count(name).is_some_and(|most| part.count_to(name) <= most),
        "format" | "pattern" => to.node.get(name).is_some_and(|wanted| part.says(name, wanted)),
        _ => true,
    }
}

/// Whether a keyword stands in another schema with the same meaning: with the same value, and with those beside it that it
/// is read together with.
fn says_the_same(schema: At<'_>, to: At<'_>, (name, value): (&str, &Node)) -> bool {
    let beside: &[&str] = match name {
        "additionalItems" | "items" => &["items", "prefixItems"],
        "additionalProperties" => &["patternProperties", "properties"],
        "contains" => &["maxContains", "minContains"],
        "if" => &["else", "then"],
        // Bounds are compared as numbers; what the others mean is decided while validating.
        "exclusiveMaximum"
        | "exclusiveMinimum"
        | "maximum"
        | "minimum"
        | "unevaluatedItems"
        | "unevaluatedProperties" => {
            return false;
        }
        _ => &[],
    };
    let is_same = |name: &str| match (schema.node.get(name), to.node.get(name)) {
        (Some(known), Some(wanted)) => equal(known, wanted),
        (known, wanted) => known.is_none() && wanted.is_none(),
    };
    !has_references(value) && is_same(name) && beside.iter().all(|name| is_same(name))
}

fn ids(schemas: &[At<'_>]) -> Vec<usize> {
    let mut ids: Vec<usize> = schemas.iter().map(|schema| schema.id()).collect();
    ids.sort_unstable();
    ids
}

/// Whether a value would mean something else in another document.
fn has_references(node: &Node) -> bool {
    let inside = node.items().unwrap_or_default().iter();
    let members = node.members().unwrap_or_default();
    node.as_str().is_some_and(|text| text.starts_with('#'))
        || inside.chain(members.iter().map(|(_, value)| value)).any(has_references)
}
