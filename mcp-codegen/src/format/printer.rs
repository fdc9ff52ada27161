//! Tokens → text for what we emit, as prettyplease would print it, but without a tree in between.
//!
//! Each function stands at its first token and leaves the place behind its last. `None` is a shape that is not known
//! here: the item is left to prettyplease then, whose text is the measure for all of this.

use crate::tokens::Delimiter;

use super::item::ItemKind;
use super::layout::Layout;
use super::reference;
use crate::tokens::{Token, Tokens};

/// How far a level is indented.
pub(super) const INDENT: i32 = 4;
/// How much text a token makes with the blanks around it, or a little more: room that is made once.
const BYTES_OF_A_TOKEN: usize = 6;

/// The items of one module on their way to text.
pub(super) struct Printer<'a> {
    pub(super) tokens: &'a Tokens,
    pub(super) at: usize,
    pub(super) out: Layout,
    /// Whether a brace ends the expression, as after `match`.
    pub(super) in_condition: bool,
    /// The same of the groups around this one.
    outside: Vec<bool>,
}

/// What becomes of an element that stands in parentheses alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lone {
    /// It gets a comma, which makes it a tuple.
    Comma,
    /// It is an element like others.
    Plain,
    /// It is left to prettyplease.
    Unknown,
}

/// Every item, with an empty line between those that belong apart; and the source of those that were not known here.
pub(super) fn print(items: &[Tokens]) -> (String, Vec<String>) {
    let mut out = Layout::new(BYTES_OF_A_TOKEN * items.iter().map(Tokens::len).sum::<usize>());
    let (mut last, mut unknown) = (None, Vec::new());
    for tokens in items {
        let mut printer = Printer { tokens, at: 0, out, in_condition: false, outside: Vec::new() };
        printer.items(&mut last, &mut unknown);
        out = printer.out;
    }
    (out.into_text(), unknown)
}

impl<'a> Printer<'a> {
    /// Prints all items; `last` is what came before.
    fn items(&mut self, last: &mut Option<ItemKind>, unknown: &mut Vec<String>) {
        while self.at < self.tokens.len() {
            let (start, (kind, end)) = (self.at, self.item_at(self.at));
            if last.replace(kind).is_some_and(|last| last != kind || kind == ItemKind::Other) {
                self.out.text().push('\n');
            }
            self.out.begin_item();
            if self.item().is_some_and(|()| self.at == end) {
                self.out.end_item();
            } else {
                (self.at, self.in_condition) = (end, false);
                self.outside.clear();
                let source = self.tokens.source(start, end);
                self.out.text().push_str(&reference::print(&source));
                unknown.push(source);
            }
        }
    }

