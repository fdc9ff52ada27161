//! What Rust holds in another form than the wire has: types of the author's, and integers that travel as text.

use crate::config::Via;
use crate::emit::runtime::Cx;
use crate::ir::{TypeId, TypeKind};
use crate::tokens::{Tokens, quote};

/// A place as what is written for it; nothing where the type itself can be written.
pub(super) fn converted(cx: &Cx<'_>, id: TypeId, place: &Tokens) -> Option<Tokens> {
    let runtime = &cx.runtime;
    match cx.ir.types.kind(id) {
        TypeKind::Foreign { via: Via::Serde, .. } => Some(quote! { #runtime::codegen::to_value(&#place) }),
        _ => converted_reference(cx, id, place),
    }
}

/// The same for a reference.
pub(super) fn converted_reference(cx: &Cx<'_>, id: TypeId, value: &Tokens) -> Option<Tokens> {
    let runtime = &cx.runtime;
    Some(match cx.ir.types.kind(id) {
        TypeKind::Foreign { via: Via::Serde, .. } => quote! { #runtime::codegen::to_value(#value) },
        TypeKind::Foreign { via: Via::FromStr, .. } | TypeKind::Integer { text: true, .. } => {
            quote! { #value.to_string() }
        }
        TypeKind::Nullable(inner) => {
            let inner = conversion(cx, *inner)?;
            quote! { #value.as_ref().map(#inner) }
        }
        TypeKind::Array { item, .. } => {
            let item = conversion(cx, *item)?;
            quote! { #value.iter().map(#item).collect::<Vec<_>>() }
        }
        TypeKind::Map { value: inner, .. } => {
            let inner = converted_reference(cx, *inner, &quote! { value })?;
            quote! { #value.iter().map(|(key, value)| (key.clone(), #inner)).collect::<BTreeMap<_, _>>() }
        }
        _ => return None,
    })
}

/// The conversion as a function of a reference.
pub(super) fn conversion(cx: &Cx<'_>, id: TypeId) -> Option<Tokens> {
    let runtime = &cx.runtime;
    match cx.ir.types.kind(id) {
        TypeKind::Foreign { via: Via::Serde, .. } => Some(quote! { #runtime::codegen::to_value }),
        TypeKind::Foreign { via: Via::FromStr, .. } | TypeKind::Integer { text: true, .. } => {
            Some(quote! { ToString::to_string })
        }
        _ => {
            let value = converted_reference(cx, id, &quote! { value })?;
            Some(quote! { |value| #value })
        }
    }
}
