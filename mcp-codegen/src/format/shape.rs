//! What an expression is and where it ends, before it is printed: groups are passed over, not entered.

use crate::tokens::Delimiter;

use super::printer::Printer;
use crate::tokens::Token;

/// What an expression is in the end: `a.b()?` is a `?`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Array,
    Assign,
    Async,
    Await,
    Binary,
    Block,
    Call,
    Cast,
    Closure,
    Const,
    Field,
    For,
    If,
    Index,
    Let,
    Literal,
    Macro,
    Match,
    Method,
    Paren,
    Path,
    Reference,
    Repeat,
    Return,
    Struct,
    Try,
    Tuple,
    Unary,
    While,
}

/// An expression that is still to be printed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) kind: Kind,
    /// The place behind it.
    pub(super) end: usize,
}

/// What follows an operand: `.name(…)`, `?`, `(…)`, `[…]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Suffix {
    pub(super) kind: Kind,
    pub(super) at: usize,
}

/// An operand with what follows it.
pub(super) struct Chain {
    pub(super) at: usize,
    pub(super) primary: Shape,
    pub(super) suffixes: Vec<Suffix>,
    pub(super) end: usize,
}

impl Kind {
    /// Ends with its block where it stands as a statement or in an arm.
    pub(super) fn ends_with_its_block(self) -> bool {
        matches!(self, Self::Block | Self::Const | Self::For | Self::If | Self::Match | Self::While)
    }

    /// As a single argument, it stands in the parentheses without a line of its own.
    pub(super) fn is_blocklike(self) -> bool {
        matches!(
            self,
            Self::Array | Self::Async | Self::Block | Self::Closure | Self::Const | Self::Struct | Self::Tuple
        )
    }

    /// In a block of its own, it gets a semicolon.
    pub(super) fn wants_semicolon(self) -> bool {
        matches!(self, Self::Assign | Self::Return)
    }
}

