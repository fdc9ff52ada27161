//! Reading `[formats]`: what becomes of each `format` in the contract's schemas.

use crate::contract::{FormatRule, keys, settings};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::cursor::{TableCursor, with_suggestion, wrong_type};
use crate::document::{Key, Node};
use crate::formats::{NAMES, StringFormat};
use crate::source::Spanned;

/// What stands for every format that can be asserted.
const ALL: &str = "*";

/// `[formats]`: name → `{ assert, rust }`. What another file has said already is reported.
pub(super) fn read(node: Option<&Node>, known: &mut Vec<FormatRule>, found: &mut Diagnostics) {
    let Some(node) = node else { return };
    let Some(members) = node.members() else {
        found.push(wrong_type(node, "a table of formats"));
        return;
    };
    for (key, value) in members {
        if let Some(earlier) = known.iter().find(|earlier| earlier.name.value == key.name) {
            let message = format!("the format `{}` is described twice", key.name);
            let finding = Diagnostic::error(Code::DUPLICATE_DEFINITION, key.span, message);
            let finding = finding.label("again here").also(earlier.name.span, "first here");
            found.push(finding.help("keep one of them"));
            continue;
        }
        known.extend(rule(key, value, found));
    }
}

fn rule(key: &Key, node: &Node, found: &mut Diagnostics) -> Option<FormatRule> {
    let mut table = TableCursor::open(node, &keys::FORMAT, found)?;
    let assert = table.boolean("assert").is_some_and(|assert| assert.value);
    let rust = table.node("rust").map(|node| settings::rust_type_alone(node, "a format", table.found));
    table.finish("a format");
    let name = Spanned::new(key.name.clone(), key.span);
    if assert && key.name != ALL && StringFormat::named(&key.name).is_none() {
        found.push(unknown(&name));
    }
    if let Some(ty) = rust.as_ref().and_then(|rust| rust.ty.as_ref()).filter(|_| key.name == ALL) {
        let finding = Diagnostic::error(Code::RUST_TYPE, ty.span, "one Rust type stands for every format");
        found.push(finding.help("give each format its own: `uuid = { rust = { type = \"::uuid::Uuid\" } }`"));
    }
    Some(FormatRule { name, assert, rust: rust.unwrap_or_default() })
}

fn unknown(name: &Spanned<String>) -> Diagnostic {
    let message = format!("the format `{}` cannot be asserted: it is not known", name.value);
    with_suggestion(Diagnostic::error(Code::WRONG_VALUE, name.span, message), &name.value, &NAMES)
}
