//! What decides whether a string matches a `pattern` or is of a `format`, and the matcher that needs no engine.

use std::fmt::Debug;

/// Decides whether a string is as one keyword of a schema asks.
pub trait Matcher: Debug + Sync {
    /// The keyword: `pattern`, or `format` where the contract asserts it.
    fn keyword(&self) -> &'static str {
        "pattern"
    }

    /// The keyword's value as the schema states it.
    fn source(&self) -> &'static str;

    /// Whether a text matches.
    fn is_match(&self, text: &str) -> bool;
}

/// Two of them, each of which must match: a `pattern` and a `format`.
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "generated code makes it, and nobody else looks inside")]
pub struct Both(pub &'static dyn Matcher, pub &'static dyn Matcher);

impl Matcher for Both {
    fn source(&self) -> &'static str {
        self.0.source()
    }

    fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text) && self.1.is_match(text)
    }
}

/// A pattern that is one text or set of characters after the other, from the start of the text.
///
/// Each step goes as far as it can. The generator makes one only of patterns for which that is always right.
///
/// ```
/// use mcp_runtime::json::{Matcher, Plain, Step};
///
/// static COLOR: Plain = Plain {
///     source: "^#[0-9a-f]{6}$",
///     alternatives: &[&[
///         Step::Text("#"),
///         Step::set(&[('0', '9'), ('a', 'f')], 6, 6),
///     ]],
///     at_end: true,
/// };
///
/// assert!(COLOR.is_match("#c0ffee"));
/// assert!(!COLOR.is_match("#c0ffee!"));
/// ```
#[derive(Debug)]
pub struct Plain {
    /// The pattern as the schema states it.
    pub source: &'static str,
    /// What is tried one after the other.
    pub alternatives: &'static [&'static [Step]],
    /// Whether the text must end there.
    pub at_end: bool,
}

/// A piece of a [`Plain`] pattern.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_enums, reason = "generated code makes it, and nobody else looks inside")]
pub enum Step {
    /// Characters of a set: [`Step::set`] makes it.
    Set(CharSet),
    /// This text.
    Text(&'static str),
}

/// A set of characters, and how many of it.
#[derive(Clone, Copy, Debug)]
pub struct CharSet {
    ranges: &'static [(char, char)],
    /// One bit for each character of ASCII.
    ascii: u128,
    min: u32,
    max: u32,
}

impl Step {
    /// Characters of a set, which is given as ranges with both ends within: at least `min`, and at most `max`
    /// ([`u32::MAX`] for any number).
    #[must_use]
    pub const fn set(ranges: &'static [(char, char)], min: u32, max: u32) -> Self {
        let mut ascii = 0;
        let mut range = 0;
        while range < ranges.len() {
            let (mut character, last) = (ranges[range].0 as u32, ranges[range].1 as u32);
            while character <= last && character < 128 {
                ascii |= 1 << character;
                character += 1;
            }
            range += 1;
        }
        Self::Set(CharSet { ranges, ascii, min, max })
    }
}

impl Matcher for Plain {
    fn source(&self) -> &'static str {
        self.source
    }

    fn is_match(&self, text: &str) -> bool {
        self.alternatives.iter().any(|steps| {
            let rest = steps.iter().try_fold(text, |rest, step| step.take(rest));
            rest.is_some_and(|rest| rest.is_empty() || !self.at_end)
        })
    }
}

impl Step {
    /// What is left of the text behind this step.
    fn take<'t>(&self, text: &'t str) -> Option<&'t str> {
        match self {
            Self::Set(set) => set.take(text),
            Self::Text(start) => text.strip_prefix(start),
        }
    }
}

impl CharSet {
    fn take<'t>(&self, text: &'t str) -> Option<&'t str> {
        let bytes = text.as_bytes();
        let mut at = 0;
        let mut count = 0;
        while count < self.max && at < bytes.len() {
            let byte = bytes[at];
            if byte.is_ascii() {
                if self.ascii >> byte & 1 == 0 {
                    break;
                }
                at += 1;
            } else {
                let Some(character) = text[at..].chars().next().filter(|&character| self.has(character)) else { break };
                at += character.len_utf8();
            }
            count += 1;
        }
        if count >= self.min { text.get(at..) } else { None }
    }

    fn has(&self, character: char) -> bool {
        self.ranges.iter().any(|&(first, last)| first <= character && character <= last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_their_ranges_say() {
        let rest = |step: Step, text: &'static str| step.take(text);
        let letters = Step::set(&[('a', 'c'), ('x', 'é')], 1, 3);
        assert_eq!(rest(letters, "abxyz"), Some("yz"));
        assert_eq!(rest(letters, "é\u{7f}ê"), Some("ê"));
        assert_eq!(rest(letters, "d"), None);
        assert_eq!(rest(Step::set(&[('\0', '\u{10ffff}')], 0, u32::MAX), "\0é𝄞~"), Some(""));
        assert_eq!(rest(Step::set(&[], 0, 4), "a"), Some("a"));
    }
}
