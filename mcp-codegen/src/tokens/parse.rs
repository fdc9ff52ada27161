//! Rust that somebody has written → tokens.

use proc_macro2::{Delimiter as Foreign, Spacing, TokenStream, TokenTree};

use super::{Delimiter, Token, Tokens};

impl Tokens {
    /// A path that the configuration or a hint states. What is no Rust is left out, but then it was refused before.
    pub(crate) fn path(text: &str) -> Self {
        let mut tokens = Self::default();
        if text.bytes().any(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b':' | b'_')) {
            return Self::parse(text);
        }
        for (index, name) in text.split("::").enumerate() {
            if index > 0 {
                tokens.signs("::");
            }
            if !name.is_empty() {
                tokens.name(name);
            }
        }
        tokens
    }

    /// What no Rust is, is left out.
    pub(crate) fn parse(source: &str) -> Self {
        let mut tokens = Self::default();
        tokens.take(source.parse().unwrap_or_default());
        tokens
    }

    fn take(&mut self, stream: TokenStream) {
        for tree in stream {
            match tree {
                TokenTree::Group(group) => match group.delimiter() {
                    Foreign::None => self.take(group.stream()),
                    Foreign::Brace => self.group(Delimiter::Brace, |tokens| tokens.take(group.stream())),
                    Foreign::Bracket => self.group(Delimiter::Bracket, |tokens| tokens.take(group.stream())),
                    Foreign::Parenthesis => self.group(Delimiter::Parenthesis, |tokens| tokens.take(group.stream())),
                },
                TokenTree::Ident(name) => self.name(&name.to_string()),
                TokenTree::Literal(literal) => self.literal(|text| text.push_str(&literal.to_string())),
                TokenTree::Punct(punct) => {
                    self.list.push(Token::Punct(punct.as_char(), punct.spacing() == Spacing::Joint));
                }
            }
        }
    }
}
