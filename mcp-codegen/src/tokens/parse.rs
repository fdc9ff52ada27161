//! Rust that somebody has written → tokens.

use proc_macro2::{Delimiter as Foreign, Group, Spacing, TokenStream, TokenTree};

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
                TokenTree::Group(group) => self.take_group(&group),
                TokenTree::Ident(name) => self.name(&name.to_string()),
                TokenTree::Literal(literal) => self.literal(|text| text.push_str(&literal.to_string())),
                TokenTree::Punct(punct) => {
                    self.list.push(Token::Punct(punct.as_char(), punct.spacing() == Spacing::Joint));
                }
            }
        }
    }

    fn take_group(&mut self, group: &Group) {
        if let Some(line) = comment(group) {
            let text = self.say(|text| text.push_str(&line));
            return self.list.push(Token::Comment(text));
        }
        let delimiter = match group.delimiter() {
            Foreign::None => return self.take(group.stream()),
            Foreign::Brace => Delimiter::Brace,
            Foreign::Bracket => Delimiter::Bracket,
            Foreign::Parenthesis => Delimiter::Parenthesis,
        };
        self.group(delimiter, |tokens| tokens.take(group.stream()));
    }
}

/// What `[doc = "…"]` says.
fn comment(group: &Group) -> Option<String> {
    let trees: Vec<TokenTree> = group.stream().into_iter().collect();
    let [TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Literal(text)] = &trees[..] else { return None };
    if name != "doc" || group.delimiter() != Foreign::Bracket {
        return None;
    }
    syn::parse_str::<syn::LitStr>(&text.to_string()).ok().map(|text| text.value())
}
