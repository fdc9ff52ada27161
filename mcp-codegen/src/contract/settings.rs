//! Own keys that stand on features and, as defaults, on `[server]`; and the key `rust`.

use std::time::Duration;

use crate::config::Via;
use crate::contract::{Allow, RustNames, Settings, keys};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::Node;
use crate::document::cursor::{TableCursor, strings, with_suggestion, wrong_type};
use crate::source::Spanned;
use crate::spelling;

/// Settings that only tools know.
pub(super) const OF_TOOLS: [&str; 2] = ["blocking", "repair"];

/// `timeout`, `blocking`, `scopes`, `groups`, `maxResult`, `repair`.
pub(super) fn read(table: &mut TableCursor<'_, '_>) -> Settings {
    Settings {
        timeout: table.string("timeout").and_then(|text| duration(&text, table.found)),
        blocking: table.boolean("blocking"),
        repair: table.boolean("repair"),
        max_result: table.integer("maxResult"),
        scopes: scopes(table),
        groups: table.strings("groups"),
    }
}

/// Forbids scopes that no token could hold (RFC 6749, section 3.3): `scope` in it is words with blanks between.
fn scopes(table: &mut TableCursor<'_, '_>) -> Vec<Spanned<String>> {
    let mut scopes = table.strings("scopes");
    scopes.retain(|scope| {
        let is_word =
            !scope.value.is_empty() && scope.value.bytes().all(|c| c.is_ascii_graphic() && !b"\"\\".contains(&c));
        if !is_word {
            let message = format!("`{}` is no scope", scope.value);
            let finding = Diagnostic::error(Code::WRONG_VALUE, scope.span, message);
            table.found.push(finding.help("write one word for each scope: letters, digits and signs without blanks"));
        }
        is_word
    });
    scopes
}

/// `250ms`, `30s`, `5m`, `1h`
fn duration(text: &Spanned<String>, found: &mut Diagnostics) -> Option<Spanned<Duration>> {
    let digits = text.value.len() - text.value.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.value.split_at(digits);
    let scale = match unit {
        "ms" => Some(1),
        "s" => Some(1_000),
        "m" => Some(60_000),
        "h" => Some(3_600_000),
        _ => None,
    };
    let millis = number.parse::<u64>().ok().zip(scale).and_then(|(number, scale)| number.checked_mul(scale));
    if millis.is_none_or(|millis| millis == 0) {
        let message = format!("`{}` is not a duration", text.value);
        let finding = Diagnostic::error(Code::DURATION, text.span, message);
        found.push(finding.help("write a whole number above 0 and a unit: `250ms`, `30s`, `5m` or `1h`"));
        return None;
    }
    millis.map(|millis| Spanned::new(Duration::from_millis(millis), text.span))
}

/// The key `rust` of a property: `rust = { name, type, via, derive }`, or short `rust = "number"`.
pub(super) fn rust_of_property(node: &Node, found: &mut Diagnostics) -> RustNames {
    let Some(text) = node.as_str() else { return rust(node, found) };
    RustNames { ty: rust_type(Spanned::new(text.to_owned(), node.span), found), ..RustNames::default() }
}

/// The key `rust` of what has a Rust name, but no type that an author could choose.
pub(super) fn rust_name(node: &Node, whose: &str, found: &mut Diagnostics) -> RustNames {
    let Some(mut table) = TableCursor::open(node, &keys::RUST_NAMED, found) else { return RustNames::default() };
    let name = table.string("name").and_then(|name| identifier(name, table.found));
    table.useless(&["type", "via", "derive"], whose, "keep `name` alone: only types of properties and defs take it");
    table.finish("`rust`");
    RustNames { name, ..RustNames::default() }
}

/// The key `rust` of what has a type and nothing more.
pub(super) fn rust_type_alone(node: &Node, whose: &str, found: &mut Diagnostics) -> RustNames {
    let Some(mut table) = TableCursor::open(node, &keys::RUST_TYPED, found) else {
        return RustNames::default();
    };
    let ty = table.required_string("type", "`rust`").and_then(|ty| rust_type(ty, table.found));
    let via = table.string("via").and_then(|text| via(&text, table.found));
    table.useless(&["name", "derive"], whose, "keep `type` and `via` alone");
    table.finish("`rust`");
    RustNames { ty, via, ..RustNames::default() }
}

