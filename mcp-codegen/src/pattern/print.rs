//! [`Node`] → text for an engine.
//!
//! What engines see differently is spelled out: the meaning of `\d` and `.` is in the sets by then, and no sign is left
//! that one of them takes for an operator.

use std::fmt::Write as _;

use crate::pattern::{Class, Node, Part};

/// Who is to read the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// The crate `fancy-regex`.
    Backtracking,
    /// ECMA-262 and the Rust crates alike.
    Common,
    /// The crate `regex`. A pattern that tracks back has no such text.
    Linear,
}

/// The pattern as text of a dialect.
pub(crate) fn print(node: &Node, dialect: Dialect) -> String {
    let mut out = String::new();
    Printer { out: &mut out, dialect, captures: node.refers_back() }.node(node);
    out
}

/// `\b` where it cannot be written for ASCII alone.
const BOUNDARY: &str = "(?:(?<=[0-9A-Z_a-z])(?![0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?=[0-9A-Z_a-z]))";
const NO_BOUNDARY: &str = "(?:(?<=[0-9A-Z_a-z])(?=[0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?![0-9A-Z_a-z]))";

struct Printer<'o> {
    out: &'o mut String,
    dialect: Dialect,
    /// Whether groups with a number must be remembered; if not, they cost an engine nothing.
    captures: bool,
}

impl Printer<'_> {
    fn node(&mut self, node: &Node) {
        match node {
            Node::Alternatives(nodes) => {
                for (index, node) in nodes.iter().enumerate() {
                    self.text(if index == 0 { "" } else { "|" });
                    self.node(node);
                }
            }
            // In ECMA-262 a group that took no part is empty; elsewhere it matches nowhere.
            Node::Backreference(number) if self.dialect == Dialect::Backtracking => {
                self.text(&format!(r"(?({number})\{number}|)"));
            }
            Node::Backreference(number) => self.text(&format!(r"(?:\{number})")),
            Node::Boundary { negated } => self.text(match (self.dialect, negated) {
                (Dialect::Linear, false) => r"(?-u:\b)",
                (Dialect::Linear, true) => r"(?-u:\B)",
                (Dialect::Backtracking | Dialect::Common, false) => BOUNDARY,
                (Dialect::Backtracking | Dialect::Common, true) => NO_BOUNDARY,
            }),
            Node::Class(class) => self.class(class),
            Node::End => self.text("$"),
            Node::Group { number, inner } => {
                let start = if self.captures && number.is_some() { "(" } else { "(?:" };
                self.enclosed(start, inner);
            }
            Node::Look { behind, negated, inner } => {
                let start = match (behind, negated) {
                    (false, false) => "(?=",
                    (false, true) => "(?!",
                    (true, false) => "(?<=",
                    (true, true) => "(?<!",
                };
                self.enclosed(start, inner);
            }
            Node::Repeat { inner, min, max, lazy } => {
                // An alternative or a sequence is repeated only inside a group, so that this binds as it should.
                self.node(inner);
                self.count(*min, *max);
                self.text(if *lazy { "?" } else { "" });
            }
            Node::Sequence(nodes) => {
                for node in nodes {
                    self.node(node);
                }
            }
            Node::Start => self.text("^"),
        }
    }

    fn enclosed(&mut self, start: &str, inner: &Node) {
        self.text(start);
        self.node(inner);
        self.text(")");
    }

    fn count(&mut self, min: u32, max: Option<u32>) {
        self.text(&match (min, max) {
            (0, None) => "*".to_owned(),
            (1, None) => "+".to_owned(),
            (0, Some(1)) => "?".to_owned(),
            (min, None) => format!("{{{min},}}"),
            (min, Some(max)) if min == max => format!("{{{min}}}"),
            (min, Some(max)) => format!("{{{min},{max}}}"),
        });
    }

    fn class(&mut self, class: &Class) {
        match (class.negated, &*class.parts) {
            (false, [Part::Range(first, last)]) if first == last => self.character(*first),
            // Sets of nothing and of everything, which the engines spell only so.
            (false, []) => self.text(r"[^\u{0}-\u{10ffff}]"),
            (true, []) => self.text(r"[\u{0}-\u{10ffff}]"),
            (negated, parts) => {
                self.text(if negated { "[^" } else { "[" });
                for part in parts {
                    self.part(part);
                }
                self.text("]");
            }
        }
    }

    fn part(&mut self, part: &Part) {
        match part {
            Part::Property { text, negated } => self.text(&format!(r"\{}{{{text}}}", if *negated { 'P' } else { 'p' })),
            Part::Range(first, last) => {
                self.character(*first);
                if first != last {
                    self.text("-");
                    self.character(*last);
                }
            }
        }
    }

    /// A character that means itself, in a set and outside of it.
    fn character(&mut self, character: char) {
        let printed = match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | ' ' | ':' | ',' => write!(self.out, "{character}"),
            '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '/' => {
                write!(self.out, "\\{character}")
            }
            _ => write!(self.out, "\\u{{{:x}}}", u32::from(character)),
        };
        debug_assert!(printed.is_ok(), "a string takes every text");
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::parse;

    fn printed(text: &str, dialect: Dialect) -> String {
        print(&parse(text).unwrap_or_else(|wrong| panic!("{text}: {wrong}")), dialect)
    }

    #[test]
    fn what_the_dialects_see_differently_is_spelled_out() {
        for (ecma, rust) in [
            (r"^\d{2,}$", "^[0-9]{2,}$"),
            (r"[^\D]", r"[^\u{0}-\/:-\u{10ffff}]"),
            (r"(a|b)+?", r"(?:a|b)+?"),
            (r"(a)?\1", r"(a)?(?(1)\1|)"),
            (r"[&&~~]", r"[\u{26}\u{26}\u{7e}\u{7e}]"),
            (r"\cA\/é", r"\u{1}\/\u{e9}"),
            ("[]", r"[^\u{0}-\u{10ffff}]"),
            (r"\ud83d\udc32", r"\u{1f432}"),
        ] {
            assert_eq!(printed(ecma, Dialect::Backtracking), rust);
        }
    }

    #[test]
    fn the_linear_engine_takes_what_does_not_track_back() {
        for text in
            [r"\bé\B", r"[\S\s]", "[^]", r"\p{L}\P{Lu}[\p{Script=Greek}]", r"a\/b\.\-[-a]", r"[\]\[\^]", "a{0}", "^$"]
        {
            let printed = printed(text, Dialect::Linear);
            assert!(regex_syntax::Parser::new().parse(&printed).is_ok(), "{printed}");
        }
    }

    #[test]
    fn the_common_text_is_read_as_it_was_meant() {
        for text in [r"^[\w.-]+\/\S$", r"\B(?=é)\p{L}", "[^]", "a{,2}"] {
            let common = printed(text, Dialect::Common);
            let again = printed(&common, Dialect::Common);
            assert_eq!(common, again, "{text}");
        }
    }
}
