//! Somebody's prose → doc comments that rustdoc neither runs nor warns about.
//!
//! Code stays as it was: fences get the language `text`, indented blocks are fenced. In running text bare URLs are
//! bracketed, and what Markdown would take for a link, a tag or an escape is escaped.

use proc_macro2::TokenStream;
use quote::quote;

/// The text as `///` comments.
pub(super) fn outer(text: &str) -> TokenStream {
    let lines = lines(text).into_iter().map(padded);
    quote! { #(#[doc = #lines])* }
}

/// A name that stands between backticks in a comment of ours.
pub(super) fn word(name: &str) -> String {
    cleaned(name).replace('`', "'").replace('\n', " ")
}

/// The text of one line of a comment, so that it stands apart from the slashes.
fn padded(line: String) -> String {
    if line.is_empty() { line } else { format!(" {line}") }
}

/// A code block that is open.
enum Block {
    /// Ends at a fence of this sign, at least this long; its lines lose this many spaces.
    Fenced { sign: char, length: usize, indent: usize },
    /// Ends before the first line that is not indented; its lines lose this many spaces.
    Indented { indent: usize },
}

/// The escaped lines of a text, without empty ones at its ends.
fn lines(text: &str) -> Vec<String> {
    let text = cleaned(text);
    let mut out: Vec<String> = Vec::new();
    let mut block = None;
    let mut in_list = false;
    for line in dedented(&text) {
        let indent = line.len() - line.trim_start().len();
        if let Some(open) = &block {
            if continues(open, line, indent, &mut out) {
                continue;
            }
            let was_fence = matches!(open, Block::Fenced { .. });
            close(&mut out);
            block = None;
            if was_fence {
                continue;
            }
        }
        if let Some((sign, length)) = fence(line.trim_start()) {
            out.push("```text".to_owned());
            block = Some(Block::Fenced { sign, length, indent });
        } else if line.is_empty() {
            out.push(String::new());
        } else if is_item(line.trim_start()) {
            in_list = true;
            out.push(format!("{}{}", " ".repeat(indent.min(3) / 2 * 2), escaped(line.trim_start())));
        } else if indent >= 4 && !in_list {
            out.push("```text".to_owned());
            out.push(line[indent..].to_owned());
            block = Some(Block::Indented { indent });
        } else {
            // Right below an item this line would be taken for a part of it.
            if in_list && indent == 0 && out.last().is_some_and(|last| !last.is_empty()) {
                out.push(String::new());
            }
            in_list &= indent > 0;
            out.push(format!("{}{}", if in_list { "  " } else { "" }, escaped(line.trim_start())));
        }
    }
    if block.is_some() {
        close(&mut out);
    }
    let start = out.iter().position(|line| !line.is_empty()).unwrap_or(out.len());
    let end = out.iter().rposition(|line| !line.is_empty()).map_or(start, |last| last + 1);
    out.truncate(end);
    out.split_off(start)
}

/// The lines without the indentation that all but the first have in common, as in a docstring of Python.
fn dedented(text: &str) -> Vec<&str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let common = lines.iter().skip(1).filter(|line| !line.is_empty()).map(|line| indent(line)).min().unwrap_or(0);
    let first = lines.first().map(|line| line.trim_start());
    let others = lines.iter().skip(1).map(|line| line.get(common..).unwrap_or_default());
    first.into_iter().chain(others).collect()
}

