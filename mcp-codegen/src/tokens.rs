//! Rust as tokens: `quote!` makes them, `format` prints them.
//!
//! All tokens of a module are one list, and what is no word of the generator's own stands in one text. The `quote!` here takes a
//! part of what quote's takes; trees of `proc_macro2`, an allocation for each word, were two fifths of all generation.

mod literal;
mod parse;
mod quote;

use std::fmt::{self, Display, Formatter, Write};

pub(crate) use self::literal::{Literal, float, integer, is_invisible, long_text, optional, optional_text, text};
pub(crate) use self::quote::{Ident, Part, Repeated, ToTokens, ident, parts, plain_ident, quote};

/// As many bytes as texts begin with: growing costs more than having some to spare.
const FIRST_TEXT: usize = 96;

/// Tokens in the order in which they are written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tokens {
    list: Vec<Token>,
    /// What [`Text::Own`] is a part of.
    text: String,
}

/// One token. A place is an index into the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Token {
    /// `[doc = "…"]`, with what it says.
    Comment(Text),
    Close(Delimiter),
    Literal(Text),
    /// An identifier, keywords included.
    Name(Text),
    /// With the place of its end.
    Open(Delimiter, usize),
    /// A sign, and whether it makes one with the next.
    Punct(char, bool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delimiter {
    Brace,
    Bracket,
    Parenthesis,
}

/// What a token says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Text {
    /// As the generator has it.
    Fixed(&'static str),
    /// A part of the text beside the list.
    Own { start: u32, end: u32 },
}

impl Tokens {
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<Token> {
        match *self.list.get(at)? {
            // In the list, it is how far the end is away, so that tokens can be moved.
            Token::Open(delimiter, length) => Some(Token::Open(delimiter, at + length)),
            token => Some(token),
        }
    }

    #[inline]
    pub(crate) fn text(&self, text: Text) -> &str {
        match text {
            Text::Fixed(text) => text,
            Text::Own { start, end } => &self.text[start as usize..end as usize],
        }
    }

    /// Whether they are an identifier, and nothing else.
    pub(crate) fn is(&self, ident: &Ident<'_>) -> bool {
        matches!(self.list[..], [Token::Name(name)] if self.text(name) == ident.0)
    }

    /// Every identifier, whatever it stands for.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().filter_map(|token| match token {
            Token::Name(name) => Some(self.text(*name)),
            Token::Close(_) | Token::Comment(_) | Token::Literal(_) | Token::Open(..) | Token::Punct(..) => None,
        })
    }

    /// The tokens between two places, to be read again.
    pub(crate) fn source(&self, start: usize, end: usize) -> String {
        let mut source = String::new();
        for token in &self.list[start..end] {
            match *token {
                Token::Close(delimiter) => source.push_str(delimiter.signs().1),
                Token::Comment(text) => {
                    // Writing to a `String` cannot fail.
                    write!(source, "[doc = {:?}]", self.text(text)).unwrap_or_default();
                }
                Token::Literal(text) | Token::Name(text) => source.push_str(self.text(text)),
                Token::Open(delimiter, _) => source.push_str(delimiter.signs().0),
                Token::Punct(sign, _) => source.push(sign),
            }
            if !matches!(token, Token::Punct(_, true)) {
                source.push(' ');
            }
        }
        source
    }

    /// Adds a copy of other tokens.
    pub(crate) fn append(&mut self, other: &Self) {
        let (start, before) = (self.list.len(), place(self.text.len()));
        self.list.extend_from_slice(&other.list);
        if !other.text.is_empty() {
            self.text.push_str(&other.text);
            for token in &mut self.list[start..] {
                token.put_behind(before);
            }
        }
    }

    /// A comment of one line, apart from the slashes.
    pub(crate) fn comment(&mut self, line: &str) {
        let text = self.say(|text| {
            if !line.is_empty() {
                text.push(' ');
            }
            text.push_str(line);
        });
        self.list.extend([Token::Punct('#', false), Token::Comment(text)]);
    }

    fn name(&mut self, name: &str) {
        let text = self.say(|text| text.push_str(name));
        self.list.push(Token::Name(text));
    }

    fn literal(&mut self, write: impl FnOnce(&mut String)) {
        let text = self.say(write);
        self.list.push(Token::Literal(text));
    }

    /// Signs that are one.
    fn signs(&mut self, signs: &str) {
        let last = signs.len().saturating_sub(1);
        self.list.extend(signs.chars().enumerate().map(|(index, sign)| Token::Punct(sign, index < last)));
    }

    /// What stands between delimiters.
    fn group(&mut self, delimiter: Delimiter, inside: impl FnOnce(&mut Self)) {
        let open = self.list.len();
        self.list.push(Token::Open(delimiter, 0));
        inside(self);
        self.list[open] = Token::Open(delimiter, self.list.len() - open);
        self.list.push(Token::Close(delimiter));
    }

    fn say(&mut self, write: impl FnOnce(&mut String)) -> Text {
        if self.text.capacity() == 0 {
            self.text.reserve(FIRST_TEXT);
        }
        let start = self.text.len();
        write(&mut self.text);
        Text::Own { start: place(start), end: place(self.text.len()) }
    }
}

/// Modules are far smaller: a contract's file has no more than 64 MiB.
fn place(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

impl Token {
    /// Puts its text behind another one.
    fn put_behind(&mut self, length: u32) {
        match self {
            Self::Comment(Text::Own { start, end })
            | Self::Literal(Text::Own { start, end })
            | Self::Name(Text::Own { start, end }) => {
                *start += length;
                *end += length;
            }
            Self::Comment(Text::Fixed(_))
            | Self::Literal(Text::Fixed(_))
            | Self::Name(Text::Fixed(_))
            | Self::Close(_)
            | Self::Open(..)
            | Self::Punct(..) => {}
        }
    }
}

impl Delimiter {
    fn signs(self) -> (&'static str, &'static str) {
        match self {
            Self::Brace => ("{", "}"),
            Self::Bracket => ("[", "]"),
            Self::Parenthesis => ("(", ")"),
        }
    }
}

impl Display for Tokens {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.source(0, self.len()).trim_end())
    }
}

/// One after the other.
impl<T: ToTokens> FromIterator<T> for Tokens {
    fn from_iter<I: IntoIterator<Item = T>>(parts: I) -> Self {
        let mut tokens = Self::default();
        parts.into_iter().for_each(|part| part.add_to(&mut tokens));
        tokens
    }
}
