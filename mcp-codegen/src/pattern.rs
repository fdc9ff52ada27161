//! `pattern`: a regular expression of ECMA-262, read with the rules of its `u` flag, as JSON Schema asks.
//!
//! It becomes the cheapest thing that says the same: plain steps that need no engine, an expression of the crate
//! `regex`, whose time is linear, or, for lookaround and backreferences, one that tracks back.

#[cfg(feature = "cli")]
mod example;
mod matching;
mod parse;
mod plain;
mod print;
mod ranges;

#[cfg(feature = "cli")]
pub(crate) use self::example::example;
pub(crate) use self::matching::matches;
pub(crate) use self::parse::parse;
pub(crate) use self::plain::{Step, Steps, steps};
pub(crate) use self::print::{Dialect, print};

/// A piece of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    /// `a|b`
    Alternatives(Vec<Self>),
    /// `\1`, or by name
    Backreference(u32),
    /// `\b`, or `\B` if negated
    Boundary { negated: bool },
    /// One character
    Class(Class),
    /// `$`
    End,
    /// `(…)`, or `(?:…)` without a number
    Group { number: Option<u32>, inner: Box<Self> },
    /// `(?=…)` and its relatives
    Look { behind: bool, negated: bool, inner: Box<Self> },
    /// `a{2,3}`
    Repeat { inner: Box<Self>, min: u32, max: Option<u32>, lazy: bool },
    /// One after the other; empty matches everywhere
    Sequence(Vec<Self>),
    /// `^`
    Start,
}

/// A set of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) negated: bool,
    pub(crate) parts: Vec<Part>,
}

/// A part of a [`Class`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// `\p{…}`, or `\P{…}` if negated, by what stands in the braces.
    Property { text: String, negated: bool },
    /// From one character to another, both within.
    Range(char, char),
}

impl Node {
    /// Whether only an engine that tracks back can follow it.
    pub(crate) fn tracks_back(&self) -> bool {
        match self {
            Self::Backreference(_) | Self::Look { .. } => true,
            Self::Alternatives(nodes) | Self::Sequence(nodes) => nodes.iter().any(Self::tracks_back),
            Self::Group { inner, .. } | Self::Repeat { inner, .. } => inner.tracks_back(),
            Self::Boundary { .. } | Self::Class(_) | Self::End | Self::Start => false,
        }
    }

    /// Whether an engine that tracks back needs to remember what this matched.
    fn refers_back(&self) -> bool {
        match self {
            Self::Backreference(_) => true,
            Self::Alternatives(nodes) | Self::Sequence(nodes) => nodes.iter().any(Self::refers_back),
            Self::Group { inner, .. } | Self::Repeat { inner, .. } | Self::Look { inner, .. } => inner.refers_back(),
            Self::Boundary { .. } | Self::Class(_) | Self::End | Self::Start => false,
        }
    }
}

impl Part {
    fn range(&self) -> Option<(char, char)> {
        match self {
            Self::Property { .. } => None,
            Self::Range(first, last) => Some((*first, *last)),
        }
    }
}

impl Class {
    fn of(ranges: &[(char, char)], negated: bool) -> Self {
        Self { negated, parts: ranges.iter().map(|&(first, last)| Part::Range(first, last)).collect() }
    }

    fn one(character: char) -> Self {
        Self::of(&[(character, character)], false)
    }
}
