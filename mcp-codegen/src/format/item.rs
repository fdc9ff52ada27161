//! Items: what stands at the top of a module, in an impl or in a trait.

use crate::tokens::Delimiter;

use super::printer::{INDENT, Printer};
use super::types::Place;
use crate::tokens::Token;

/// What an item is, as far as the space around it asks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ItemKind {
    /// `use`, private
    Import,
    /// `pub use`
    Reexport,
    Other,
}

impl Printer<'_> {
    /// Where the item ends that begins here, and what it is.
    pub(super) fn item_at(&self, start: usize) -> (ItemKind, usize) {
        let mut at = start;
        while self.sign_at(at, "#") {
            at = self.passed(at + 1).unwrap_or(at + 1);
        }
        let kind = match (self.name_at(at), self.name_at(at + 1)) {
            (Some("use"), _) => ItemKind::Import,
            (Some("pub"), Some("use")) => ItemKind::Reexport,
            _ => ItemKind::Other,
        };
        // A brace ends all but imports, and what has a value.
        let goes_on = |at| kind != ItemKind::Other || matches!(self.name_at(at), Some("const" | "static" | "type"));
        let has_value = goes_on(at) || goes_on(at + 1);
        loop {
            match self.tokens.get(at) {
                None | Some(Token::Close(_)) => return (kind, at),
                Some(Token::Punct(';', _)) => return (kind, at + 1),
                Some(Token::Open(Delimiter::Brace, end)) if !has_value => return (kind, end + 1),
                Some(Token::Open(_, end)) => at = end + 1,
                Some(Token::Comment(_) | Token::Literal(_) | Token::Name(_) | Token::Punct(..)) => at += 1,
            }
        }
    }

    /// An item of a module.
    pub(super) fn item(&mut self) -> Option<()> {
        self.attributes()?;
        let after = self.at + usize::from(self.is_name("pub"));
        match self.name_at(after)? {
            "const" | "static" => self.constant(),
            "enum" => self.enumeration(),
            "fn" => self.function(),
            "impl" => self.implementation(),
            "struct" => self.structure_item(),
            "trait" => self.trait_item(),
            "type" => self.alias(),
            "use" => self.import(),
            _ => None,
        }
    }

    fn visibility(&mut self) -> Option<()> {
        if self.take_name("pub") {
            self.out.word("pub ");
        }
        // `pub(crate)` is known to prettyplease.
        self.group_at(self.at, Delimiter::Parenthesis).is_none().then_some(())
    }

    fn constant(&mut self) -> Option<()> {
        self.out.cbox(0);
        self.visibility()?;
        self.out.word(if self.is_name("static") { "static " } else { "const " });
        self.at += 1;
        self.name()?;
        self.expect(":")?;
        self.out.word(": ");
        self.ty()?;
        self.expect("=")?;
        self.out.word(" = ");
        self.out.neverbreak();
        self.expr(false)?;
        self.expect(";")?;
        self.out.word(";");
        self.out.end();
        self.out.hardbreak();
        Some(())
    }

    fn alias(&mut self) -> Option<()> {
        self.out.cbox(INDENT);
        self.visibility()?;
        self.at += 1;
        self.out.word("type ");
        self.name()?;
        self.expect("=")?;
        self.out.word(" ");
        self.out.word("= ");
        self.out.neverbreak();
        self.out.ibox(-INDENT);
        self.ty()?;
        self.out.end();
        self.expect(";")?;
        self.out.word(";");
        self.out.end();
        self.out.hardbreak();
        Some(())
    }

    fn structure_item(&mut self) -> Option<()> {
        self.out.cbox(INDENT);
        self.visibility()?;
        self.at += 1;
        self.out.word("struct ");
        self.name()?;
        self.generics()?;
        if self.take_sign(";") {
            self.out.word(";");
            self.out.end();
        } else {
            self.conditions()?;
            self.members(|printer| {
                printer.visibility()?;
                printer.name()?;
                printer.expect(":")?;
                printer.out.word(": ");
                printer.ty()
            })?;
        }
        self.out.hardbreak();
        Some(())
    }

    fn enumeration(&mut self) -> Option<()> {
        self.out.cbox(INDENT);
        self.visibility()?;
        self.at += 1;
        self.out.word("enum ");
        self.name()?;
        self.generics()?;
        self.conditions()?;
        self.members(|printer| {
            printer.name()?;
            let Some(end) = printer.group_at(printer.at, Delimiter::Parenthesis) else { return Some(()) };
            printer.open(Delimiter::Parenthesis)?;
            printer.out.cbox(INDENT);
            printer.out.word("(");
            printer.out.zerobreak();
            printer.elements(end, Self::ty)?;
            printer.out.offset(-INDENT);
            printer.out.word(")");
            printer.out.end();
            printer.close()
        })?;
        self.out.hardbreak();
        Some(())
    }

    /// Fields or variants, each with its attributes, on lines of their own.
    fn members(&mut self, mut member: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        let end = self.open(Delimiter::Brace)?;
        self.out.word("{");
        self.out.hardbreak_if_nonempty();
        while self.at < end {
            self.attributes()?;
            member(self)?;
            self.passed_last(end)?;
            self.out.word(",");
            self.out.hardbreak();
        }
        self.out.offset(-INDENT);
        self.out.end();
        self.out.word("}");
        self.close()
    }

    fn trait_item(&mut self) -> Option<()> {
        self.out.cbox(INDENT);
        self.visibility()?;
        self.at += 1;
        self.out.word("trait ");
        self.name()?;
        self.generics()?;
        if self.take_sign(":") {
            self.out.word(": ");
            self.bound()?;
            while self.take_sign("+") {
                self.out.word(" + ");
                self.bound()?;
            }
        }
        self.associated_items()
    }

    fn implementation(&mut self) -> Option<()> {
        self.at += 1;
        self.out.cbox(INDENT);
        self.out.ibox(-INDENT);
        self.out.cbox(INDENT);
        self.out.word("impl");
        self.generics()?;
        self.out.end();
        self.out.word(" ");
        if self.is_for_trait() {
            self.path(Place::Type)?;
            self.out.space();
            self.take_name("for").then_some(())?;
            self.out.word("for ");
        }
        self.ty()?;
        self.out.end();
        self.associated_items()
    }

    fn is_for_trait(&self) -> bool {
        let mut at = self.at;
        while self.group_at(at, Delimiter::Brace).is_none() && !self.ends_at(at) {
            if self.name_at(at) == Some("for") {
                return true;
            }
            at += 1;
        }
        false
    }

    /// The items of a trait or an impl, with a line between them.
    fn associated_items(&mut self) -> Option<()> {
        self.conditions()?;
        let end = self.open(Delimiter::Brace)?;
        self.out.word("{");
        self.out.hardbreak_if_nonempty();
        let first = self.at;
        while self.at < end {
            if self.at > first {
                self.out.hardbreak();
            }
            self.attributes()?;
            let after = self.at + usize::from(self.is_name("pub"));
            match (self.name_at(after)?, self.name_at(after + 1)) {
                ("const", Some("fn")) | ("fn", _) => self.function()?,
                ("const", _) => self.constant()?,
                _ => return None,
            }
        }
        self.out.offset(-INDENT);
        self.out.end();
        self.out.word("}");
        self.out.hardbreak();
        self.close()
    }

    fn function(&mut self) -> Option<()> {
        self.out.cbox(INDENT);
        self.visibility()?;
        if self.take_name("const") {
            self.out.word("const ");
        }
        self.take_name("fn").then_some(())?;
        self.out.word("fn ");
        self.name()?;
        self.generics()?;
        self.parameters()?;
        self.out.cbox(-INDENT);
        if self.take_sign("->") {
            self.out.word(" -> ");
            self.ty()?;
        }
        self.out.end();
        if self.take_sign(";") {
            self.out.word(";");
            self.out.end();
        } else {
            self.conditions()?;
            self.body()?;
        }
        self.out.hardbreak();
        Some(())
    }

    fn parameters(&mut self) -> Option<()> {
        let end = self.open(Delimiter::Parenthesis)?;
        self.out.word("(");
        self.out.neverbreak();
        self.out.cbox(0);
        self.out.zerobreak();
        self.elements(end, |printer| {
            if printer.name_at(printer.at) == Some("self") {
                return printer.name();
            }
            if printer.sign_at(printer.at, "&") && printer.name_at(printer.at + 1) == Some("self") {
                printer.at += 1;
                printer.out.word("&");
                return printer.name();
            }
            printer.plain_pattern()?;
            printer.expect(":")?;
            printer.out.word(": ");
            printer.ty()
        })?;
        self.out.offset(-INDENT);
        self.out.end();
        self.out.word(")");
        self.close()
    }

    pub(super) fn import(&mut self) -> Option<()> {
        self.visibility()?;
        self.at += 1;
        self.out.word("use ");
        if self.take_sign("::") {
            self.out.word("::");
        }
        self.import_tree()?;
        self.expect(";")?;
        self.out.word(";");
        self.out.hardbreak();
        Some(())
    }

    fn import_tree(&mut self) -> Option<()> {
        let Some(end) = self.group_at(self.at, Delimiter::Brace) else {
            self.name()?;
            if self.take_sign("::") {
                self.out.word("::");
                return self.import_tree();
            }
            return Some(());
        };
        self.open(Delimiter::Brace)?;
        let is_alone = end == self.at + 1 || (end == self.at + 2 && self.sign_at(self.at + 1, ","));
        if is_alone && !self.is_name("self") {
            self.name()?;
            self.take_sign(",");
            return self.close();
        }
        self.filled(["{", "}"], end, Self::name)?;
        self.close()
    }
}
