//! Contract → Ir: decides every name, resolves every reference, and turns schemas into types.

mod ask;
mod asserts;
mod default;
mod depth;
mod enumeration;
mod exact;
mod feature;
mod foreign;
mod formats;
mod naming;
mod object;
mod prompt;
mod recursion;
mod resource;
mod scalar;
mod schema;
mod template;
mod tool;
mod union;
mod validation;

use std::collections::BTreeMap;
use std::fmt::Write;

use sha2::{Digest, Sha256};

#[cfg(feature = "cli")]
pub(crate) use self::formats::leave_out_others as leave_out_formats;
use crate::config::Config;
use crate::contract::{self, CacheScope, Contract, Settings, Side};
use crate::diagnostic::Diagnostics;
use crate::document::{Node, NodeKind};
use crate::formats::AllFormats;
use crate::ir::{self, Ir, RustIdent, TypeArena, TypeId};
use crate::lower::naming::Scope;
use crate::lower::schema::{FileScope, Lowering, SchemaSource, Shared};
use crate::schema::{DEFS, read};
use crate::source::{Sources, Span};
use crate::workers;

/// What every feature needs while it is lowered.
struct Cx<'a> {
    sources: &'a Sources,
    /// The server's defaults for every feature.
    settings: &'a Settings,
    formats: &'a AllFormats,
    /// The types of `[defs]`, by the reference that names them.
    defs: BTreeMap<String, Shared<'a>>,
    /// The names in `types.rs`, which no feature's type may take.
    def_names: Vec<RustIdent>,
    types: TypeArena,
    found: &'a mut Diagnostics,
}

/// Lowers a whole contract. What is wrong is reported, and a harmless stand-in takes its place.
pub(crate) fn lower(contract: &Contract, sources: &Sources, config: &Config, found: &mut Diagnostics) -> Ir {
    let formats = AllFormats::new(contract, config);
    formats::report_unknown(contract, &formats, found);
    let mut cx = Cx {
        sources,
        settings: &contract.server.settings,
        formats: &formats,
        defs: BTreeMap::new(),
        def_names: Vec::new(),
        types: TypeArena::default(),
        found,
    };
    let (shared, shared_patterns) = defs(&mut cx, contract);
    let mut ir = Ir {
        server: server(contract, sources, config),
        tools: tools(&mut cx, &contract.tools),
        resources: contract.resources.iter().map(|resource| resource::lower(&mut cx, resource)).collect(),
        templates: contract.templates.iter().map(|template| template::lower(&mut cx, template)).collect(),
        prompts: contract.prompts.iter().map(|prompt| prompt::lower(&mut cx, prompt)).collect(),
        asks: ask::lower_all(&mut cx, &contract.asks),
        shared,
        shared_patterns,
        types: cx.types,
    };
    let roots: Vec<TypeId> = roots(&ir);
    recursion::break_circles(&mut ir.types, &roots);
    if let Some(reached) = depth::limit(&mut ir.types, &roots) {
        for types in defined(&mut ir) {
            types.retain(|ty| reached[ty.index()]);
        }
    }
    let decided = decided_by_type(&ir, contract, &formats);
    for ((tool, written), _) in ir.tools.iter_mut().zip(&contract.tools).zip(decided).filter(|(_, decided)| !decided) {
        let asserting = (!tool.formats.is_empty()).then(|| formats.of(written.input.portable));
        tool.validation = validation::validation(written, asserting, cx.found);
    }
    ir
}

/// Of each tool, whether its type alone decides what arguments are.
fn decided_by_type(ir: &Ir, contract: &Contract, formats: &AllFormats) -> Vec<bool> {
    let tools: Vec<_> = ir.tools.iter().zip(&contract.tools).collect();
    let decides = |(tool, written): &(&ir::Tool, &contract::Tool)| {
        let formats = formats.of(written.input.portable);
        let known = exact::Known { types: &ir.types, defs: &contract.defs, formats };
        written.rules.is_none() && exact::is_exact(known, &written.input.typed, tool.args)
    };
    workers::map(&tools, |tools| tools.iter().map(decides).collect())
}

/// Lowers tools on all cores, each worker with the types of `[defs]` and its own.
fn tools(cx: &mut Cx<'_>, written: &[contract::Tool]) -> Vec<ir::Tool> {
    let base = &*cx;
    let parts = workers::map(written, |written| {
        // What was found already is not told again.
        let mut found = base.found.clone();
        let (defs, def_names, types) = (base.defs.clone(), base.def_names.clone(), base.types.clone());
        let mut cx = Cx { defs, def_names, types, found: &mut found, ..*base };
        let tools: Vec<ir::Tool> = written.iter().map(|tool| tool::lower(&mut cx, tool)).collect();
        vec![(tools, cx.types, found.since(base.found))]
    });
    let common = cx.types.len();
    let mut all = Vec::with_capacity(written.len());
    for (mut tools, types, found) in parts {
        let moved = cx.types.take_over(types, common);
        for tool in &mut tools {
            let ids = [&mut tool.args].into_iter().chain(&mut tool.output).chain(&mut tool.feature.types);
            ids.for_each(|id| *id = moved.id(*id));
        }
        all.append(&mut tools);
        cx.found.extend(found);
    }
    all
}

/// What the module and the trait of a tool are called.
#[cfg(feature = "cli")]
pub(crate) fn tool_names(wire: &str) -> (String, String) {
    let (module, handler) = (naming::snake(wire, 1), naming::trait_name(wire, "Tool"));
    (module.plain().to_owned(), handler.plain().to_owned())
}

