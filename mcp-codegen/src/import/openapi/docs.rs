//! The texts of a description, and where its references lead.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use super::{ReadFile, rule};
use crate::diagnostic::Diagnostics;
use crate::document::json::{self, Place};
use crate::document::{Node, NodeKind, yaml};
use crate::schema;
use crate::source::{FileId, Role, SourceFile, Sources, Span};

/// Files beside the description, at most.
const MAX_FILES: usize = 1_000;

/// References that lead to references.
const MAX_STEPS: usize = 32;

/// All texts; the first is the description itself.
pub(super) struct Docs {
    roots: Vec<(PathBuf, Node)>,
    unreadable: BTreeMap<PathBuf, String>,
    /// Whether files beside the description may be read.
    reads_files: bool,
}

/// A place in one of the texts, whichever way a reference names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Target {
    pub(super) file: usize,
    pub(super) pointer: String,
}

/// A node, and the text that it stands in.
#[derive(Clone, Copy, Debug)]
pub(super) struct At<'d> {
    pub(super) file: usize,
    pub(super) node: &'d Node,
}

impl Docs {
    /// Reads the description, and the files that it refers to if `read` is there to give them.
    pub(super) fn read(
        description: SourceFile,
        read: Option<&ReadFile<'_>>,
        sources: &mut Sources,
        found: &mut Diagnostics,
    ) -> Option<Self> {
        let mut docs = Self { roots: Vec::new(), unreadable: BTreeMap::new(), reads_files: read.is_some() };
        let folder = description.path.parent().unwrap_or(Path::new("")).to_owned();
        docs.add(PathBuf::new(), description, (sources, found))?;
        let Some(read) = read else { return Some(docs) };
        let mut next = 0;
        while next < docs.roots.len() {
            for path in docs.files_named_in(next) {
                let is_known = docs.file(&path).is_some() || docs.unreadable.contains_key(&path);
                if is_known || docs.roots.len() >= MAX_FILES {
                    continue;
                }
                match read(&folder.join(&path)) {
                    Ok(text) => {
                        let (name, role) = (path.display().to_string(), Role::Attachment);
                        let file = SourceFile { name, path: folder.join(&path), text, role };
                        docs.add(path, file, (sources, found))?;
                    }
                    Err(error) => {
                        docs.unreadable.insert(path, error.to_string());
                    }
                }
            }
            next += 1;
        }
        Some(docs)
    }

    fn add(&mut self, path: PathBuf, file: SourceFile, to: (&mut Sources, &mut Diagnostics)) -> Option<()> {
        let (sources, found) = to;
        let id = sources.add(file);
        let root = parse(&sources.file(id).text, id, found)?;
        self.roots.push((path, root));
        Some(())
    }

