//! Patterns of tools that are known only at run time: no generator has translated them.

use crate::validate::Patterns;

/// Reads them as the engine does, after the differences to ECMA-262 that can be seen letter by letter are spelled out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Provided;

impl Patterns for Provided {
    fn is_match(&self, pattern: &str, text: &str) -> Option<bool> {
        fancy_regex::Regex::new(&spelled(pattern)).ok()?.is_match(text).ok()
    }
}

/// A pattern of ECMA-262 as the engine reads it: `\d` and `\w` are of ASCII, `.` is no line end, and a bracket in a set is
/// only that.
fn spelled(pattern: &str) -> String {
    let mut spelled = String::with_capacity(pattern.len());
    let mut is_in_set = false;
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('d') => spelled.push_str("[0-9]"),
                Some('D') => spelled.push_str("[^0-9]"),
                Some('w') => spelled.push_str("[0-9A-Za-z_]"),
                Some('W') => spelled.push_str("[^0-9A-Za-z_]"),
                Some(escaped) => spelled.extend(['\\', escaped]),
                None => spelled.push('\\'),
            },
            '[' if !is_in_set => {
                is_in_set = true;
                spelled.push('[');
            }
            ']' if is_in_set => {
                is_in_set = false;
                spelled.push(']');
            }
            '[' | '&' | '~' if is_in_set => spelled.extend(['\\', character]),
            '.' if !is_in_set => spelled.push_str(r"[^\n\r\u{2028}\u{2029}]"),
            other => spelled.push(other),
        }
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_mean_what_ecma_says() {
        for (pattern, text, matches) in [
            (r"^\d+$", "12", true),
            (r"^\d$", "\u{0663}", false),
            (r"^[\w-]+$", "a-b", true),
            (r"^\w$", "é", false),
            (r"^[[&]$", "&", true),
            (r"^a.b$", "a\rb", false),
            (r"^(?!x)\/", "/", true),
        ] {
            assert_eq!(Provided.is_match(pattern, text), Some(matches), "{pattern} {text:?}");
        }
        assert_eq!(Provided.is_match("(", ""), None, "what cannot be read refuses nothing");
    }
}
