//! Regular expressions: those of somebody who knows them, or the plainest.

use std::fmt::Debug;

use crate::json::Matcher;

/// Who knows regular expressions, in the dialect of ECMA-262 that JSON Schema names.
pub trait Patterns: Debug + Sync {
    /// Whether a text matches anywhere; `None` if this pattern cannot be judged, and then it refuses nothing.
    fn is_match(&self, pattern: &str, text: &str) -> Option<bool>;

    /// Whether a text is of a `format`; `None` where the format only describes, and then it refuses nothing.
    fn is_of_format(&self, format: &str, text: &str) -> Option<bool> {
        let _ = (format, text);
        None
    }
}

/// Those that generated code brought along; of any other pattern, the plainest. Formats are asserted where it brought them.
impl Patterns for &'static [&'static dyn Matcher] {
    fn is_match(&self, pattern: &str, text: &str) -> Option<bool> {
        match find(self, ("pattern", pattern)) {
            Some(known) => Some(known.is_match(text)),
            None => is_match(None, pattern, text),
        }
    }

    fn is_of_format(&self, format: &str, text: &str) -> Option<bool> {
        find(self, ("format", format)).map(|known| known.is_match(text))
    }
}

fn find(known: &[&'static dyn Matcher], (keyword, value): (&str, &str)) -> Option<&'static dyn Matcher> {
    known.iter().copied().find(|known| known.keyword() == keyword && known.source() == value)
}

/// Asks `patterns`; without them, judges literal text with or without `^` and `$`.
pub(super) fn is_match(patterns: Option<&dyn Patterns>, pattern: &str, text: &str) -> Option<bool> {
    if let Some(patterns) = patterns {
        return patterns.is_match(pattern, text);
    }
    let (pattern, at_start) = pattern.strip_prefix('^').map_or((pattern, false), |rest| (rest, true));
    let (pattern, at_end) = pattern.strip_suffix('$').map_or((pattern, false), |rest| (rest, true));
    let is_literal = pattern.chars().all(|character| character.is_alphanumeric() || "-_ :/@#".contains(character));
    is_literal.then(|| match (at_start, at_end) {
        (true, true) => text == pattern,
        (true, false) => text.starts_with(pattern),
        (false, true) => text.ends_with(pattern),
        (false, false) => text.contains(pattern),
    })
}
