//! Node → JSON text, compact or for people: keys in order, numbers as written, only the escapes that JSON demands.

use std::fmt::Write;

use crate::document::{Node, NodeKind};

impl Node {
    /// The value as compact JSON.
    pub(crate) fn to_json(&self) -> String {
        let mut out = String::new();
        self.print(&mut out);
        out
    }

    fn print(&self, out: &mut String) {
        match &self.kind {
            NodeKind::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    separate(index, out);
                    item.print(out);
                }
                out.push(']');
            }
            NodeKind::Bool(true) => out.push_str("true"),
            NodeKind::Bool(false) => out.push_str("false"),
            NodeKind::Null => out.push_str("null"),
            NodeKind::Number(text) => out.push_str(text),
            NodeKind::Object(members) => {
                out.push('{');
                for (index, (key, value)) in members.iter().enumerate() {
                    separate(index, out);
                    string(&key.name, out);
                    out.push(':');
                    value.print(out);
                }
                out.push('}');
            }
            NodeKind::String(text) => string(text, out),
        }
    }
}

/// For people: each member and item on a line of its own.
#[cfg(feature = "cli")]
impl Node {
    /// The value as JSON, indented by two blanks a level.
    pub(crate) fn to_pretty_json(&self) -> String {
        let mut out = String::new();
        self.print_pretty(0, &mut out);
        out
    }

    fn print_pretty(&self, depth: usize, out: &mut String) {
        let line = |depth: usize, out: &mut String| {
            out.push('\n');
            out.extend(std::iter::repeat_n("  ", depth));
        };
        match &self.kind {
            NodeKind::Array(items) if !items.is_empty() => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    separate(index, out);
                    line(depth + 1, out);
                    item.print_pretty(depth + 1, out);
                }
                line(depth, out);
                out.push(']');
            }
            NodeKind::Object(members) if !members.is_empty() => {
                out.push('{');
                for (index, (key, value)) in members.iter().enumerate() {
                    separate(index, out);
                    line(depth + 1, out);
                    string(&key.name, out);
                    out.push_str(": ");
                    value.print_pretty(depth + 1, out);
                }
                line(depth, out);
                out.push('}');
            }
            _ => self.print(out),
        }
    }
}

fn separate(index: usize, out: &mut String) {
    if index > 0 {
        out.push(',');
    }
}

fn string(text: &str, out: &mut String) {
    out.reserve(text.len() + 2);
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.find(|c| matches!(c, '"' | '\\' | ..' ')) {
        let (plain, other) = rest.split_at(at);
        out.push_str(plain);
        let mut signs = other.chars();
        match signs.next().unwrap_or_default() {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            // Writing to a `String` cannot fail.
            c => write!(out, "\\u{:04x}", u32::from(c)).unwrap_or_default(),
        }
        rest = signs.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_demanded_escapes_are_written() {
        let mut out = String::new();
        string("a\"\\\u{1}\n/é\u{7f}", &mut out);
        assert_eq!(out, "\"a\\\"\\\\\\u0001\\n/é\u{7f}\"");
    }
}
