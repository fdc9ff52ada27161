//! The tokens of a module in one list, with their texts in one string.

use std::borrow::Cow;
use std::fmt::{Display, Write};

use proc_macro2::{Delimiter, Group, Literal, Spacing, TokenStream, TokenTree};

/// All tokens, groups flattened.
#[derive(Default)]
pub(super) struct Tokens {
    list: Vec<Token>,
    text: String,
}

/// One token. A place is an index into the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token {
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

/// A part of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Text {
    start: usize,
    end: usize,
}

impl Tokens {
    pub(super) fn new(stream: TokenStream) -> Self {
        let mut tokens = Self::default();
        tokens.add(stream);
        tokens
    }

    fn add(&mut self, stream: TokenStream) {
        for tree in stream {
            let token = match tree {
                TokenTree::Group(group) => {
                    self.group(group);
                    continue;
                }
                TokenTree::Ident(name) => Token::Name(self.say(name)),
                TokenTree::Literal(literal) => Token::Literal(self.say(literal)),
                TokenTree::Punct(punct) => Token::Punct(punct.as_char(), punct.spacing() == Spacing::Joint),
            };
            self.list.push(token);
        }
    }

    fn group(&mut self, group: Group) {
        let (open, delimiter, stream) = (self.list.len(), group.delimiter(), group.stream());
        // A stream that nobody else has is taken apart without a copy.
        drop(group);
        if delimiter == Delimiter::None {
            return self.add(stream);
        }
        self.list.push(Token::Open(delimiter, 0));
        self.add(stream);
        if let Some(comment) = self.comment(open) {
            self.list.truncate(open);
            return self.list.push(comment);
        }
        self.list[open] = Token::Open(delimiter, self.list.len());
        self.list.push(Token::Close(delimiter));
    }

    /// What a group says that was begun at a place, if it is a comment.
    fn comment(&mut self, open: usize) -> Option<Token> {
        let [Token::Open(Delimiter::Bracket, _), Token::Name(name), Token::Punct('=', _), Token::Literal(literal)] =
            self.list[open..]
        else {
            return None;
        };
        let value = value(self.text(literal)).filter(|_| self.text(name) == "doc")?;
        match value {
            Cow::Borrowed(value) => {
                let start = literal.start + self.text(literal).find(value)?;
                Some(Token::Comment(Text { start, end: start + value.len() }))
            }
            Cow::Owned(value) => Some(Token::Comment(self.say(value))),
        }
    }

    fn say(&mut self, token: impl Display) -> Text {
        let start = self.text.len();
        // Writing to a `String` cannot fail.
        write!(self.text, "{token}").unwrap_or_default();
        Text { start, end: self.text.len() }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn get(&self, at: usize) -> Option<Token> {
        self.list.get(at).copied()
    }

    pub(super) fn text(&self, text: Text) -> &str {
        &self.text[text.start..text.end]
    }

    /// Every identifier, whatever it stands for.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().filter_map(|token| match token {
            Token::Name(name) => Some(self.text(*name)),
            Token::Close(_) | Token::Comment(_) | Token::Literal(_) | Token::Open(..) | Token::Punct(..) => None,
        })
    }

    /// The tokens between two places as they can be read again.
    pub(super) fn source(&self, start: usize, end: usize) -> String {
        let mut source = String::new();
        for token in &self.list[start..end] {
            match *token {
                Token::Close(delimiter) => source.push_str(signs(delimiter).1),
                Token::Comment(text) => {
                    write!(source, "[doc = {}]", Literal::string(self.text(text))).unwrap_or_default();
                }
                Token::Literal(text) | Token::Name(text) => source.push_str(self.text(text)),
                Token::Open(delimiter, _) => source.push_str(signs(delimiter).0),
                Token::Punct(sign, _) => source.push(sign),
            }
            if !matches!(token, Token::Punct(_, true)) {
                source.push(' ');
            }
        }
        source
    }
}

fn signs(delimiter: Delimiter) -> (&'static str, &'static str) {
    match delimiter {
        Delimiter::Brace => ("{", "}"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None => ("", ""),
        Delimiter::Parenthesis => ("(", ")"),
    }
}

/// What a string literal says; nothing where its escapes are rarer ones.
fn value(literal: &str) -> Option<Cow<'_, str>> {
    if let Some(raw) = literal.strip_prefix('r') {
        let raw = raw.trim_matches('#');
        return raw.strip_prefix('"')?.strip_suffix('"').map(Cow::Borrowed);
    }
    let quoted = literal.strip_prefix('"')?.strip_suffix('"')?;
    if !quoted.contains('\\') {
        return Some(Cow::Borrowed(quoted));
    }
    let mut value = String::with_capacity(quoted.len());
    let mut signs = quoted.chars();
    while let Some(sign) = signs.next() {
        value.push(if sign == '\\' { unescaped(signs.next()?)? } else { sign });
    }
    Some(Cow::Owned(value))
}

fn unescaped(sign: char) -> Option<char> {
    match sign {
        '"' | '\'' | '\\' => Some(sign),
        't' => Some('\t'),
        _ => None,
    }
}
