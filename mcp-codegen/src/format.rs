//! Tokens → text: blank lines between items, and lines as prettyplease breaks them.
//!
//! `printer` and its parts print what we emit straight from its tokens; an item that they do not know goes through syn and
//! prettyplease (`reference`). Both print the same, which the tests hold against each other.

mod attribute;
mod expression;
mod item;
mod layout;
mod pattern;
mod printer;
mod reference;
mod shape;
mod statement;
mod tokens;
mod types;

use std::collections::HashSet;

use proc_macro2::TokenStream;

use self::printer::Printer;
use self::tokens::Tokens;

/// The items of one module, not printed yet.
pub(crate) struct Items {
    tokens: Tokens,
}

/// Takes the items of one module. Takes the tokens, for a copy would be one of each of them.
pub(crate) fn read(tokens: TokenStream) -> Items {
    Items { tokens: Tokens::new(tokens) }
}

impl Items {
    /// Every identifier in them, whatever it stands for.
    pub(crate) fn names(&self) -> HashSet<&str> {
        self.tokens.names().collect()
    }

    /// Prints the items, with others before them.
    pub(crate) fn print(&self, before: TokenStream) -> String {
        let before = Tokens::new(before);
        let (mut text, _) = Printer::new(&before).items();
        let (items, _) = Printer::new(&self.tokens).items();
        if !text.is_empty() && !items.is_empty() {
            text.push('\n');
        }
        text + &items
    }
}

#[cfg(test)]
mod tests;
