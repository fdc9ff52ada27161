//! Reading resources.

use crate::contract::envelope::Form;
use crate::contract::feature::{self, Kind};
use crate::contract::read::Cx;
use crate::contract::{Resource, StaticContent, attachment, keys, settings};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::Node;
use crate::document::cursor::TableCursor;
use crate::source::{Span, Spanned};

const KIND: Kind = Kind { table: &keys::RESOURCE, name: "a resource", useless: &settings::OF_TOOLS, meant: &[] };

/// Reads one resource.
pub(super) fn read(cx: &Cx<'_>, node: &Node, found: &mut Diagnostics) -> Option<Resource> {
    let mut table = KIND.open(cx, node, found)?;
    let uri = table.required_string("uri", KIND.name);
    let common = feature::read(cx, &KIND, node, &mut table);
    let mime_type = table.string("mimeType");
    feature::shape(
        &mut table,
        "size",
        ("an integer from 0", |node| node.as_number().is_some_and(|size| size.parse::<u64>().is_ok())),
    );
    let (content, updates) = match cx.form {
        Form::Answer => (None, false),
        Form::Native => (content(cx, &mut table), table.boolean("updates").is_some_and(|updates| updates.value)),
    };
    if let Some(uri) = &uri {
        has_scheme(cx, uri, table.found);
    }
    feature::finish(cx, &KIND, table);
    let (common, uri) = (common?, uri?);
    Some(Resource { common, uri, mime_type, content, updates })
}

/// `text = "…"` or `file = "…"`
fn content(cx: &Cx<'_>, table: &mut TableCursor<'_, '_>) -> Option<StaticContent> {
    let text = table.string("text");
    let path = table.string("file");
    if let (Some(text), Some(path)) = (&text, &path) {
        let finding = Diagnostic::error(Code::KEYS_EXCLUDE, path.span, "`text` and `file` stand together");
        table.found.push(finding.also(text.span, "the content is here already").help("keep one of them"));
    }
    if let Some(text) = text {
        can_be_embedded((text.value.len(), text.span), "the text", table.found);
        return Some(StaticContent::Text(text));
    }
    let path = path?;
    let file = attachment::find(cx, &path, table.found)?;
    let length = cx.sources.file(file).text.len();
    can_be_embedded((length, path.span), &format!("`{}`", path.value), table.found);
    Some(StaticContent::File(file))
}

/// The bytes that content may have, as it is sent: each goes into the source code, the program and every answer.
const MAX_CONTENT: usize = 8 << 20;

fn can_be_embedded((length, span): (usize, Span), what: &str, found: &mut Diagnostics) {
    if length > MAX_CONTENT {
        let message = format!("{what} is larger than {} MiB", MAX_CONTENT >> 20);
        let finding = Diagnostic::error(Code::CONTENT_SIZE, span, message).label("too large to embed");
        found.push(finding.help("leave it out, and read it in a handler"));
    }
}

/// Forbids what is no URI: some clients parse it as one. A server that lists it as it is has lived with that.
pub(super) fn has_scheme(cx: &Cx<'_>, uri: &Spanned<String>, found: &mut Diagnostics) {
    if uri.value.is_empty() {
        feature::not_empty(uri, "the URI", found);
        return;
    }
    let scheme = uri.value.split_once(':').map(|(scheme, _)| scheme).unwrap_or_default();
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|c| c.is_ascii_alphanumeric() || b"+-.".contains(&c));
    // A template may leave its scheme to a variable.
    if !is_scheme && !uri.value.starts_with('{') {
        let message = format!("`{}` has no scheme", uri.value);
        let finding = match cx.form {
            Form::Answer => Diagnostic::warning(Code::URI, uri.span, message),
            Form::Native => Diagnostic::error(Code::URI, uri.span, message),
        };
        found.push(finding.help(format!("write a URI, such as `file:///{}`", uri.value.trim_start_matches('/'))));
    }
}
