//! `[defs.Name]`: short schemas that several features share, from all files.
//!
//! A definition is a table of properties, as `args` is. One that has a value other than a table (`type = "string"`,
//! `enum = […]`) is a schema itself.

use std::collections::{BTreeMap, BTreeSet};

use crate::contract::envelope::Envelope;
use crate::contract::{Def, RustNames, SchemaPair, Side, hint, settings, shorthand};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::cursor::{with_suggestion, wrong_type};
use crate::document::{Key, Node, NodeKind};
use crate::source::Spanned;

/// All definitions of a run, in the order in which they were found.
#[derive(Debug, Default)]
pub(super) struct Defs {
    list: Vec<Source>,
    places: BTreeMap<String, usize>,
    /// Whether every file could be parsed: otherwise an unknown name may be defined in the one that could not.
    pub(super) complete: bool,
}

/// One definition as written.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) name: Spanned<String>,
    pub(super) body: Node,
    /// Whether the body is properties, not keywords.
    pub(super) is_table: bool,
    /// Whether it leads back to itself.
    pub(super) is_recursive: bool,
}

impl Defs {
    /// Finds all definitions, and reports a name that stands twice.
    pub(super) fn collect(envelopes: &[Envelope<'_>], found: &mut Diagnostics) -> Self {
        let mut defs = Self::default();
        for node in envelopes.iter().filter_map(|envelope| envelope.defs) {
            let Some(members) = node.members() else {
                found.push(wrong_type(node, "a table of definitions"));
                continue;
            };
            for (key, body) in members {
                defs.add(key, body, found);
            }
        }
        defs.find_recursion();
        defs
    }

    fn add(&mut self, key: &Key, body: &Node, found: &mut Diagnostics) {
        let is_name = key.name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && key.name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
        if !is_name {
            let finding =
                Diagnostic::error(Code::RUST_NAME, key.span, format!("`{}` cannot name a definition", key.name));
            found.push(finding.help("use letters, digits and `_`: the name becomes a Rust type"));
            return;
        }
        if let Some(earlier) = self.get(&key.name) {
            let message = format!("two definitions are named `{}`", key.name);
            let finding = Diagnostic::error(Code::DUPLICATE_DEFINITION, key.span, message);
            let finding = finding.label("again here").also(earlier.name.span, "first here");
            found.push(finding.help("rename one of them, or take it out"));
            return;
        }
        let members = body.members().unwrap_or_default();
        self.places.insert(key.name.clone(), self.list.len());
        self.list.push(Source {
            name: Spanned::new(key.name.clone(), key.span),
            body: body.clone(),
            is_table: members.iter().all(|(_, value)| value.members().is_some()),
            is_recursive: false,
        });
    }

    /// The definition of that name.
    pub(super) fn get(&self, name: &str) -> Option<&Source> {
        self.places.get(name).map(|place| &self.list[*place])
    }

    /// Whether whatever has this type is secret: the definition says so, or the one that it stands for.
    pub(super) fn is_secret(&self, name: &str) -> bool {
        let next = |def: &&Source| def.body.get("ref").and_then(Node::as_str).and_then(|name| self.get(name));
        // A circle of nothing but references ends here, too.
        let chain = std::iter::successors(self.get(name), next).take(self.list.len());
        chain.filter(|def| !def.is_table).any(|def| def.body.get("secret").and_then(Node::as_bool) == Some(true))
    }

    /// The fault of naming a definition that does not exist, if that is certain.
    pub(super) fn undefined(&self, name: &Spanned<String>) -> Option<Diagnostic> {
        let known: Vec<&str> = self.list.iter().map(|def| def.name.value.as_str()).collect();
        let finding = Diagnostic::error(Code::REFERENCE, name.span, format!("`{}` is not defined", name.value));
        let finding = match crate::document::cursor::nearest(&name.value, &known) {
            Some(_) => with_suggestion(finding, &name.value, &known),
            None => finding.help(format!("add `[defs.{}]`", name.value)),
        };
        self.complete.then_some(finding)
    }

    /// Expands them all.
    pub(super) fn expand(&self, found: &mut Diagnostics) -> Vec<Def> {
        self.list.iter().map(|source| self.expand_one(source, found)).collect()
    }

    fn expand_one(&self, source: &Source, found: &mut Diagnostics) -> Def {
        let mut inside = Diagnostics::default();
        let mut body = source.body.clone();
        let mut rust = RustNames::default();
        let (typed, mut hints) = if source.is_table {
            shorthand::typed_object(self, &body, &mut inside)
        } else {
            if let NodeKind::Object(members) = &mut body.kind {
                // On a schema, `rust` is about the type that it becomes.
                members.retain(|(key, value)| {
                    key.name != "rust" || {
                        rust = settings::rust(value, &mut inside);
                        false
                    }
                });
            }
            shorthand::typed_alone(self, &body, &mut inside)
        };
        let of_whole = hints.iter().position(|hint| hint.pointer.value.is_empty());
        let mut whole = of_whole.map_or_else(
            || hint::about(Spanned::new(String::new(), source.name.span), Side::Input),
            |index| hints.remove(index),
        );
        whole.rust = rust.clone();
        hints.push(whole);
        found.extend_within(inside, source.name.span, "in this definition");
        // It never reaches the wire by itself: there it is inlined, or carried along by what refers to it.
        let schema = SchemaPair { wire: typed.clone(), typed, portable: true };
        Def { name: source.name.clone(), schema, rust, hints }
    }

    fn find_recursion(&mut self) {
        let named: BTreeMap<&str, Vec<&str>> =
            self.list.iter().map(|def| (def.name.value.as_str(), names_in(&def.body))).collect();
        let recursive: Vec<bool> = self.list.iter().map(|def| reaches_itself(&def.name.value, &named)).collect();
        for (def, recursive) in self.list.iter_mut().zip(recursive) {
            def.is_recursive = recursive;
        }
    }
}

/// The definitions that a short schema names.
fn names_in(node: &Node) -> Vec<&str> {
    match &node.kind {
        NodeKind::Array(items) => items.iter().flat_map(names_in).collect(),
        NodeKind::Object(members) => {
            let name = |(key, value)| -> Vec<&str> {
                let (key, value): (&Key, &Node) = (key, value);
                value.as_str().filter(|_| key.name == "ref").map_or_else(|| names_in(value), |name| vec![name])
            };
            members.iter().flat_map(|(key, value)| name((key, value))).collect()
        }
        NodeKind::Bool(_) | NodeKind::Null | NodeKind::Number(_) | NodeKind::String(_) => Vec::new(),
    }
}

fn reaches_itself(start: &str, named: &BTreeMap<&str, Vec<&str>>) -> bool {
    let mut seen = BTreeSet::new();
    let mut open: Vec<&str> = named.get(start).cloned().unwrap_or_default();
    while let Some(name) = open.pop() {
        if name == start {
            return true;
        }
        if seen.insert(name) {
            open.extend(named.get(name).into_iter().flatten());
        }
    }
    false
}
