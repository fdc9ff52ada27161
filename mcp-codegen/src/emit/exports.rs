//! What the root re-exports: the tools' modules and traits, and of the other kinds whatever no name makes ambiguous.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::{ident, plain_ident};
use crate::ir::{Feature, Ir};

/// Names of the root's own modules, which no feature's module takes over.
const OWN: &[&str] = &["asks", "prompts", "resource_templates", "resources", "tools", "types"];

/// One name that the root could re-export.
struct Export<'a> {
    kind: &'static str,
    feature: &'a Feature,
    /// Whether it has a trait.
    handled: bool,
}

/// The `pub use` lines.
pub(super) fn exports(ir: &Ir) -> TokenStream {
    let all = candidates(ir);
    let modules = count(&all, |export| Some(export.feature.name.rust.plain()));
    let traits = count(&all, |export| export.handled.then(|| export.feature.trait_name.plain()));
    let lines = all.iter().map(|export| {
        let (kind, feature) = (plain_ident(export.kind), export.feature);
        let module = ident(&feature.name.rust);
        let is_free = |names: &BTreeMap<&str, usize>, name: &str| export.kind == "tools" || names.get(name) == Some(&1);
        let own = OWN.contains(&feature.name.rust.plain());
        let module_line = (!own && is_free(&modules, feature.name.rust.plain())).then(|| quote! { pub use self::#kind::#module; });
        let name = ident(&feature.trait_name);
        let trait_line = (export.handled && is_free(&traits, feature.trait_name.plain()))
            .then(|| quote! { pub use self::#kind::#module::#name; });
        quote! { #module_line #trait_line }
    });
    quote! { #(#lines)* }
}

fn candidates(ir: &Ir) -> Vec<Export<'_>> {
    let tools = ir.tools.iter().map(|tool| Export { kind: "tools", feature: &tool.feature, handled: true });
    let resources = ir.resources.iter().map(|resource| Export {
        kind: "resources",
        feature: &resource.feature,
        handled: resource.text.is_none(),
    });
    let templates = ir.templates.iter().map(|template| Export {
        kind: "resource_templates",
        feature: &template.feature,
        handled: true,
    });
    let prompts = ir.prompts.iter().map(|prompt| Export {
        kind: "prompts",
        feature: &prompt.feature,
        handled: prompt.messages.is_none(),
    });
    tools.chain(resources).chain(templates).chain(prompts).collect()
}

fn count<'a>(all: &'a [Export<'a>], name: impl Fn(&'a Export<'a>) -> Option<&'a str>) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for name in all.iter().filter_map(name) {
        *counts.entry(name).or_default() += 1;
    }
    counts
}
