//! `x-mcp-header`: arguments that clients repeat as HTTP headers.
//!
//! A violation makes clients drop the whole tool, so that each is an error, in a verbatim schema too.

use std::collections::BTreeMap;

use crate::contract::{Header, HeaderKind};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::Node;
use crate::schema::{schemas_inside, subschemas, unescape};
use crate::source::Span;

const KEYWORD: &str = "x-mcp-header";

/// Collects the headers of a tool's input schema, as it is on the wire, and checks each. Secrets are known by where they
/// stand in it.
pub(super) fn read(schema: &Node, secrets: &[String], found: &mut Diagnostics) -> Vec<Header> {
    // Most schemas have none, and pointers cost something.
    if !says_header(schema) {
        return Vec::new();
    }
    let mut walk = Walk { headers: Vec::new(), seen: BTreeMap::new(), secrets, found };
    walk.walk(schema, "", Reached::Root);
    walk.headers
}

fn says_header(schema: &Node) -> bool {
    schema.get(KEYWORD).is_some() || schemas_inside(schema).into_iter().any(says_header)
}

/// The headers of somebody's input schema, as far as they are right.
#[cfg(feature = "cli")]
pub(crate) fn parameter_headers(schema: &Node) -> Vec<Header> {
    read(schema, &[], &mut Diagnostics::default())
}

/// How a schema is reached from the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reached {
    Root,
    /// By `properties` alone.
    Property,
    /// By any other keyword: a client cannot tell where the value will stand.
    Otherwise,
}

struct Walk<'w> {
    headers: Vec<Header>,
    /// Header names are one name whatever their case.
    seen: BTreeMap<String, Span>,
    secrets: &'w [String],
    found: &'w mut Diagnostics,
}

impl Walk<'_> {
    fn walk(&mut self, schema: &Node, pointer: &str, reached: Reached) {
        if let Some(name) = schema.get(KEYWORD) {
            match header(schema, name, (pointer, reached)) {
                Err((message, help)) => {
                    self.found.push(Diagnostic::error(Code::PARAMETER_HEADER, name.span, message).help(help));
                }
                Ok(header) => self.admit(header, name, pointer),
            }
        }
        for (step, inside) in subschemas(schema) {
            let by_property = step.starts_with("/properties/") && reached != Reached::Otherwise;
            let reached = if by_property { Reached::Property } else { Reached::Otherwise };
            self.walk(inside, &format!("{pointer}{step}"), reached);
        }
    }

    fn admit(&mut self, header: Header, name: &Node, pointer: &str) {
        if self.secrets.iter().any(|secret| at_or_in(pointer, secret)) {
            let message = format!("a secret would travel in the header `{}`", header.name);
            let finding = Diagnostic::error(Code::SECRET_HEADER, name.span, message);
            self.found.push(finding.help("take `x-mcp-header` away: whoever stands in between may log headers"));
        }
        if let Some(earlier) = self.seen.insert(header.name.to_ascii_lowercase(), name.span) {
            let message = format!("two arguments share the header `{}`", header.name);
            let finding = Diagnostic::error(Code::PARAMETER_HEADER, name.span, message);
            let finding = if earlier == name.span {
                finding.label("of a definition that is used twice")
            } else {
                finding.label("again here").also(earlier, "first here")
            };
            self.found.push(finding.help("give each its own: case makes no difference"));
        }
        self.headers.push(header);
    }
}

/// Whether a place is another, or in it.
fn at_or_in(pointer: &str, around: &str) -> bool {
    pointer.strip_prefix(around).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn header(schema: &Node, name: &Node, (pointer, reached): (&str, Reached)) -> Result<Header, (String, &'static str)> {
    let is_token = |text: &str| {
        !text.is_empty() && text.bytes().all(|c| c.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&c))
    };
    let Some(text) = name.as_str().filter(|text| is_token(text)) else {
        let message = format!("`{}` is no name of an HTTP header", name.to_json().trim_matches('"'));
        return Err((message, "use letters, digits and `-`"));
    };
    if reached != Reached::Property {
        let message = "a header cannot be taken from here".to_owned();
        return Err((message, "put `x-mcp-header` on a property that is reached by `properties` alone"));
    }
    let kind = match schema.get("type").and_then(Node::as_str) {
        Some("string") => HeaderKind::String,
        Some("integer") => HeaderKind::Integer,
        Some("boolean") => HeaderKind::Boolean,
        Some(_) | None => {
            let message = "a header cannot be taken from a value of this type".to_owned();
            return Err((message, "only a `string`, `integer` or `boolean` can be a header"));
        }
    };
    // `/properties/a/properties/b`: every other step names a property
    let path = pointer.split('/').skip(2).step_by(2).map(unescape).collect();
    Ok(Header { name: text.to_owned(), path, kind })
}
