//! `x-mcp-header`: arguments that clients repeat as HTTP headers.
//!
//! A violation makes clients drop the whole tool, so that each is an error, in a verbatim schema too.

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::Node;
use crate::schema::subschemas;
use crate::source::Span;

const KEYWORD: &str = "x-mcp-header";

/// Checks every `x-mcp-header` of a tool's input schema.
pub(super) fn check(schema: &Node, found: &mut Diagnostics) {
    walk(schema, Reached::Root, &mut BTreeMap::new(), found);
}

/// How a schema is reached from the root.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reached {
    Root,
    /// By `properties` alone.
    Property,
    /// By any other keyword: a client cannot tell where the value will stand.
    Otherwise,
}

fn walk(schema: &Node, reached: Reached, seen: &mut BTreeMap<String, Span>, found: &mut Diagnostics) {
    if let Some(name) = schema.get(KEYWORD) {
        match fault(schema, name, reached) {
            Some((message, help)) => {
                found.push(Diagnostic::error(Code::PARAMETER_HEADER, name.span, message).help(help));
            }
            None => unique(name, seen, found),
        }
    }
    for (step, inside) in subschemas(schema) {
        let by_property = step.starts_with("/properties/") && reached != Reached::Otherwise;
        walk(inside, if by_property { Reached::Property } else { Reached::Otherwise }, seen, found);
    }
}

fn fault(schema: &Node, name: &Node, reached: Reached) -> Option<(String, &'static str)> {
    let is_token = |text: &str| {
        !text.is_empty() && text.bytes().all(|c| c.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&c))
    };
    if !name.as_str().is_some_and(is_token) {
        let message = format!("`{}` is no name of an HTTP header", name.to_json().trim_matches('"'));
        return Some((message, "use letters, digits and `-`"));
    }
    if reached != Reached::Property {
        let message = "a header cannot be taken from here".to_owned();
        return Some((message, "put `x-mcp-header` on a property that is reached by `properties` alone"));
    }
    let ty = schema.get("type").and_then(Node::as_str);
    if !matches!(ty, Some("string" | "integer" | "boolean")) {
        let message = "a header cannot be taken from a value of this type".to_owned();
        return Some((message, "only a `string`, `integer` or `boolean` can be a header"));
    }
    None
}

/// Header names are one name whatever their case.
fn unique(name: &Node, seen: &mut BTreeMap<String, Span>, found: &mut Diagnostics) {
    let text = name.as_str().unwrap_or_default();
    if let Some(earlier) = seen.insert(text.to_ascii_lowercase(), name.span) {
        let message = format!("two arguments share the header `{text}`");
        let finding = Diagnostic::error(Code::PARAMETER_HEADER, name.span, message);
        let finding = finding.label("again here").also(earlier, "first here");
        found.push(finding.help("give each its own: case makes no difference"));
    }
}
