//! Texts in TOML: keys, strings and comments. What people could not see is written as an escape.

use std::fmt::Write;

use crate::lint::hidden;

/// A key, bare if it can be.
pub(super) fn key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_' || c == b'-');
    if is_bare { name.to_owned() } else { basic(name) }
}

/// A string on one line.
pub(super) fn line(text: &str) -> String {
    let is_literal = text.contains(['"', '\\']) && !text.contains(['\'', '\n', '\t']) && !needs_escapes(text);
    if is_literal { format!("'{text}'") } else { basic(text) }
}

/// A string over several lines, which begins on the line after its quotes.
pub(super) fn block(text: &str) -> String {
    let is_literal = !text.contains("'''") && !text.ends_with('\'') && !needs_escapes(text);
    if is_literal && (text.contains('\\') || text.contains("\"\"\"")) {
        return format!("'''\n{text}'''");
    }
    let mut out = String::from("\"\"\"\n");
    let mut quotes = 0;
    for (at, c) in text.char_indices() {
        quotes = if c == '"' { quotes + 1 } else { 0 };
        let ends = at + 1 == text.len();
        match c {
            '\n' | '\t' => out.push(c),
            // Three in a row would end the string, and so would one before its end.
            '"' if quotes < 3 && !ends => out.push('"'),
            '"' => {
                quotes = 0;
                out.push_str("\\\"");
            }
            c => escaped(c, text[..at].chars().next_back(), &mut out),
        }
    }
    out.push_str("\"\"\"");
    out
}

/// JSON text, as a string of several lines. Not every way to write the text is one to write this string.
pub(super) fn json_block(json: &str) -> String {
    format!("'''\n{}\n'''", json.replace("'''", "''\\u0027"))
}

/// Lines of comment, from text of any kind.
pub(super) fn comment(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let seen: String =
            line.chars().map(|c| if c.is_control() || hidden(c, None).is_some() { ' ' } else { c }).collect();
        // Writing to a `String` cannot fail.
        writeln!(out, "{}", format!("# {seen}").trim_end()).unwrap_or_default();
    }
    out
}

fn basic(text: &str) -> String {
    let mut out = String::from('"');
    for (at, c) in text.char_indices() {
        match c {
            '"' => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c => escaped(c, text[..at].chars().next_back(), &mut out),
        }
    }
    out.push('"');
    out
}

/// One character of a basic string.
fn escaped(c: char, before: Option<char>, out: &mut String) {
    let written = match c {
        '\\' => write!(out, "\\\\"),
        '\r' => write!(out, "\\r"),
        c if hidden(c, before).is_none() => write!(out, "{c}"),
        c if u32::from(c) <= 0xffff => write!(out, "\\u{:04X}", u32::from(c)),
        c => write!(out, "\\U{:08X}", u32::from(c)),
    };
    // Writing to a `String` cannot fail.
    written.unwrap_or_default();
}

/// Whether a text has characters that a literal string cannot hold, or that would not be seen in one.
fn needs_escapes(text: &str) -> bool {
    let before = |at: usize| text[..at].chars().next_back();
    text.char_indices().any(|(at, c)| c == '\r' || hidden(c, before(at)).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    use crate::diagnostic::Diagnostics;
    use crate::document;
    use crate::source::{Role, SourceFile, Sources};

    fn read(value: &str) -> Option<String> {
        let mut sources = Sources::default();
        let text = format!("a = {value}\n");
        sources.add(SourceFile { name: String::new(), path: PathBuf::new(), text, role: Role::Toml });
        let documents = document::read(&sources, &mut Diagnostics::default());
        documents.first()?.root.get("a")?.as_str().map(str::to_owned)
    }

    #[test]
    fn every_string_comes_back() {
        let texts = [
            "",
            "'",
            "\"",
            "\\",
            "a\"b",
            "it's \"so\"",
            "'''",
            "\"\"\"",
            "\"\"\"\"\"\"\"",
            "end\"",
            "end'",
            "end\\",
            "\n",
            "\na",
            "a\n\n",
            "a\r\nb",
            "tab\there",
            "\u{0}\u{1b}[31m\u{7f}\u{85}",
            "\u{202e}txt",
            "👩\u{200d}👧",
            "\u{e0041}",
            "C:\\dir\nx'''",
            "'''\n\"\"\"\\",
            "é",
            "\u{feff}x",
            "a\u{2028}b",
        ];
        for text in texts {
            for written in [line(text), block(text), basic(text)] {
                assert_eq!(read(&written).as_deref(), Some(text), "{written}");
                assert!(
                    !written.contains(['\u{202e}', '\u{1b}', '\u{7f}', '\u{85}', '\u{e0041}', '\r']),
                    "{written:?}"
                );
            }
            assert!(!line(text).contains('\n'));
        }
    }

    #[test]
    fn the_plainest_quotes_are_taken() {
        assert_eq!(line("a \"b\""), "'a \"b\"'");
        assert_eq!(line("it's"), "\"it's\"");
        assert_eq!(block("a\nb \"c\"\n"), "\"\"\"\na\nb \"c\"\n\"\"\"");
        assert_eq!(block("\\d\n"), "'''\n\\d\n'''");
    }

    #[test]
    fn keys_are_bare_where_they_can_be() {
        assert_eq!(["a-b_1", "a.b", ""].map(key), ["a-b_1", "\"a.b\"", "\"\""]);
    }

    #[test]
    fn comments_cannot_end_early() {
        assert_eq!(comment("a\n\nb\u{202e}\rtools = []"), "# a\n#\n# b  tools = []\n");
    }
}
