//! `$ref`: where it leads, and the rewriting of every spelling of it into a pointer from the root.
//!
//! The network is never asked: a reference to another document is an error.

use std::collections::BTreeMap;
use std::ptr;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::cursor::{listed, nearest};
use crate::document::{Key, Node, NodeKind};
use crate::schema::dialect::is_meta_schema;
use crate::schema::inside::{schemas_inside, subschemas, subschemas_mut};
use crate::schema::pointer::{decode_percent, unescape};
use crate::schema::uri::join;
use crate::source::Spanned;

/// The scheme of references to `[defs.Name]`, which are resolved where names are: in lowering.
pub(crate) const DEFS: &str = "mcp-codegen:";

/// The schema that a settled reference (`#`, `#/…`) leads to.
pub(crate) fn resolve<'n>(root: &'n Node, reference: &str) -> Option<&'n Node> {
    at(root, &decode_percent(reference.strip_prefix('#')?))
}

/// The value that a JSON Pointer leads to.
pub(crate) fn at<'n>(root: &'n Node, pointer: &str) -> Option<&'n Node> {
    let mut node = root;
    for step in pointer.split('/').skip(1) {
        let step = unescape(step);
        node = match &node.kind {
            NodeKind::Array(items) => items.get(step.parse::<usize>().ok()?)?,
            NodeKind::Object(_) => node.get(&step)?,
            NodeKind::Bool(_) | NodeKind::Null | NodeKind::Number(_) | NodeKind::String(_) => return None,
        };
    }
    (pointer.is_empty() || pointer.starts_with('/')).then_some(node)
}

/// Rewrites each reference of a verbatim schema as a `$ref` with a pointer from the root, and reports those that lead
/// nowhere (they go, so that nothing later stumbles over them).
///
/// Where the dialect is draft-07 or older, assertions beside a `$ref` go too: there they do not count.
pub(crate) fn settle(root: &Node, found: &mut Diagnostics) -> Node {
    let mut index = Index::default();
    index.add(root, "", "");
    let siblings_count =
        !root.get("$schema").and_then(Node::as_str).is_some_and(|dialect| dialect.contains("/draft-0"));
    let mut settled = root.clone();
    Settler { index, root, siblings_count, found }.schema(&mut settled, "");
    circles(&settled, found);
    settled
}

/// Reports references that lead back to where they stand before anything was said of the value: no validator ever comes to
/// an end with those.
fn circles(root: &Node, found: &mut Diagnostics) {
    // Whether all that follows a schema was looked at; by its place in memory, since schemas may be alike.
    let mut seen: BTreeMap<*const Node, bool> = BTreeMap::new();
    let mut open = vec![root];
    while let Some(schema) = open.pop() {
        open.extend(schemas_inside(schema));
        if seen.contains_key(&ptr::from_ref(schema)) {
            continue;
        }
        seen.insert(ptr::from_ref(schema), false);
        let mut path = vec![(schema, of_same_value(schema, root))];
        while let Some((schema, ahead)) = path.last_mut() {
            let Some((next, reference)) = ahead.pop() else {
                seen.insert(ptr::from_ref(*schema), true);
                path.pop();
                continue;
            };
            match seen.get(&ptr::from_ref(next)) {
                None => {
                    seen.insert(ptr::from_ref(next), false);
                    path.push((next, of_same_value(next, root)));
                }
                Some(false) => found.push(circle(reference)),
                Some(true) => {}
            }
        }
    }
}

/// The schemas that judge the very value that this one judges, each with the place that names it.
fn of_same_value<'n>(schema: &'n Node, root: &'n Node) -> Vec<(&'n Node, &'n Node)> {
    let reference = schema.get("$ref").and_then(|reference| Some((resolve(root, reference.as_str()?)?, reference)));
    let parts = schema.get("allOf").and_then(Node::items).unwrap_or_default();
    reference.into_iter().chain(parts.iter().map(|part| (part, part))).collect()
}

fn circle(reference: &Node) -> Diagnostic {
    let text = reference.as_str().unwrap_or("allOf");
    let message = format!("`{text}` leads back to itself, and nothing is said of the value on the way");
    let finding = Diagnostic::error(Code::REFERENCE, reference.span, message);
    finding.help("write what the value is, or leave the reference out")
}

/// Which URIs and anchors stand for which pointers.
#[derive(Default)]
struct Index {
    /// Absolute URI, with its anchor if any → pointer.
    places: BTreeMap<String, String>,
    /// Anchors that can be met again at run time (`$dynamicAnchor`) → pointers.
    dynamic: BTreeMap<String, Vec<String>>,
}

