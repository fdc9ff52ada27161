//! Whether a text matches a pattern, for values that a contract itself gives.

use fancy_regex::RegexBuilder;

use crate::pattern::{Dialect, parse, print};

/// The most bytes of a compiled pattern, and the most steps back: a contract may have many patterns, and must be read soon.
const MOST_BYTES: usize = 1 << 20;
const MOST_STEPS: usize = 100_000;

/// Whether `text` matches the pattern `source`. Nothing where the pattern cannot be read, is too large for the engine, or
/// takes it too many steps.
pub(crate) fn matches(source: &str, text: &str) -> Option<bool> {
    let expression = print(&parse(source).ok()?, Dialect::Backtracking);
    let mut engine = RegexBuilder::new(&expression);
    engine.delegate_size_limit(MOST_BYTES).backtrack_limit(MOST_STEPS);
    engine.build().ok()?.is_match(text).ok()
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
