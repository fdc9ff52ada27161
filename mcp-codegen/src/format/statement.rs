//! Blocks and what stands in them: statements, conditions, loops, arms, closures.

use crate::tokens::Delimiter;

use super::layout::Break;
use super::printer::{INDENT, Printer};
use super::shape::{Kind, Shape};

impl Printer<'_> {
    /// The body of a function or loop: each statement on a line of its own.
    pub(super) fn body(&mut self) -> Option<()> {
        let end = self.open(Delimiter::Brace)?;
        self.out.word("{");
        self.out.hardbreak_if_nonempty();
        self.statements(end)?;
        self.out.offset(-INDENT);
        self.out.end();
        self.out.word("}");
        self.close()
    }

    /// The same in a box of its own.
    fn indented_body(&mut self) -> Option<()> {
        let end = self.open(Delimiter::Brace)?;
        self.out.word("{");
        self.out.neverbreak();
        self.out.cbox(INDENT);
        self.out.hardbreak_if_nonempty();
        self.statements(end)?;
        self.out.offset(-INDENT);
        self.out.end();
        self.out.word("}");
        self.close()
    }

    pub(super) fn boxed_block(&mut self) -> Option<()> {
        self.out.cbox(INDENT);
        self.small_block()?;
        self.out.end();
        Some(())
    }

    /// A block that stands on one line, if it fits.
    fn small_block(&mut self) -> Option<()> {
        let end = self.open(Delimiter::Brace)?;
        self.out.word("{");
        if self.at < end {
            self.out.space();
            if let Some(shape) = self.expression_from(self.at, end) {
                self.out.ibox(0);
                self.expr_as(shape, true)?;
                self.out.end();
                self.out.space();
            } else {
                self.statements(end)?;
            }
            self.out.offset(-INDENT);
        }
        self.out.word("}");
        self.close()
    }

    /// What stands between two places, if it is one expression; macros count as statements.
    fn expression_from(&self, at: usize, end: usize) -> Option<Shape> {
        if matches!(self.name_at(at), Some("let" | "use")) {
            return None;
        }
        let shape = self.shape(at)?;
        (shape.end == end && shape.kind != Kind::Macro).then_some(shape)
    }

    fn statements(&mut self, end: usize) -> Option<()> {
        while self.at < end {
            match self.name_at(self.at) {
                Some("let") => self.let_statement()?,
                Some("use") => self.import()?,
                Some("const" | "enum" | "fn" | "impl" | "static" | "struct" | "type" | "unsafe") => return None,
                _ => self.expression_statement()?,
            }
        }
        Some(())
    }

    fn let_statement(&mut self) -> Option<()> {
        self.at += 1;
        self.out.ibox(0);
        self.out.word("let ");
        self.pattern()?;
        if self.take_sign(":") {
            self.out.word(": ");
            self.ty()?;
        }
        if self.take_sign("=") {
            self.out.word(" = ");
            self.out.neverbreak();
            self.expr(false)?;
            if self.take_name("else") {
                self.out.space();
                self.out.word("else ");
                self.out.end();
                self.out.neverbreak();
                self.out.cbox(INDENT);
                self.small_block()?;
            }
        }
        self.out.end();
        self.expect(";")?;
        self.out.word(";");
        self.out.hardbreak();
        Some(())
    }

    fn expression_statement(&mut self) -> Option<()> {
        let shape = self.statement_shape()?;
        self.out.ibox(0);
        self.expr_as(shape, true)?;
        if self.take_sign(";") {
            // What ends with its block needs none.
            let is_bare = match shape.kind {
                Kind::For | Kind::While => true,
                Kind::If => return None,
                _ => false,
            };
            if !is_bare {
                self.out.word(";");
            }
        } else if shape.kind.wants_semicolon() {
            self.out.word(";");
        }
        self.out.end();
        self.out.hardbreak();
        Some(())
    }

    fn statement_shape(&self) -> Option<Shape> {
        let shape = self.shape(self.at)?;
        (shape.kind != Kind::Macro).then_some(shape)
    }

    /// What stands between `if`, `match` or `while` and the brace.
    fn condition(&mut self) -> Option<()> {
        let outside = std::mem::replace(&mut self.in_condition, true);
        self.out.cbox(0);
        let wraps = self.wraps(self.at)?;
        self.expr(false)?;
        if wraps {
            self.out.space();
        } else {
            self.out.word(" ");
        }
        self.out.end();
        self.in_condition = outside;
        Some(())
    }

    pub(super) fn for_loop(&mut self) -> Option<()> {
        self.at += 1;
        self.out.ibox(0);
        self.out.word("for ");
        self.pattern()?;
        self.take_name("in").then_some(())?;
        self.out.word(" in ");
        self.out.neverbreak();
        self.condition()?;
        self.indented_body()?;
        self.out.end();
        Some(())
    }

    pub(super) fn while_loop(&mut self) -> Option<()> {
        self.at += 1;
        self.out.word("while ");
        self.condition()?;
        self.indented_body()
    }

    pub(super) fn conditional_expr(&mut self) -> Option<()> {
        self.out.cbox(INDENT);
        self.conditional_head()?;
        let end = self.group_at(self.at, Delimiter::Brace)?;
        if self.name_at(end + 1) == Some("else") {
            self.small_block()?;
            while self.take_name("else") {
                self.out.word(" else ");
                if self.is_name("if") {
                    self.conditional_head()?;
                }
                self.small_block()?;
            }
        } else if end == self.at + 1 {
            self.at = end + 1;
            self.out.word("{}");
        } else {
            self.open(Delimiter::Brace)?;
            self.out.word("{");
            self.out.hardbreak();
            self.statements(end)?;
            self.out.offset(-INDENT);
            self.out.word("}");
            self.close()?;
        }
        self.out.end();
        Some(())
    }

    fn conditional_head(&mut self) -> Option<()> {
        self.at += 1;
        self.out.word("if ");
        self.out.cbox(-INDENT);
        self.condition()?;
        self.out.end();
        Some(())
    }

    pub(super) fn match_expr(&mut self) -> Option<()> {
        self.at += 1;
        self.out.ibox(0);
        self.out.word("match ");
        self.condition()?;
        let end = self.open(Delimiter::Brace)?;
        self.out.word("{");
        self.out.neverbreak();
        self.out.cbox(INDENT);
        self.out.hardbreak_if_nonempty();
        while self.at < end {
            self.arm()?;
            self.out.hardbreak();
        }
        self.out.offset(-INDENT);
        self.out.end();
        self.out.word("}");
        self.out.end();
        self.close()
    }

    fn arm(&mut self) -> Option<()> {
        self.out.ibox(0);
        self.pattern()?;
        if self.take_name("if") {
            self.out.word(" if ");
            self.expr(false)?;
        }
        self.expect("=>")?;
        self.out.word(" => ");
        let whole = self.shape(self.at)?;
        let (shape, braces) = self.skip_braces_around_value(whole)?;
        let is_unit = shape.kind == Kind::Tuple && shape.end == self.at + 2;
        if is_unit {
            self.at = shape.end;
            self.out.word("{");
            self.out.neverbreak();
            self.out.word("}");
        } else if shape.kind == Kind::Block {
            self.indented_body()?;
        } else {
            self.arm_value(shape)?;
        }
        for _ in 0..braces {
            self.close()?;
        }
        self.out.end();
        (self.at == whole.end).then_some(())?;
        self.take_sign(",");
        Some(())
    }

    /// `{ value }` is `value` in an arm: its shape, and how many braces there were.
    fn skip_braces_around_value(&mut self, mut shape: Shape) -> Option<(Shape, usize)> {
        let mut braces = 0;
        while let Some(end) = self.group_at(self.at, Delimiter::Brace) {
            let Some(inner) = self.expression_from(self.at + 1, end) else { break };
            self.open(Delimiter::Brace)?;
            shape = inner;
            braces += 1;
        }
        Some((shape, braces))
    }

    fn arm_value(&mut self, shape: Shape) -> Option<()> {
        let kind = shape.kind;
        self.out.neverbreak();
        self.out.cbox(INDENT);
        self.out.break_with(Break { before: Some('{'), ..Break::default() });
        self.expr_as(shape, true)?;
        self.out.break_with(Break {
            offset: -INDENT,
            before: kind.wants_semicolon().then_some(';'),
            after: Some('}'),
            instead: (!kind.ends_with_its_block()).then_some(','),
            ..Break::default()
        });
        self.out.end();
        Some(())
    }

    pub(super) fn closure(&mut self) -> Option<()> {
        self.out.ibox(0);
        if self.take_name("move") {
            self.out.word("move ");
        }
        self.out.cbox(INDENT);
        self.expect("|")?;
        self.out.word("|");
        let has_parameters = !self.is_sign("|");
        if has_parameters {
            self.out.zerobreak();
        }
        while !self.is_sign("|") {
            self.plain_pattern()?;
            if self.take_sign(":") {
                self.out.word(": ");
                self.ty()?;
            }
            if self.take_sign(",") && !self.is_sign("|") {
                self.out.word(",");
                self.out.space();
            }
        }
        self.expect("|")?;
        if self.take_sign("->") {
            if has_parameters {
                self.out.comma(true);
                self.out.offset(-INDENT);
            }
            self.out.word("|");
            self.out.end();
            self.out.word(" -> ");
            self.ty()?;
            self.out.word(" ");
            self.out.neverbreak();
            self.boxed_block()?;
        } else {
            self.out.word("|");
            self.out.space();
            self.out.offset(-INDENT);
            self.out.end();
            self.out.neverbreak();
            self.closure_value()?;
        }
        self.out.end();
        Some(())
    }

    fn closure_value(&mut self) -> Option<()> {
        let shape = self.shape(self.at)?;
        let kind = shape.kind;
        if kind.is_blocklike() || matches!(kind, Kind::Call | Kind::Match) {
            return self.expr_as(shape, false);
        }
        self.out.cbox(INDENT);
        self.out.break_with(Break { before: Some('{'), ..Break::default() });
        self.expr_as(shape, false)?;
        self.out.break_with(Break {
            offset: -INDENT,
            before: kind.wants_semicolon().then_some(';'),
            after: Some('}'),
            ..Break::default()
        });
        self.out.end();
        Some(())
    }
}
