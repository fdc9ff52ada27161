//! The dialects of JSON Schema whose rules are followed, and dialects of the author's own that are made of them.
//!
//! A dialect of one's own is a meta-schema that lists vocabularies. It has to stand in the schema that names it, under
//! `$defs` with its `$id`, since nothing is fetched. What its vocabularies do not say says nothing: such keywords go, and
//! what is left means the same in the dialect that the vocabularies come from.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use crate::document::{Node, NodeKind};
use crate::schema::{schemas_inside, subschemas_mut};
use crate::source::Spanned;

/// What a `$schema` may name, without its scheme and trailing `#`.
const DIALECTS: [&str; 5] = [
    "json-schema.org/draft/2020-12/schema",
    "json-schema.org/draft/2019-09/schema",
    "json-schema.org/draft-07/schema",
    "json-schema.org/draft-06/schema",
    "json-schema.org/draft-04/schema",
];

/// Vocabularies that say something which is followed, or nothing that could be.
const VOCABULARIES: [&str; 8] =
    ["applicator", "content", "core", "format", "format-annotation", "meta-data", "unevaluated", "validation"];

/// Keywords of the vocabulary `applicator`.
const APPLICATOR: [&str; 15] = [
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "contains",
    "dependentSchemas",
    "else",
    "if",
    "items",
    "not",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
];

/// Keywords of the vocabulary `validation`.
const VALIDATION: [&str; 20] = [
    "const",
    "dependentRequired",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "required",
    "type",
    "uniqueItems",
];

/// Whether a URI is that of a supported dialect, which is also that of the schema of its schemas.
pub(crate) fn is_dialect(uri: &str) -> bool {
    DIALECTS.contains(&plain_uri(uri))
}

/// Whether a URI is that of a document that every validator has: a dialect, or a part of one.
pub(super) fn is_meta_schema(uri: &str) -> bool {
    let is_name = |name: &str| name == "format-assertion" || VOCABULARIES.contains(&name);
    let part = |base: &str| plain_uri(uri).strip_prefix(base).is_some_and(is_name);
    is_dialect(uri) || part("json-schema.org/draft/2020-12/meta/") || part("json-schema.org/draft/2019-09/meta/")
}

/// A schema without what its dialect does not say, in a dialect that is known. Reports dialects that cannot be followed.
pub(crate) fn known<'n>(root: &'n Node, found: &mut Diagnostics) -> Cow<'n, Node> {
    if !names_dialect(root) {
        return Cow::Borrowed(root);
    }
    let mut metas = BTreeMap::new();
    collect(root, &mut metas);
    let mut schema = root.clone();
    follow(&mut schema, None, &metas, found);
    Cow::Owned(schema)
}

fn names_dialect(schema: &Node) -> bool {
    schema.get("$schema").is_some() || schemas_inside(schema).into_iter().any(names_dialect)
}

/// Every schema inside that has an absolute URI, by it.
fn collect<'n>(node: &'n Node, metas: &mut BTreeMap<&'n str, &'n Node>) {
    if let Some(id) = node.get("$id").and_then(Node::as_str) {
        metas.entry(id).or_insert(node);
    }
    for inside in schemas_inside(node) {
        collect(inside, metas);
    }
}

/// What a dialect says.
#[derive(Clone, Copy, Default)]
struct Dialect {
    applicator: bool,
    unevaluated: bool,
    validation: bool,
}

/// Leaves out what says nothing; `outer` is the dialect around, and nothing at the root.
fn follow(node: &mut Node, outer: Option<Dialect>, metas: &BTreeMap<&str, &Node>, found: &mut Diagnostics) {
    let is_resource = outer.is_none() || node.get("$id").is_some();
    let own = if is_resource { named(node, metas, found) } else { None };
    let dialect = own.or(outer).unwrap_or(Dialect::KNOWN);
    if let NodeKind::Object(members) = &mut node.kind {
        members.retain(|(key, _)| dialect.says(&key.name));
    }
    for inside in subschemas_mut(node) {
        follow(inside, Some(dialect), metas, found);
    }
}

