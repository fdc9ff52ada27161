//! Bounds and lengths as written → the rules that the reader checks.

use crate::document::{Node, NodeKind};
use crate::ir::{ArrayRules, IntegerRules, NumberRules, ObjectRules, StringRules, TypeKind};
use crate::schema::{JsonType, SchemaObject, as_integer};
use crate::source::Spanned;

/// `integer`: i64, or u64 where the bounds ask for it.
pub(crate) fn integer(schema: &SchemaObject, text: bool) -> TypeKind {
    let rules = integer_rules(schema);
    let unsigned = rules.minimum.is_some_and(|minimum| minimum >= 0)
        && rules.maximum.is_some_and(|maximum| maximum > i128::from(i64::MAX));
    TypeKind::Integer { unsigned, text, rules }
}

/// `integer` with `rust = "number"`: any size, as a number without a fraction.
pub(crate) fn integral_number(schema: &SchemaObject) -> TypeKind {
    let rules = number_rules(schema);
    TypeKind::Number(NumberRules { multiple_of: rules.multiple_of.or(Some(1.0)), ..rules })
}

pub(crate) fn number_rules(schema: &SchemaObject) -> NumberRules {
    // One that is nearly meant would refuse what stands between: it is for validation to check.
    let bound = |text: &Option<Spanned<String>>| {
        text.as_ref().filter(|text| is_nearest(&text.value)).and_then(|text| text.value.parse::<f64>().ok())
    };
    NumberRules {
        minimum: bound(&schema.minimum),
        maximum: bound(&schema.maximum),
        exclusive_minimum: bound(&schema.exclusive_minimum),
        exclusive_maximum: bound(&schema.exclusive_maximum),
        multiple_of: bound(&schema.multiple_of),
    }
}

/// The lengths; a pattern has its name from the file, and formats are for the contract to assert.
pub(crate) fn string_rules(schema: &SchemaObject) -> StringRules {
    StringRules {
        min_length: positive(schema.min_length.as_ref()),
        max_length: count(schema.max_length.as_ref()),
        pattern: None,
        format: None,
    }
}

pub(crate) fn array_rules(schema: &SchemaObject) -> ArrayRules {
    ArrayRules {
        min_items: positive(schema.min_items.as_ref()),
        max_items: count(schema.max_items.as_ref()),
        unique: schema.unique_items,
    }
}

pub(crate) fn object_rules(schema: &SchemaObject) -> ObjectRules {
    ObjectRules {
        min_properties: positive(schema.min_properties.as_ref()),
        max_properties: count(schema.max_properties.as_ref()),
    }
}

/// The types besides null, each once; every integer is a number.
pub(crate) fn value_types(types: &[JsonType]) -> Vec<JsonType> {
    let mut values = Vec::new();
    for &ty in types {
        let is_covered = ty == JsonType::Integer && types.contains(&JsonType::Number);
        if ty != JsonType::Null && !is_covered && !values.contains(&ty) {
            values.push(ty);
        }
    }
    values
}

/// Whether `value` has one of the schema's types; without `type`, any value has.
pub(crate) fn has_type(value: &Node, schema: &SchemaObject) -> bool {
    let Some(types) = &schema.types else { return true };
    types.value.iter().any(|ty| match ty {
        JsonType::Array => matches!(value.kind, NodeKind::Array(_)),
        JsonType::Boolean => matches!(value.kind, NodeKind::Bool(_)),
        JsonType::Integer => value.as_number().is_some_and(|text| as_integer(text).is_some()),
        JsonType::Null => value.is_null(),
        JsonType::Number => matches!(value.kind, NodeKind::Number(_)),
        JsonType::Object => matches!(value.kind, NodeKind::Object(_)),
        JsonType::String => matches!(value.kind, NodeKind::String(_)),
    })
}

/// Whether a number is written as the shortest text of the `f64` next to it: then nothing is lost in that.
pub(crate) fn is_nearest(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    digits <= 15 && text.parse::<f64>().is_ok_and(|number| number.is_finite() && (number != 0.0 || !text.contains('e')))
}

fn integer_rules(schema: &SchemaObject) -> IntegerRules {
    let lowest = bound(schema.minimum.as_ref(), f64::ceil);
    let above = bound(schema.exclusive_minimum.as_ref(), f64::floor).map(|bound| bound.saturating_add(1));
    let highest = bound(schema.maximum.as_ref(), f64::floor);
    let below = bound(schema.exclusive_maximum.as_ref(), f64::ceil).map(|bound| bound.saturating_sub(1));
    IntegerRules {
        minimum: lowest.into_iter().chain(above).max(),
        maximum: highest.into_iter().chain(below).min(),
        multiple_of: schema.multiple_of.as_ref().and_then(|text| as_integer(&text.value)).filter(|n| *n > 1),
    }
}

/// A bound as an integer; one with a fraction is rounded to the side that keeps its meaning.
fn bound(text: Option<&Spanned<String>>, round: fn(f64) -> f64) -> Option<i128> {
    let text = &text?.value;
    as_integer(text).or_else(|| {
        let number: f64 = text.parse().ok()?;
        format!("{:.0}", round(number)).parse().ok()
    })
}

fn count(count: Option<&Spanned<u64>>) -> Option<u64> {
    count.map(|count| count.value)
}

/// A lower limit of zero says nothing.
fn positive(limit: Option<&Spanned<u64>>) -> Option<u64> {
    count(limit).filter(|limit| *limit > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    fn text(text: &str) -> Spanned<String> {
        Spanned::new(text.to_owned(), Span::default())
    }

    #[test]
    fn exclusive_bounds_are_shifted_and_fractions_rounded_inward() {
        let schema =
            SchemaObject { minimum: Some(text("0.5")), exclusive_maximum: Some(text("10")), ..SchemaObject::default() };
        let rules = integer_rules(&schema);
        assert_eq!((rules.minimum, rules.maximum), (Some(1), Some(9)));
    }

    #[test]
    fn u64_only_where_the_bounds_ask_for_it() {
        let unsigned = |maximum: &str| {
            let schema =
                SchemaObject { minimum: Some(text("0")), maximum: Some(text(maximum)), ..SchemaObject::default() };
            matches!(integer(&schema, false), TypeKind::Integer { unsigned: true, .. })
        };
        assert!(unsigned("18446744073709551615"));
        assert!(!unsigned("9223372036854775807"));
    }
}
