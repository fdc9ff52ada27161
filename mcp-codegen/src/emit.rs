//! Checked → modules: what goes where, in which order.
//!
//! Each worker emits and prints whole modules; what comes back is text.

mod ask;
mod catalog;
mod completions;
mod dispatch;
mod docs;
mod enums;
mod exports;
mod files;
mod foreign;
mod handler;
mod patterns;
mod prompt;
mod read;
mod resource;
mod runtime;
mod structs;
mod template;
mod tool;
mod types;
mod unions;

use std::collections::HashSet;
use std::iter;

use crate::check::Checked;
use crate::config::Config;
use crate::emit::exports::Exports;
use crate::emit::runtime::Cx;
use crate::format;
use crate::ir::{Feature, Ir, Prompt, Resource, ResourceTemplate, RustIdent, Tool, TypeId};
use crate::tokens::{Tokens, quote};
use crate::workers;

pub(crate) use self::files::{single, tree};

/// All generated code as text, before it is known whether it becomes a tree of files or one file.
#[derive(Debug)]
pub(crate) struct Modules {
    /// The names of the contract's files, for the header.
    pub(crate) contract: Vec<String>,
    /// What the root says about itself.
    pub(crate) docs: String,
    /// The first item of the root.
    pub(crate) abi: String,
    pub(crate) kinds: Vec<Kind>,
    /// The module `asks`, if the contract has any.
    pub(crate) asks: Option<String>,
    /// The module `types`, if the contract has definitions.
    pub(crate) types: Option<String>,
    /// What follows the modules in the root.
    pub(crate) root: String,
}

/// The modules of one kind of feature.
#[derive(Debug)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) docs: &'static str,
    /// In declaration order.
    pub(crate) features: Vec<Module>,
}

/// The module of one feature.
#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) name: RustIdent,
    /// The name of the file that declares the feature.
    pub(crate) contract: String,
    pub(crate) text: String,
}