impl Index {
    fn add(&mut self, node: &Node, base: &str, pointer: &str) {
        let base = base_of(node, base);
        if !base_of(node, "").is_empty() || pointer.is_empty() {
            self.places.entry(base.clone()).or_insert_with(|| pointer.to_owned());
        }
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(anchor) = node.get(keyword).and_then(Node::as_str) {
                self.places.entry(format!("{base}#{anchor}")).or_insert_with(|| pointer.to_owned());
            }
        }
        if let Some(anchor) = node.get("$dynamicAnchor").and_then(Node::as_str) {
            self.dynamic.entry(anchor.to_owned()).or_default().push(pointer.to_owned());
        }
        // Before 2019 an `$id` of nothing but a fragment was an anchor.
        if let Some(anchor) = id(node).and_then(|id| id.strip_prefix('#')) {
            self.places.entry(format!("{base}#{anchor}")).or_insert_with(|| pointer.to_owned());
        }
        for (step, schema) in subschemas(node) {
            self.add(schema, &base, &format!("{pointer}{step}"));
        }
    }
}

struct Settler<'n, 'd> {
    index: Index,
    root: &'n Node,
    siblings_count: bool,
    found: &'d mut Diagnostics,
}

impl Settler<'_, '_> {
    fn schema(&mut self, node: &mut Node, base: &str) {
        let base = base_of(node, base);
        let NodeKind::Object(members) = &mut node.kind else { return };
        let mut refers = false;
        members.retain_mut(|(key, value)| {
            let Some(reference) = reference(key, value) else { return true };
            let target = self.target(&key.name, &reference, &base);
            refers |= target.is_some();
            match target {
                Some(target) => {
                    "$ref".clone_into(&mut key.name);
                    value.kind = NodeKind::String(target);
                }
                // No type says what a schema is; a validator knows.
                None if is_meta_schema(&reference.value) => "$dynamicRef".clone_into(&mut key.name),
                None if key.name == "$dynamicRef"
                    && self.index.dynamic.contains_key(reference.value.trim_start_matches('#')) => {}
                None => return false,
            }
            true
        });
        if refers && !self.siblings_count {
            members.retain(|(key, _)| {
                matches!(key.name.as_str(), "$ref" | "$schema" | "definitions" | "title" | "description" | "default")
            });
        }
        for schema in subschemas_mut(node) {
            self.schema(schema, &base);
        }
    }

    /// The reference as a pointer from the root.
    fn target(&mut self, keyword: &str, reference: &Spanned<String>, base: &str) -> Option<String> {
        let text = reference.value.as_str();
        if text.starts_with(DEFS) {
            return Some(text.to_owned());
        }
        let anchors = self.index.dynamic.get(text.trim_start_matches('#'));
        if keyword == "$dynamicRef" && anchors.is_some_and(|pointers| pointers.len() > 1) {
            return None;
        }
        if is_meta_schema(text) {
            return None;
        }
        let absolute = join(base, text);
        let (document, fragment) = absolute.split_once('#').unwrap_or((&absolute, ""));
        let Some(resource) = self.index.places.get(document) else {
            let message = format!("`{text}` refers to another document");
            let finding = Diagnostic::error(Code::REMOTE_REFERENCE, reference.span, message);
            self.found.push(finding.help("put the schema under `$defs` and refer to it there: nothing is fetched"));
            return None;
        };
        let pointer = if fragment.is_empty() || fragment.starts_with('/') {
            format!("#{resource}{fragment}")
        } else {
            self.index
                .places
                .get(&format!("{document}#{fragment}"))
                .map(|pointer| format!("#{pointer}"))
                .unwrap_or_default()
        };
        if resolve(self.root, &pointer).is_none() {
            self.nowhere(reference);
            return None;
        }
        Some(pointer)
    }

    fn nowhere(&mut self, reference: &Spanned<String>) {
        let text = reference.value.as_str();
        let finding = Diagnostic::error(Code::REFERENCE, reference.span, format!("`{text}` leads nowhere"));
        let mut definitions = Vec::new();
        for keyword in ["$defs", "definitions"] {
            let members = self.root.get(keyword).and_then(Node::members).unwrap_or_default();
            definitions.extend(members.iter().map(|(key, _)| format!("#/{keyword}/{}", key.name)));
        }
        let known: Vec<&str> = definitions.iter().map(String::as_str).collect();
        self.found.push(match nearest(text, &known) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None if known.is_empty() => finding.help("add the schema under `$defs`"),
            None => finding.help(format!("the schema defines {}", listed(&known))),
        });
    }
}

