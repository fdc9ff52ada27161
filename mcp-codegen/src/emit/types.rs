//! Types as they are written where they stand, and the definition of those that have a name.

use crate::emit::runtime::{Cx, path};
use crate::emit::{enums, structs, unions};
use crate::ir::{ObjectRules, RustIdent, TypeId, TypeKind};
use crate::tokens::{Tokens, ident, plain_ident, quote};

/// A type where it is used.
pub(super) fn type_of(cx: &Cx<'_>, id: TypeId) -> Tokens {
    match cx.ir.types.kind(id) {
        TypeKind::Any(_) => quote! { Value },
        TypeKind::Array { item, .. } => {
            let item = type_of(cx, *item);
            quote! { Vec<#item> }
        }
        TypeKind::Bool => quote! { bool },
        TypeKind::Boxed(inner) => {
            let inner = type_of(cx, *inner);
            quote! { Box<#inner> }
        }
        TypeKind::Constant(_) | TypeKind::Null => quote! { () },
        TypeKind::Enum(definition) => named(cx, id, &definition.name),
        TypeKind::Foreign { path: foreign, .. } => path(foreign),
        TypeKind::Integer { unsigned: true, .. } => quote! { u64 },
        TypeKind::Integer { unsigned: false, .. } => quote! { i64 },
        TypeKind::Map { .. } if is_rest(cx, id) => quote! { Rest },
        TypeKind::Map { value, .. } => {
            let value = type_of(cx, *value);
            quote! { BTreeMap<String, #value> }
        }
        TypeKind::Nullable(inner) => {
            let inner = type_of(cx, *inner);
            quote! { Option<#inner> }
        }
        TypeKind::Number(_) => quote! { f64 },
        TypeKind::String(_) => quote! { String },
        TypeKind::Struct(definition) => named(cx, id, &definition.name),
        TypeKind::Union(definition) => named(cx, id, &definition.name),
    }
}

/// The definition of a named type, and its impls; nothing for one without a name.
pub(super) fn definition(cx: &Cx<'_>, id: TypeId, docs: &str) -> Vec<Tokens> {
    cx.defining.set(Some(id));
    let items = match cx.ir.types.kind(id) {
        TypeKind::Enum(definition) => enums::definition(cx, definition, docs),
        TypeKind::Struct(definition) => structs::definition(cx, definition, (docs, guard(cx, id))),
        TypeKind::Union(definition) => unions::definition(cx, definition, docs),
        TypeKind::Any(_)
        | TypeKind::Array { .. }
        | TypeKind::Bool
        | TypeKind::Boxed(_)
        | TypeKind::Constant(_)
        | TypeKind::Foreign { .. }
        | TypeKind::Integer { .. }
        | TypeKind::Map { .. }
        | TypeKind::Null
        | TypeKind::Nullable(_)
        | TypeKind::Number(_)
        | TypeKind::String(_) => Vec::new(),
    };
    cx.defining.set(None);
    items
}

/// What the decoder of a tool's arguments asks first, where their types do not decide alone.
fn guard(cx: &Cx<'_>, id: TypeId) -> Option<Tokens> {
    cx.guarded.contains(&id).then(|| quote! { SCHEMA.check(r)?; })
}

/// The derives of a type, ours first. What somebody asks for and the type has already is left out.
pub(super) fn derives(cx: &Cx<'_>, ours: &[&str], own: &[String]) -> Tokens {
    // Every type has `Debug`: one that hides something has it by hand.
    let is_ours = |name: &str| name == "Debug" || ours.contains(&name);
    let mut had: Vec<String> = Vec::new();
    let mut others: Vec<Tokens> = Vec::new();
    for derive in cx.derives.iter().chain(own) {
        let name = derived(derive);
        if !is_ours(&name) && !had.contains(&name) {
            let path = path(derive);
            others.push(quote! { , #path });
            had.push(name);
        }
    }
    let ours = ours.iter().map(|name| plain_ident(name));
    quote! { #[derive(#(#ours),* #(#others)*)] }
}

/// A derive by its plainest name: those of the standard library can be written with their path.
fn derived(path: &str) -> String {
    let plain: String = path.split_whitespace().collect();
    let plain = plain.strip_prefix("::").unwrap_or(&plain);
    let from_standard = ["std", "core"].contains(&plain.split("::").next().unwrap_or_default());
    let last = plain.rsplit("::").next().filter(|_| from_standard);
    last.unwrap_or(plain).to_owned()
}

/// A map of any values keeps their order, as the undeclared keys of a struct do.
pub(super) fn is_rest(cx: &Cx<'_>, id: TypeId) -> bool {
    let TypeKind::Map { value, rules } = cx.ir.types.kind(id) else { return false };
    let is_any = matches!(cx.ir.types.kind(*value), TypeKind::Any(None));
    is_any && *rules == ObjectRules::default()
}

fn named(cx: &Cx<'_>, id: TypeId, name: &RustIdent) -> Tokens {
    if cx.defining.get() == Some(id) {
        return quote! { Self };
    }
    let name = ident(name);
    quote! { #name }
}
