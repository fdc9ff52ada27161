//! Whether a schema refuses a value, by the keywords that can be judged at a glance.
//!
//! Not a validator: a value that passes here may still be refused by a keyword that is not looked at.

use crate::document::{Node, NodeKind};
use crate::pattern;
use crate::schema::{JsonType, as_integer, is_multiple, resolve};
use crate::source::Span;

/// References followed from one value before giving up.
const MAX_STEPS: usize = 32;

/// Why a value is refused, and the part of it that is to blame.
pub(crate) struct Refusal {
    pub(crate) span: Span,
    pub(crate) reason: String,
}

/// Why `value` is refused; nothing if it passes as far as this looks. References are followed from `root`.
pub(crate) fn refusal(schema: &Node, value: &Node, root: &Node) -> Option<Refusal> {
    refused(schema, value, (root, 0))
}

fn refused(schema: &Node, value: &Node, (root, steps): (&Node, usize)) -> Option<Refusal> {
    if steps > MAX_STEPS {
        return None;
    }
    let deeper = (root, steps + 1);
    let target = schema.get("$ref").and_then(Node::as_str).and_then(|reference| resolve(root, reference));
    let parts = schema.get("allOf").and_then(Node::items).unwrap_or_default();
    if let Some(refusal) = target.into_iter().chain(parts).find_map(|part| refused(part, value, deeper)) {
        return Some(refusal);
    }
    for keyword in ["anyOf", "oneOf"] {
        let branches = schema.get(keyword).and_then(Node::items).unwrap_or_default();
        if !branches.is_empty() && branches.iter().all(|branch| refused(branch, value, deeper).is_some()) {
            return Some(Refusal { span: value.span, reason: format!("no branch of `{keyword}` takes it") });
        }
    }
    let reason =
        [wrong_type, not_listed, out_of_bounds, not_matching, wrong_members].iter().find_map(|ask| ask(schema, value));
    match reason {
        Some(reason) => Some(Refusal { span: value.span, reason }),
        None => inside(schema, value, deeper),
    }
}

/// What an object lacks, or has too much.
fn wrong_members(schema: &Node, value: &Node) -> Option<String> {
    let members = value.members()?;
    let required = schema.get("required").and_then(Node::items).unwrap_or_default().iter().filter_map(Node::as_str);
    if let Some(name) = required.into_iter().find(|name| value.get(name).is_none()) {
        return Some(format!("`{name}` is missing"));
    }
    let is_closed = schema.get("additionalProperties").and_then(Node::as_bool) == Some(false);
    if !is_closed || schema.get("patternProperties").is_some() {
        return None;
    }
    let declared = |name: &str| schema.get("properties").is_some_and(|properties| properties.get(name).is_some());
    let extra = members.iter().find(|(key, _)| !declared(&key.name));
    extra.map(|(key, _)| format!("there is no property `{}`", key.name))
}

fn inside(schema: &Node, value: &Node, cx: (&Node, usize)) -> Option<Refusal> {
    match &value.kind {
        NodeKind::Object(members) => {
            let properties = schema.get("properties")?;
            members.iter().find_map(|(key, member)| refused(properties.get(&key.name)?, member, cx))
        }
        NodeKind::Array(items) => {
            // After `prefixItems`, `items` is about the rest of them.
            let first = schema.get("prefixItems").and_then(Node::items).map_or(0, <[_]>::len);
            let schema = schema.get("items").filter(|items| items.members().is_some())?;
            items.iter().skip(first).find_map(|item| refused(schema, item, cx))
        }
        NodeKind::Bool(_) | NodeKind::Null | NodeKind::Number(_) | NodeKind::String(_) => None,
    }
}

fn wrong_type(schema: &Node, value: &Node) -> Option<String> {
    let ty = schema.get("type")?;
    let names: Vec<&str> = ty.items().unwrap_or(std::slice::from_ref(ty)).iter().filter_map(Node::as_str).collect();
    let known: Vec<JsonType> = names.iter().filter_map(|name| JsonType::named(name)).collect();
    // An unknown type has been reported; it should not make every default wrong.
    let fits = known.is_empty() || known.len() < names.len() || known.iter().any(|ty| is_of(value, *ty));
    (!fits).then(|| format!("found {}, expected {}", value.describe(), names.join(" or ")))
}

