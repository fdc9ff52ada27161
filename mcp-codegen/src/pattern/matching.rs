//! Whether a text matches a pattern, for values that a contract itself gives.

use fancy_regex::Regex;

use crate::pattern::{Dialect, parse, print};

/// Whether `text` matches the pattern `source`. Nothing where the pattern cannot be read, is too large for the engine, or
/// takes it too many steps.
pub(crate) fn matches(source: &str, text: &str) -> Option<bool> {
    let node = parse(source).ok()?;
    Regex::new(&print(&node, Dialect::Backtracking)).ok()?.is_match(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_matches_as_ecma_262_has_it() {
        for (source, good, bad) in [
            ("^[A-Z]{3}$", "ABC", "abc"),
            (r"^\d+$", "12", "\u{661}"),
            (r"^\p{Lu}", "É", "é"),
            (r"^(?!con$)\w+", "cons", "con"),
            (r"^(a|b)\1$", "bb", "ab"),
            ("^.$", "🐲", "ab"),
            (r"(?<=\$)\d", "$1", "1"),
            (r"\bé", "aé", "é"),
            ("b", "abc", "ac"),
        ] {
            assert_eq!((matches(source, good), matches(source, bad)), (Some(true), Some(false)), "{source}");
        }
    }

    #[test]
    fn what_cannot_be_told_is_not_told() {
        for (source, text) in
            [("(", "("), (r"^(?:(a+)\1*)+b", &*format!("{}!", "a".repeat(64))), ("^(.{999}){999}$", "a")]
        {
            assert_eq!(matches(source, text), None, "{source}");
        }
    }
}
