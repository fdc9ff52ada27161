//! Whether a schema accepts a value: yes, no, or cannot tell.
//!
//! Every keyword is looked at but those whose meaning depends on what others have seen (`unevaluated…`, `$dynamicRef`)
//! and patterns that need an engine; where such a one decides, the answer is that nobody can tell.

use crate::document::{Key, Node, NodeKind};
use crate::formats::StringFormat;
use crate::mock;
use crate::pattern::{self, Steps};
use crate::schema::JsonType;

use super::at::{At, equal, is_annotation, type_of};
use super::budget::Budget;
use super::number::Decimal;

/// Whether the schema accepts the value; nothing where that cannot be told.
pub(super) fn judge(schema: At<'_>, value: &Node) -> Option<bool> {
    accepts(schema, value, &Budget::default())
}

/// The keyword that refuses the value; the first that surely does.
pub(super) fn refusing<'n>(schema: At<'n>, value: &Node) -> Option<&'n Key> {
    let members = schema.node.members()?;
    let refuses = |(key, node): &&'n (Key, Node)| {
        keyword(schema, (&key.name, schema.of(node)), value, &Budget::default()) == Some(false)
    };
    members.iter().find(refuses).map(|(key, _)| key)
}

fn accepts(schema: At<'_>, value: &Node, budget: &Budget) -> Option<bool> {
    if !schema.fuel.spend(1) {
        return None;
    }
    budget.deeper(|| accepts_here(schema, value, budget)).flatten()
}

fn accepts_here(schema: At<'_>, value: &Node, budget: &Budget) -> Option<bool> {
    match &schema.node.kind {
        NodeKind::Bool(accepts) => Some(*accepts),
        NodeKind::Object(members) => {
            all(members.iter().map(|(key, node)| keyword(schema, (&key.name, schema.of(node)), value, budget)))
        }
        NodeKind::Array(_) | NodeKind::Null | NodeKind::Number(_) | NodeKind::String(_) => None,
    }
}

/// No where one says no; yes where all say yes.
fn all(verdicts: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut verdict = Some(true);
    for one in verdicts {
        match one {
            Some(true) => {}
            Some(false) => return Some(false),
            None => verdict = None,
        }
    }
    verdict
}

/// Yes where one says yes; no where all say no.
fn any(verdicts: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    all(verdicts.into_iter().map(|verdict| verdict.map(|yes| !yes))).map(|none| !none)
}

fn keyword(schema: At<'_>, (name, at): (&str, At<'_>), value: &Node, budget: &Budget) -> Option<bool> {
    if is_annotation(name) {
        return Some(true);
    }
    let inside = |at, value: &Node| accepts(at, value, budget);
    match name {
        "$dynamicRef" | "$recursiveRef" => None,
        "$ref" => schema.target().and_then(|target| inside(target, value)),
        "allOf" => all(schema.list(name).into_iter().map(|part| inside(part, value))),
        "anyOf" => any(schema.list(name).into_iter().map(|part| inside(part, value))),
        "oneOf" => one(schema.list(name).into_iter().map(|part| inside(part, value))),
        "not" => inside(at, value).map(|yes| !yes),
        "if" => match inside(at, value) {
            Some(true) => schema.get("then").map_or(Some(true), |then| inside(then, value)),
            Some(false) => schema.get("else").map_or(Some(true), |otherwise| inside(otherwise, value)),
            None => None,
        },
        "then" | "else" => Some(true),
        "type" => Some(schema.types()?.iter().any(|ty| is_of(value, *ty))),
        "enum" => Some(at.node.items()?.iter().any(|known| equal(known, value))),
        "const" => Some(equal(at.node, value)),
        _ => match &value.kind {
            NodeKind::Array(items) => of_array(schema, (name, at), items, budget),
            NodeKind::Number(text) => of_number(schema, name, text),
            NodeKind::Object(_) => of_object(schema, (name, at), value, budget),
            NodeKind::String(text) => of_string(schema, name, text),
            NodeKind::Bool(_) | NodeKind::Null => Some(true),
        },
    }
}

fn one(verdicts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let verdicts: Vec<_> = verdicts.collect();
    let sure = verdicts.iter().filter(|verdict| **verdict == Some(true)).count();
    if sure > 1 {
        return Some(false);
    }
    if verdicts.contains(&None) { None } else { Some(sure == 1) }
}

fn is_of(value: &Node, ty: JsonType) -> bool {
    let found = type_of(value);
    found == ty || (found, ty) == (JsonType::Integer, JsonType::Number)
}

fn of_number(schema: At<'_>, name: &str, text: &str) -> Option<bool> {
    let number = Decimal::parse(text)?;
    match name {
        "minimum" | "exclusiveMinimum" => {
            schema.lower().map(|(bound, beyond)| number > bound || (!beyond && number == bound)).or(Some(true))
        }
        "maximum" | "exclusiveMaximum" => {
            schema.upper().map(|(bound, beyond)| number < bound || (!beyond && number == bound)).or(Some(true))
        }
        "multipleOf" => number.is_multiple(&schema.number(name)?),
        _ => Some(true),
    }
}

fn of_string(schema: At<'_>, name: &str, text: &str) -> Option<bool> {
    let length = text.chars().count() as u64;
    match name {
        "minLength" => Some(length >= schema.count(name)?),
        "maxLength" => Some(length <= schema.count(name)?),
        "pattern" => matches(schema.text(name)?, text),
        // Only asserted ones have been left in.
        "format" => of_format(schema.text(name)?, text),
        _ => Some(true),
    }
}

