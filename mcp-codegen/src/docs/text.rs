//! The words of a contract, made fit to be shown.

use std::fmt::Write;

use crate::lint::hidden;

/// The text with every character that nobody would see written as its number. Line breaks and tabs stay.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut before = None;
    for c in text.replace("\r\n", "\n").chars() {
        match hidden(c, before) {
            // Writing to a `String` cannot fail.
            Some(_) => write!(shown, "⟨U+{:04X}⟩", u32::from(c)).unwrap_or_default(),
            None => shown.push(if c == '\r' { '\n' } else { c }),
        }
        before = Some(c);
    }
    shown
}

/// Prose: paragraphs, each of pieces.
pub(super) type Prose = Vec<Vec<Piece>>;

/// A piece of a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// Whether it stood between backticks.
    pub(super) is_code: bool,
    pub(super) text: String,
}

/// Takes a description apart: a blank line ends a paragraph, and backticks hold code.
pub(super) fn prose(text: &str) -> Prose {
    let text = visible(text);
    let mut paragraphs = vec![Vec::new()];
    for line in text.lines().map(str::trim_end) {
        let last = paragraphs.len() - 1;
        match (line.is_empty(), paragraphs[last].is_empty()) {
            (true, true) => {}
            (true, false) => paragraphs.push(Vec::new()),
            (false, _) => paragraphs[last].push(line),
        }
    }
    paragraphs.retain(|lines| !lines.is_empty());
    paragraphs.into_iter().map(|lines| pieces(&lines.join("\n"))).collect()
}

fn pieces(paragraph: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut rest = paragraph;
    while let Some((before, code, after)) = first_code(rest) {
        pieces.push(Piece { is_code: false, text: before.to_owned() });
        pieces.push(Piece { is_code: true, text: code.to_owned() });
        rest = after;
    }
    pieces.push(Piece { is_code: false, text: rest.to_owned() });
    pieces.retain(|piece| !piece.text.is_empty());
    pieces
}

/// The first text between two single backticks on one line, with what stands before and after.
fn first_code(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('`')?;
    let (code, after) = rest.split_once('`')?;
    let is_code = !code.trim().is_empty() && !code.contains('\n');
    is_code.then_some((before, code, after))
}

/// `1 to 3 items`; nothing where neither end is said.
pub(super) fn range(ends: (Option<&str>, Option<&str>), unit: &str) -> Option<String> {
    let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    Some(match ends {
        (Some(least), Some(most)) if least == most => format!("exactly {least}{unit}"),
        (Some(least), Some(most)) => format!("{least} to {most}{unit}"),
        (Some(least), None) => format!("at least {least}{unit}"),
        (None, Some(most)) => format!("at most {most}{unit}"),
        (None, None) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_written_as_its_number() {
        assert_eq!(visible("a\u{202e}b\u{0}c\r\nd\te"), "a⟨U+202E⟩b⟨U+0000⟩c\nd\te");
        assert_eq!(visible("فارسی\u{200c}ها 👩\u{200d}🔬"), "فارسی\u{200c}ها 👩\u{200d}🔬");
    }

    #[test]
    fn paragraphs_and_code_are_told_apart() {
        let piece = |is_code, text: &str| Piece { is_code, text: text.to_owned() };
        assert_eq!(
            prose("One `a`\nline.\n\n\nTwo ` b`` c"),
            [
                vec![piece(false, "One "), piece(true, "a"), piece(false, "\nline.")],
                vec![piece(false, "Two "), piece(true, " b"), piece(false, "` c")],
            ]
        );
        let list = "# Heading\n- item\n  - inside";
        assert_eq!(prose(list), [vec![piece(false, list)]], "signs and indents stay");
    }
}
