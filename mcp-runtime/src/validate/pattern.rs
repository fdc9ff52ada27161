//! Regular expressions: those of somebody who knows them, or the plainest.

use std::fmt::Debug;

use crate::json::Matcher;

/// Who knows regular expressions, in the dialect of ECMA-262 that JSON Schema names.
pub trait Patterns: Debug + Sync {
    /// Whether a text matches anywhere; `None` if this pattern cannot be judged, and then it refuses nothing.
    fn is_match(&self, pattern: &str, text: &str) -> Option<bool>;
}

/// Those that generated code brought along; of any other pattern, the plainest.
impl Patterns for &'static [&'static dyn Matcher] {
    fn is_match(&self, pattern: &str, text: &str) -> Option<bool> {
        match self.iter().find(|known| known.source() == pattern) {
            Some(known) => Some(known.is_match(text)),
            None => is_match(None, pattern, text),
        }
    }
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
