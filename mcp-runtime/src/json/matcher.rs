//! What decides whether a string matches a `pattern` or is of a `format`, and the matcher that needs no engine.

mod fixed;
mod step;

use std::fmt::Debug;

use self::fixed::Fixed;
pub use self::step::{CharSet, Step};

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
/// static COLOR: Plain = Plain::new(
///     "^#[0-9a-f]{6}$",
///     &[&[
///         Step::Text("#"),
///         Step::set(&[('0', '9'), ('a', 'f')], 6, 6),
///     ]],
///     true,
/// );
///
/// assert!(COLOR.is_match("#c0ffee"));
/// assert!(!COLOR.is_match("#c0ffee!"));
/// ```
#[derive(Debug)]
pub struct Plain {
    source: &'static str,
    alternatives: &'static [&'static [Step]],
    at_end: bool,
    /// What decides alone, where the text has one length.
    fixed: Option<Fixed>,
}

impl Plain {
    /// A pattern that is `source` in the schema. The alternatives are tried one after the other; `at_end` says whether
    /// the text must end there.
    #[must_use]
    pub const fn new(source: &'static str, alternatives: &'static [&'static [Step]], at_end: bool) -> Self {
        let fixed = match alternatives {
            [steps] if at_end => Fixed::new(steps),
            _ => None,
        };
        Self { source, alternatives, at_end, fixed }
    }
}

impl Matcher for Plain {
    fn source(&self) -> &'static str {
        self.source
    }

    fn is_match(&self, text: &str) -> bool {
        match &self.fixed {
            Some(fixed) => fixed.is_match(text.as_bytes()),
            None => self.takes(text),
        }
    }
}

impl Plain {
    /// Goes through the steps.
    #[inline(never)]
    fn takes(&self, text: &str) -> bool {
        self.alternatives.iter().any(|steps| {
            let end = steps.iter().try_fold(0, |at, step| step.take(text, at));
            end.is_some_and(|end| end == text.len() || !self.at_end)
        })
    }
}
