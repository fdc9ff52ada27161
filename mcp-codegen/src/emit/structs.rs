//! Structs: the definition, and how one is read and written.

use crate::emit::read::{self, Read};
use crate::emit::runtime::Cx;
use crate::emit::{docs, foreign, json_string, types};
use crate::ir::{self, Field, Presence, Rest, Struct, TypeId, TypeKind};
use crate::tokens::{Ident, Literal, Tokens, float, ident, integer, quote, text};

/// Names that the reading function needs for itself; a field called so is kept under another name meanwhile.
const TAKEN: &[&str] =
    &["digits", "entries", "items", "key", "keys", "member", "members", "number", "r", "required", "rules", "text"];

/// The most keys that are read member by member.
const MOST_KEYS: usize = 64;

/// The struct and its impls. `Vars` are read from a URI, which is the template's business.
///
/// `guard` is what its decoder asks first.
pub(super) fn definition(cx: &Cx<'_>, definition: &Struct, (docs, guard): (&str, Option<Tokens>)) -> Vec<Tokens> {
    let mut items = vec![item(cx, definition, docs)];
    items.extend(hiding_debug(cx, definition));
    if definition.name.plain() != "Vars" {
        items.extend([decode(cx, definition, guard.as_ref()), encode(cx, definition)]);
    }
    items
}

