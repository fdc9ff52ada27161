//! What the root re-exports, and under which path the root itself names a feature: the tools' modules and traits, and
//! of the other kinds whatever no name makes ambiguous.

use std::collections::BTreeMap;

use crate::ir::{Feature, Ir};
use crate::tokens::{Tokens, ident, plain_ident, quote};

/// Names of the root's own modules, which no feature's module takes over.
const OWN: &[&str] = &["asks", "prompts", "resource_templates", "resources", "tools", "types"];

/// All features, and how often each name occurs among them.
pub(super) struct Exports<'a> {
    all: Vec<Export<'a>>,
    modules: BTreeMap<&'a str, usize>,
    traits: BTreeMap<&'a str, usize>,
}

/// One feature that the root could re-export.
struct Export<'a> {
    kind: &'static str,
    feature: &'a Feature,
    /// Whether it has a trait.
    handled: bool,
}

impl<'a> Exports<'a> {
    pub(super) fn new(ir: &'a Ir) -> Self {
        let all = features(ir);
        let mut exports = Self { all: Vec::new(), modules: BTreeMap::new(), traits: BTreeMap::new() };
        for export in &all {
            *exports.modules.entry(export.feature.name.rust.plain()).or_default() += 1;
            if export.handled {
                *exports.traits.entry(export.feature.trait_name.plain()).or_default() += 1;
            }
        }
        exports.all = all;
        exports
    }

    /// The `pub use` lines.
    pub(super) fn items(&self) -> Tokens {
        let lines = self.all.iter().map(|export| self.item(export));
        quote! { #(#lines)* }
    }

    fn item(&self, export: &Export<'_>) -> Option<Tokens> {
        let Export { kind, feature, handled } = export;
        let (of_kind, module, name) = (plain_ident(kind), ident(&feature.name.rust), ident(&feature.trait_name));
        let has_trait = *handled && self.has_trait(kind, feature);
        match (self.has_module(kind, feature), has_trait) {
            (true, true) => Some(quote! { pub use self::#of_kind::#module::{self, #name}; }),
            (true, false) => Some(quote! { pub use self::#of_kind::#module; }),
            (false, true) => Some(quote! { pub use self::#of_kind::#module::#name; }),
            (false, false) => None,
        }
    }

    /// The shortest paths of each feature's module and trait.
    #[cfg(feature = "cli")]
    pub(super) fn paths(&self) -> BTreeMap<(&'static str, String), (String, String)> {
        let text = |path: Tokens| path.to_string().replace(' ', "");
        let paths = self.all.iter().map(|Export { kind, feature, .. }| {
            let key = (*kind, feature.name.rust.plain().to_owned());
            (key, (text(self.module(kind, feature)), text(self.handler(kind, feature))))
        });
        paths.collect()
    }

    /// The shortest path of a feature's module from the root.
    pub(super) fn module(&self, kind: &str, feature: &Feature) -> Tokens {
        let module = ident(&feature.name.rust);
        if self.has_module(kind, feature) {
            return quote! { #module };
        }
        let kind = plain_ident(kind);
        quote! { #kind::#module }
    }

    /// The shortest path of a feature's trait from the root.
    pub(super) fn handler(&self, kind: &str, feature: &Feature) -> Tokens {
        let name = ident(&feature.trait_name);
        if self.has_trait(kind, feature) {
            return quote! { #name };
        }
        let module = self.module(kind, feature);
        quote! { #module::#name }
    }

    fn has_module(&self, kind: &str, feature: &Feature) -> bool {
        let name = feature.name.rust.plain();
        !OWN.contains(&name) && (kind == "tools" || self.modules.get(name) == Some(&1))
    }

    fn has_trait(&self, kind: &str, feature: &Feature) -> bool {
        kind == "tools" || self.traits.get(feature.trait_name.plain()) == Some(&1)
    }
}

/// Every feature, tools first.
fn features(ir: &Ir) -> Vec<Export<'_>> {
    let tools = ir.tools.iter().map(|tool| Export { kind: "tools", feature: &tool.feature, handled: true });
    let resources = ir.resources.iter().map(|resource| Export {
        kind: "resources",
        feature: &resource.feature,
        handled: resource.content.is_none(),
    });
    let templates = ir.templates.iter().map(|template| Export {
        kind: "resource_templates",
        feature: &template.feature,
        handled: true,
    });
    let prompts = ir.prompts.iter().map(|prompt| Export {
        kind: "prompts",
        feature: &prompt.feature,
        handled: prompt.is_handled(),
    });
    tools.chain(resources).chain(templates).chain(prompts).collect()
}
