//! Reading `hints`: what the author says about places of a schema that is not ours to write in.

use crate::contract::{Hint, RustNames, SchemaPair, Side, keys, settings};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::Node;
use crate::document::cursor::TableCursor;
use crate::schema;
use crate::source::Spanned;

/// `hints = { "/properties/token" = { secret = true } }`
///
/// A pointer begins at the input schema; one that begins with `/outputSchema` at the output schema.
pub(super) fn read(table: &mut TableCursor<'_, '_>) -> Vec<Hint> {
    let Some(node) = table.object("hints") else { return Vec::new() };
    let members = node.members().unwrap_or_default();
    let mut hints = Vec::with_capacity(members.len());
    for (key, value) in members {
        let (side, pointer) = match (key.name.strip_prefix("/inputSchema"), key.name.strip_prefix("/outputSchema")) {
            (Some(pointer), _) => (Side::Input, pointer),
            (None, Some(pointer)) => (Side::Output, pointer),
            (None, None) => (Side::Input, key.name.as_str()),
        };
        let mut hint = about(Spanned::new(pointer.to_owned(), key.span), side);
        if let Some(mut table) = TableCursor::open(value, &keys::HINT, table.found) {
            for key in ["secret", "rust", "wire"] {
                if let Some(value) = table.node(key) {
                    set(&mut hint, key, value, table.found);
                }
            }
            table.finish("a hint");
        }
        hints.push(hint);
    }
    hints
}

/// A hint that says nothing yet.
pub(super) fn about(pointer: Spanned<String>, side: Side) -> Hint {
    Hint { pointer, side, secret: false, wire_string: false, rust: RustNames::default() }
}

/// Adds what one of the three keys says.
pub(super) fn set(hint: &mut Hint, key: &str, value: &Node, found: &mut Diagnostics) {
    match (key, value.as_bool(), value.as_str()) {
        ("secret", Some(secret), _) => hint.secret = secret,
        ("wire", _, Some("string")) => hint.wire_string = true,
        ("rust", _, _) => hint.rust = settings::rust_of_property(value, found),
        _ => {
            let expected = if key == "secret" { "`true` or `false`" } else { "`\"string\"`" };
            let message = format!("`{key}` has {}, expected {expected}", value.describe());
            found.push(Diagnostic::error(Code::WRONG_VALUE, value.span, message).help(format!("write {expected}")));
        }
    }
}

/// Forbids hints that point at no argument, where arguments have names but no schema of the author's own.
pub(super) fn name_arguments(hints: &[Hint], names: &[&str], found: &mut Diagnostics) {
    for hint in hints {
        let step = hint.pointer.value.strip_prefix("/properties/").and_then(|rest| rest.split('/').next());
        if !step.is_some_and(|step| names.iter().any(|name| schema::escape(name) == step)) {
            found.push(nowhere(hint));
        }
    }
}

fn nowhere(hint: &Hint) -> Diagnostic {
    let message = format!("the hint `{}` points at nothing", hint.pointer.value);
    let finding = Diagnostic::error(Code::HINT, hint.pointer.span, message);
    finding.help("write a JSON Pointer into the schema, such as `/properties/city`")
}

/// Forbids hints that point at nothing: they would be forgotten in silence.
pub(super) fn lead_somewhere(hints: &[Hint], input: &SchemaPair, output: Option<&SchemaPair>, found: &mut Diagnostics) {
    for hint in hints {
        let pair = match hint.side {
            Side::Input => Some(input),
            Side::Output => output,
        };
        if pair.and_then(|pair| schema::at(&pair.typed, &hint.pointer.value)).is_none() {
            found.push(nowhere(hint));
        }
    }
}