fn item(cx: &Cx<'_>, definition: &Struct, docs: &str) -> Tokens {
    let docs = docs::outer(definition.docs.as_deref().unwrap_or(docs));
    let ours: &[&str] =
        if has_secrets(definition) { &["Clone", "PartialEq"] } else { &["Clone", "Debug", "PartialEq"] };
    let derives = types::derives(cx, ours, &definition.derives);
    let name = ident(&definition.name);
    let fields = stored(cx, definition).map(|field| field_item(cx, field));
    let rest = match &definition.rest {
        Rest::Closed => None,
        Rest::Open(name) => {
            let name = ident(name);
            Some(quote! { #[doc = " Members that the schema does not declare."] pub #name: Rest, })
        }
        Rest::Typed(name, value) => {
            let (name, value) = (ident(name), types::type_of(cx, *value));
            Some(quote! { #[doc = " Members that the schema does not declare."] pub #name: BTreeMap<String, #value>, })
        }
    };
    quote! {
        #docs
        #derives
        pub struct #name {
            #(#fields)*
            #rest
        }
    }
}

fn field_item(cx: &Cx<'_>, field: &Field) -> Tokens {
    let about_any = match cx.ir.types.kind(field.ty) {
        TypeKind::Any(docs) => docs.as_deref(),
        _ => None,
    };
    let docs = match (&field.docs, about_any) {
        (Some(docs), Some(any)) => Some(docs::outer(&format!("{docs}\n\n{any}"))),
        (Some(docs), None) => Some(docs::outer(docs)),
        (None, Some(any)) => Some(docs::outer(any)),
        (None, None) => None,
    };
    let name = ident(&field.name.rust);
    let ty = field_type(cx, field);
    quote! { #docs pub #name: #ty, }
}

fn field_type(cx: &Cx<'_>, field: &Field) -> Tokens {
    match (&field.presence, cx.ir.types.kind(field.ty)) {
        (Presence::Defaulted(_) | Presence::Required, _) => types::type_of(cx, field.ty),
        (Presence::Optional, TypeKind::Nullable(inner)) => {
            let inner = types::type_of(cx, *inner);
            quote! { Field<#inner> }
        }
        (Presence::Optional, TypeKind::Null) => quote! { Field<()> },
        (Presence::Optional, _) => {
            let ty = types::type_of(cx, field.ty);
            quote! { Option<#ty> }
        }
    }
}

/// The fields that hold something: a constant is known without.
fn stored<'d>(cx: &Cx<'_>, definition: &'d Struct) -> impl Iterator<Item = &'d Field> {
    definition.fields.iter().filter(|field| !matches!(cx.ir.types.kind(field.ty), TypeKind::Constant(_)))
}

fn decode(cx: &Cx<'_>, definition: &Struct, guard: Option<&Tokens>) -> Tokens {
    let name = ident(&definition.name);
    let keys = definition.fields.iter().map(|field| text(&field.name.wire));
    let locals = definition.fields.iter().map(local).map(|local| quote! { let mut #local = None; });
    let arms = definition.fields.iter().enumerate().map(|(index, field)| {
        let (index, local) = (Literal::count(index), local(field));
        let Read { before, value } = field_value(cx, field);
        let assignment = quote! { #local = Some(#value) };
        if before.is_empty() {
            quote! { #index => #assignment, }
        } else {
            quote! { #index => { #before #assignment; } }
        }
    });
    let (rest_local, other, rest) = read_rest(cx, definition);
    let read = match definition.fields.len() {
        0 if matches!(definition.rest, Rest::Open(_)) => Tokens::default(),
        0 => quote! {
            let mut members = r.members(&[]);
            while members.next(r)?.is_some() { #other }
        },
        1..=MOST_KEYS => quote! {
            let mut members = r.members(const { &keys([#(#keys),*]) });
            while let Some(key) = members.next(r)? {
                match key { #(#arms)* _ => #other }
            }
        },
        _ => quote! {
            r.object(&[#(#keys),*], &mut |key, r| { match key { #(#arms)* _ => #other } Ok(()) })?;
        },
    };
    let constants =
        definition.fields.iter().filter(|field| matches!(cx.ir.types.kind(field.ty), TypeKind::Constant(_)));
    let constants = constants.map(local).map(|local| quote! { required(#local)?; });
    let fields = stored(cx, definition).map(|field| {
        let (name, value) = (ident(&field.name.rust), finished(cx, field));
        if value.is(&name) {
            quote! { #name }
        } else {
            quote! { #name: #value }
        }
    });
    quote! {
        impl Decode for #name {
            fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
                #guard
                #(#locals)*
                #rest_local
                #read
                #(#constants)*
                Ok(Self { #(#fields,)* #rest })
            }
        }
    }
}

/// How undeclared members are read: what holds them, what is done with one, and the field.
fn read_rest(cx: &Cx<'_>, definition: &Struct) -> (Tokens, Tokens, Tokens) {
    let alone = definition.fields.is_empty();
    match &definition.rest {
        Rest::Closed if alone => (Tokens::default(), quote! { r.refuse_key()?; }, Tokens::default()),
        Rest::Closed => (Tokens::default(), quote! { r.refuse_key()?, }, Tokens::default()),
        Rest::Open(name) if alone => {
            let name = ident(name);
            (Tokens::default(), Tokens::default(), quote! { #name: Rest::decode(r)? })
        }
        Rest::Open(name) => {
            let name = ident(name);
            (quote! { let mut #name = Rest::default(); }, quote! { #name.read(r)?, }, quote! { #name })
        }
        Rest::Typed(name, value) => {
            let (name, Read { before, value }) = (ident(name), read::read(cx, *value));
            let read = quote! {
                let member = r.key().into_owned();
                #before
                if #name.insert(member, #value).is_some() {
                    return Err(Fault::new("a key stands twice"));
                }
            };
            let read = if alone {
                read
            } else {
                quote! { { #read } }
            };
            (quote! { let mut #name = BTreeMap::new(); }, read, quote! { #name })
        }
    }
}

fn field_value(cx: &Cx<'_>, field: &Field) -> Read {
    match (&field.presence, cx.ir.types.kind(field.ty)) {
        (Presence::Optional, TypeKind::Nullable(inner)) if !read::is_plain(cx, *inner) => {
            let Read { before, value } = read::read(cx, *inner);
            let value = quote! { if r.take_null() { Field::Null } else { #before Field::Value(#value) } };
            Read { before: Tokens::default(), value }
        }
        (Presence::Optional, TypeKind::Nullable(_) | TypeKind::Null) => {
            Read { before: Tokens::default(), value: quote! { Field::decode(r)? } }
        }
        (Presence::Defaulted(_) | Presence::Optional | Presence::Required, _) => read::read(cx, field.ty),
    }
}

/// A field's value once all members were read.
fn finished(cx: &Cx<'_>, field: &Field) -> Tokens {
    let local = local(field);
    match &field.presence {
        Presence::Defaulted(literal) => default(cx, field.ty, (&quote! { #local }, literal)),
        Presence::Optional => match cx.ir.types.kind(field.ty) {
            TypeKind::Nullable(_) | TypeKind::Null => quote! { #local.unwrap_or_default() },
            _ => quote! { #local },
        },
        Presence::Required => quote! { required(#local)? },
    }
}

/// A value that may be absent, with what stands for it then.
pub(super) fn default(cx: &Cx<'_>, ty: TypeId, (local, literal): (&Tokens, &ir::Literal)) -> Tokens {
    match literal {
        ir::Literal::Bool(false) | ir::Literal::EmptyArray | ir::Literal::Integer(0) => {
            quote! { #local.unwrap_or_default() }
        }
        ir::Literal::String(value) if value.is_empty() && !is_foreign(cx, ty) => {
            quote! { #local.unwrap_or_default() }
        }
        ir::Literal::Bool(_)
        | ir::Literal::Integer(_)
        | ir::Literal::Number(_)
        | ir::Literal::Some(_)
        | ir::Literal::String(_)
        | ir::Literal::Variant(_) => {
            let value = default_value(cx, ty, literal);
            if is_foreign(cx, ty) {
                quote! { match #local { Some(value) => value, None => #value } }
            } else if allocates(literal) {
                quote! { #local.unwrap_or_else(|| #value) }
            } else {
                quote! { #local.unwrap_or(#value) }
            }
        }
        ir::Literal::Json(json) => {
            let json = text(json);
            let runtime = &cx.runtime;
            quote! { match #local { Some(value) => value, None => #runtime::codegen::decode_default(#json)? } }
        }
    }
}

/// Whether a default is parsed, which can fail.
fn is_foreign(cx: &Cx<'_>, id: TypeId) -> bool {
    match cx.ir.types.kind(id) {
        TypeKind::Foreign { .. } => true,
        TypeKind::Nullable(inner) => is_foreign(cx, *inner),
        _ => false,
    }
}

/// Whether a default is worth making only where it is needed.
fn allocates(literal: &ir::Literal) -> bool {
    match literal {
        ir::Literal::Some(inner) => allocates(inner),
        ir::Literal::Json(_) | ir::Literal::String(_) => true,
        ir::Literal::Bool(_)
        | ir::Literal::EmptyArray
        | ir::Literal::Integer(_)
        | ir::Literal::Number(_)
        | ir::Literal::Variant(_) => false,
    }
}

fn default_value(cx: &Cx<'_>, ty: TypeId, literal: &ir::Literal) -> Tokens {
    match (literal, cx.ir.types.kind(ty)) {
        (ir::Literal::Bool(value), _) => quote! { #value },
        (ir::Literal::EmptyArray, _) => quote! { Vec::new() },
        (ir::Literal::Integer(value), _) => {
            let value = integer(*value);
            quote! { #value }
        }
        (ir::Literal::Number(value), _) => {
            let value = float(*value);
            quote! { #value }
        }
        (ir::Literal::Some(value), TypeKind::Nullable(inner)) => {
            let value = default_value(cx, *inner, value);
            quote! { Some(#value) }
        }
        (ir::Literal::String(value), TypeKind::Foreign { path, via, .. }) => {
            let value = text(value);
            read::parsed(cx, &quote! { #value }, (path, *via))
        }
        (ir::Literal::String(value), _) => {
            let value = text(value);
            quote! { String::from(#value) }
        }
        (ir::Literal::Variant(variant), _) => {
            let (ty, variant) = (types::type_of(cx, ty), ident(variant));
            quote! { #ty::#variant }
        }
        // Lowering makes `Some` for nullable types only, and JSON is read where it stands alone.
        (ir::Literal::Json(_) | ir::Literal::Some(_), _) => quote! { None },
    }
}

fn encode(cx: &Cx<'_>, definition: &Struct) -> Tokens {
    let name = ident(&definition.name);
    let members = definition.fields.iter().map(|field| member(cx, field));
    let rest = match &definition.rest {
        Rest::Closed => None,
        Rest::Open(name) => {
            let name = ident(name);
            Some(quote! { w.rest(&self.#name); })
        }
        Rest::Typed(name, value) => {
            let name = ident(name);
            let value = foreign::converted_reference(cx, *value, &quote! { value });
            let value = value.map_or_else(|| quote! { value }, |value| quote! { &#value });
            Some(quote! { for (key, value) in &self.#name { w.entry(key, #value); } })
        }
    };
    quote! {
        impl Encode for #name {
            fn encode(&self, w: &mut Writer<'_>) {
                w.begin_object();
                #(#members)*
                #rest
                w.end_object();
            }
        }
    }
}

fn member(cx: &Cx<'_>, field: &Field) -> Tokens {
    let key = format!("{}:", json_string(&field.name.wire));
    let name = ident(&field.name.rust);
    let kind = cx.ir.types.kind(field.ty);
    if let TypeKind::Constant(constant) = kind {
        let value = constant_value(cx, constant);
        return quote! { w.member(#key, &#value); };
    }
    let optional = field.presence == Presence::Optional;
    match (optional, kind) {
        (true, TypeKind::Nullable(inner)) => {
            let Some(value) = foreign::converted_reference(cx, *inner, &quote! { value }) else {
                return quote! { w.field(#key, &self.#name); };
            };
            quote! {
                match &self.#name {
                    Field::Absent => {}
                    Field::Null => w.member(#key, &()),
                    Field::Value(value) => { w.member(#key, &#value); }
                }
            }
        }
        (true, TypeKind::Null) => quote! { w.field(#key, &self.#name); },
        (true, _) => {
            let conversion = foreign::conversion(cx, field.ty).map(|conversion| quote! { .as_ref().map(#conversion) });
            quote! { w.optional(#key, &self.#name #conversion); }
        }
        (false, _) => {
            let value = foreign::converted(cx, field.ty, &quote! { self.#name });
            let value = value.unwrap_or_else(|| quote! { self.#name });
            quote! { w.member(#key, &#value); }
        }
    }
}

/// A constant as an expression that can be encoded.
fn constant_value(cx: &Cx<'_>, json: &str) -> Tokens {
    let runtime = &cx.runtime;
    match serde_json::from_str::<serde_json::Value>(json) {
        Ok(serde_json::Value::String(value)) => {
            let value = text(&value);
            quote! { #value }
        }
        Ok(serde_json::Value::Bool(value)) => quote! { #value },
        Ok(_) | Err(_) => {
            let json = text(json);
            quote! { #runtime::codegen::Verbatim(#json) }
        }
    }
}

/// `Debug` that hides what the author calls secret.
fn hiding_debug(cx: &Cx<'_>, definition: &Struct) -> Option<Tokens> {
    if !has_secrets(definition) {
        return None;
    }
    let (name, shown) = (ident(&definition.name), definition.name.plain());
    let fields = stored(cx, definition).map(|field| {
        let (label, name) = (field.name.rust.plain(), ident(&field.name.rust));
        if field.secret {
            quote! { .field(#label, &format_args!("(hidden)")) }
        } else {
            quote! { .field(#label, &self.#name) }
        }
    });
    let rest = match &definition.rest {
        Rest::Closed => None,
        Rest::Open(name) | Rest::Typed(name, _) => {
            let (label, name) = (name.plain(), ident(name));
            Some(if definition.secret_rest {
                quote! { .field(#label, &format_args!("(hidden)")) }
            } else {
                quote! { .field(#label, &self.#name) }
            })
        }
    };
    Some(quote! {
        impl ::std::fmt::Debug for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct(#shown) #(#fields)* #rest .finish()
            }
        }
    })
}

fn has_secrets(definition: &Struct) -> bool {
    definition.secret_rest || definition.fields.iter().any(|field| field.secret)
}

/// The variable that holds a field while the object is read.
fn local(field: &Field) -> Ident<'_> {
    if TAKEN.contains(&field.name.rust.plain()) {
        return Ident(format!("{}_", field.name.rust.plain()).into());
    }
    ident(&field.name.rust)
}
