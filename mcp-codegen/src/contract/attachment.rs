//! Files that a contract names: `inputSchema = { file = "x.json" }`, and a resource's `file = "…"`.

use std::path::{Component, Path, PathBuf};

use crate::contract::read::Cx;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::{Document, Node};
use crate::source::{FileId, Role, Sources, Spanned};

/// The paths that native contracts name, each as it will be looked up: what is at the edge loads them.
pub(crate) fn attachments(documents: &[Document], sources: &Sources) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for document in documents.iter().filter(|document| document.root.get("format").is_some()) {
        let list = |key| document.root.get(key).and_then(Node::items).unwrap_or_default();
        let schemas = list("tools").iter().flat_map(|tool| [tool.get("inputSchema"), tool.get("outputSchema")]);
        let schema_files = schemas.flatten().filter_map(named_file);
        let contents = list("resources").iter().filter_map(|resource| resource.get("file"));
        let names = schema_files.chain(contents).filter_map(Node::as_str);
        paths.extend(names.map(|name| beside(sources, document.file, name)));
    }
    paths.sort();
    paths.dedup();
    paths
}

/// `{ file = "x.json" }`
pub(super) fn named_file(node: &Node) -> Option<&Node> {
    match node.members()? {
        [(key, value)] if key.name == "file" && value.as_str().is_some() => Some(value),
        _ => None,
    }
}

/// The attachment of that name, if it is text; what is not is reported at the name.
pub(super) fn find_text(cx: &Cx<'_>, name: &Spanned<String>, found: &mut Diagnostics) -> Option<FileId> {
    let file = find(cx, name, found)?;
    let is_text = cx.sources.file(file).role != Role::Binary;
    if !is_text {
        found.push(unreadable(name, "it is not UTF-8 text"));
    }
    is_text.then_some(file)
}

/// The attachment of that name; what cannot be read is reported at the name.
pub(super) fn find(cx: &Cx<'_>, name: &Spanned<String>, found: &mut Diagnostics) -> Option<FileId> {
    let path = beside(cx.sources, cx.file, &name.value);
    let file = cx.sources.at(&path);
    if file.is_none() {
        let reason = cx.sources.unreadable(&path).unwrap_or("there is no such file");
        found.push(unreadable(name, reason));
    }
    file
}

fn unreadable(name: &Spanned<String>, reason: &str) -> Diagnostic {
    let message = format!("`{}` cannot be read: {reason}", name.value);
    Diagnostic::error(Code::ATTACHMENT, name.span, message).help("name a file relative to the contract")
}

/// The path of `name` from the folder of the file that says it.
fn beside(sources: &Sources, file: FileId, name: &str) -> PathBuf {
    let folder = sources.file(file).path.parent().unwrap_or(Path::new(""));
    let mut path = folder.to_owned();
    for step in Path::new(name).components() {
        match step {
            Component::CurDir => {}
            // Two ways to one file must look alike.
            Component::ParentDir if matches!(path.components().next_back(), Some(Component::Normal(_))) => {
                path.pop();
            }
            step => path.push(step),
        }
    }
    path
}
