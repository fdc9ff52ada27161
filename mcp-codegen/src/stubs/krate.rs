//! A crate as its files say it: modules, what they import, and which traits are implemented for what.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path as FilePath, PathBuf};

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ExprCall, Item, ItemImpl, ItemMod, Lit, Meta, Type};

use super::Path;
use super::names::{self, Imports};
use crate::source::{Role, SourceFile, Sources, Span};

/// More files than this are no crate.
const MAX_FILES: usize = 20_000;

/// Modules inside each other.
const MAX_DEPTH: usize = 64;

/// What a crate says of itself.
#[derive(Clone, Debug, Default)]
pub struct Crate {
    /// The files that were read.
    pub sources: Sources,
    pub(super) modules: BTreeMap<Path, Module>,
    pub(super) impls: Vec<Impl>,
    /// Modules of generated code, with the name that `include_service!` gives.
    pub(super) generated: Vec<(Path, Option<String>)>,
    /// What is called, with the first argument: `api::service(App)`.
    calls: Vec<Call>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Module {
    pub(super) imports: Imports,
    /// The names of what is declared here.
    pub(super) items: BTreeSet<String>,
    /// Whether something is called that may declare more.
    has_macros: bool,
}

/// `impl of for for_type`, in a module.
#[derive(Clone, Debug)]
pub(super) struct Impl {
    pub(super) module: Path,
    pub(super) of: Path,
    /// Nothing where it is no path.
    pub(super) for_type: Option<Path>,
    pub(super) span: Span,
}

#[derive(Clone, Debug)]
struct Call {
    module: Path,
    function: Path,
    argument: Path,
}

impl Crate {
    /// Reads a crate from its root, such as `src/main.rs`. `read` gives the text of a file, or nothing where there is none.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read, or is no Rust; the error names the file and the place.
    pub fn read(root: &FilePath, read: &dyn Fn(&FilePath) -> io::Result<Option<String>>) -> io::Result<Self> {
        let mut reader = Reader { krate: Self::default(), read, seen: BTreeSet::new() };
        let path = vec!["crate".to_owned()];
        let folder = root.parent().unwrap_or(FilePath::new("")).to_owned();
        match read(root)? {
            Some(text) => reader.file((root, &text), &path, &folder)?,
            None => return Err(io::Error::other(format!("`{}` is not there", root.display()))),
        }
        Ok(reader.krate)
    }

    /// The path from the crate's root, or from the name of another crate, that a path in a module means.
    pub(super) fn absolute(&self, module: &Path, path: &Path) -> Option<Path> {
        names::absolute(&self.modules, module, path)
    }

    /// What a path that a person typed means, as seen from the crate's root. Nothing where it cannot be in this crate, nor
    /// in another.
    pub(super) fn typed(&self, path: &Path) -> Option<Path> {
        let root = vec!["crate".to_owned()];
        let path = self.absolute(&root, path)?;
        let (name, parent) = path.split_last()?;
        if path.first() != root.first() {
            // One step can only be something of this crate.
            return (!parent.is_empty()).then_some(path);
        }
        let is_there = match self.modules.get(parent) {
            Some(module) => {
                let imports = &module.imports;
                let may_be = module.has_macros || !imports.globs.is_empty();
                may_be || module.items.contains(name) || imports.names.contains_key(name)
            }
            // A module that is not seen either is in generated code, or made by a macro.
            None => {
                (1..parent.len()).any(|end| self.modules.get(&parent[..end]).is_some_and(|module| module.has_macros))
            }
        };
        is_there.then_some(path)
    }

    /// Whether a name that nothing declares may be imported from `api` by a glob.
    pub(super) fn may_come_from(&self, module: &Path, path: &Path, api: &Path) -> bool {
        let [name] = path.as_slice() else { return false };
        let Some(here) = self.modules.get(module) else { return false };
        let is_declared = here.items.contains(name) || here.imports.names.contains_key(name);
        let is_api = |glob: &Path| self.absolute(module, glob).as_ref() == Some(api) || glob[..] == ["super"];
        !is_declared && here.imports.globs.iter().any(is_api)
    }

    /// The type whose value is given to the generated `service`.
    pub(super) fn given_to_service(&self, api: &Path) -> Option<Path> {
        let mut service = api.clone();
        service.push("service".to_owned());
        let call =
            self.calls.iter().find(|call| self.absolute(&call.module, &call.function).as_ref() == Some(&service))?;
        // `App::new()` is a value of `App`, and so is what a constant or a variable holds, but nobody says so.
        let is_type = |step: &String| step.starts_with(|c: char| c.is_uppercase());
        let end = call.argument.iter().position(is_type)?;
        self.absolute(&call.module, &call.argument[..=end].to_vec())
    }
}

struct Reader<'r> {
    krate: Crate,
    read: &'r dyn Fn(&FilePath) -> io::Result<Option<String>>,
    seen: BTreeSet<PathBuf>,
}

