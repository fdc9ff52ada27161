//! Types that no value has.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::ir::{Feature, Ir, TypeArena, TypeId, TypeKind};

/// Warns of bounds that exclude each other: every value of that field is refused.
pub(super) fn no_empty_range(ir: &Ir, found: &mut Diagnostics) {
    let features =
        ir.tools.iter().map(|tool| &tool.feature).chain(ir.templates.iter().map(|template| &template.feature));
    for feature in features {
        for &id in &feature.types {
            let TypeKind::Struct(definition) = ir.types.kind(id) else { continue };
            for field in &definition.fields {
                if let Some(bounds) = empty_range(&ir.types, field.ty) {
                    found.push(never(feature, &field.name.wire, &bounds));
                }
            }
        }
    }
}

fn never(feature: &Feature, field: &str, bounds: &str) -> Diagnostic {
    let message = format!("no value fits `{field}` of `{}`: {bounds}", feature.name.wire);
    Diagnostic::warning(Code::UNSATISFIABLE, feature.span, message)
}

/// The two bounds that leave nothing between them.
fn empty_range(types: &TypeArena, id: TypeId) -> Option<String> {
    fn above<T: PartialOrd + std::fmt::Display>(least: Option<T>, most: Option<T>) -> Option<String> {
        let (least, most) = (least?, most?);
        (least > most).then(|| format!("at least {least} and at most {most}"))
    }
    match types.kind(id) {
        TypeKind::Array { rules, .. } => above(rules.min_items, rules.max_items),
        TypeKind::Integer { rules, .. } => above(rules.minimum, rules.maximum),
        TypeKind::Map { rules, .. } => above(rules.min_properties, rules.max_properties),
        TypeKind::Number(rules) => above(rules.minimum, rules.maximum),
        TypeKind::String(rules) => above(rules.min_length, rules.max_length),
        TypeKind::Nullable(inner) => empty_range(types, *inner),
        TypeKind::Any(_)
        | TypeKind::Bool
        | TypeKind::Boxed(_)
        | TypeKind::Constant(_)
        | TypeKind::Enum(_)
        | TypeKind::Foreign { .. }
        | TypeKind::Null
        | TypeKind::Struct(_)
        | TypeKind::Union(_) => None,
    }
}