impl Printer<'_> {
    pub(super) fn shape(&self, at: usize) -> Option<Shape> {
        match self.name_at(at) {
            Some("return") => {
                let end =
                    if self.ends_at(at + 1) || self.ends_expression(at + 1) { at + 1 } else { self.shape(at + 1)?.end };
                return Some(Shape { kind: Kind::Return, end });
            }
            Some("let") => {
                let equals = self.pattern_end(at + 1)?;
                return Some(Shape { kind: Kind::Let, end: self.shape(equals + 1)?.end });
            }
            _ => {}
        }
        let left = self.unary(at)?;
        let end = left.end;
        if self.ends_expression(end) || left.kind == Kind::Closure || left.kind.ends_with_its_block() {
            return Some(left);
        }
        if self.name_at(end) == Some("as") {
            self.name_at(end + 1)?;
            return self.alone(Shape { kind: Kind::Cast, end: end + 2 });
        }
        if self.sign_at(end, "=") && !self.sign_at(end, "==") {
            return Some(Shape { kind: Kind::Assign, end: self.shape(end + 1)?.end });
        }
        let operator = self.operator(end)?;
        let right = self.unary(end + operator.len())?;
        self.alone(Shape { kind: Kind::Binary, end: right.end })
    }

    /// Several operators in a row are not known here.
    fn alone(&self, shape: Shape) -> Option<Shape> {
        self.ends_expression(shape.end).then_some(shape)
    }

    /// What no expression goes on with.
    fn ends_expression(&self, at: usize) -> bool {
        match self.tokens.get(at) {
            None | Some(Token::Close(_) | Token::Open(Delimiter::Brace, _)) => true,
            Some(Token::Punct(sign, _)) => matches!(sign, ',' | ';') || self.sign_at(at, "=>"),
            Some(Token::Name(_)) => self.name_at(at) == Some("else"),
            Some(Token::Comment(_) | Token::Literal(_) | Token::Open(..)) => false,
        }
    }

    pub(super) fn operator(&self, at: usize) -> Option<&'static str> {
        const OPERATORS: &[&str] = &["==", "!=", "<=", ">=", "&&", "||", "<", ">", "+", "-", "*", "/", "%"];
        let operator = *OPERATORS.iter().find(|operator| self.sign_at(at, operator))?;
        // `+=` and the like
        let is_assignment = operator.len() == 1 && matches!(self.tokens.get(at), Some(Token::Punct(_, true)));
        (!is_assignment).then_some(operator)
    }

    pub(super) fn unary(&self, at: usize) -> Option<Shape> {
        if self.sign_at(at, "&") {
            let operand = at + 1 + usize::from(self.name_at(at + 1) == Some("mut"));
            return Some(Shape { kind: Kind::Reference, end: self.unary(operand)?.end });
        }
        if self.sign_at(at, "*") || self.sign_at(at, "-") || self.sign_at(at, "!") {
            return Some(Shape { kind: Kind::Unary, end: self.unary(at + 1)?.end });
        }
        if self.starts_closure(at) {
            let body = self.closure_body(at)?;
            return Some(Shape { kind: Kind::Closure, end: self.shape(body)?.end });
        }
        self.operand(self.primary(at)?, |_| {})
    }

    fn starts_closure(&self, at: usize) -> bool {
        self.sign_at(at, "|") || self.name_at(at) == Some("move")
    }

    /// Where a closure's body begins.
    fn closure_body(&self, at: usize) -> Option<usize> {
        let mut at = at + usize::from(self.name_at(at) == Some("move"));
        self.sign_at(at, "|").then_some(())?;
        at += 1;
        while !self.sign_at(at, "|") {
            at = self.passed(at)?;
        }
        at += 1;
        if self.sign_at(at, "->") {
            while self.group_at(at, Delimiter::Brace).is_none() {
                at = self.passed(at)?;
            }
        }
        Some(at)
    }

    /// The place behind one token, or behind one group; nothing at an end.
    pub(super) fn passed(&self, at: usize) -> Option<usize> {
        match self.tokens.get(at)? {
            Token::Close(_) => None,
            Token::Open(_, end) => Some(end + 1),
            Token::Comment(_) | Token::Literal(_) | Token::Name(_) | Token::Punct(..) => Some(at + 1),
        }
    }

    /// An operand and its suffixes.
    pub(super) fn chain(&self, at: usize) -> Option<Chain> {
        let (primary, mut suffixes) = (self.primary(at)?, Vec::new());
        let Shape { end, .. } = self.operand(primary, |suffix| suffixes.push(suffix))?;
        Some(Chain { at, primary, suffixes, end })
    }

    /// An operand by its beginning; its suffixes are shown to somebody.
    fn operand(&self, primary: Shape, mut see: impl FnMut(Suffix)) -> Option<Shape> {
        let Shape { mut kind, mut end } = primary;
        if kind.ends_with_its_block() {
            let goes_on = self.sign_at(end, ".") || self.sign_at(end, "?");
            return (!goes_on).then_some(Shape { kind, end });
        }
        while let Some((of_suffix, next)) = self.suffix(end) {
            see(Suffix { kind: of_suffix, at: end });
            (kind, end) = (of_suffix, next);
        }
        Some(Shape { kind, end })
    }

    fn suffix(&self, at: usize) -> Option<(Kind, usize)> {
        match self.tokens.get(at)? {
            Token::Punct('?', _) => Some((Kind::Try, at + 1)),
            Token::Open(Delimiter::Parenthesis, end) => Some((Kind::Call, end + 1)),
            Token::Open(Delimiter::Bracket, end) => Some((Kind::Index, end + 1)),
            Token::Punct('.', false) => {
                if self.literal_at(at + 1).is_some() {
                    return Some((Kind::Field, at + 2));
                }
                if self.name_at(at + 1)? == "await" {
                    return Some((Kind::Await, at + 2));
                }
                let mut end = at + 2;
                if self.sign_at(end, "::") {
                    end = self.past_arguments(end + 2)?;
                }
                let arguments = self.group_at(end, Delimiter::Parenthesis);
                Some(arguments.map_or((Kind::Field, end), |arguments| (Kind::Method, arguments + 1)))
            }
            _ => None,
        }
    }

    /// The place behind `<…>`.
    fn past_arguments(&self, at: usize) -> Option<usize> {
        self.sign_at(at, "<").then_some(())?;
        let (mut depth, mut at) = (1, at + 1);
        while depth > 0 {
            match self.tokens.get(at)? {
                Token::Punct('<', _) => depth += 1,
                Token::Punct('>', _) => depth -= 1,
                _ => {}
            }
            at = self.passed(at)?;
        }
        Some(at)
    }

    fn primary(&self, at: usize) -> Option<Shape> {
        let shape = |kind, end| Some(Shape { kind, end });
        match self.tokens.get(at)? {
            Token::Literal(_) => shape(Kind::Literal, at + 1),
            Token::Open(Delimiter::Brace, end) => shape(Kind::Block, end + 1),
            Token::Open(Delimiter::Bracket, end) => shape(self.in_brackets(at, end)?, end + 1),
            Token::Open(Delimiter::Parenthesis, end) => shape(self.in_parentheses(at, end)?, end + 1),
            Token::Name(_) => self.named(at),
            Token::Punct(':' | '<', _) => self.pathlike(at),
            Token::Close(_) | Token::Comment(_) | Token::Punct(..) => None,
        }
    }

    fn in_brackets(&self, at: usize, end: usize) -> Option<Kind> {
        let is_empty = end == at + 1;
        let is_repeated = !is_empty && self.sign_at(self.shape(at + 1)?.end, ";");
        Some(if is_repeated { Kind::Repeat } else { Kind::Array })
    }

    fn in_parentheses(&self, at: usize, end: usize) -> Option<Kind> {
        let is_tuple = end == at + 1 || self.sign_at(self.shape(at + 1)?.end, ",");
        Some(if is_tuple { Kind::Tuple } else { Kind::Paren })
    }

    fn named(&self, at: usize) -> Option<Shape> {
        let kind = match self.name_at(at)? {
            "false" | "true" => return Some(Shape { kind: Kind::Literal, end: at + 1 }),
            "async" => Kind::Async,
            "const" => Kind::Const,
            "for" => Kind::For,
            "if" => return self.conditional(at),
            "match" => Kind::Match,
            "while" => Kind::While,
            "break" | "continue" | "loop" | "static" | "unsafe" => return None,
            _ => return self.pathlike(at),
        };
        Some(Shape { kind, end: self.braces_after(at + 1)? + 1 })
    }

    /// Where the braces end that come first after a place.
    fn braces_after(&self, mut at: usize) -> Option<usize> {
        loop {
            if let Some(end) = self.group_at(at, Delimiter::Brace) {
                return Some(end);
            }
            at = self.passed(at)?;
        }
    }

    fn conditional(&self, at: usize) -> Option<Shape> {
        let end = self.braces_after(at + 1)? + 1;
        if self.name_at(end) != Some("else") {
            return Some(Shape { kind: Kind::If, end });
        }
        match self.name_at(end + 1) {
            Some("if") => self.conditional(end + 1),
            _ => Some(Shape { kind: Kind::If, end: self.group_at(end + 1, Delimiter::Brace)? + 1 }),
        }
    }

    /// A path, or a macro or struct that begins with one.
    fn pathlike(&self, at: usize) -> Option<Shape> {
        let mut at = at;
        if self.sign_at(at, "<") {
            at = self.past_arguments(at)?;
        }
        if self.sign_at(at, "::") {
            at += 2;
        }
        loop {
            self.name_at(at)?;
            at += 1;
            if !self.sign_at(at, "::") {
                break;
            }
            at += 2;
            if self.sign_at(at, "<") {
                at = self.past_arguments(at)?;
                if !self.sign_at(at, "::") {
                    break;
                }
                at += 2;
            }
        }
        if self.sign_at(at, "!") && !self.sign_at(at, "!=") {
            return Some(Shape { kind: Kind::Macro, end: self.group_at(at + 1, Delimiter::Parenthesis)? + 1 });
        }
        match self.group_at(at, Delimiter::Brace) {
            Some(end) if !self.in_condition => Some(Shape { kind: Kind::Struct, end: end + 1 }),
            _ => Some(Shape { kind: Kind::Path, end: at }),
        }
    }

    /// Whether a line that is too long for a condition has its brace on the next.
    pub(super) fn wraps(&self, at: usize) -> Option<bool> {
        let shape = self.shape(at)?;
        match shape.kind {
            Kind::Assign | Kind::Binary | Kind::Cast => return Some(true),
            Kind::Let => return self.wraps(self.pattern_end(at + 1)? + 1),
            Kind::Reference => return self.wraps(at + 1 + usize::from(self.name_at(at + 1) == Some("mut"))),
            Kind::Unary | Kind::Paren => return self.wraps(at + 1),
            Kind::Return | Kind::Closure => return None,
            _ => {}
        }
        let chain = self.chain(at)?;
        for suffix in chain.suffixes.iter().rev() {
            match suffix.kind {
                Kind::Call | Kind::Try => {}
                _ => return Some(true),
            }
        }
        Some(chain.primary.kind == Kind::Paren && self.wraps(at + 1)?)
    }
}
