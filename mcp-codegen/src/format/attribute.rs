//! Attributes, comments among them.

use crate::tokens::Delimiter;

use super::printer::{INDENT, Printer};
use super::types::Place;
use crate::tokens::Token;

impl<'a> Printer<'a> {
    /// All attributes before an item.
    pub(super) fn attributes(&mut self) -> Option<()> {
        while self.take_sign("#") {
            if let Some(Token::Comment(text)) = self.tokens.get(self.at) {
                self.at += 1;
                self.comment(self.tokens.text(text))?;
            } else {
                self.open(Delimiter::Bracket)?;
                self.attribute()?;
                self.close()?;
            }
        }
        Some(())
    }

    fn comment(&mut self, text: &'a str) -> Option<()> {
        if text.contains('\n') || text.starts_with('/') {
            return None;
        }
        self.out.word("///");
        self.out.word(text.trim_end_matches(' '));
        self.out.hardbreak();
        Some(())
    }

    fn attribute(&mut self) -> Option<()> {
        self.out.word("#");
        self.out.word("[");
        if self.is_name("doc") {
            return None;
        }
        self.path(Place::Type)?;
        if let Some(end) = self.group_at(self.at, Delimiter::Parenthesis) {
            self.listed(end)?;
        } else if self.take_sign("=") {
            self.out.word(" = ");
            self.expr(false)?;
        }
        self.out.word("]");
        self.out.space();
        Some(())
    }

    /// `(Clone, Debug)`, `(message = "…")`
    fn listed(&mut self, end: usize) -> Option<()> {
        self.open(Delimiter::Parenthesis)?;
        self.out.word("(");
        self.out.cbox(INDENT);
        self.out.zerobreak();
        let (mut follows_word, mut has_comma) = (false, false);
        while self.at < end {
            has_comma = false;
            match self.tokens.get(self.at)? {
                Token::Name(text) | Token::Literal(text) => {
                    if follows_word {
                        self.out.space();
                    }
                    self.out.word(self.tokens.text(text));
                    follows_word = true;
                }
                Token::Punct(',', _) if self.at + 1 == end => {
                    self.out.comma(true);
                    has_comma = true;
                }
                Token::Punct(sign, _) => {
                    match sign {
                        '=' => {
                            self.out.word(if follows_word { " = " } else { "= " });
                        }
                        ',' => {
                            self.out.word(",");
                            self.out.space();
                        }
                        ':' => self.out.word(":"),
                        _ => return None,
                    }
                    follows_word = false;
                }
                Token::Comment(_) | Token::Open(..) | Token::Close(_) => return None,
            }
            self.at += 1;
        }
        if !has_comma {
            self.out.zerobreak();
        }
        self.out.offset(-INDENT);
        self.out.end();
        self.out.word(")");
        self.close()
    }
}
