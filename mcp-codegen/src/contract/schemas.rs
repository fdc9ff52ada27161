//! Schemas that the author wrote out in full: they reach the wire as they stand.

use crate::contract::SchemaPair;
use crate::contract::attachment::{self, named_file};
use crate::contract::envelope::Form;
use crate::contract::read::Cx;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use crate::document::Node;
use crate::document::json::{self, Place};
use crate::schema;
use crate::source::{Span, Spanned};

/// Reads a verbatim schema: a table, a string of JSON text, or a file. What is not even a schema gives nothing.
pub(super) fn verbatim(cx: &Cx<'_>, node: &Node, found: &mut Diagnostics) -> Option<SchemaPair> {
    let wire = match cx.form {
        Form::Answer => node.clone(),
        Form::Native => source(cx, node, found)?,
    };
    if wire.members().is_none() && wire.as_bool().is_none() {
        let message = format!("found {}, expected a schema", wire.describe());
        let finding = Diagnostic::error(Code::WRONG_TYPE, wire.span, message);
        found.push(finding.help("write a table, a string of JSON text, or `{ file = \"x.json\" }`"));
        return None;
    }
    let typed = schema::settle(&schema::known(&wire, found), found);
    schema::read(&typed, found);
    schema::audit(&typed, Severity::Warning, found);
    Some(SchemaPair { wire, typed, portable: false })
}

/// Follows the ways to write a schema that is JSON in a TOML file.
fn source(cx: &Cx<'_>, node: &Node, found: &mut Diagnostics) -> Option<Node> {
    if let Some(text) = node.as_str() {
        return embedded(cx, node.span, text, found);
    }
    let Some((name, text)) = named_file(node).and_then(|name| Some((name, name.as_str()?))) else {
        return Some(node.clone());
    };
    let file = attachment::find_text(cx, &Spanned::new(text.to_owned(), name.span), found)?;
    json::read(&cx.sources.file(file).text, Place::At(Span::new(file, 0..0)), found)
}

/// JSON text in a string. Where the string is written without escapes, each place inside is known.
fn embedded(cx: &Cx<'_>, span: Span, text: &str, found: &mut Diagnostics) -> Option<Node> {
    let place = cx.sources.inside_string(span, text).map_or(Place::Inside(span), Place::At);
    json::read(text, place, found)
}