/// The key `rust`: `rust = { name, type, via, derive }`.
pub(super) fn rust(node: &Node, found: &mut Diagnostics) -> RustNames {
    let Some(mut table) = TableCursor::open(node, &keys::RUST, found) else {
        return RustNames::default();
    };
    let names = RustNames {
        name: table.string("name").and_then(|name| identifier(name, table.found)),
        ty: table.string("type").and_then(|ty| rust_type(ty, table.found)),
        via: table.string("via").and_then(|text| via(&text, table.found)),
        derive: derives(&mut table),
    };
    table.finish("`rust`");
    if let (Some(via), None, false) = (&names.via, &names.ty, node.get("type").is_some()) {
        let finding = Diagnostic::error(Code::RUST_TYPE, via.span, "`via` stands without `type`");
        found.push(finding.help("add the `type` that the text becomes, or leave `via` out"));
    }
    names
}

fn identifier(name: Spanned<String>, found: &mut Diagnostics) -> Option<Spanned<String>> {
    if spelling::is_identifier(&name.value) {
        return Some(name);
    }
    let message = format!("`{}` is not a Rust identifier", name.value);
    let finding = Diagnostic::error(Code::RUST_NAME, name.span, message);
    found.push(finding.help("use letters, digits and `_`, and no keyword: those are written `r#type`"));
    None
}

fn rust_type(ty: Spanned<String>, found: &mut Diagnostics) -> Option<Spanned<String>> {
    if spelling::is_type(&ty.value) {
        return Some(ty);
    }
    let finding = Diagnostic::error(Code::RUST_TYPE, ty.span, format!("`{}` is not a Rust type", ty.value));
    found.push(finding.help("write a type that owns its value by its path, such as `::uuid::Uuid`"));
    None
}

fn via(text: &Spanned<String>, found: &mut Diagnostics) -> Option<Spanned<Via>> {
    let via = match text.value.as_str() {
        "from_str" => Some(Via::FromStr),
        "serde" => Some(Via::Serde),
        _ => None,
    };
    if via.is_none() {
        let finding =
            Diagnostic::error(Code::WRONG_VALUE, text.span, format!("unknown way `{}` to make a type", text.value));
        found.push(with_suggestion(
            finding.label("expected `from_str` or `serde`"),
            &text.value,
            &["from_str", "serde"],
        ));
    }
    via.map(|via| Spanned::new(via, text.span))
}

/// One derive or several.
fn derives(table: &mut TableCursor<'_, '_>) -> Vec<Spanned<String>> {
    let Some(node) = table.node("derive") else { return Vec::new() };
    let mut derives = strings(node.items().unwrap_or(std::slice::from_ref(node)), table.found);
    derives.retain(|derive| {
        let is_path = spelling::is_path(&derive.value);
        if !is_path {
            let message = format!("`{}` is not the path of a derive", derive.value);
            let finding = Diagnostic::error(Code::RUST_TYPE, derive.span, message);
            table.found.push(finding.help("write a path, such as `serde::Serialize`, or an array of paths"));
        }
        is_path
    });
    derives
}

/// `allow = ["rule"]`, `allow = [{ rule = "…", reason = "…" }]` or `allow = { rule = "reason" }`.
pub(super) fn allow(table: &mut TableCursor<'_, '_>) -> Vec<Allow> {
    let Some(node) = table.node("allow") else { return Vec::new() };
    if let Some(members) = node.members() {
        let member = |(key, reason): &(crate::document::Key, Node)| Allow {
            rule: Spanned::new(key.name.clone(), key.span),
            reason: reason.as_str().map(|text| Spanned::new(text.to_owned(), reason.span)),
        };
        return members.iter().map(member).collect();
    }
    let Some(items) = node.items() else {
        table.found.push(wrong_type(node, "an array of rules"));
        return Vec::new();
    };
    items.iter().filter_map(|item| allowed(item, table.found)).collect()
}

fn allowed(item: &Node, found: &mut Diagnostics) -> Option<Allow> {
    if let Some(rule) = item.as_str() {
        return Some(Allow { rule: Spanned::new(rule.to_owned(), item.span), reason: None });
    }
    let mut table = TableCursor::open(item, &keys::ALLOWED, found)?;
    let rule = table.required_string("rule", "`allow`");
    let reason = table.string("reason");
    table.finish("`allow`");
    rule.map(|rule| Allow { rule, reason })
}