/// One module to be written.
#[derive(Clone, Copy)]
enum Unit<'a> {
    Prompt(&'a Prompt),
    Resource(&'a Resource),
    Template(&'a ResourceTemplate),
    Tool(&'a Tool),
}

/// Emits and prints everything.
pub(crate) fn emit(checked: &Checked, config: &Config) -> Modules {
    let ir = checked.ir();
    let units: Vec<Unit<'_>> = units(ir);
    let texts = || {
        workers::map(&units, |units| {
            let cx = Cx::new(ir, config);
            units.iter().map(|unit| unit.text(&cx)).collect()
        })
    };
    let (root, texts) = workers::both(|| root(&Cx::new(ir, config)), texts);
    let mut texts = texts.into_iter();
    let mut kind = |name, docs, features: Vec<&Feature>| {
        let module = |(feature, text): (&Feature, String)| Module {
            name: feature.name.rust.clone(),
            contract: feature.contract.clone(),
            text,
        };
        let features = features.into_iter().zip(&mut texts).map(module).collect();
        Kind { name, docs, features }
    };
    let kinds = vec![
        kind("tools", "The tools.", ir.tools.iter().map(|tool| &tool.feature).collect()),
        kind("resources", "The resources.", ir.resources.iter().map(|resource| &resource.feature).collect()),
        kind(
            "resource_templates",
            "The resource templates.",
            ir.templates.iter().map(|template| &template.feature).collect(),
        ),
        kind("prompts", "The prompts.", ir.prompts.iter().map(|prompt| &prompt.feature).collect()),
    ];
    let cx = Cx::new(ir, config);
    let runtime = &cx.runtime;
    let needs_pattern = ir.needs_engine().then(|| quote! { #runtime::require_pattern!(); });
    let needs_schema = ir.needs_validator().then(|| quote! { #runtime::require_schema!(); });
    Modules {
        contract: ir.server.files.clone(),
        docs: format!("The MCP server `{}`, version {}.", docs::word(&ir.server.name), docs::word(&ir.server.version)),
        abi: format::print(&[quote! { #runtime::require_abi!(1); #needs_pattern #needs_schema }]),
        kinds,
        asks: (!ir.asks.is_empty()).then(|| asks_module(&cx)),
        types: (!ir.shared.is_empty()).then(|| types_module(&cx)),
        root,
    }
}

/// The paths of each feature's module and trait from the root, by the modules of its kind and its own.
#[cfg(feature = "cli")]
pub(crate) fn handlers(ir: &Ir) -> std::collections::BTreeMap<(&'static str, String), (String, String)> {
    Exports::new(ir).paths()
}

/// Every feature, in the order of the kinds.
fn units(ir: &Ir) -> Vec<Unit<'_>> {
    let tools = ir.tools.iter().map(Unit::Tool);
    let resources = ir.resources.iter().map(Unit::Resource);
    let templates = ir.templates.iter().map(Unit::Template);
    tools.chain(resources).chain(templates).chain(ir.prompts.iter().map(Unit::Prompt)).collect()
}

impl Unit<'_> {
    /// The module's text.
    fn text(self, cx: &Cx<'_>) -> String {
        let (kind, feature, items) = match self {
            Self::Prompt(prompt) => ("prompt", &prompt.feature, prompt::items(cx, prompt)),
            Self::Resource(resource) => ("resource", &resource.feature, resource::items(cx, resource)),
            Self::Template(template) => ("resource template", &template.feature, template::items(cx, template)),
            Self::Tool(tool) => ("tool", &tool.feature, tool::items(cx, tool)),
        };
        let items = printed(items, cx, |names| cx.imports(names));
        format!("//! The {kind} `{}`.\n\n{items}", docs::word(&feature.name.wire))
    }
}

/// The types that several features share.
fn types_module(cx: &Cx<'_>) -> String {
    let patterns = patterns::constants(cx, &cx.ir.shared_patterns);
    let types = cx.ir.shared.iter().flat_map(|id| types::definition(cx, *id, "Shared by several features."));
    let items = printed(iter::once(patterns).chain(types).collect(), cx, |names| cx.runtime_imports(names));
    format!("//! Types that several features share.\n\n{items}")
}

/// The forms and pages that a handler asks the user with.
fn asks_module(cx: &Cx<'_>) -> String {
    let items = printed(ask::items(cx), cx, |names| cx.imports_beside_types(names));
    format!("//! What a handler can ask the user: forms to fill in, pages to open.\n\n{items}")
}

/// What stands in the root besides the modules.
fn root(cx: &Cx<'_>) -> String {
    let exports = Exports::new(cx.ir);
    let items = vec![catalog::catalog(cx, &exports), dispatch::service(cx, &exports)];
    let exports = exports.items();
    printed(items, cx, |names| {
        let imports = cx.runtime_imports(names);
        quote! { #imports #exports }
    })
}

/// Items as text, behind the imports that the names in them need.
fn printed(mut items: Vec<Tokens>, cx: &Cx<'_>, imports: impl FnOnce(&HashSet<&str>) -> Tokens) -> String {
    let imports = imports(&cx.imported(&items));
    items.insert(0, imports);
    format::print(&items)
}

/// The types that a feature's module defines.
fn definitions(cx: &Cx<'_>, feature: &Feature) -> Vec<Tokens> {
    let wire = docs::word(&feature.name.wire);
    feature.types.iter().flat_map(|id| types::definition(cx, *id, &type_docs(cx, *id, &wire))).collect()
}

/// What is said about a type whose schema says nothing.
fn type_docs(cx: &Cx<'_>, id: TypeId, feature: &str) -> String {
    match cx.ir.types.kind(id).name().map_or("", RustIdent::plain) {
        "Args" => format!("The arguments of `{feature}`."),
        "Output" => format!("The result of `{feature}`."),
        "Vars" => format!("The variables of `{feature}`."),
        _ => format!("Nested in what `{feature}` takes or gives."),
    }
}

/// A string as JSON text.
fn json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
