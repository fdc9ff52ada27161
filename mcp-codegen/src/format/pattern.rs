//! Patterns.

use crate::tokens::Delimiter;

use super::printer::{Lone, Printer};
use super::types::Place;

impl Printer<'_> {
    /// A pattern, or several of which one must fit.
    pub(super) fn pattern(&mut self) -> Option<()> {
        let mut cases = vec![self.at];
        let (mut at, end) = (self.at, self.pattern_end(self.at)?);
        while at < end {
            if self.sign_at(at, "|") {
                cases.push(at + 1);
            }
            at = self.passed(at)?;
        }
        if cases.len() == 1 {
            self.plain_pattern()?;
            return (self.at == end).then_some(());
        }
        if cases.iter().all(|&case| self.is_literal_pattern(case)) {
            self.out.ibox(0);
        } else {
            self.out.cbox(0);
        }
        for (index, _) in cases.iter().enumerate() {
            if index > 0 {
                self.expect("|")?;
                self.out.space();
                self.out.word("| ");
            }
            self.plain_pattern()?;
        }
        self.out.end();
        (self.at == end).then_some(())
    }

    /// Where a pattern ends: at `=`, `=>`, `in`, `if`, `:`, `;`, or with its group.
    pub(super) fn pattern_end(&self, mut at: usize) -> Option<usize> {
        loop {
            let is_path = self.sign_at(at, "::");
            let is_end = [":", ";", "="].iter().any(|sign| self.sign_at(at, sign));
            let is_word = matches!(self.name_at(at), Some("if" | "in"));
            if self.ends_at(at) || is_word || (is_end && !is_path) {
                return Some(at);
            }
            at = if is_path { at + 2 } else { self.passed(at)? };
        }
    }

    fn is_literal_pattern(&self, at: usize) -> bool {
        self.literal_at(at).is_some() || matches!(self.name_at(at), Some("_" | "false" | "true"))
    }

    pub(super) fn plain_pattern(&mut self) -> Option<()> {
        if let Some(literal) = self.literal_at(self.at) {
            self.at += 1;
            self.out.word(literal);
            return Some(());
        }
        if self.take_sign("&") {
            self.out.word("&");
            return self.plain_pattern();
        }
        if self.group_at(self.at, Delimiter::Parenthesis).is_some() {
            // parentheses around one pattern are no tuple
            return self.between_parentheses(Lone::Unknown, Self::plain_pattern);
        }
        for word in ["ref", "mut"] {
            if self.take_name(word) {
                self.out.word(if word == "ref" { "ref " } else { "mut " });
                return self.name();
            }
        }
        self.path(Place::Expression)?;
        if self.group_at(self.at, Delimiter::Parenthesis).is_some() {
            return self.between_parentheses(Lone::Plain, Self::plain_pattern);
        }
        // Structs and ranges are written otherwise.
        let is_known = self.group_at(self.at, Delimiter::Brace).is_none() && !self.is_sign("..") && !self.is_sign("@");
        is_known.then_some(())
    }
}