/// Tabs become spaces; signs that neither people nor rustc should meet in a comment go.
fn cleaned(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push_str("    "),
            '\n' => out.push('\n'),
            // rustc refuses signs that turn the direction of the text.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// Takes up a line of an open block; `false` if the block ends before it.
fn continues(block: &Block, line: &str, indent: usize, out: &mut Vec<String>) -> bool {
    match *block {
        Block::Fenced { sign, length, indent: removed } => {
            let closes = fence(line.trim_start()).is_some_and(|(end, count)| end == sign && count >= length);
            if closes && line.trim_start().trim_start_matches(sign).is_empty() {
                return false;
            }
            out.push(inside_fence(&line[indent.min(removed)..]));
        }
        Block::Indented { indent: removed } => {
            if !line.is_empty() && indent < 4 {
                return false;
            }
            out.push(inside_fence(&line[indent.min(removed)..]));
        }
    }
    true
}

/// A line of backticks would end our own fence; a sign of no width in front keeps it.
fn inside_fence(text: &str) -> String {
    if text.trim_start().starts_with("```") { format!("\u{200b}{text}") } else { text.to_owned() }
}

/// Closes the block at the end of `out`, before its trailing empty lines.
fn close(out: &mut Vec<String>) {
    let end = out.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    out.insert(end, "```".to_owned());
}

/// The sign and length of a fence that the line opens or closes.
fn fence(line: &str) -> Option<(char, usize)> {
    ['`', '~'].into_iter().find_map(|sign| {
        let length = line.chars().take_while(|c| *c == sign).count();
        // A backtick after the fence makes it a code span.
        let is_fence = length >= 3 && (sign == '~' || !line[length..].contains('`'));
        is_fence.then_some((sign, length))
    })
}

/// Whether the line begins an item of a list.
fn is_item(line: &str) -> bool {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let after_number = &line[digits..];
    ["- ", "* ", "+ "].iter().any(|bullet| line.starts_with(bullet))
        || (1..=9).contains(&digits) && (after_number.starts_with(". ") || after_number.starts_with(") "))
}

/// One line of running text.
fn escaped(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '`' => code_span(rest),
            '<' => autolink(rest),
            'h' => bare_url(rest, out.chars().last()),
            '[' => link(rest),
            _ => None,
        };
        if let Some((text, length)) = taken {
            out.push_str(&text);
            rest = &rest[length..];
            continue;
        }
        let next = rest.chars().nth(1);
        let escape = match c {
            '`' | '[' => true,
            '<' => next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')),
            '\\' => next.is_some_and(|next| next.is_ascii_punctuation()),
            _ => false,
        };
        if escape {
            out.push('\\');
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// A code span that ends on this line, as it stands.
fn code_span(text: &str) -> Option<(String, usize)> {
    let length = text.bytes().take_while(|byte| *byte == b'`').count();
    let mut at = length;
    while let Some(start) = text[at..].find('`').map(|start| at + start) {
        let run = text[start..].bytes().take_while(|byte| *byte == b'`').count();
        at = start + run;
        if run == length {
            return Some((text[..at].to_owned(), at));
        }
    }
    None
}

/// `<https://…>`, as it stands.
fn autolink(text: &str) -> Option<(String, usize)> {
    let end = text.find('>')?;
    let inside = &text[1..end];
    let is_link = (inside.starts_with("http://") || inside.starts_with("https://")) && !inside.contains([' ', '<']);
    is_link.then(|| (text[..=end].to_owned(), end + 1))
}

/// A URL that stands in the text, in angle brackets.
fn bare_url(text: &str, before: Option<char>) -> Option<(String, usize)> {
    let scheme = ["https://", "http://"].into_iter().find(|scheme| text.starts_with(scheme))?;
    if before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let end = text.find(|c: char| c.is_whitespace() || "<>\"'`)\\|".contains(c)).unwrap_or(text.len());
    let url = text[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', ']', '}', '*', '_']);
    (url.len() > scheme.len()).then(|| (format!("<{url}>"), url.len()))
}

/// `[text](https://…)`, with its text escaped.
fn link(text: &str) -> Option<(String, usize)> {
    let close = text.find("](")?;
    let label = &text[1..close];
    let target = &text[close + 2..];
    let end = target.find(')')?;
    let target = &target[..end];
    let is_web = target.starts_with("http://") || target.starts_with("https://");
    let is_plain = !label.contains(['[', ']', '`', '<', '\\'])
        && !label.contains("http")
        && !target.contains([' ', '<', '>', '(']);
    let length = close + 2 + end + 1;
    (is_web && is_plain).then(|| (text[..length].to_owned(), length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str) -> String {
        lines(text).join("\n")
    }

    #[test]
    fn running_text_is_escaped() {
        for (text, expected) in [
            ("Get the weather", "Get the weather"),
            ("See https://a.b/c.", "See <https://a.b/c>."),
            ("(https://a.b)", "(<https://a.b>)"),
            ("<https://a.b>", "<https://a.b>"),
            ("[docs](https://a.b)", "[docs](https://a.b)"),
            ("[docs](./x.md) and [x]", "\\[docs](./x.md) and \\[x]"),
            ("a <b>tag</b>, 1 < 2", "a \\<b>tag\\</b>, 1 < 2"),
            ("`[x]` and a lone `", "`[x]` and a lone \\`"),
            ("``a`b`` c", "``a`b`` c"),
            ("C:\\[x]", "C:\\\\\\[x]"),
            ("Vec<String>", "Vec\\<String>"),
            ("`https://a.b`", "`https://a.b`"),
            ("a\u{202e}b\r", "ab"),
        ] {
            assert_eq!(rendered(text), expected, "{text}");
        }
    }

    #[test]
    fn code_is_fenced_as_text() {
        for (text, expected) in [
            ("```json\n[1]\n```\nend", "```text\n[1]\n```\nend"),
            ("```\nopen [x]", "```text\nopen [x]\n```"),
            ("~~~py\n```\n~~~", "```text\n\u{200b}```\n```"),
            (
                "Args:\n    city: the city\n    days: [n]\n\nReturns:",
                "Args:\n```text\ncity: the city\ndays: [n]\n```\n\nReturns:",
            ),
            ("a\n  ```sh\n  ls\n  ```", "a\n```text\nls\n```"),
            ("- a\n    more [x]\n- b", "- a\n  more \\[x]\n- b"),
            ("Does.\n\n    More:\n        x: [y]\n", "Does.\n\nMore:\n```text\nx: [y]\n```"),
            ("- a\nb", "- a\n\nb"),
            ("\n\n a\n\n", "a"),
        ] {
            assert_eq!(rendered(text), expected, "{text}");
        }
    }
}