/// Whether a text is of a format, where that can be told.
fn of_format(name: &str, text: &str) -> Option<bool> {
    match StringFormat::named(name).filter(|format| format.is_ours()) {
        Some(ours) => Some(mock::matcher(ours)?.is_match(text)),
        None => lacks_a_sign(name, text).then_some(false),
    }
}

/// Whether a text lacks what every text of a format has.
fn lacks_a_sign(format: &str, text: &str) -> bool {
    let sign = match format {
        "date" | "date-time" | "uuid" => '-',
        "duration" => 'P',
        "email" => '@',
        "ipv4" => '.',
        "ipv6" | "iri" | "time" | "uri" => ':',
        "json-pointer" if !text.is_empty() => '/',
        "hostname" | "relative-json-pointer" => return text.is_empty(),
        _ => return false,
    };
    !text.contains(sign)
}

/// Whether a pattern matches; nothing where only an engine could tell.
pub(super) fn matches(pattern: &str, text: &str) -> Option<bool> {
    steps(pattern).map(|steps| steps.is_match(text))
}

/// A pattern that needs no engine.
pub(super) fn steps(pattern: &str) -> Option<Steps> {
    pattern::steps(&pattern::parse(pattern).ok()?)
}

fn of_array(schema: At<'_>, (name, at): (&str, At<'_>), items: &[Node], budget: &Budget) -> Option<bool> {
    let length = items.len() as u64;
    let each = |list: Vec<At<'_>>, items: &[Node]| {
        all(list.into_iter().zip(items).map(|(at, item)| accepts(at, item, budget)))
    };
    let count = |at: At<'_>| {
        let verdicts: Vec<_> = items.iter().map(|item| accepts(at, item, budget)).collect();
        let sure = verdicts.iter().filter(|verdict| **verdict == Some(true)).count() as u64;
        let perhaps = verdicts.iter().filter(|verdict| verdict.is_none()).count() as u64;
        (sure, sure + perhaps)
    };
    match name {
        "minItems" => Some(length >= schema.count(name)?),
        "maxItems" => Some(length <= schema.count(name)?),
        "uniqueItems" if at.node.as_bool() == Some(true) => {
            Some(items.iter().enumerate().all(|(index, item)| !items[..index].iter().any(|other| equal(item, other))))
        }
        "prefixItems" => each(schema.prefix(), items),
        "items" if at.node.items().is_some() => each(schema.prefix(), items),
        "items" | "additionalItems" => {
            // Without a list of items before it, `additionalItems` says nothing.
            let Some(rest) = schema.rest().filter(|rest| rest.id() == at.id()) else { return Some(true) };
            let first = schema.prefix().len().min(items.len());
            all(items[first..].iter().map(|item| accepts(rest, item, budget)))
        }
        "contains" => {
            let (sure, most) = count(at);
            let least = schema.count("minContains").unwrap_or(1);
            let limit = schema.count("maxContains").unwrap_or(u64::MAX);
            if sure > limit || most < least { Some(false) } else { (sure >= least && most <= limit).then_some(true) }
        }
        "unevaluatedItems" => None,
        _ => Some(true),
    }
}

fn of_object(schema: At<'_>, (name, at): (&str, At<'_>), value: &Node, budget: &Budget) -> Option<bool> {
    let members = value.members()?;
    let inside = |at, value: &Node| accepts(at, value, budget);
    match name {
        "minProperties" => Some(members.len() as u64 >= schema.count(name)?),
        "maxProperties" => Some(members.len() as u64 <= schema.count(name)?),
        "required" => Some(schema.required().all(|name| value.get(name).is_some())),
        "properties" => all(schema
            .map(name)
            .iter()
            .filter_map(|(key, node)| value.get(&key.name).map(|member| inside(schema.of(node), member)))),
        "patternProperties" => all(members.iter().flat_map(|(key, member)| {
            schema.map(name).iter().map(move |(pattern, node)| match matches(&pattern.name, &key.name) {
                Some(true) => inside(schema.of(node), member),
                Some(false) => Some(true),
                None => inside(schema.of(node), member).filter(|yes| *yes),
            })
        })),
        "additionalProperties" => all(members.iter().map(|(key, member)| match is_declared(schema, &key.name) {
            Some(true) => Some(true),
            Some(false) => inside(at, member),
            None => inside(at, member).filter(|yes| *yes),
        })),
        "propertyNames" => all(members.iter().map(|(key, _)| inside(at, &Node::string(&key.name, key.span)))),
        "dependentRequired" | "dependentSchemas" | "dependencies" => {
            let present = schema.map(name).iter().filter(|(key, _)| value.get(&key.name).is_some());
            all(present.map(|(_, needs)| match needs.items() {
                Some(names) => Some(names.iter().filter_map(Node::as_str).all(|name| value.get(name).is_some())),
                None => inside(schema.of(needs), value),
            }))
        }
        "unevaluatedProperties" => None,
        _ => Some(true),
    }
}

/// Whether a property is one of those that the schema names, by name or by pattern.
fn is_declared(schema: At<'_>, name: &str) -> Option<bool> {
    if schema.map("properties").iter().any(|(key, _)| key.name == name) {
        return Some(true);
    }
    any(schema.map("patternProperties").iter().map(|(pattern, _)| matches(&pattern.name, name)))
}