fn is_of(value: &Node, ty: JsonType) -> bool {
    match &value.kind {
        NodeKind::Array(_) => ty == JsonType::Array,
        NodeKind::Bool(_) => ty == JsonType::Boolean,
        NodeKind::Null => ty == JsonType::Null,
        NodeKind::Number(text) => ty == JsonType::Number || (ty == JsonType::Integer && as_integer(text).is_some()),
        NodeKind::Object(_) => ty == JsonType::Object,
        NodeKind::String(_) => ty == JsonType::String,
    }
}

fn not_listed(schema: &Node, value: &Node) -> Option<String> {
    let constant = schema.get("const").map(std::slice::from_ref);
    let listed = schema.get("enum").and_then(Node::items).or(constant)?;
    let found = listed.iter().any(|known| same(known, value));
    (!found).then(|| format!("`{}` is none of its values", value.to_json().trim_matches('"')))
}

/// Equality as JSON Schema has it: `1` is `1.0`, and the order of keys says nothing.
pub(crate) fn same(a: &Node, b: &Node) -> bool {
    match (&a.kind, &b.kind) {
        (NodeKind::Number(a), NodeKind::Number(b)) => a == b || a.parse::<f64>().ok() == b.parse::<f64>().ok(),
        (NodeKind::Array(a), NodeKind::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (NodeKind::Object(members), NodeKind::Object(others)) => {
            members.len() == others.len()
                && members.iter().all(|(key, value)| b.get(&key.name).is_some_and(|other| same(value, other)))
        }
        _ => a.to_json() == b.to_json(),
    }
}

fn out_of_bounds(schema: &Node, value: &Node) -> Option<String> {
    let bound = |keyword: &str| schema.get(keyword)?.as_number()?.parse::<f64>().ok();
    // Lengths are compared as the numbers that bounds are; none comes near 2^53.
    #[expect(clippy::cast_precision_loss, reason = "no text is that long")]
    let (measure, checks): (f64, &[Bound]) = match &value.kind {
        NodeKind::Number(text) => (text.parse().ok()?, NUMBER_BOUNDS),
        NodeKind::String(text) => (text.chars().count() as f64, &[("minLength", at_least), ("maxLength", at_most)]),
        NodeKind::Array(items) => (items.len() as f64, &[("minItems", at_least), ("maxItems", at_most)]),
        NodeKind::Object(members) => (members.len() as f64, &[("minProperties", at_least), ("maxProperties", at_most)]),
        NodeKind::Bool(_) | NodeKind::Null => return None,
    };
    let broken = checks.iter().find(|(keyword, holds)| bound(keyword).is_some_and(|bound| !holds(measure, bound)));
    let told = |keyword: &str| format!("`{keyword}` is {}", schema.get(keyword).map(Node::to_json).unwrap_or_default());
    let step = schema.get("multipleOf").and_then(Node::as_number);
    let is_step = value.as_number().zip(step).is_none_or(|(number, step)| is_multiple(number, step));
    broken.map(|(keyword, _)| told(keyword)).or_else(|| (!is_step).then(|| told("multipleOf")))
}

fn not_matching(schema: &Node, value: &Node) -> Option<String> {
    let (source, text) = (schema.get("pattern")?.as_str()?, value.as_str()?);
    (pattern::matches(source, text) == Some(false)).then(|| format!("`pattern` is `{source}`"))
}

/// A keyword, and what it demands of a measure.
type Bound = (&'static str, fn(f64, f64) -> bool);

const NUMBER_BOUNDS: &[Bound] = &[
    ("minimum", at_least),
    ("maximum", at_most),
    ("exclusiveMinimum", |value, bound| value > bound),
    ("exclusiveMaximum", |value, bound| value < bound),
];

fn at_least(value: f64, bound: f64) -> bool {
    value >= bound
}

fn at_most(value: f64, bound: f64) -> bool {
    value <= bound
}