impl Reader<'_> {
    /// One file as a module. The files of its own modules lie in `folder`.
    fn file(&mut self, (file, text): (&FilePath, &str), path: &Path, folder: &FilePath) -> io::Result<()> {
        if path.len() > MAX_DEPTH || self.seen.len() >= MAX_FILES || !self.seen.insert(file.to_owned()) {
            return Ok(());
        }
        // What is generated declares traits, and implements none of them.
        if text.starts_with("// @generated by mcp-codegen") {
            self.krate.generated.push((path.clone(), None));
            return Ok(());
        }
        let parsed = syn::parse_file(text).map_err(|error| {
            let place = error.span().start();
            io::Error::other(format!("{}:{}:{}: {error}", file.display(), place.line, place.column + 1))
        })?;
        let name = file.to_string_lossy().replace('\\', "/");
        let source = SourceFile { name, path: file.to_owned(), text: text.to_owned(), role: Role::Attachment };
        let id = self.krate.sources.add(source);
        self.items(&parsed.items, path, (folder, file, id))
    }

    fn items(
        &mut self,
        items: &[Item],
        path: &Path,
        place: (&FilePath, &FilePath, crate::source::FileId),
    ) -> io::Result<()> {
        let (folder, file, id) = place;
        let mut module = Module::default();
        for item in items.iter().filter(|item| !is_for_tests(item)) {
            module.items.extend(declared(item));
            module.has_macros |= matches!(item, Item::Macro(item) if item.ident.is_none());
            match item {
                Item::Use(item) => module.imports.add(&item.tree),
                Item::Impl(item) => self.implementation(item, path, id),
                Item::Macro(item) => self.include(&item.mac, path),
                Item::Mod(item) => self.module(item, path, (folder, file, id))?,
                _ => {}
            }
            Calls { module: path, calls: &mut self.krate.calls }.visit_item(item);
        }
        self.krate.modules.insert(path.clone(), module);
        Ok(())
    }

    fn implementation(&mut self, item: &ItemImpl, module: &Path, file: crate::source::FileId) {
        let Some((of, _)) = &item.trait_ else { return };
        let for_type = match &*item.self_ty {
            Type::Path(ty) => Some(names::of(&ty.path)),
            _ => None,
        };
        let range = of.span().byte_range();
        let (module, of) = (module.clone(), names::of(of));
        self.krate.impls.push(Impl { module, of, for_type, span: Span::new(file, range) });
    }

    /// `mcp_runtime::include_service!("weather")`
    fn include(&mut self, call: &syn::Macro, module: &Path) {
        if call.path.segments.last().is_some_and(|segment| segment.ident == "include_service") {
            let name = call.parse_body::<syn::LitStr>().ok().map(|name| name.value());
            self.krate.generated.push((module.clone(), name));
        }
    }

    fn module(
        &mut self,
        item: &ItemMod,
        path: &Path,
        (folder, file, id): (&FilePath, &FilePath, crate::source::FileId),
    ) -> io::Result<()> {
        let name = item.ident.to_string();
        let stem = name.trim_start_matches("r#").to_owned();
        let mut inner = path.clone();
        inner.push(name);
        let stated = stated_path(&item.attrs);
        if let Some((_, items)) = &item.content {
            let folder = folder.join(stated.unwrap_or(stem));
            return self.items(items, &inner, (&folder, file, id));
        }
        let beside = file.parent().unwrap_or(FilePath::new(""));
        let is_at_top = path.len() == 1 || is_file_module(path, file);
        let candidates = match stated {
            Some(stated) => vec![if is_at_top { beside.join(&stated) } else { folder.join(&stated) }],
            None => vec![folder.join(format!("{stem}.rs")), folder.join(&stem).join("mod.rs")],
        };
        for candidate in candidates {
            let Some(text) = (self.read)(&candidate)? else { continue };
            let parent = candidate.parent().unwrap_or(FilePath::new(""));
            let owns_folder = candidate.file_name().is_some_and(|name| name == "mod.rs") || has_path(&item.attrs);
            let folder = if owns_folder { parent.to_owned() } else { parent.join(&stem) };
            return self.file((&candidate, &text), &inner, &folder);
        }
        // rustc will say that the file is missing.
        Ok(())
    }
}

/// Whether the module is a file's own, and not one inside braces.
fn is_file_module(path: &Path, file: &FilePath) -> bool {
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let last = path.last().map_or("", String::as_str).trim_start_matches("r#");
    stem == last || stem == "mod"
}

fn has_path(attributes: &[Attribute]) -> bool {
    stated_path(attributes).is_some()
}

/// `#[path = "gen/mod.rs"]`
fn stated_path(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    })
}

/// The name of what an item declares.
fn declared(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Mod(item) => &item.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// Collects calls whose first argument names something.
struct Calls<'c> {
    module: &'c Path,
    calls: &'c mut Vec<Call>,
}

impl Visit<'_> for Calls<'_> {
    fn visit_expr_call(&mut self, call: &ExprCall) {
        if let (Expr::Path(function), Some(argument)) = (&*call.func, call.args.first().and_then(value)) {
            let function = names::of(&function.path);
            self.calls.push(Call { module: self.module.clone(), function, argument });
        }
        visit::visit_expr_call(self, call);
    }

    // Modules inside are looked at by themselves.
    fn visit_item_mod(&mut self, _: &ItemMod) {}
}

/// `App`, `App { … }`, `App::new()`, with what stands around a value left out.
fn value(expression: &Expr) -> Option<Path> {
    match expression {
        Expr::Path(path) => Some(names::of(&path.path)),
        Expr::Struct(value) => Some(names::of(&value.path)),
        Expr::Call(call) => value(&call.func),
        Expr::MethodCall(call) => value(&call.receiver),
        Expr::Await(inner) => value(&inner.base),
        Expr::Try(inner) => value(&inner.expr),
        Expr::Paren(inner) => value(&inner.expr),
        _ => None,
    }
}

/// Whether an item is compiled for tests alone: handlers of tests are not those of the server.
fn is_for_tests(item: &Item) -> bool {
    let attributes = match item {
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => return false,
    };
    let is_test = |attribute: &Attribute| {
        attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    };
    attributes.iter().any(is_test)
}
