//! Somebody's prose → doc comments that rustdoc neither runs nor warns about.
//!
//! Code stays as it was: fences get the language `text`, indented blocks are fenced. In running text bare URLs are
//! bracketed, and what Markdown would take for a link, a tag or an escape is escaped.

use std::borrow::Cow;

use crate::tokens::{Tokens, is_invisible};

/// The text as `///` comments.
pub(super) fn outer(text: &str) -> Tokens {
    let mut comments = Tokens::default();
    if is_plain(text) {
        comments.comment(text);
    } else {
        for line in lines(text) {
            comments.comment(&line);
        }
    }
    comments
}

/// Whether a text is one line in which nothing is to be escaped, as most are.
fn is_plain(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && !text.ends_with(' ')
        && text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'`' | b'<' | b'[' | b'\\'))
        && !text.contains("http")
}

/// A name that stands between backticks in a comment of ours.
pub(super) fn word(name: &str) -> String {
    cleaned(name).replace('`', "'").replace('\n', " ")
}

/// A code block that is open.
enum Block {
    /// Ends at a fence of this sign, at least this long; its lines lose this many spaces.
    Fenced { sign: char, length: usize, indent: usize },
    /// Ends before the first line that is not indented; its lines lose this many spaces.
    Indented { indent: usize },
}

/// An item of a list that is open.
struct Item {
    /// How far it is indented in the source.
    indent: usize,
    /// Where its text begins in the comment; what belongs to it stands below.
    column: usize,
}

/// A text on its way to a comment.
#[derive(Default)]
struct Prose {
    out: Vec<String>,
    block: Option<Block>,
    /// The items around the current line, outermost first.
    items: Vec<Item>,
}

/// The escaped lines of a text, without empty ones at its ends.
fn lines(text: &str) -> Vec<String> {
    let text = cleaned(text);
    let mut prose = Prose::default();
    for line in dedented(&text) {
        prose.take(line);
    }
    if prose.block.is_some() {
        close(&mut prose.out);
    }
    let mut out = prose.out;
    let start = out.iter().position(|line| !line.is_empty()).unwrap_or(out.len());
    let end = out.iter().rposition(|line| !line.is_empty()).map_or(start, |last| last + 1);
    out.truncate(end);
    out.drain(..start);
    out
}

impl Prose {
    fn take(&mut self, line: &str) {
        let indent = indent(line);
        if let Some(open) = &self.block {
            if continues(open, line, &mut self.out) {
                return;
            }
            let was_fence = matches!(open, Block::Fenced { .. });
            close(&mut self.out);
            self.block = None;
            if was_fence {
                return;
            }
        }
        let text = &line[indent..];
        if let Some((sign, length)) = fence(text) {
            self.out.push("```text".to_owned());
            self.block = Some(Block::Fenced { sign, length, indent });
        } else if text.is_empty() {
            self.out.push(String::new());
        } else if let Some(width) = marker(text) {
            self.item(indent, width, text);
        } else if indent >= 4 && self.items.is_empty() {
            self.out.push("```text".to_owned());
            self.out.push(text.to_owned());
            self.block = Some(Block::Indented { indent });
        } else {
            self.paragraph(indent, text);
        }
    }

    fn item(&mut self, indent: usize, width: usize, text: &str) {
        while self.items.last().is_some_and(|item| item.indent >= indent) {
            self.items.pop();
        }
        let at = self.items.last().map_or(0, |item| item.column);
        self.items.push(Item { indent, column: at + width });
        self.out.push(" ".repeat(at) + &escaped(text));
    }

    fn paragraph(&mut self, indent: usize, text: &str) {
        if indent == 0 && !self.items.is_empty() {
            self.items.clear();
            // Right below an item the line would be taken for a part of it.
            if self.out.last().is_some_and(|last| !last.is_empty()) {
                self.out.push(String::new());
            }
        }
        let at = self.items.last().map_or(0, |item| item.column);
        self.out.push(" ".repeat(at) + &escaped(text));
    }
}

/// The lines without the indentation that all but the first have in common, as in a docstring of Python.
fn dedented(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let common = lines.iter().skip(1).filter(|line| !line.is_empty()).map(|line| indent(line)).min().unwrap_or(0);
    let first = lines.first().map(|line| &line[indent(line)..]);
    let others = lines.iter().skip(1).map(|line| line.get(common..).unwrap_or_default());
    first.into_iter().chain(others).collect()
}

/// How many spaces a line begins with.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Tabs become spaces; signs that neither people nor rustc should meet in a comment go.
fn cleaned(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b'\n' | b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push_str("    "),
            '\n' => out.push('\n'),
            c if c.is_control() || is_invisible(c) => {}
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Takes up a line of an open block; `false` if the block ends before it.
fn continues(block: &Block, line: &str, out: &mut Vec<String>) -> bool {
    let indent = indent(line);
    match *block {
        Block::Fenced { sign, length, indent: removed } => {
            let closes = fence(&line[indent..]).is_some_and(|(end, count)| end == sign && count >= length);
            if closes && line[indent..].trim_start_matches(sign).is_empty() {
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

/// A line of backticks would end our own fence, unless it is indented.
fn inside_fence(text: &str) -> String {
    if text.trim_start().starts_with("```") { format!("    {text}") } else { text.to_owned() }
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

/// The width of the bullet or number with the spaces after it, if the line begins an item of a list.
fn marker(line: &str) -> Option<usize> {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let signs: &[char] = match digits {
        0 => &['-', '*', '+'],
        1..=9 => &['.', ')'],
        _ => return None,
    };
    let spaces = indent(line[digits..].strip_prefix(signs)?);
    // After five spaces it would be code.
    (1..=4).contains(&spaces).then_some(digits + 1 + spaces)
}

/// One line of running text.
fn escaped(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['`', '<', 'h', '[', '\\']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let c = char::from(rest.as_bytes()[0]);
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
        rest = &rest[1..];
    }
    out + rest
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
        let rendered = lines(text).join("\n");
        assert!(!is_plain(text) || rendered == text, "{text}");
        rendered
    }

    #[test]
    fn running_text_is_escaped() {
        for (text, expected) in [
            ("Get the weather", "Get the weather"),
            ("Get it ", "Get it"),
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
            ("~~~py\n```\n~~~", "```text\n    ```\n```"),
            (
                "Args:\n    city: the city\n    days: [n]\n\nReturns:",
                "Args:\n```text\ncity: the city\ndays: [n]\n```\n\nReturns:",
            ),
            ("a\n  ```sh\n  ls\n  ```", "a\n```text\nls\n```"),
            ("- a\n    more [x]\n- b", "- a\n  more \\[x]\n- b"),
            ("Does.\n\n    More:\n        x: [y]\n", "Does.\n\nMore:\n```text\nx: [y]\n```"),
            ("1.  a\n  b\n   - c\n     d\n2. e", "1.  a\n    b\n    - c\n      d\n2. e"),
            ("- a\nb", "- a\n\nb"),
            ("\n\n a\n\n", "a"),
        ] {
            assert_eq!(rendered(text), expected, "{text}");
        }
    }
}
