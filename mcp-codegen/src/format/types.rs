//! Types, paths and generics.

use crate::tokens::Delimiter;

use super::printer::{INDENT, Lone, Printer};

/// Where a path stands, which decides how its arguments are written.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// `Vec::<u8>`
    Expression,
    /// `Vec<u8>`
    Type,
}

impl Printer<'_> {
    pub(super) fn ty(&mut self) -> Option<()> {
        if self.take_sign("&") {
            self.out.word("&");
            if self.is_sign("'") {
                self.lifetime()?;
                self.out.word(" ");
            }
            if self.take_name("mut") {
                self.out.word("mut ");
            }
            return self.ty();
        }
        if let Some(end) = self.group_at(self.at, Delimiter::Parenthesis) {
            return self.tuple_type(end);
        }
        if let Some(end) = self.group_at(self.at, Delimiter::Bracket) {
            return self.array_type(end);
        }
        if self.take_name("impl") {
            self.out.word("impl ");
            return self.joined_bounds();
        }
        if self.take_name("dyn") {
            self.out.word("dyn ");
            return self.joined_bounds();
        }
        self.path(Place::Type)
    }

    fn tuple_type(&mut self, end: usize) -> Option<()> {
        if end == self.at + 1 {
            self.at = end + 1;
            self.out.word("(");
            self.out.word(")");
            return Some(());
        }
        // A type in parentheses and a tuple of one are written otherwise.
        self.between_parentheses(Lone::Unknown, Self::ty)
    }

    fn array_type(&mut self, end: usize) -> Option<()> {
        self.open(Delimiter::Bracket)?;
        self.out.word("[");
        self.ty()?;
        if self.at < end {
            self.expect(";")?;
            self.out.word("; ");
            self.expr(false)?;
        }
        self.out.word("]");
        self.close()
    }

    fn joined_bounds(&mut self) -> Option<()> {
        self.bound()?;
        while self.take_sign("+") {
            self.out.word(" + ");
            self.bound()?;
        }
        Some(())
    }

    /// A trait or a lifetime.
    pub(super) fn bound(&mut self) -> Option<()> {
        if self.is_sign("'") { self.lifetime() } else { self.path(Place::Type) }
    }

    /// A path, also one that begins with a type in angle brackets.
    pub(super) fn path(&mut self, place: Place) -> Option<()> {
        if self.take_sign("<") {
            self.out.word("<");
            self.ty()?;
            self.expect(">")?;
            self.out.word(">");
            self.expect("::")?;
            self.out.word("::");
        } else if self.take_sign("::") {
            self.out.word("::");
        }
        loop {
            self.name()?;
            if self.is_sign("<") && place == Place::Type {
                self.arguments(place)?;
            } else if self.is_sign("::") && self.sign_at(self.at + 2, "<") {
                self.at += 2;
                self.arguments(place)?;
            }
            if !self.take_sign("::") {
                return Some(());
            }
            self.out.word("::");
        }
    }

    /// `<'a, T, Output = U>`
    pub(super) fn arguments(&mut self, place: Place) -> Option<()> {
        self.expect("<")?;
        if place == Place::Expression {
            self.out.word("::");
        }
        self.in_angles(INDENT, |printer| {
            if printer.name_at(printer.at).is_some() && printer.sign_at(printer.at + 1, "=") {
                printer.name()?;
                printer.expect("=")?;
                printer.out.word(" = ");
            }
            printer.ty()
        })
    }

    /// The parameters of an item, if it has any.
    pub(super) fn generics(&mut self) -> Option<()> {
        if !self.take_sign("<") {
            return Some(());
        }
        self.in_angles(0, Self::type_parameter)
    }

    /// What stands behind `<`, up to its `>`: lifetimes, then whatever else.
    fn in_angles(&mut self, indent: i32, mut other: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.out.word("<");
        self.out.cbox(indent);
        self.out.zerobreak();
        let mut others_began = false;
        loop {
            if self.is_sign("'") {
                // prettyplease puts lifetimes first, whatever the order
                if others_began {
                    return None;
                }
                self.lifetime()?;
            } else {
                others_began = true;
                other(self)?;
            }
            let has_comma = self.take_sign(",");
            let is_last = self.take_sign(">");
            if !is_last && !has_comma {
                return None;
            }
            self.out.comma(is_last);
            if is_last {
                break;
            }
        }
        self.out.offset(-INDENT);
        self.out.end();
        self.out.word(">");
        Some(())
    }

    fn type_parameter(&mut self) -> Option<()> {
        self.name()?;
        self.out.ibox(INDENT);
        if self.is_sign(":") {
            self.expect(":")?;
            self.out.word(": ");
            self.bound()?;
            while self.take_sign("+") {
                self.out.space();
                self.out.word("+ ");
                self.bound()?;
            }
        }
        self.out.end();
        Some(())
    }

    /// What stands between the head of an item and its body.
    pub(super) fn conditions(&mut self) -> Option<()> {
        if !self.take_name("where") {
            self.out.word(" ");
            return Some(());
        }
        self.out.hardbreak();
        self.out.offset(-INDENT);
        self.out.word("where");
        self.out.hardbreak();
        while self.group_at(self.at, Delimiter::Brace).is_none() {
            self.condition_of_type()?;
            self.take_sign(",");
            self.out.word(",");
            self.out.hardbreak();
        }
        self.out.offset(-INDENT);
        Some(())
    }

    /// `H: Send + Sync`
    fn condition_of_type(&mut self) -> Option<()> {
        self.ty()?;
        self.expect(":")?;
        self.out.word(":");
        self.out.ibox(if self.has_one_bound() { 0 } else { INDENT });
        self.out.word(" ");
        self.bound()?;
        while self.take_sign("+") {
            self.out.space();
            self.out.word("+ ");
            self.bound()?;
        }
        self.out.end();
        Some(())
    }

    fn has_one_bound(&self) -> bool {
        let mut at = self.at;
        while !self.sign_at(at, ",") && self.group_at(at, Delimiter::Brace).is_none() && !self.ends_at(at) {
            if self.sign_at(at, "+") {
                return false;
            }
            at += 1;
        }
        true
    }
}
