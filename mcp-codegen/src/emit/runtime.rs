//! Where generated code finds the runtime, and the imports that a file needs.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use crate::config::Config;
use crate::emit::plain_ident;
use crate::ir::{Ir, RUNTIME, RustIdent, STANDARD};

/// What every emitting function needs.
pub(super) struct Cx<'a> {
    pub(super) ir: &'a Ir,
    /// `::mcp_runtime`, or what the configuration says.
    pub(super) runtime: TokenStream,
    /// Derives for every type, besides our own.
    pub(super) derives: &'a [String],
    pub(super) default_stubs: bool,
    /// The names of the types in `types.rs`.
    shared: BTreeSet<&'a str>,
}

impl<'a> Cx<'a> {
    pub(super) fn new(ir: &'a Ir, config: &'a Config) -> Self {
        let names = ir.shared.iter().filter_map(|id| ir.types.kind(*id).name());
        Self {
            ir,
            runtime: path(&config.runtime_path),
            derives: &config.derive,
            default_stubs: config.default_stubs,
            shared: names.map(RustIdent::plain).collect(),
        }
    }

    /// The imports of a feature's module with these items.
    pub(super) fn imports(&self, items: &TokenStream) -> TokenStream {
        self.imports_from(&quote! { super::super::types }, items)
    }

    /// The imports of a module that lies in the root, beside `types`.
    pub(super) fn imports_beside_types(&self, items: &TokenStream) -> TokenStream {
        self.imports_from(&quote! { super::types }, items)
    }

    fn imports_from(&self, types: &TokenStream, items: &TokenStream) -> TokenStream {
        let used = self.used(items);
        let names: Vec<_> =
            self.shared.iter().filter(|name| used.contains(**name)).map(|name| plain_ident(name)).collect();
        let from_types = (!names.is_empty()).then(|| quote! { use #types::{#(#names),*}; });
        let others = self.imports_of(&used);
        quote! { #others #from_types }
    }

    /// The imports of a module that uses no shared type.
    pub(super) fn runtime_imports(&self, items: &TokenStream) -> TokenStream {
        self.imports_of(&self.used(items))
    }

    fn imports_of(&self, used: &BTreeSet<String>) -> TokenStream {
        let runtime = &self.runtime;
        let names: Vec<_> = RUNTIME.iter().filter(|name| used.contains(**name)).map(|name| plain_ident(name)).collect();
        let from_runtime = (!names.is_empty()).then(|| quote! { use #runtime::codegen::{#(#names),*}; });
        let standard = STANDARD.iter().filter(|(name, _)| used.contains(*name)).map(|(_, text)| path(text));
        quote! { #(use #standard;)* #from_runtime }
    }

    /// The importable names among some items.
    fn used(&self, items: &TokenStream) -> BTreeSet<String> {
        let mut used = BTreeSet::new();
        self.collect(items.clone(), &mut used);
        used
    }

    fn collect(&self, tokens: TokenStream, used: &mut BTreeSet<String>) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.collect(group.stream(), used),
                TokenTree::Ident(ident) => {
                    // A method of a trait needs the trait.
                    let name = ident.to_string();
                    let name = if name == "decode" { "Decode".to_owned() } else { name };
                    if self.is_importable(&name) && !used.contains(&name) {
                        used.insert(name);
                    }
                }
                TokenTree::Literal(_) | TokenTree::Punct(_) => {}
            }
        }
    }

    fn is_importable(&self, name: &str) -> bool {
        RUNTIME.binary_search(&name).is_ok()
            || STANDARD.iter().any(|(known, _)| *known == name)
            || self.shared.contains(name)
    }
}

/// A path that the configuration or a hint states.
pub(super) fn path(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}