/// Every type that something outside the arena names.
fn roots(ir: &Ir) -> Vec<TypeId> {
    let tools = ir.tools.iter().flat_map(|tool| std::iter::once(tool.args).chain(tool.output));
    let templates = ir.templates.iter().map(|template| template.vars);
    let prompts = ir.prompts.iter().map(|prompt| prompt.args);
    let forms = ir.asks.iter().filter_map(|ask| Some(ask.form.as_ref()?.content));
    tools.chain(templates).chain(prompts).chain(forms).chain(ir.shared.iter().copied()).collect()
}

/// The lists of the types that each file defines.
fn defined(ir: &mut Ir) -> Vec<&mut Vec<TypeId>> {
    let tools = ir.tools.iter_mut().map(|tool| &mut tool.feature.types);
    let templates = ir.templates.iter_mut().map(|template| &mut template.feature.types);
    let prompts = ir.prompts.iter_mut().map(|prompt| &mut prompt.feature.types);
    let forms = ir.asks.iter_mut().filter_map(|ask| Some(&mut ask.form.as_mut()?.types));
    tools.chain(templates).chain(prompts).chain(forms).collect()
}

/// The types of `[defs]`. All ids are taken first, so that definitions can name each other.
fn defs<'a>(cx: &mut Cx<'a>, contract: &'a Contract) -> (Vec<TypeId>, Vec<ir::Pattern>) {
    let mut file = FileScope::default();
    let mut reserved = Vec::new();
    for (index, def) in contract.defs.iter().enumerate() {
        let name = match &def.rust.name {
            Some(name) => naming::type_name(&name.value),
            None => naming::type_name(&naming::pascal_text(&def.name.value, index + 1)),
        };
        let id = cx.types.reserve();
        cx.defs.insert(format!("{DEFS}{}", def.name.value), Shared { ty: id, schema: &def.schema.typed });
        reserved.push((id, file.names.take(&name)));
    }
    for (def, (id, name)) in contract.defs.iter().zip(&reserved) {
        let schema = read(&def.schema.typed, &mut Diagnostics::default());
        let source = SchemaSource {
            root: &def.schema.typed,
            side: Side::Input,
            portable: def.schema.portable,
            hints: &def.hints,
            defs: &cx.defs,
            formats: cx.formats.of(def.schema.portable),
            name,
        };
        let references = BTreeMap::new();
        let mut lowering =
            Lowering { types: &mut cx.types, found: &mut *cx.found, file: &mut file, source, references };
        let ty = lowering.root(&schema);
        lowering.settle(*id, ty);
    }
    let names = file.defined.iter().filter_map(|id| cx.types.kind(*id).name());
    cx.def_names = names.cloned().collect();
    (file.defined, file.patterns)
}

/// The names that a feature's file starts with.
fn file_scope(cx: &Cx<'_>, trait_name: &RustIdent) -> FileScope {
    let names = cx.def_names.iter().chain([trait_name]).map(|name| name.plain().to_owned());
    FileScope { names: Scope::with(names), ..FileScope::default() }
}

fn server(contract: &Contract, sources: &Sources, config: &Config) -> ir::Server {
    let server = &contract.server;
    let name = server.name.as_ref().map(|name| name.value.as_str());
    let name = name.or(config.name.as_deref()).unwrap_or("mcp-server").to_owned();
    let version = server.version.as_ref().map_or("0.0.0", |version| &version.value).to_owned();
    let info = server.info.clone().unwrap_or_else(|| {
        let mut info = Node::object(Span::default());
        info.push("name", Node::string(&name, Span::default()));
        info.push("version", Node::string(&version, Span::default()));
        info
    });
    let info = with_version(info, &version).to_json();
    ir::Server {
        name,
        version,
        info,
        instructions: server.instructions.as_ref().map(|text| text.value.clone()),
        ttl_ms: server.ttl_ms.as_ref().map_or(0, |ttl| ttl.value),
        public: server.cache_scope.as_ref().is_some_and(|scope| scope.value == CacheScope::Public),
        page_size: server.page_size.as_ref().map(|size| size.value),
        resource: server.resource.as_ref().map(|uri| uri.value.clone()),
        authorization_servers: server.authorization_servers.iter().map(|uri| uri.value.clone()).collect(),
        contract_hash: contract_hash(sources),
        files: file_names(sources),
    }
}

/// MCP wants a version in `serverInfo`, whether or not the contract states one.
fn with_version(mut info: Node, version: &str) -> Node {
    if info.get("version").is_none() {
        let span = info.span;
        info.push("version", Node::string(version, span));
    }
    debug_assert!(matches!(info.kind, NodeKind::Object(_)), "`serverInfo` is an object");
    info
}

/// SHA-256 over the names and texts of all files, sorted by name: the same wherever the contract lies.
fn contract_hash(sources: &Sources) -> String {
    let mut files: Vec<(&str, &str)> =
        sources.files().map(|(_, file)| (file.name.as_str(), file.text.as_str())).collect();
    files.sort_unstable();
    let mut hash = Sha256::new();
    for part in files.iter().flat_map(|(name, text)| [name, text]) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    let mut digits = String::new();
    for byte in hash.finalize() {
        // Writing to a `String` cannot fail.
        write!(digits, "{byte:02x}").unwrap_or_default();
    }
    digits
}

fn file_names(sources: &Sources) -> Vec<String> {
    let contracts = sources.files().filter(|(_, file)| file.role.is_contract());
    let mut names: Vec<String> = contracts.map(|(_, file)| file.name.clone()).collect();
    names.sort();
    names
}
