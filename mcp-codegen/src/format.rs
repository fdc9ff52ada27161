//! Tokens → text: blank lines between items, and lines as prettyplease breaks them.
//!
//! `printer` and its parts print what we emit straight from its tokens; an item that they do not know goes through syn and
//! prettyplease (`reference`). Both print the same, which the tests hold against each other.

mod aggregate;
mod attribute;
mod expression;
mod item;
mod layout;
mod pattern;
mod printer;
mod reference;
mod shape;
mod statement;
mod types;

use crate::tokens::Tokens;

/// Prints the items of one module.
pub(crate) fn print(items: &[Tokens]) -> String {
    printer::print(items).0
}

#[cfg(test)]
mod tests;
