//! The same types with `#[derive(Deserialize)]`: what a person would write who checks nothing.
//!
//! Made from the generated code itself, so that fields, optional ones and enums agree. What plain serde does on its own is
//! left to it: unknown keys are passed over, a default is `None`, and unions are internally tagged or untagged.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::visit::{self, Visit};
use syn::{
    Block, Expr, ExprLit, ExprMethodCall, Field, File, ImplItem, Item, ItemEnum, ItemStruct, ItemUse, Lit, Pat, Stmt,
    Type,
};

use crate::Result;

/// The twin of a generated file.
pub(crate) fn of(code: &str) -> Result<String> {
    let file: File = syn::parse_str(code)?;
    let items = items(&file.items);
    Ok(quote! { #(#items)* }.to_string())
}

fn items(all: &[Item]) -> Vec<TokenStream> {
    let aliases = quote! {
        #[allow(unused_imports, reason = "not every module has all of them")]
        use ::std::collections::BTreeMap;
        #[allow(unused_imports, reason = "not every module has all of them")]
        use crate::twin_types::*;
    };
    let made = all.iter().filter_map(|item| match item {
        Item::Mod(module) => {
            let inside = items(&module.content.as_ref()?.1);
            let name = &module.ident;
            Some(quote! { pub mod #name { #(#inside)* } })
        }
        Item::Use(import) if ["types", "generated"].iter().any(|name| mentions(import, name)) => {
            Some(quote! { #import })
        }
        Item::Struct(definition) => Some(structure(definition, decoder(all, &definition.ident)?)),
        Item::Enum(definition) => Some(enumeration(definition, all)),
        _ => None,
    });
    std::iter::once(aliases).chain(made).collect()
}

/// Whether an import goes through a module of this name.
fn mentions(import: &ItemUse, module: &str) -> bool {
    import.to_token_stream().to_string().contains(&format!(":: {module} ::"))
}

fn structure(definition: &ItemStruct, decode: &Block) -> TokenStream {
    let name = &definition.ident;
    let keys = object_keys(decode);
    let locals = locals(decode);
    let required = required(decode);
    let key_of = |field: &Ident| {
        let place = locals.iter().position(|local| local == field || *local == format!("{field}_"))?;
        keys.get(place)
    };
    let fields: Vec<_> = definition.fields.iter().filter_map(|field| Some((field, field.ident.as_ref()?))).collect();
    if let [(Field { ty, .. }, name_of_rest)] = fields[..]
        && keys.is_empty()
        && ty.to_token_stream().to_string() != "Rest"
    {
        return quote! { #[derive(::serde::Deserialize)] #[serde(transparent)] pub struct #name { #name_of_rest: #ty } };
    }
    let fields = fields.into_iter().filter_map(|(Field { ty, .. }, field)| {
        let Some(key) = key_of(field) else {
            // Undeclared keys without a type are what plain serde passes over.
            return match ty.to_token_stream().to_string().as_str() {
                "Rest" => None,
                ty_text if ty_text.starts_with("BTreeMap") => Some(quote! { #[serde(flatten)] #field: #ty, }),
                _ => Some(quote! { #field: compile_error!("no key was found for this field"), }),
            };
        };
        let is_option = ["Option", "Field"].iter().any(|name| ty.to_token_stream().to_string().starts_with(name));
        let ty = if is_option || required.contains(field) {
            quote! { #ty }
        } else {
            quote! { Option<#ty> }
        };
        Some(quote! { #[serde(rename = #key)] #field: #ty, })
    });
    quote! { #[derive(::serde::Deserialize)] pub struct #name { #(#fields)* } }
}

fn enumeration(definition: &ItemEnum, all: &[Item]) -> TokenStream {
    let name = &definition.ident;
    if definition.variants.iter().any(|variant| !variant.fields.is_empty()) {
        return union(definition, decoder(all, name));
    }
    let Some(names) = constant(all, name, "NAMES") else {
        // Values other than strings have no derive.
        return quote! { pub type #name = Value; };
    };
    let variants = definition.variants.iter().zip(names).map(|(variant, wire)| {
        let variant = &variant.ident;
        quote! { #[serde(rename = #wire)] #variant, }
    });
    quote! { #[derive(::serde::Deserialize)] pub enum #name { #(#variants)* } }
}

/// Internally tagged where each variant has one tag, else untagged.
fn union(definition: &ItemEnum, decode: Option<&Block>) -> TokenStream {
    let (name, variants) = (&definition.ident, &definition.variants);
    let found = decode.map(Calls::of).unwrap_or_default();
    if let (Some(property), true) = (&found.property, found.tags.len() == variants.len()) {
        let variants = variants.iter().zip(&found.tags).map(|(variant, tag)| {
            let (name, fields) = (&variant.ident, &variant.fields);
            quote! { #[serde(rename = #tag)] #name #fields, }
        });
        return quote! { #[derive(::serde::Deserialize)] #[serde(tag = #property)] pub enum #name { #(#variants)* } };
    }
    quote! { #[derive(::serde::Deserialize)] #[serde(untagged)] pub enum #name { #variants } }
}

/// The body of a type's `decode`.
fn decoder<'i>(all: &'i [Item], name: &Ident) -> Option<&'i Block> {
    all.iter().find_map(|item| {
        let Item::Impl(found) = item else { return None };
        let is_decode = found.trait_.as_ref().is_some_and(|(path, _)| path.is_ident("Decode"));
        let is_its = is_type(&found.self_ty, name);
        found.items.iter().find_map(|item| match item {
            ImplItem::Fn(method) if is_decode && is_its => Some(&method.block),
            _ => None,
        })
    })
}

fn is_type(ty: &Type, name: &Ident) -> bool {
    matches!(ty, Type::Path(ty) if ty.path.is_ident(name))
}

/// The strings of an associated constant.
fn constant(all: &[Item], name: &Ident, constant: &str) -> Option<Vec<String>> {
    all.iter().find_map(|item| {
        let Item::Impl(found) = item else { return None };
        let is_its = is_type(&found.self_ty, name);
        found.items.iter().filter(|_| is_its).find_map(|item| match item {
            ImplItem::Const(found) if found.ident == constant => Some(strings(&found.expr)),
            _ => None,
        })
    })
}

/// The keys of the object that the function reads.
fn object_keys(decode: &Block) -> Vec<String> {
    Calls::of(decode).keys
}

/// The variables that hold members, in the order of the keys.
fn locals(decode: &Block) -> Vec<Ident> {
    let local = |statement: &Stmt| match statement {
        Stmt::Local(local) => match &local.pat {
            Pat::Ident(name) => Some(name.ident.clone()),
            _ => None,
        },
        _ => None,
    };
    decode.stmts.iter().filter_map(local).collect()
}

/// The fields that must come.
fn required(decode: &Block) -> Vec<Ident> {
    let Some(Stmt::Expr(Expr::Call(made), _)) = decode.stmts.last() else { return Vec::new() };
    let Some(Expr::Struct(made)) = made.args.first() else { return Vec::new() };
    let fields = made.fields.iter().filter(|field| field.expr.to_token_stream().to_string().starts_with("required"));
    fields.filter_map(|field| syn::parse2(field.member.to_token_stream()).ok()).collect()
}

/// What a decoder asks the reader for, at its first call of each kind.
#[derive(Default)]
struct Calls {
    /// The keys of a struct.
    keys: Vec<String>,
    /// The property that tells a union's variants apart.
    property: Option<String>,
    tags: Vec<String>,
}

impl Calls {
    fn of(decode: &Block) -> Self {
        let mut found = Self::default();
        found.visit_block(decode);
        found
    }
}

impl Visit<'_> for Calls {
    fn visit_expr_method_call(&mut self, call: &ExprMethodCall) {
        let list = |place: usize| call.args.get(place).map(strings).unwrap_or_default();
        match call.method.to_string().as_str() {
            "members" | "object" if self.keys.is_empty() => self.keys = list(0),
            "tag" if self.property.is_none() => {
                self.property = call.args.first().and_then(string);
                self.tags = list(1);
            }
            _ => {}
        }
        visit::visit_expr_method_call(self, call);
    }
}

/// The strings of an array, wherever in the expression it stands: `&[..]`, or `const { &keys([..]) }`.
fn strings(expression: &Expr) -> Vec<String> {
    match expression {
        Expr::Array(array) => array.elems.iter().filter_map(string).collect(),
        Expr::Call(call) => call.args.first().map(strings).unwrap_or_default(),
        Expr::Const(inner) => match inner.block.stmts.first() {
            Some(Stmt::Expr(expression, _)) => strings(expression),
            _ => Vec::new(),
        },
        Expr::Reference(reference) => strings(&reference.expr),
        _ => Vec::new(),
    }
}

fn string(literal: &Expr) -> Option<String> {
    match literal {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}
