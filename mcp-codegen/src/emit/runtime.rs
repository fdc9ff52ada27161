//! Where generated code finds the runtime, and the imports that a file needs.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use crate::config::Config;
use crate::emit::plain_ident;
use crate::ir::{Ir, RustIdent};

/// What `codegen` offers under one name, and generated code uses by that name. The names are reserved in
/// `lower::naming`.
const RUNTIME: &[&str] = &[
    "ArrayRules",
    "Call",
    "Catalog",
    "Context",
    "Decode",
    "Encode",
    "Fault",
    "Field",
    "IntegerRules",
    "NumberRules",
    "ObjectRules",
    "Part",
    "Prompt",
    "PromptMessages",
    "Reader",
    "RequestError",
    "Resource",
    "ResourceContents",
    "ResourceTemplate",
    "Rest",
    "ServerInfo",
    "Settings",
    "Start",
    "StringRules",
    "Tool",
    "ToolError",
    "ToolResponse",
    "UriTemplate",
    "Value",
    "Writer",
    "required",
];

/// What every emitting function needs.
pub(super) struct Cx<'a> {
    pub(super) ir: &'a Ir,
    /// `::mcp_runtime`, or what the configuration says.
    pub(super) runtime: TokenStream,
    /// Derives for every type, besides our own.
    pub(super) derives: Vec<TokenStream>,
    pub(super) default_stubs: bool,
    /// The names of the types in `types.rs`.
    shared: BTreeSet<&'a str>,
}

impl<'a> Cx<'a> {
    pub(super) fn new(ir: &'a Ir, config: &Config) -> Self {
        let names = ir.shared.iter().filter_map(|id| ir.types.kind(*id).name());
        Self {
            ir,
            runtime: path(&config.runtime_path),
            derives: config.derive.iter().map(|derive| path(derive)).collect(),
            default_stubs: config.default_stubs,
            shared: names.map(RustIdent::plain).collect(),
        }
    }

    /// The imports of a feature's module with these items.
    pub(super) fn imports(&self, items: &TokenStream) -> TokenStream {
        let used = identifiers(items);
        let from_types = self.shared.iter().filter(|name| used.contains(**name)).map(|name| plain_ident(name));
        let from_types: Vec<_> = from_types.collect();
        let from_types = (!from_types.is_empty()).then(|| quote! { use super::super::types::{#(#from_types),*}; });
        let others = self.runtime_imports(items);
        quote! { #others #from_types }
    }

    /// The imports of a module that uses no shared type.
    pub(super) fn runtime_imports(&self, items: &TokenStream) -> TokenStream {
        let used = identifiers(items);
        let runtime = &self.runtime;
        let from_runtime: Vec<_> =
            RUNTIME.iter().filter(|name| used.contains(**name)).map(|name| plain_ident(name)).collect();
        let from_runtime = (!from_runtime.is_empty()).then(|| quote! { use #runtime::codegen::{#(#from_runtime),*}; });
        let standard = [
            ("BTreeMap", quote! { use ::std::collections::BTreeMap; }),
            ("Duration", quote! { use ::std::time::Duration; }),
            ("Future", quote! { use ::std::future::Future; }),
        ];
        let standard = standard.iter().filter(|(name, _)| used.contains(*name)).map(|(_, tokens)| tokens);
        quote! { #(#standard)* #from_runtime }
    }
}

/// A path that the configuration or a hint states.
pub(super) fn path(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}

/// Every identifier among some items.
fn identifiers(items: &TokenStream) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    collect(items.clone(), &mut used);
    used
}

fn collect(tokens: TokenStream, used: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => collect(group.stream(), used),
            TokenTree::Ident(ident) => {
                used.insert(ident.to_string());
            }
            TokenTree::Literal(_) | TokenTree::Punct(_) => {}
        }
    }
}
