//! Where generated code finds the runtime, and the imports that a file needs.

use std::cell::Cell;
use std::collections::{BTreeSet, HashSet};

use crate::config::Config;
use crate::ir::{Ir, RUNTIME, RustIdent, STANDARD, TypeId, Validation};
use crate::tokens::{Tokens, plain_ident, quote};

/// Its method, which needs the trait `Decode`.
const DECODE: &str = "decode";

/// What every emitting function needs.
pub(super) struct Cx<'a> {
    pub(super) ir: &'a Ir,
    /// `::mcp_runtime`, or what the configuration says.
    pub(super) runtime: Tokens,
    /// Derives for every type, besides our own.
    pub(super) derives: &'a [String],
    pub(super) default_stubs: bool,
    /// The type whose definition is being made: where it holds itself, it is `Self`.
    pub(super) defining: Cell<Option<TypeId>>,
    /// The arguments that a validator judges first.
    pub(super) guarded: HashSet<TypeId>,
    /// The names of the types in `types.rs`.
    shared: BTreeSet<&'a str>,
    importable: Likely,
}

/// Tells quickly of most names that they are not among some: for each first letter, the lengths of those that begin with it.
struct Likely([u64; 128]);

impl<'a> FromIterator<&'a str> for Likely {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        let mut lengths = [0; 128];
        for name in names {
            if let Some((place, length)) = Self::place(name) {
                lengths[place] |= length;
            }
        }
        Self(lengths)
    }
}

impl Likely {
    fn holds(&self, name: &str) -> bool {
        Self::place(name).is_none_or(|(place, length)| self.0[place] & length != 0)
    }

    /// What a name sets; nothing for one that begins beyond ASCII.
    fn place(name: &str) -> Option<(usize, u64)> {
        let first = name.bytes().next().filter(u8::is_ascii)?;
        Some((first.into(), 1 << name.len().min(63)))
    }
}

impl<'a> Cx<'a> {
    pub(super) fn new(ir: &'a Ir, config: &'a Config) -> Self {
        let guarded = ir.tools.iter().filter(|tool| tool.validation != Validation::Type).map(|tool| tool.args);
        let shared: BTreeSet<&str> =
            ir.shared.iter().filter_map(|id| ir.types.kind(*id).name()).map(RustIdent::plain).collect();
        let standard = STANDARD.iter().map(|(name, _)| *name);
        let importable = RUNTIME.iter().copied().chain(standard).chain([DECODE]).chain(shared.iter().copied());
        Self {
            ir,
            runtime: path(&config.runtime_path),
            derives: &config.derive,
            default_stubs: config.default_stubs,
            defining: Cell::new(None),
            guarded: guarded.collect(),
            importable: importable.collect(),
            shared,
        }
    }

    /// The names in some items that may need an import.
    pub(super) fn imported<'t>(&self, items: &'t [Tokens]) -> HashSet<&'t str> {
        items.iter().flat_map(Tokens::names).filter(|name| self.importable.holds(name)).collect()
    }

    /// The imports of a feature's module in which these names stand.
    pub(super) fn imports(&self, names: &HashSet<&str>) -> Tokens {
        self.imports_from(&quote! { super::super::types }, names)
    }

    /// The imports of a module that lies in the root, beside `types`.
    pub(super) fn imports_beside_types(&self, names: &HashSet<&str>) -> Tokens {
        self.imports_from(&quote! { super::types }, names)
    }

    fn imports_from(&self, types: &Tokens, used: &HashSet<&str>) -> Tokens {
        let names: Vec<_> =
            self.shared.iter().filter(|name| used.contains(**name)).map(|name| plain_ident(name)).collect();
        let from_types = (!names.is_empty()).then(|| quote! { use #types::{#(#names),*}; });
        let others = self.runtime_imports(used);
        quote! { #others #from_types }
    }

    /// The imports of a module that uses no shared type.
    pub(super) fn runtime_imports(&self, used: &HashSet<&str>) -> Tokens {
        let runtime = &self.runtime;
        // a method of a trait needs the trait
        let is_used = |name: &str| used.contains(name) || (name == "Decode" && used.contains(DECODE));
        let names: Vec<_> = RUNTIME.iter().filter(|name| is_used(name)).map(|name| plain_ident(name)).collect();
        let from_runtime = (!names.is_empty()).then(|| quote! { use #runtime::codegen::{#(#names),*}; });
        let standard = STANDARD.iter().filter(|(name, _)| used.contains(*name)).map(|(_, text)| {
            let path = path(text);
            quote! { use #path; }
        });
        quote! { #(#standard)* #from_runtime }
    }
}

/// A path that the configuration or a hint states.
pub(super) fn path(text: &str) -> Tokens {
    Tokens::path(text)
}
