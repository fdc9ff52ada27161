//! [`Node`] → the syntax of the crate `regex` (and of `fancy-regex`, where the pattern tracks back).
//!
//! Everything that the two dialects see differently is spelled out: what `\d`, `.` and `$` mean is in the sets and
//! anchors by then.

use std::fmt::Write as _;

use crate::pattern::{Class, Node, Part};

/// The pattern as the engines read it.
pub(crate) fn print(node: &Node) -> String {
    let mut out = String::new();
    Printer { out: &mut out, captures: node.refers_back() }.node(node);
    out
}

struct Printer<'o> {
    out: &'o mut String,
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
            // A group that took no part matches nothing, everywhere.
            Node::Backreference(number) => self.text(&format!(r"(?({number})\{number}|)")),
            Node::Boundary { negated: false } => self.text(r"(?-u:\b)"),
            Node::Boundary { negated: true } => self.text(r"(?-u:\B)"),
            Node::Class(class) => self.class(class),
            Node::End => self.text(r"\z"),
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
            Node::Sequence(nodes) => nodes.iter().for_each(|node| self.node(node)),
            Node::Start => self.text(r"\A"),
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
            (false, []) => self.text(r"[^\x00-\x{10ffff}]"),
            (true, []) => self.text(r"[\x00-\x{10ffff}]"),
            (negated, parts) => {
                self.text(if negated { "[^" } else { "[" });
                parts.iter().for_each(|part| self.part(part));
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
            Part::Within(class) => self.class(class),
        }
    }

    /// A character that means itself in a set and outside of it.
    fn character(&mut self, character: char) {
        let escaped = if character.is_ascii_alphanumeric() || matches!(character, '_' | ' ') {
            write!(self.out, "{character}")
        } else if character.is_ascii_punctuation() {
            write!(self.out, "\\{character}")
        } else {
            write!(self.out, "\\x{{{:x}}}", u32::from(character))
        };
        debug_assert!(escaped.is_ok(), "a string takes every text");
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::parse;

    fn printed(text: &str) -> String {
        print(&parse(text).unwrap_or_else(|wrong| panic!("{text}: {wrong}")))
    }

    #[test]
    fn what_the_dialects_see_differently_is_spelled_out() {
        for (ecma, rust) in [
            (r"^\d{2,}$", r"\A[0-9]{2,}\z"),
            (r"[^\D]", r"[^[^0-9]]"),
            (r"(a|b)+?", r"(?:a|b)+?"),
            (r"(a)?\1", r"(a)?(?(1)\1|)"),
            (r"[&&~~]", r"[\&\&\~\~]"),
            ("\\cA\\/é", r"\x{1}\/\x{e9}"),
            ("[]", r"[^\x00-\x{10ffff}]"),
            (r"\ud83d\udc32", r"\x{1f432}"),
        ] {
            assert_eq!(printed(ecma), rust);
        }
    }

    #[test]
    fn the_linear_engine_takes_what_does_not_track_back() {
        for text in [r"\bé\B", r"[\S\s]", "[^]", r"\p{L}\P{Lu}[\p{Script=Greek}]", r"a\/b\.\-[-a]", r"[\]\[\^]", "a{0}"] {
            let printed = printed(text);
            assert!(regex_syntax::Parser::new().parse(&printed).is_ok(), "{printed}");
        }
    }
}
