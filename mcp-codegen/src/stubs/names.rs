//! What a path means where it stands.

use std::collections::BTreeMap;

use syn::UseTree;

use super::Path;
use super::krate::Module;

/// Imports that lead to imports.
const MAX_STEPS: usize = 16;

/// What a module imports.
#[derive(Clone, Debug, Default)]
pub(super) struct Imports {
    /// The name here, and the path that it stands for.
    pub(super) names: BTreeMap<String, Path>,
    /// `use api::*`
    pub(super) globs: Vec<Path>,
}

impl Imports {
    pub(super) fn add(&mut self, tree: &UseTree) {
        self.tree(tree, &mut Vec::new());
    }

    fn tree(&mut self, tree: &UseTree, before: &mut Path) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.tree(&path.tree, before);
                before.pop();
            }
            UseTree::Name(name) => self.name(&name.ident.to_string(), None, before),
            UseTree::Rename(name) => self.name(&name.ident.to_string(), Some(name.rename.to_string()), before),
            UseTree::Glob(_) => self.globs.push(before.clone()),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree, before)),
        }
    }

    /// `use a::{self}` is `use a`.
    fn name(&mut self, name: &str, renamed: Option<String>, before: &Path) {
        let mut path = before.clone();
        if name != "self" || path.is_empty() {
            path.push(name.to_owned());
        }
        let known_as = renamed.or_else(|| path.last().cloned()).unwrap_or_default();
        self.names.insert(known_as, path);
    }
}

/// A path as its steps, without arguments of types.
pub(super) fn of(path: &syn::Path) -> Path {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}

/// A path that a person typed.
pub(super) fn parse(text: &str) -> Path {
    text.split("::").map(str::trim).filter(|step| !step.is_empty()).map(str::to_owned).collect()
}

/// The path from the crate's root, or from the name of another crate; nothing where imports lead in circles.
pub(super) fn absolute(modules: &BTreeMap<Path, Module>, module: &Path, path: &Path) -> Option<Path> {
    let (mut here, mut path) = (module.clone(), path.clone());
    // What an import is called says nothing of the path behind it: `use weather::weather`.
    let mut followed: Option<String> = None;
    for _ in 0..MAX_STEPS {
        let (first, rest) = path.split_first()?;
        let at = modules.get(&here);
        path = match first.as_str() {
            "crate" => match imported_at(modules, &path) {
                Some((module, further)) => {
                    here = module;
                    followed = path.last().cloned();
                    further
                }
                None => return Some(path),
            },
            "self" => joined(&here, rest),
            "super" => {
                let ups = path.iter().take_while(|step| *step == "super").count();
                joined(here.get(..here.len().checked_sub(ups)?)?, &path[ups..])
            }
            name if at.is_some_and(|module| module.items.contains(name)) => joined(&here, &path),
            name => match at.and_then(|module| module.imports.names.get(name)) {
                Some(imported) if followed.as_ref() != Some(first) => {
                    followed = Some(first.clone());
                    joined(imported, rest)
                }
                _ => return Some(path),
            },
        };
    }
    None
}

/// Where `crate::handlers::GetWeather` leads if `crate::handlers` imports that name: the module, and the path in it.
fn imported_at(modules: &BTreeMap<Path, Module>, path: &Path) -> Option<(Path, Path)> {
    let end = (1..path.len()).rev().find(|end| modules.contains_key(&path[..*end]))?;
    let (module, rest) = path.split_at(end);
    let (name, after) = rest.split_first()?;
    let found = &modules[module];
    let imported = found.imports.names.get(name).filter(|_| !found.items.contains(name))?;
    Some((module.to_vec(), joined(imported, after)))
}

fn joined(before: &[String], after: &[String]) -> Path {
    [before, after].concat()
}
