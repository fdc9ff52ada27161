//! Expressions that hold others: arrays, tuples, structs; and the calls of macros.

use crate::tokens::Delimiter;

use super::printer::{INDENT, Lone, Printer};
use super::types::Place;

/// The widest struct that stands on one line.
const MAX_STRUCT_WIDTH: i64 = 34;

impl Printer<'_> {
    pub(super) fn array(&mut self) -> Option<()> {
        let end = self.open(Delimiter::Bracket)?;
        if self.at == end {
            self.out.word("[]");
            return self.close();
        }
        if self.is_simple(end) {
            self.filled(["[", "]"], end, |printer| printer.expr(false))?;
        } else {
            self.out.word("[");
            self.out.cbox(INDENT);
            self.out.zerobreak();
            self.elements(end, |printer| printer.expr(false))?;
            self.out.offset(-INDENT);
            self.out.end();
            self.out.word("]");
        }
        self.close()
    }

    /// Whether an array holds numbers, characters and booleans, of which many stand on a line.
    fn is_simple(&self, end: usize) -> bool {
        (self.at..end).all(|at| {
            let is_short = |literal: &str| {
                let is_float = literal.contains('.') || (literal.contains(['e', 'E']) && !literal.starts_with("0x"));
                let is_text = literal.contains('"');
                literal.starts_with(['\'', 'b']) && !is_text
                    || literal.starts_with(|c: char| c.is_ascii_digit()) && !is_float
            };
            self.literal_at(at).is_some_and(is_short)
                || matches!(self.name_at(at), Some("true" | "false"))
                || self.sign_at(at, ",")
        })
    }

    pub(super) fn tuple(&mut self) -> Option<()> {
        self.between_parentheses(Lone::Comma, |printer| printer.expr(false))
    }

    pub(super) fn structure(&mut self) -> Option<()> {
        self.out.cbox(INDENT);
        self.out.ibox(-INDENT);
        self.path(Place::Expression)?;
        self.out.end();
        let end = self.open(Delimiter::Brace)?;
        self.out.word(" {");
        self.out.space_if_nonempty();
        while self.at < end {
            if self.take_sign("..") {
                self.out.word("..");
                self.expr(false)?;
                self.out.space();
                break;
            }
            self.name()?;
            if self.take_sign(":") {
                self.out.word(": ");
                self.out.ibox(0);
                self.expr(false)?;
                self.out.end();
            }
            let is_last = self.passed_last(end)?;
            self.out.comma_or_space(is_last);
        }
        self.out.offset(-INDENT);
        self.out.end_with_max_width(MAX_STRUCT_WIDTH);
        self.out.word("}");
        self.close()
    }

    /// A macro with one literal, such as `format_args!("…")`.
    pub(super) fn macro_call(&mut self) -> Option<()> {
        self.path(Place::Expression)?;
        self.expect("!")?;
        self.out.word("!");
        let end = self.open(Delimiter::Parenthesis)?;
        let literal = self.literal_at(self.at)?;
        self.at += 1;
        (self.at == end).then_some(())?;
        self.out.word("(");
        self.out.cbox(INDENT);
        self.out.zerobreak();
        self.out.ibox(0);
        self.out.word(literal);
        self.out.end();
        self.out.zerobreak();
        self.out.offset(-INDENT);
        self.out.end();
        self.out.word(")");
        self.close()
    }
}
