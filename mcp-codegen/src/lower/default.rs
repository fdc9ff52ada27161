//! `default` → an expression of the property's type, if the type accepts it.

use crate::diagnostic::{Code, Diagnostics};
use crate::document::{Node, NodeKind};
use crate::ir::{
    Enum, IntegerRules, Literal, NumberRules, Presence, Rest, StringRules, Struct, TypeArena, TypeId, TypeKind,
};
use crate::schema::{self, as_integer};

/// The default as an expression; nothing where its type refuses it, or where its schema did when it was read.
pub(crate) fn literal((types, found): (&TypeArena, &Diagnostics), ty: TypeId, value: &Node) -> Option<Literal> {
    if found.has_inside(Code::DEFAULT, value.span) { None } else { expression(types, ty, value) }
}

fn expression(types: &TypeArena, ty: TypeId, value: &Node) -> Option<Literal> {
    if !accepts(types, ty, value) {
        return None;
    }
    let json = || Literal::Json(value.to_json());
    Some(match (types.kind(ty), &value.kind) {
        (TypeKind::Array { .. }, NodeKind::Array(items)) if items.is_empty() => Literal::EmptyArray,
        (TypeKind::Bool, NodeKind::Bool(value)) => Literal::Bool(*value),
        (TypeKind::Enum(definition), _) => Literal::Variant(variant(definition, value)?),
        (TypeKind::Integer { .. }, NodeKind::Number(text)) => as_integer(text).map_or_else(json, Literal::Integer),
        (TypeKind::Number(_), NodeKind::Number(text)) => text.parse().map_or_else(|_| json(), Literal::Number),
        (TypeKind::Nullable(inner), _) => match expression(types, *inner, value)? {
            Literal::Json(_) => json(),
            inner => Literal::Some(Box::new(inner)),
        },
        (TypeKind::Foreign { .. } | TypeKind::String(_), NodeKind::String(text)) => Literal::String(text.clone()),
        _ => json(),
    })
}

/// Whether a type accepts a value.
fn accepts(types: &TypeArena, ty: TypeId, value: &Node) -> bool {
    match types.kind(ty) {
        TypeKind::Any(_) => true,
        TypeKind::Array { item, rules } => value.items().is_some_and(|items| {
            let count = items.len() as u64;
            rules.min_items.is_none_or(|least| count >= least)
                && rules.max_items.is_none_or(|most| count <= most)
                && items.iter().all(|value| accepts(types, *item, value))
                && !(rules.unique && has_twins(items))
        }),
        TypeKind::Bool => value.as_bool().is_some(),
        TypeKind::Boxed(inner) | TypeKind::Foreign { wire: inner, .. } => accepts(types, *inner, value),
        TypeKind::Constant(text) => value.to_json() == *text,
        TypeKind::Enum(definition) => variant(definition, value).is_some(),
        // One that travels as text has its default as a number all the same.
        TypeKind::Integer { unsigned, rules, .. } => {
            let number = value.as_number().and_then(as_integer);
            number.is_some_and(|number| integer_fits(number, rules) && is_in_range(number, *unsigned))
        }
        TypeKind::Map { value: inner, rules } => value.members().is_some_and(|members| {
            let count = members.len() as u64;
            rules.min_properties.is_none_or(|least| count >= least)
                && rules.max_properties.is_none_or(|most| count <= most)
                && members.iter().all(|(_, value)| accepts(types, *inner, value))
        }),
        TypeKind::Null => value.is_null(),
        TypeKind::Nullable(inner) => value.is_null() || accepts(types, *inner, value),
        TypeKind::Number(rules) => number_fits(value, rules),
        TypeKind::String(rules) => value.as_str().is_some_and(|text| string_fits(text, rules)),
        TypeKind::Struct(definition) => struct_accepts(types, definition, value),
        TypeKind::Union(union) => union.variants.iter().any(|variant| accepts(types, variant.ty, value)),
    }
}

fn has_twins(items: &[Node]) -> bool {
    items.iter().enumerate().any(|(index, item)| items[..index].iter().any(|other| schema::same(other, item)))
}

fn struct_accepts(types: &TypeArena, definition: &Struct, value: &Node) -> bool {
    let Some(members) = value.members() else { return false };
    let declared = definition.fields.iter().all(|field| match value.get(&field.name.wire) {
        Some(value) => accepts(types, field.ty, value),
        None => field.presence != Presence::Required,
    });
    let is_declared = |name: &str| definition.fields.iter().any(|field| field.name.wire == name);
    declared
        && members.iter().filter(|(key, _)| !is_declared(&key.name)).all(|(_, value)| match definition.rest {
            Rest::Closed => false,
            Rest::Open(_) => true,
            Rest::Typed(_, ty) => accepts(types, ty, value),
        })
}

fn variant(definition: &Enum, value: &Node) -> Option<crate::ir::RustIdent> {
    let wire = if definition.strings { value.as_str()?.to_owned() } else { value.to_json() };
    definition.variants.iter().find(|variant| variant.wire == wire).map(|variant| variant.rust.clone())
}

fn integer_fits(number: i128, rules: &IntegerRules) -> bool {
    rules.minimum.is_none_or(|least| number >= least)
        && rules.maximum.is_none_or(|most| number <= most)
        && rules.multiple_of.is_none_or(|step| number % step == 0)
}

fn is_in_range(number: i128, unsigned: bool) -> bool {
    if unsigned { u64::try_from(number).is_ok() } else { i64::try_from(number).is_ok() }
}

fn number_fits(value: &Node, rules: &NumberRules) -> bool {
    let Some(number) = value.as_number().and_then(|text| text.parse::<f64>().ok()) else { return false };
    let text = value.as_number().unwrap_or_default();
    rules.multiple_of.is_none_or(|step| schema::is_multiple(text, &step.to_string()))
        && rules.minimum.is_none_or(|least| number >= least)
        && rules.maximum.is_none_or(|most| number <= most)
        && rules.exclusive_minimum.is_none_or(|bound| number > bound)
        && rules.exclusive_maximum.is_none_or(|bound| number < bound)
}

fn string_fits(text: &str, rules: &StringRules) -> bool {
    let count = text.chars().count() as u64;
    rules.min_length.is_none_or(|least| count >= least) && rules.max_length.is_none_or(|most| count <= most)
}
