//! Values in TOML, and schemas as JSON text: on one line where they fit, over several in the order of their keys where not.

use std::fmt::Write;

use super::text;
use crate::document::{Node, NodeKind};
use crate::lint::hidden;

/// What a line may hold before a value is spread over several.
const WIDTH: usize = 120;

/// The same for JSON text, where braces stand on lines of their own.
const JSON_WIDTH: usize = 100;

/// Keys in a row, before a dotted key is harder to read than JSON.
const MAX_STEPS: usize = 4;

/// Adds `path = value`, by dotted keys and over several lines where one would be too long.
pub(super) fn entry(path: &str, value: &Node, out: &mut String) {
    let inline = inline(value);
    let fits = path.len() + 3 + inline.chars().count() <= WIDTH && !has_lines(value);
    // Writing to a `String` cannot fail.
    match &value.kind {
        NodeKind::Object(members) if !fits && !members.is_empty() => {
            for (key, value) in members {
                entry(&format!("{path}.{}", text::key(&key.name)), value, out);
            }
        }
        NodeKind::Array(items) if !fits && !items.is_empty() => {
            writeln!(out, "{path} = [").unwrap_or_default();
            for item in items {
                writeln!(out, "    {},", self::inline(item)).unwrap_or_default();
            }
            writeln!(out, "]").unwrap_or_default();
        }
        NodeKind::String(value) if value.contains('\n') => {
            writeln!(out, "{path} = {}", text::block(value)).unwrap_or_default();
        }
        _ => writeln!(out, "{path} = {inline}").unwrap_or_default(),
    }
}

/// Adds the members of a table, one after the other.
pub(super) fn entries(table: &Node, out: &mut String) {
    for (key, value) in table.members().unwrap_or_default() {
        entry(&text::key(&key.name), value, out);
    }
}

/// Whether a schema reads well as a TOML table. What TOML has no word for does not.
pub(super) fn reads_well(schema: &Node) -> bool {
    let is_plain = |(_, value): &(_, Node)| is_plain(value, 1);
    can_say(schema) && schema.members().is_some_and(|members| members.iter().all(is_plain))
}

/// Whether TOML can say a value: it has no null, and no integer beyond 64 bits.
pub(super) fn can_say(value: &Node) -> bool {
    match &value.kind {
        NodeKind::Null => false,
        NodeKind::Number(text) => text.contains(['.', 'e', 'E']) || text.parse::<i64>().is_ok(),
        NodeKind::Array(items) => items.iter().all(can_say),
        NodeKind::Object(members) => members.iter().all(|(_, value)| can_say(value)),
        NodeKind::Bool(_) | NodeKind::String(_) => true,
    }
}

/// Whether a line is short enough, and has none of the strings that should be spread.
pub(super) fn fits(line: &str) -> bool {
    line.chars().count() <= WIDTH && !line.contains("\\n")
}

/// Whether each item of a list can stand on a line of its own.
pub(super) fn is_list_of_lines(value: &Node) -> bool {
    value.items().is_none_or(|items| items.iter().all(|item| fits(&inline(item)) && !has_lines(item)))
}

/// The beginning of a value, for messages.
pub(super) fn short(value: &Node) -> String {
    const SHOWN: usize = 60;
    let text = compact(value);
    if text.chars().count() <= SHOWN { text } else { format!("{}…", text.chars().take(SHOWN).collect::<String>()) }
}

/// Whether all values on the way are short, or texts.
fn is_plain(value: &Node, steps: usize) -> bool {
    let is_short = |value: &Node| inline(value).chars().count() <= WIDTH - 20 && !has_lines(value);
    match &value.kind {
        _ if is_short(value) => true,
        NodeKind::Object(members) => steps < MAX_STEPS && members.iter().all(|(_, value)| is_plain(value, steps + 1)),
        NodeKind::Array(items) => items.iter().all(is_short),
        NodeKind::Bool(_) | NodeKind::Null | NodeKind::Number(_) | NodeKind::String(_) => true,
    }
}

/// A value on one line of TOML.
pub(super) fn inline(value: &Node) -> String {
    match &value.kind {
        NodeKind::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        NodeKind::Bool(value) => value.to_string(),
        // TOML has none; whoever writes one is told when it is read.
        NodeKind::Null => "null".to_owned(),
        NodeKind::Number(text) => text.clone(),
        NodeKind::Object(members) if members.is_empty() => "{}".to_owned(),
        NodeKind::Object(members) => {
            let member =
                |(key, value): &(crate::document::Key, Node)| format!("{} = {}", text::key(&key.name), inline(value));
            format!("{{ {} }}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        NodeKind::String(value) => text::line(value),
    }
}

/// Whether some string in a value is better read over several lines.
fn has_lines(value: &Node) -> bool {
    match &value.kind {
        NodeKind::String(text) => text.contains('\n'),
        NodeKind::Array(items) => items.iter().any(has_lines),
        NodeKind::Object(members) => members.iter().any(|(_, value)| has_lines(value)),
        NodeKind::Bool(_) | NodeKind::Null | NodeKind::Number(_) => false,
    }
}

/// A value as JSON text for people: what fits on a line stands on one. Characters that people do not see are escaped.
pub(crate) fn json(value: &Node) -> String {
    let mut out = String::new();
    spread(value, (0, 0), &mut out);
    out
}

/// Adds a value that begins after `used` characters of a line, at a level of indentation.
fn spread(value: &Node, (level, used): (usize, usize), out: &mut String) {
    let compact = compact(value);
    if level * 2 + used + compact.chars().count() <= JSON_WIDTH {
        out.push_str(&compact);
        return;
    }
    let indent = "  ".repeat(level + 1);
    // Writing to a `String` cannot fail.
    match &value.kind {
        NodeKind::Array(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                write!(out, "{}\n{indent}", if index == 0 { '[' } else { ',' }).unwrap_or_default();
                spread(item, (level + 1, 0), out);
            }
            write!(out, "\n{}]", "  ".repeat(level)).unwrap_or_default();
        }
        NodeKind::Object(members) if !members.is_empty() => {
            for (index, (key, value)) in members.iter().enumerate() {
                let key = quoted(&key.name);
                write!(out, "{}\n{indent}{key}: ", if index == 0 { '{' } else { ',' }).unwrap_or_default();
                spread(value, (level + 1, key.chars().count() + 2), out);
            }
            write!(out, "\n{}}}", "  ".repeat(level)).unwrap_or_default();
        }
        _ => out.push_str(&compact),
    }
}

/// A value as JSON on one line, with air in it.
fn compact(value: &Node) -> String {
    match &value.kind {
        NodeKind::Array(items) => format!("[{}]", items.iter().map(compact).collect::<Vec<_>>().join(", ")),
        NodeKind::Object(members) if members.is_empty() => "{}".to_owned(),
        NodeKind::Object(members) => {
            let member =
                |(key, value): &(crate::document::Key, Node)| format!("{}: {}", quoted(&key.name), compact(value));
            format!("{{ {} }}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        NodeKind::String(text) => quoted(text),
        NodeKind::Bool(_) | NodeKind::Null | NodeKind::Number(_) => value.to_json(),
    }
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let written = Node::string(text, crate::source::Span::default()).to_json();
    let mut out = String::with_capacity(written.len());
    let mut before = None;
    for c in written.chars() {
        match hidden(c, before) {
            None => out.push(c),
            Some(_) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // Writing to a `String` cannot fail.
                    write!(out, "\\u{unit:04x}").unwrap_or_default();
                }
            }
        }
        before = Some(c);
    }
    out
}
