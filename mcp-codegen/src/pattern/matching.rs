//! Whether a text matches a pattern, for values that a contract itself gives.

use fancy_regex::RegexBuilder;

use crate::pattern::{Dialect, Node, Step, Steps, parse, print, steps};

/// The most bytes of a compiled pattern, and the most steps back: a contract may have many patterns, and must be read soon.
const MOST_BYTES: usize = 1 << 20;
const MOST_STEPS: usize = 100_000;

/// Whether `text` matches the pattern `source`. Nothing where the pattern cannot be read, is too large for the engine, or
/// takes it too many steps.
pub(crate) fn matches(source: &str, text: &str) -> Option<bool> {
    let node = parse(source).ok()?;
    if let Some(steps) = steps(&node) {
        return Some(steps.is_match(text));
    }
    by_engine(&node, text)
}

fn by_engine(pattern: &Node, text: &str) -> Option<bool> {
    let expression = print(pattern, Dialect::Backtracking);
    let mut engine = RegexBuilder::new(&expression);
    engine.delegate_size_limit(MOST_BYTES).backtrack_limit(MOST_STEPS);
    engine.build().ok()?.is_match(text).ok()
}

impl Steps {
    /// Whether a text matches; no step takes what a later one needs.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        let fits = |sequence: &Vec<Step>| {
            let mut rest = text;
            for step in sequence {
                let most = step.max.map_or(usize::MAX, |max| max as usize);
                let is_in = |c: char| step.ranges.iter().any(|(first, last)| (*first..=*last).contains(&c));
                let taken: Vec<char> = rest.chars().take(most).take_while(|c| is_in(*c)).collect();
                if taken.len() < step.min as usize {
                    return false;
                }
                rest = &rest[taken.iter().map(|c| c.len_utf8()).sum()..];
            }
            !self.at_end || rest.is_empty()
        };
        self.alternatives.iter().any(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_matches_as_ecma_262_has_it() {
        for (source, good, bad) in [
            ("^[A-Z]{3}$", "ABC", "abc"),
            ("^a{2,}$", "aaa", "aab"),
            (r"^(on|off|\d{1,3}%?)$", "50%", "5000"),
            ("^[^/é]+/", "日本/", "é/"),
            (r"^\d+$", "12", "\u{661}"),
            (r"^\p{Lu}", "É", "é"),
            (r"^(?!con$)\w+", "cons", "con"),
            (r"^(a|b)\1$", "bb", "ab"),
            ("^.$", "🐲", "ab"),
            (r"(?<=\$)\d", "$1", "1"),
            (r"\bé", "aé", "é"),
            ("b", "abc", "ac"),
        ] {
            let node = parse(source).unwrap();
            for (text, verdict) in [(good, Some(true)), (bad, Some(false))] {
                assert_eq!((matches(source, text), by_engine(&node, text)), (verdict, verdict), "{source} {text}");
            }
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