/// The dialect that a schema names, if it names one.
fn named(node: &mut Node, metas: &BTreeMap<&str, &Node>, found: &mut Diagnostics) -> Option<Dialect> {
    let NodeKind::Object(members) = &mut node.kind else { return None };
    let (_, value) = members.iter_mut().find(|(key, _)| key.name == "$schema")?;
    let uri = Spanned::new(value.as_str()?.to_owned(), value.span);
    if is_dialect(&uri.value) {
        return Some(Dialect::KNOWN);
    }
    let meta = metas.get(uri.value.as_str()).and_then(|meta| Some((*meta, base(meta)?)));
    let Some((meta, base)) = meta else {
        let message = format!("`{}` is not a supported dialect of JSON Schema", uri.value);
        let finding = Diagnostic::error(Code::DIALECT, uri.span, message);
        found.push(finding.help(
            "use 2020-12 (what a schema without `$schema` is), 2019-09, draft-07, draft-06 or draft-04, or put the \
             dialect's own schema under `$defs`: nothing is fetched",
        ));
        return Some(Dialect::KNOWN);
    };
    value.kind = NodeKind::String(base);
    let vocabularies = meta.get("$vocabulary").and_then(Node::members)?;
    let mut dialect = Dialect::default();
    for (vocabulary, required) in vocabularies {
        if dialect.add(&vocabulary.name) {
            continue;
        }
        let message =
            format!("the dialect `{}` has the vocabulary `{}`, which is not known", uri.value, vocabulary.name);
        let mut finding = Diagnostic::error(Code::DIALECT, uri.span, message);
        if required.as_bool() == Some(false) {
            finding.severity = Severity::Warning;
            finding = finding.label("its keywords say nothing here");
        }
        found.push(finding.help("the vocabularies of 2020-12 and 2019-09 are followed, but for asserted formats"));
    }
    Some(dialect)
}

/// The dialect in which a meta-schema is written, where that is one with vocabularies.
fn base(meta: &Node) -> Option<String> {
    let uri = meta.get("$schema").and_then(Node::as_str).unwrap_or("https://json-schema.org/draft/2020-12/schema");
    DIALECTS[..2].contains(&plain_uri(uri)).then(|| uri.to_owned())
}

impl Dialect {
    /// One of those whose rules are known as a whole.
    const KNOWN: Self = Self { applicator: true, unevaluated: true, validation: true };

    /// Adds a vocabulary, if it is known.
    fn add(&mut self, uri: &str) -> bool {
        let uri = plain_uri(uri);
        let old = uri.strip_prefix("json-schema.org/draft/2019-09/vocab/");
        let name = uri.strip_prefix("json-schema.org/draft/2020-12/vocab/").or(old);
        self.applicator |= name == Some("applicator");
        self.unevaluated |= name == Some("unevaluated") || old == Some("applicator");
        self.validation |= name == Some("validation");
        name.is_some_and(|name| VOCABULARIES.contains(&name))
    }

    /// Whether a keyword has a meaning.
    fn says(self, keyword: &str) -> bool {
        let is_applied = APPLICATOR.contains(&keyword) || keyword == "then";
        let is_validated = VALIDATION.contains(&keyword);
        let is_left_over = matches!(keyword, "unevaluatedItems" | "unevaluatedProperties");
        (!is_applied || self.applicator) && (!is_validated || self.validation) && (!is_left_over || self.unevaluated)
    }
}

/// A URI without its scheme and trailing `#`.
fn plain_uri(uri: &str) -> &str {
    uri.trim_start_matches("https://").trim_start_matches("http://").trim_end_matches('#')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::json::{self, Place};
    use crate::source::Span;

    /// What a schema means whose dialect has these vocabularies, and what is told.
    fn meant(vocabularies: &str, schema: &str) -> (String, Vec<String>) {
        let text = format!(
            r#"{{"$schema":"urn:mine","$defs":{{"d":{{"$id":"urn:mine","$vocabulary":{{{vocabularies}}}}}}},{schema}}}"#
        );
        let node = json::read(&text, Place::At(Span::default()), &mut Diagnostics::default()).unwrap();
        let mut found = Diagnostics::default();
        let known = known(&node, &mut found).to_json();
        let told = found.sorted().into_iter().map(|finding| format!("{:?} {}", finding.severity, finding.message()));
        (known.split_once("}}},").unwrap().1.to_owned(), told.collect())
    }

    #[test]
    fn what_no_vocabulary_says_goes() {
        let core = r#""https://json-schema.org/draft/2020-12/vocab/core":true"#;
        let applicator = format!(r#"{core},"https://json-schema.org/draft/2020-12/vocab/applicator":true"#);
        let schema = r#""minimum":1,"properties":{"a":{"type":"string"}},"title":"T","unevaluatedItems":false"#;
        assert_eq!(meant(core, schema), (r#""title":"T"}"#.to_owned(), Vec::new()));
        assert_eq!(meant(&applicator, schema), (r#""properties":{"a":{}},"title":"T"}"#.to_owned(), Vec::new()));
    }

    #[test]
    fn an_unknown_vocabulary_is_an_error_only_if_it_is_required() {
        let told = |required| meant(&format!(r#""urn:v":{required}"#), r#""title":"T""#).1;
        assert_eq!(told("true"), ["Error the dialect `urn:mine` has the vocabulary `urn:v`, which is not known"]);
        assert_eq!(told("false"), ["Warning the dialect `urn:mine` has the vocabulary `urn:v`, which is not known"]);
    }
}
