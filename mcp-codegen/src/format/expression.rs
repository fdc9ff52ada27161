//! Expressions.

use crate::tokens::Delimiter;

use super::layout::Break;
use super::printer::{INDENT, Printer};
use super::shape::{Chain, Kind, Shape, Suffix};
use super::types::Place;

impl Printer<'_> {
    /// Prints an expression; at the beginning of a line, a short name keeps its method beside it.
    pub(super) fn expr(&mut self, starts_line: bool) -> Option<()> {
        let shape = self.shape(self.at)?;
        self.expr_as(shape, starts_line)
    }

    /// The same for one whose shape is known.
    pub(super) fn expr_as(&mut self, shape: Shape, starts_line: bool) -> Option<()> {
        self.expr_of(shape, starts_line)?;
        // Otherwise it was taken for something else than it is.
        (self.at == shape.end).then_some(())
    }

    fn expr_of(&mut self, shape: Shape, starts_line: bool) -> Option<()> {
        match shape.kind {
            Kind::Assign => {
                self.out.ibox(0);
                self.unary_expr(false)?;
                self.expect("=")?;
                self.out.word(" = ");
                self.out.neverbreak();
                self.expr(false)?;
                self.out.end();
                Some(())
            }
            Kind::Binary => {
                self.left()?;
                let operator = self.operator(self.at)?;
                self.at += operator.len();
                self.out.word(operator);
                self.out.word(" ");
                self.unary_expr(false)?;
                self.out.end();
                Some(())
            }
            Kind::Cast => {
                self.left()?;
                self.take_name("as");
                self.out.word("as ");
                self.ty()?;
                self.out.end();
                Some(())
            }
            Kind::Return => self.returned(shape.end),
            Kind::Let => self.let_expr(),
            _ => self.unary_expr(starts_line),
        }
    }

    /// What stands left of an operator.
    fn left(&mut self) -> Option<()> {
        self.out.ibox(INDENT);
        self.out.ibox(-INDENT);
        self.unary_expr(false)?;
        self.out.end();
        self.out.space();
        Some(())
    }

    fn returned(&mut self, end: usize) -> Option<()> {
        self.at += 1;
        self.out.word("return");
        if self.at < end {
            self.out.word(" ");
            self.expr(false)?;
        }
        Some(())
    }

    fn let_expr(&mut self) -> Option<()> {
        self.at += 1;
        self.out.ibox(0);
        self.out.word("let ");
        self.out.ibox(0);
        self.pattern()?;
        self.out.end();
        self.expect("=")?;
        self.out.word(" = ");
        self.out.neverbreak();
        self.out.ibox(0);
        self.expr(false)?;
        self.out.end();
        self.out.end();
        Some(())
    }

    fn unary_expr(&mut self, starts_line: bool) -> Option<()> {
        if self.take_sign("&") {
            self.out.word("&");
            if self.take_name("mut") {
                self.out.word("mut ");
            }
            return self.unary_expr(false);
        }
        for sign in ["*", "-", "!"] {
            if self.take_sign(sign) {
                self.out.word(sign);
                return self.unary_expr(false);
            }
        }
        if self.is_sign("|") || self.is_name("move") {
            return self.closure();
        }
        let chain = self.chain(self.at)?;
        self.suffixed(&chain, chain.suffixes.len(), starts_line)?;
        (self.at == chain.end).then_some(())
    }

    /// An operand with so many of its suffixes, as a whole.
    fn suffixed(&mut self, chain: &Chain, count: usize, starts_line: bool) -> Option<()> {
        let Some(before) = count.checked_sub(1) else { return self.primary_expr(chain.primary.kind) };
        let last = chain.suffixes[before];
        match last.kind {
            Kind::Call => {
                self.suffixed(chain, before, false)?;
                self.suffix_expr(last, false)
            }
            Kind::Index | Kind::Try => {
                self.suffixed(chain, before, starts_line)?;
                self.suffix_expr(last, false)
            }
            _ => {
                let beside = starts_line && self.begins_short(chain, before);
                self.out.cbox(INDENT);
                self.links(chain, before, starts_line)?;
                if !beside {
                    self.break_before_dot();
                }
                self.suffix_expr(last, beside)?;
                self.out.end();
                Some(())
            }
        }
    }

    /// The same as the front of a longer one.
    fn links(&mut self, chain: &Chain, count: usize, starts_line: bool) -> Option<()> {
        let Some(before) = count.checked_sub(1) else {
            self.out.cbox(-INDENT);
            self.primary_expr(chain.primary.kind)?;
            self.out.end();
            return Some(());
        };
        let last = chain.suffixes[before];
        match last.kind {
            Kind::Call => self.links(chain, before, false)?,
            Kind::Index | Kind::Try => self.links(chain, before, starts_line)?,
            _ => {
                self.links(chain, before, starts_line)?;
                if !(starts_line && self.begins_short(chain, before)) {
                    self.break_before_dot();
                }
            }
        }
        self.suffix_expr(last, false)
    }

    /// Whether all before is a name of no more letters than a level has columns.
    fn begins_short(&self, chain: &Chain, before: usize) -> bool {
        let is_name = chain.primary.kind == Kind::Path && chain.primary.end == chain.at + 1;
        before == 0 && is_name && self.name_at(chain.at).is_some_and(|name| name.len() <= 4)
    }

    fn break_before_dot(&mut self) {
        let instead = self.out.ends_with('.').then_some(' ');
        self.out.break_with(Break { instead, ..Break::default() });
    }

    fn suffix_expr(&mut self, suffix: Suffix, beside: bool) -> Option<()> {
        self.at = suffix.at;
        match suffix.kind {
            Kind::Await => {
                self.at += 2;
                self.out.word(".await");
            }
            Kind::Call => self.call_arguments()?,
            Kind::Field => {
                self.out.word(".");
                self.at += 1;
                match self.literal_at(self.at) {
                    Some(index) => {
                        self.at += 1;
                        self.out.word(index);
                    }
                    None => self.name()?,
                }
            }
            Kind::Index => {
                self.open(Delimiter::Bracket)?;
                self.out.word("[");
                self.expr(false)?;
                self.out.word("]");
                self.close()?;
            }
            Kind::Try => {
                self.at += 1;
                self.out.word("?");
            }
            _ => {
                self.out.word(".");
                self.at += 1;
                self.name()?;
                if self.take_sign("::") {
                    self.arguments(Place::Expression)?;
                }
                self.out.cbox(if beside { -INDENT } else { 0 });
                self.call_arguments()?;
                self.out.end();
            }
        }
        Some(())
    }

    fn call_arguments(&mut self) -> Option<()> {
        let end = self.open(Delimiter::Parenthesis)?;
        self.out.word("(");
        let mut first = if self.at < end { Some(self.shape(self.at)?) } else { None };
        if let Some(only) = first.filter(|first| self.is_only_blocklike(*first, end)) {
            self.expr_as(only, false)?;
            self.take_sign(",");
        } else {
            self.out.cbox(INDENT);
            self.out.zerobreak();
            self.elements(end, |printer| match first.take() {
                Some(first) => printer.expr_as(first, false),
                None => printer.expr(false),
            })?;
            self.out.offset(-INDENT);
            self.out.end();
        }
        self.out.word(")");
        self.close()
    }

    fn is_only_blocklike(&self, first: Shape, end: usize) -> bool {
        let is_only = first.end == end || (first.end + 1 == end && self.sign_at(first.end, ","));
        is_only && first.kind.is_blocklike()
    }

    fn primary_expr(&mut self, kind: Kind) -> Option<()> {
        match kind {
            Kind::Array => self.array(),
            Kind::Async => {
                self.at += 1;
                self.out.word("async ");
                if self.take_name("move") {
                    self.out.word("move ");
                }
                self.boxed_block()
            }
            Kind::Block => self.boxed_block(),
            Kind::Const => {
                self.at += 1;
                self.out.word("const ");
                self.boxed_block()
            }
            Kind::For => self.for_loop(),
            Kind::If => self.conditional_expr(),
            Kind::Literal => {
                // `true` and `false` are names among the tokens.
                let literal = self.literal_at(self.at).or_else(|| self.name_at(self.at))?;
                self.at += 1;
                self.out.word(literal);
                Some(())
            }
            Kind::Macro => self.macro_call(),
            Kind::Match => self.match_expr(),
            Kind::Paren => {
                self.open(Delimiter::Parenthesis)?;
                self.out.word("(");
                self.expr(false)?;
                self.out.word(")");
                self.close()
            }
            Kind::Path => self.path(Place::Expression),
            Kind::Repeat => {
                self.open(Delimiter::Bracket)?;
                self.out.word("[");
                self.expr(false)?;
                self.expect(";")?;
                self.out.word("; ");
                self.expr(false)?;
                self.out.word("]");
                self.close()
            }
            Kind::Struct => self.structure(),
            Kind::Tuple => self.tuple(),
            Kind::While => self.while_loop(),
            _ => None,
        }
    }
}