fn reference(key: &Key, value: &Node) -> Option<Spanned<String>> {
    let refers = matches!(key.name.as_str(), "$ref" | "$recursiveRef" | "$dynamicRef");
    value.as_str().filter(|_| refers).map(|text| Spanned::new(text.to_owned(), value.span))
}

/// `$id`, or draft-04's `id`.
fn id(node: &Node) -> Option<&str> {
    node.get("$id").or_else(|| node.get("id")).and_then(Node::as_str)
}

/// The URI that references inside `node` start from, without a fragment.
fn base_of(node: &Node, outer: &str) -> String {
    let absolute = id(node).map_or_else(|| outer.to_owned(), |id| join(outer, id));
    absolute.split('#').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::json::{self, Place};
    use crate::source::Span;

    /// The settled schema, and what was wrong with it.
    fn settled(text: &str) -> (String, Vec<String>) {
        let mut found = Diagnostics::default();
        let node = json::read(text, Place::At(Span::default()), &mut found).unwrap();
        let settled = settle(&node, &mut found).to_json();
        (settled, found.sorted().iter().map(|finding| finding.message().to_owned()).collect())
    }

    #[test]
    fn every_spelling_becomes_a_pointer_from_the_root() {
        let text = r##"{"$id":"https://x.test/root.json","$defs":{"a b":{"$anchor":"here"},"in":{"$id":"in/er.json","$defs":{"c":true},"items":{"$ref":"#/$defs/c"}}},"anyOf":[{"$ref":"#here"},{"$ref":"root.json#/$defs/a%20b"},{"$ref":"in/er.json#/$defs/c"},{"$recursiveRef":"#"},{"$ref":"https://x.test/in/er.json"}]}"##;
        let (settled, told) = settled(text);
        assert_eq!(told, Vec::<String>::new());
        assert!(settled.contains(r##""items":{"$ref":"#/$defs/in/$defs/c"}"##), "{settled}");
        assert!(settled.contains(r##""anyOf":[{"$ref":"#/$defs/a b"},{"$ref":"#/$defs/a%20b"},{"$ref":"#/$defs/in/$defs/c"},{"$ref":"#"},{"$ref":"#/$defs/in"}]"##), "{settled}");
    }

    #[test]
    fn a_property_may_be_called_ref() {
        let text = r#"{"properties":{"$ref":{"type":"string"}},"const":{"$ref":"nowhere"}}"#;
        assert_eq!(settled(text), (text.to_owned(), Vec::new()));
    }

    #[test]
    fn beside_a_reference_old_dialects_assert_nothing() {
        let text = r##"{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"n":{"type":"number"}},"properties":{"a":{"$ref":"#/definitions/n","minimum":1,"title":"A"}}}"##;
        assert!(settled(text).0.contains(r##"{"a":{"$ref":"#/definitions/n","title":"A"}}"##));
    }

    #[test]
    fn a_circle_that_says_nothing_is_told_once() {
        let defs = r##""$defs":{"a":{"$ref":"#/$defs/b"},"b":{"allOf":[{"$ref":"#/$defs/a"}]},"l":{"items":{"$ref":"#/$defs/l"}}}"##;
        for (schema, circles) in [
            (r##"{"$ref":"#"}"##.to_owned(), 1),
            (format!(r##"{{"properties":{{"x":{{"$ref":"#/$defs/a"}},"y":{{"$ref":"#/$defs/b"}}}},{defs}}}"##), 1),
            (r##"{"items":{"$ref":"#"},"anyOf":[{"properties":{"n":{"$ref":"#"}}}]}"##.to_owned(), 0),
            (r##"{"$defs":{"l":{"items":{"$ref":"#/$defs/l"}}},"allOf":[{"$ref":"#/$defs/l"},{"$ref":"#/$defs/l"}]}"##.to_owned(), 0),
        ] {
            let told = settled(&schema).1;
            assert_eq!(told.iter().filter(|told| told.contains("leads back to itself")).count(), circles, "{schema}: {told:?}");
        }
    }

    #[test]
    fn what_leads_nowhere_goes() {
        let (settled, told) = settled(r##"{"items":{"$ref":"#/$defs/x"},"not":{"$ref":"other.json"}}"##);
        assert_eq!(settled, r#"{"items":{},"not":{}}"#);
        assert_eq!(told, ["`#/$defs/x` leads nowhere", "`other.json` refers to another document"]);
    }
}
