//! What decides whether a string matches a `pattern`, and the matcher that needs no engine.

use std::fmt::Debug;

/// Decides whether a string matches one `pattern` of a schema.
pub trait Matcher: Debug + Sync {
    /// The pattern as the schema states it.
    fn source(&self) -> &'static str;

    /// Whether a text matches.
    fn is_match(&self, text: &str) -> bool;
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
///         Step::Set { ranges: &[('0', '9'), ('a', 'f')], min: 6, max: 6 },
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
    /// Characters of a set.
    Set {
        /// From one character to another, both within.
        ranges: &'static [(char, char)],
        /// The fewest characters.
        min: u32,
        /// The most characters; [`u32::MAX`] for any number.
        max: u32,
    },
    /// This text.
    Text(&'static str),
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
        let (ranges, min, max) = match *self {
            Self::Set { ranges, min, max } => (ranges, min, max),
            Self::Text(start) => return text.strip_prefix(start),
        };
        let mut characters = text.chars();
        let mut rest = text;
        let mut count = 0;
        while count < max && characters.next().is_some_and(|character| has(ranges, character)) {
            rest = characters.as_str();
            count += 1;
        }
        (count >= min).then_some(rest)
    }
}

fn has(ranges: &[(char, char)], character: char) -> bool {
    ranges.iter().any(|&(first, last)| first <= character && character <= last)
}
