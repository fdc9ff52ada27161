//! Reading `[asks.name]`: forms that a handler may put to the user.

mod choices;

use crate::contract::read::Cx;
use crate::contract::shorthand::{self, Short};
use crate::contract::{Ask, Hint, SchemaPair, Side, keys};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::cursor::{TableCursor, wrong_type};
use crate::document::{Key, Node, NodeKind};
use crate::source::Spanned;

/// What a form's `format` may be.
const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];

/// Reads all asks of a file.
pub(super) fn read(cx: &Cx<'_>, asks: Option<&Node>, found: &mut Diagnostics) -> Vec<Ask> {
    let Some(asks) = asks else { return Vec::new() };
    let Some(members) = asks.members() else {
        found.push(wrong_type(asks, "a table of asks"));
        return Vec::new();
    };
    members.iter().filter_map(|(key, node)| ask(cx, key, node, found)).collect()
}

fn ask(cx: &Cx<'_>, key: &Key, node: &Node, found: &mut Diagnostics) -> Option<Ask> {
    let mut table = TableCursor::open(node, &keys::ASK, found)?;
    let message = table.required_string("message", "an ask");
    let fields = table.object("fields");
    let url = table.boolean("url").is_some_and(|url| url.value);
    if let Some(fields) = fields.filter(|_| url) {
        let finding = Diagnostic::error(Code::KEYS_EXCLUDE, fields.span, "`fields` and `url` stand together");
        table.found.push(finding.help("a page has its own form: leave `fields` out"));
    }
    let mut inside = Diagnostics::default();
    let mut hints = Vec::new();
    let (short, names) = match fields {
        Some(fields) => {
            let (fields, names) = choices::take_names(fields, &mut inside);
            (shorthand::object(cx.defs, &fields, None, &mut inside), names)
        }
        None => (Short::empty(node.span), Vec::new()),
    };
    let mut fields = form(short.place(Side::Input, &mut hints));
    choices::spell(&mut fields.wire, names);
    showable(&fields.wire, &hints, &mut inside);
    table.found.extend_within(inside, key.span, "in this ask");
    table.finish("an ask");
    let name = Spanned::new(key.name.clone(), key.span);
    Some(Ask { name, message: message?.value, fields: (!url).then_some(fields), hints })
}

/// The schema as a form has it: MCP knows no `additionalProperties` there.
fn form(mut fields: SchemaPair) -> SchemaPair {
    if let NodeKind::Object(members) = &mut fields.wire.kind {
        members.retain(|(key, _)| key.name != "additionalProperties");
    }
    fields
}

/// Forbids what no client can show: a form is a flat list of simple fields, and no place for secrets.
fn showable(form: &Node, hints: &[Hint], found: &mut Diagnostics) {
    for (key, field) in form.get("properties").and_then(Node::members).unwrap_or_default() {
        if let Some(reason) = unshowable(field) {
            let finding = Diagnostic::error(
                Code::ASK,
                key.span,
                format!("no client can show the field `{}`: {reason}", key.name),
            );
            found.push(
                finding.help("a field is a string, a number, a boolean, or a choice: `enum`, or `oneOf` of constants"),
            );
        }
    }
    for hint in hints.iter().filter(|hint| hint.secret) {
        let finding = Diagnostic::error(Code::ASK, hint.pointer.span, "a form asks for a secret");
        found.push(finding.help("ask by a page instead: `url = true`"));
    }
}

fn unshowable(field: &Node) -> Option<String> {
    let ty = field.get("type").and_then(Node::as_str).unwrap_or_default();
    let format = field.get("format").and_then(Node::as_str);
    match ty {
        "string" => format.filter(|format| !FORMATS.contains(format)).map(|format| format!("its format is `{format}`")),
        "boolean" | "integer" | "number" => None,
        "array" => {
            let items = field.get("items");
            let is_choice = items.is_some_and(|items| items.get("enum").is_some() || items.get("anyOf").is_some());
            (!is_choice).then(|| "its items are no choice from an enum".to_owned())
        }
        "" => Some("it has no single type".to_owned()),
        ty => Some(format!("its type is `{ty}`")),
    }
}
