//! Whether a part and a schema surely have no value in common.

use crate::document::NodeKind;
use crate::schema::JsonType;

use super::at::At;
use super::budget::Budget;
use super::judge::judge;
use super::part::{Part, parts};

/// Whether every value of the part is surely refused by the schema.
pub(super) fn disjoint(part: &Part<'_>, other: At<'_>) -> bool {
    apart(part, other, &Budget::default())
}

fn apart(part: &Part<'_>, other: At<'_>, budget: &Budget) -> bool {
    if !budget.spend() {
        return false;
    }
    if let Some(values) = &part.values {
        return values.iter().all(|value| judge(other, value) == Some(false));
    }
    match &other.node.kind {
        NodeKind::Bool(accepts) => !accepts,
        NodeKind::Object(_) => match parts(&[other]) {
            Some(parts) => parts.iter().all(|other| parts_apart(part, other, budget)),
            None => false,
        },
        NodeKind::Array(_) | NodeKind::Null | NodeKind::Number(_) | NodeKind::String(_) => false,
    }
}

fn parts_apart(part: &Part<'_>, other: &Part<'_>, budget: &Budget) -> bool {
    let numbers = [JsonType::Integer, JsonType::Number];
    if part.ty != other.ty && !(numbers.contains(&part.ty) && numbers.contains(&other.ty)) {
        return true;
    }
    if let Some(values) = &other.values {
        return values.iter().all(|value| part.all.iter().any(|schema| judge(*schema, value) == Some(false)));
    }
    match part.ty {
        JsonType::Array => counts_apart(part, other, ("minItems", "maxItems")),
        JsonType::Integer | JsonType::Number => below(part, other) || below(other, part),
        JsonType::Object => {
            objects_apart(part, other, budget) || counts_apart(part, other, ("minProperties", "maxProperties"))
        }
        JsonType::String => counts_apart(part, other, ("minLength", "maxLength")),
        JsonType::Boolean | JsonType::Null => false,
    }
}

fn counts_apart(part: &Part<'_>, other: &Part<'_>, (least, most): (&str, &str)) -> bool {
    part.count_from(least) > other.count_to(most) || other.count_from(least) > part.count_to(most)
}

/// Whether all numbers of one are less than those of the other.
fn below(part: &Part<'_>, other: &Part<'_>) -> bool {
    match (part.upper(), other.lower()) {
        (Some((high, beyond_high)), Some((low, beyond_low))) => {
            high < low || high == low && (beyond_high || beyond_low)
        }
        _ => false,
    }
}

/// Whether a property that one of them must have cannot be as the other wants it.
fn objects_apart(part: &Part<'_>, other: &Part<'_>, budget: &Budget) -> bool {
    let needs = part.required().into_iter().chain(other.required());
    needs.into_iter().any(|name| {
        let (member, wanted) = (part.member(name), other.member(name));
        if member.forbidden || wanted.forbidden {
            return true;
        }
        let apart_from = |wanted: &At<'_>| {
            parts(&member.schemas).is_some_and(|parts| {
                parts.iter().all(|part| budget.deeper(|| apart(part, *wanted, budget)).unwrap_or(false))
            })
        };
        wanted.schemas.iter().any(apart_from)
    })
}
