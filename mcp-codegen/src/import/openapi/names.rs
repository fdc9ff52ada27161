//! What the tools are called.

use std::collections::BTreeSet;

use super::operation::Operation;
use crate::lower;

/// The longest name that every client takes.
const MOST: usize = 64;

/// Names that have been given, as they are and as Rust would spell them.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// The name of an operation's tool: of its `operationId`, or of its method and path, as far as a name can hold it.
    pub(super) fn name(&mut self, operation: &Operation<'_>) -> String {
        let wished = match operation.id() {
            Some(id) => legal(id),
            None => String::new(),
        };
        let wished = if wished.is_empty() { legal(&format!("{}{}", operation.method, operation.path)) } else { wished };
        let numbered = (2..).map(|number| {
            let end = format!("_{number}");
            format!("{}{end}", cut(&wished, MOST - end.len()))
        });
        let first = cut(&wished, MOST);
        let name = std::iter::once(first).chain(numbered).find(|name| self.is_free(name)).unwrap_or_default();
        self.taken.extend(spellings(&name));
        name
    }

    fn is_free(&self, name: &str) -> bool {
        spellings(name).iter().all(|spelling| !self.taken.contains(spelling))
    }
}

/// The name, and what the module and the trait would be called.
fn spellings(name: &str) -> [String; 3] {
    let (module, handler) = lower::tool_names(name);
    [format!("name {name}"), format!("module {module}"), format!("trait {handler}")]
}

/// The text with `_` for what no name may hold.
fn legal(text: &str) -> String {
    let is_legal = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let mut name = String::new();
    for c in text.chars() {
        let c = if is_legal(c) { c } else { '_' };
        if c != '_' || !name.ends_with('_') {
            name.push(c);
        }
    }
    name.trim_matches(['_', '-']).to_owned()
}

/// As many of the first characters as there may be; where a word ends, if that is not too far back.
fn cut(name: &str, most: usize) -> String {
    if name.len() <= most {
        return name.to_owned();
    }
    let head = &name[..most];
    match head.rfind(['_', '-']) {
        Some(end) if end > most / 2 => head[..end].to_owned(),
        Some(_) | None => head.to_owned(),
    }
}