    /// The name that stands at a place.
    #[inline]
    pub(super) fn name_at(&self, at: usize) -> Option<&'a str> {
        match self.tokens.get(at)? {
            Token::Name(name) => Some(self.tokens.text(name)),
            Token::Close(_) | Token::Comment(_) | Token::Literal(_) | Token::Open(..) | Token::Punct(..) => None,
        }
    }

    /// The literal that stands at a place.
    pub(super) fn literal_at(&self, at: usize) -> Option<&'a str> {
        match self.tokens.get(at)? {
            Token::Literal(literal) => Some(self.tokens.text(literal)),
            Token::Close(_) | Token::Comment(_) | Token::Name(_) | Token::Open(..) | Token::Punct(..) => None,
        }
    }

    /// Where the group ends that begins at a place.
    #[inline]
    pub(super) fn group_at(&self, at: usize, delimiter: Delimiter) -> Option<usize> {
        match self.tokens.get(at)? {
            Token::Open(found, end) if found == delimiter => Some(end),
            _ => None,
        }
    }

    /// Whether these signs stand at a place, as one.
    #[inline]
    pub(super) fn sign_at(&self, at: usize, signs: &str) -> bool {
        signs.bytes().enumerate().all(|(index, sign)| match self.tokens.get(at + index) {
            Some(Token::Punct(found, joint)) => found == char::from(sign) && (joint || index + 1 == signs.len()),
            _ => false,
        })
    }

    /// Whether a group or the whole ends at a place.
    pub(super) fn ends_at(&self, at: usize) -> bool {
        matches!(self.tokens.get(at), None | Some(Token::Close(_)))
    }

    pub(super) fn is_name(&self, name: &str) -> bool {
        self.name_at(self.at) == Some(name)
    }

    pub(super) fn is_sign(&self, signs: &str) -> bool {
        self.sign_at(self.at, signs)
    }

    /// Passes a keyword, if it stands here.
    pub(super) fn take_name(&mut self, name: &str) -> bool {
        let is_here = self.is_name(name);
        self.at += usize::from(is_here);
        is_here
    }

    /// Passes signs, if they stand here.
    pub(super) fn take_sign(&mut self, signs: &str) -> bool {
        let is_here = self.is_sign(signs);
        self.at += if is_here { signs.len() } else { 0 };
        is_here
    }

    /// Passes signs that must stand here.
    pub(super) fn expect(&mut self, signs: &str) -> Option<()> {
        self.take_sign(signs).then_some(())
    }

    /// Prints the identifier that must stand here.
    pub(super) fn name(&mut self) -> Option<()> {
        let name = self.name_at(self.at)?;
        self.at += 1;
        self.out.word(name);
        Some(())
    }

    /// Enters a group that must begin here; its end.
    pub(super) fn open(&mut self, delimiter: Delimiter) -> Option<usize> {
        let end = self.group_at(self.at, delimiter)?;
        self.at += 1;
        self.outside.push(std::mem::take(&mut self.in_condition));
        Some(end)
    }

    /// Leaves the group that must end here.
    pub(super) fn close(&mut self) -> Option<()> {
        let Token::Close(_) = self.tokens.get(self.at)? else { return None };
        self.at += 1;
        self.in_condition = self.outside.pop()?;
        Some(())
    }

    /// What stands between here and the end of a group, with a comma after each.
    pub(super) fn elements(&mut self, end: usize, mut element: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        while self.at < end {
            element(self)?;
            let is_last = self.passed_last(end)?;
            self.out.comma(is_last);
        }
        Some(())
    }

    /// What stands in parentheses, which begin here.
    pub(super) fn between_parentheses(
        &mut self,
        lone: Lone,
        mut element: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let end = self.open(Delimiter::Parenthesis)?;
        self.out.word("(");
        self.out.cbox(INDENT);
        self.out.zerobreak();
        let start = self.at;
        while self.at < end {
            let is_first = self.at == start;
            element(self)?;
            let is_last = self.passed_last(end)?;
            match lone {
                Lone::Comma if is_first && is_last => {
                    self.out.word(",");
                    self.out.zerobreak();
                }
                Lone::Unknown if is_first && is_last => return None,
                Lone::Comma | Lone::Plain | Lone::Unknown => self.out.comma(is_last),
            }
        }
        self.out.offset(-INDENT);
        self.out.end();
        self.out.word(")");
        self.close()
    }

    /// What stands between here and the end of a group, as much on a line as fits.
    pub(super) fn filled(
        &mut self,
        [open, close]: [&'static str; 2],
        end: usize,
        mut element: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.out.cbox(INDENT);
        self.out.word(open);
        self.out.zerobreak();
        self.out.ibox(0);
        while self.at < end {
            element(self)?;
            if !self.passed_last(end)? {
                self.out.word(",");
                self.out.space();
            }
        }
        self.out.end();
        self.out.comma(true);
        self.out.offset(-INDENT);
        self.out.word(close);
        self.out.end();
        Some(())
    }

    /// Passes the comma after an element; whether it was the last one.
    pub(super) fn passed_last(&mut self, end: usize) -> Option<bool> {
        let has_comma = self.take_sign(",");
        let is_last = self.at == end;
        (has_comma || is_last).then_some(is_last)
    }

    /// `'a`
    pub(super) fn lifetime(&mut self) -> Option<()> {
        self.expect("'")?;
        self.out.word("'");
        self.name()
    }
}