    pub(super) fn root(&self) -> At<'_> {
        At { file: 0, node: &self.roots[0].1 }
    }

    fn file(&self, path: &Path) -> Option<usize> {
        self.roots.iter().position(|(known, _)| known == path)
    }

    /// The files that a text refers to, from the folder of the description.
    fn files_named_in(&self, index: usize) -> Vec<PathBuf> {
        let (path, root) = &self.roots[index];
        let mut files = Vec::new();
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            if let Some(reference) = node.get("$ref").and_then(Node::as_str) {
                let (file, _) = reference.split_once('#').unwrap_or((reference, ""));
                files.extend(Some(file).filter(|file| !file.is_empty()).and_then(|file| beside(path, file).ok()));
            }
            match &node.kind {
                NodeKind::Array(items) => open.extend(items),
                NodeKind::Object(members) => open.extend(members.iter().map(|(_, value)| value)),
                NodeKind::Bool(_) | NodeKind::Null | NodeKind::Number(_) | NodeKind::String(_) => {}
            }
        }
        files.sort();
        files.dedup();
        files
    }

    /// What a reference in a text leads to.
    ///
    /// # Errors
    ///
    /// Says why it leads nowhere.
    pub(super) fn resolve(&self, from: usize, reference: &str) -> Result<(Target, At<'_>), String> {
        let (file, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let file = if file.is_empty() { from } else { self.file_of(from, file)? };
        let decoded = schema::decode_percent(fragment);
        let node = schema::at(&self.roots[file].1, &decoded);
        let node = node.ok_or_else(|| format!("`{reference}` leads nowhere"))?;
        Ok((Target { file, pointer: decoded }, At { file, node }))
    }

    fn file_of(&self, from: usize, file: &str) -> Result<usize, String> {
        if file.contains("://") || file.starts_with("//") {
            return Err(format!("`{file}` is not fetched: nothing is read but files beside the description"));
        }
        let path = beside(&self.roots[from].0, file)?;
        match (self.file(&path), self.unreadable.get(&path)) {
            (Some(index), _) => Ok(index),
            (None, Some(why)) => Err(format!("`{file}` cannot be read: {why}")),
            (None, None) if self.reads_files => Err(format!("`{file}` is one file too many")),
            (None, None) => Err(format!("`{file}` is another file; `--local-refs` reads those beside the description")),
        }
    }

    /// The node itself, or what it refers to by `$ref`, as OpenAPI has it for anything but schemas.
    pub(super) fn follow<'d>(&'d self, at: At<'d>, found: &mut Diagnostics) -> Option<At<'d>> {
        let mut here = at;
        for _ in 0..MAX_STEPS {
            let Some(reference) = here.node.get("$ref") else { return Some(here) };
            let text = reference.as_str().unwrap_or_default();
            match self.resolve(here.file, text) {
                Ok((_, at)) => here = at,
                Err(why) => {
                    found.push(rule::reference(reference.span, why));
                    return None;
                }
            }
        }
        found.push(rule::reference(at.node.span, "the references lead in a circle".to_owned()));
        None
    }
}

impl<'d> At<'d> {
    pub(super) const fn of(self, node: &'d Node) -> Self {
        Self { file: self.file, node }
    }

    pub(super) fn get(self, key: &str) -> Option<Self> {
        self.node.get(key).map(|node| self.of(node))
    }

    pub(super) fn text(self, key: &str) -> Option<&'d str> {
        self.node.get(key).and_then(Node::as_str).filter(|text| !text.trim().is_empty())
    }

    pub(super) fn is(self, key: &str) -> bool {
        self.node.get(key).and_then(Node::as_bool) == Some(true)
    }

    pub(super) fn items(self, key: &str) -> impl Iterator<Item = Self> {
        self.node.get(key).and_then(Node::items).unwrap_or_default().iter().map(move |node| self.of(node))
    }

    pub(super) fn members(self, key: &str) -> impl Iterator<Item = (&'d str, Self)> {
        let members = self.node.get(key).and_then(Node::members).unwrap_or_default();
        members.iter().map(move |(key, node)| (key.name.as_str(), self.of(node)))
    }
}

/// JSON begins with a brace; everything else is YAML.
fn parse(text: &str, file: FileId, found: &mut Diagnostics) -> Option<Node> {
    if text.trim_start().starts_with(['{', '[']) {
        return json::read(text, Place::At(Span::new(file, 0..0)), found);
    }
    yaml::read(text, file, found)
}

/// The path of `name` from the folder of the description, if it lies in there.
fn beside(from: &Path, name: &str) -> Result<PathBuf, String> {
    let mut path = from.parent().unwrap_or(Path::new("")).to_owned();
    for step in Path::new(&schema::decode_percent(name)).components() {
        let is_within = match step {
            Component::CurDir => true,
            Component::Normal(step) => {
                path.push(step);
                true
            }
            Component::ParentDir => path.pop(),
            Component::Prefix(_) | Component::RootDir => false,
        };
        if !is_within {
            return Err(format!("`{name}` does not lie in the folder of the description, and is not read"));
        }
    }
    Ok(path)
}
