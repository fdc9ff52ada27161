//! `quote!`: tokens as they are written here, with what is interpolated.

use std::borrow::Cow;
use std::cell::Cell;

use super::{Delimiter, Literal, Text, Token, Tokens, text};
use crate::ir::RustIdent;

/// As many tokens as most repetitions have together, at most.
const MOST_REPEATED: usize = 16;

/// Tokens from Rust code in which `#name` stands for a variable.
///
/// Of repetitions it knows `#(#names)*`, `#(#names,)*`, `#(#names),*` and `#(#names)|*`. `///` begins a comment of the code that
/// is made.
macro_rules! quote {
    ($($token:tt)*) => {
        $crate::tokens::Tokens::of($crate::tokens::parts!([] $($token)*))
    };
}

/// Turns tokens into [`Part`]s, one after the other; where nothing is interpolated they are constants of the program.
macro_rules! parts {
    ([$($done:expr,)*]) => {
        &[$($done),*]
    };
    ([$($done:expr,)*] #(#$names:ident)* $($rest:tt)*) => {
        $crate::tokens::parts!([$($done,)* $crate::tokens::Part::Of(&$crate::tokens::Repeated::new($names, "", "")),] $($rest)*)
    };
    ([$($done:expr,)*] #(#$names:ident,)* $($rest:tt)*) => {
        $crate::tokens::parts!([$($done,)* $crate::tokens::Part::Of(&$crate::tokens::Repeated::new($names, "", ",")),] $($rest)*)
    };
    ([$($done:expr,)*] #(#$names:ident),* $($rest:tt)*) => {
        $crate::tokens::parts!([$($done,)* $crate::tokens::Part::Of(&$crate::tokens::Repeated::new($names, ",", "")),] $($rest)*)
    };
    ([$($done:expr,)*] #(#$names:ident)|* $($rest:tt)*) => {
        $crate::tokens::parts!([$($done,)* $crate::tokens::Part::Of(&$crate::tokens::Repeated::new($names, "|", "")),] $($rest)*)
    };
    ([$($done:expr,)*] #$name:ident $($rest:tt)*) => {
        $crate::tokens::parts!([$($done,)* $crate::tokens::Part::Of(&$name),] $($rest)*)
    };
    ([$($done:expr,)*] #[doc = $line:literal] $($rest:tt)*) => {
        $crate::tokens::parts!([$($done,)* $crate::tokens::Part::Comment($line),] $($rest)*)
    };
    ([$($done:expr,)*] {$($inner:tt)*} $($rest:tt)*) => {
        $crate::tokens::parts!([$($done,)* $crate::tokens::Part::Group($crate::tokens::Delimiter::Brace, $crate::tokens::parts!([] $($inner)*)),] $($rest)*)
    };
    ([$($done:expr,)*] [$($inner:tt)*] $($rest:tt)*) => {
        $crate::tokens::parts!([$($done,)* $crate::tokens::Part::Group($crate::tokens::Delimiter::Bracket, $crate::tokens::parts!([] $($inner)*)),] $($rest)*)
    };
    ([$($done:expr,)*] ($($inner:tt)*) $($rest:tt)*) => {
        $crate::tokens::parts!([$($done,)* $crate::tokens::Part::Group($crate::tokens::Delimiter::Parenthesis, $crate::tokens::parts!([] $($inner)*)),] $($rest)*)
    };
    ([$($done:expr,)*] _ $($rest:tt)*) => {
        $crate::tokens::parts!([$($done,)* $crate::tokens::Part::Name("_"),] $($rest)*)
    };
    // Otherwise it would be taken for the beginning of a literal.
    ([$($done:expr,)*] - $($rest:tt)*) => {
        $crate::tokens::parts!([$($done,)* $crate::tokens::Part::Signs("-"),] $($rest)*)
    };
    ([$($done:expr,)*] $name:ident $($rest:tt)*) => {
        $crate::tokens::parts!([$($done,)* $crate::tokens::Part::Name(stringify!($name)),] $($rest)*)
    };
    ([$($done:expr,)*] $lifetime:lifetime $($rest:tt)*) => {
        $crate::tokens::parts!([$($done,)* $crate::tokens::Part::Lifetime(stringify!($lifetime)),] $($rest)*)
    };
    ([$($done:expr,)*] $literal:literal $($rest:tt)*) => {
        $crate::tokens::parts!([$($done,)* $crate::tokens::Part::Literal(stringify!($literal)),] $($rest)*)
    };
    ([$($done:expr,)*] $signs:tt $($rest:tt)*) => {
        $crate::tokens::parts!([$($done,)* $crate::tokens::Part::Signs(stringify!($signs)),] $($rest)*)
    };
}

pub(crate) use {parts, quote};

/// What `quote!` makes of its tokens.
#[derive(Clone, Copy)]
pub(crate) enum Part<'a> {
    Comment(&'static str),
    Group(Delimiter, &'a [Self]),
    /// With its sign.
    Lifetime(&'static str),
    Literal(&'static str),
    Name(&'static str),
    /// Signs that are one.
    Signs(&'static str),
    /// What is interpolated.
    Of(&'a dyn ToTokens),
}

/// What can be interpolated.
pub(crate) trait ToTokens {
    fn add_to(&self, tokens: &mut Tokens);

    /// About how many tokens these are, so that there is room for them.
    fn count(&self) -> usize {
        1
    }
}

/// An identifier.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ident<'a>(pub(crate) Cow<'a, str>);

/// What a repetition goes through, once.
pub(crate) struct Repeated<I> {
    all: Cell<Option<I>>,
    between: &'static str,
    after: &'static str,
}

/// A name as an identifier.
pub(crate) fn ident(name: &RustIdent) -> Ident<'_> {
    plain_ident(name.as_str())
}

pub(crate) fn plain_ident(name: &str) -> Ident<'_> {
    Ident(Cow::Borrowed(name))
}

impl Tokens {
    /// What `quote!` makes.
    pub(crate) fn of(parts: &[Part<'_>]) -> Self {
        let mut tokens = Self { list: Vec::with_capacity(count(parts)), text: String::new() };
        tokens.add(parts);
        tokens
    }

    fn add(&mut self, parts: &[Part<'_>]) {
        for part in parts {
            match *part {
                Part::Comment(line) => {
                    self.list.extend([Token::Punct('#', false), Token::Comment(Text::Fixed(line))]);
                }
                Part::Group(delimiter, parts) => self.group(delimiter, |tokens| tokens.add(parts)),
                Part::Lifetime(lifetime) => {
                    let name = Token::Name(Text::Fixed(&lifetime[1..]));
                    self.list.extend([Token::Punct('\'', true), name]);
                }
                Part::Literal(literal) => self.list.push(Token::Literal(Text::Fixed(literal))),
                Part::Name(name) => self.list.push(Token::Name(Text::Fixed(name))),
                Part::Signs(signs) => self.signs(signs),
                Part::Of(tokens) => tokens.add_to(self),
            }
        }
    }
}

fn count(parts: &[Part<'_>]) -> usize {
    let of_one = |part: &Part<'_>| match part {
        Part::Literal(_) | Part::Name(_) => 1,
        Part::Comment(_) | Part::Lifetime(_) => 2,
        Part::Signs(signs) => signs.len(),
        Part::Group(_, parts) => 2 + count(parts),
        Part::Of(tokens) => tokens.count(),
    };
    parts.iter().map(of_one).sum()
}

impl<I: IntoIterator> Repeated<I> {
    pub(crate) fn new(all: I, between: &'static str, after: &'static str) -> Self {
        Self { all: Cell::new(Some(all)), between, after }
    }
}

impl<I: IntoIterator<Item: ToTokens>> ToTokens for Repeated<I> {
    fn add_to(&self, tokens: &mut Tokens) {
        for (index, one) in self.all.take().into_iter().flatten().enumerate() {
            if index > 0 {
                tokens.signs(self.between);
            }
            one.add_to(tokens);
            tokens.signs(self.after);
        }
    }

    fn count(&self) -> usize {
        MOST_REPEATED
    }
}

impl ToTokens for Tokens {
    fn add_to(&self, tokens: &mut Tokens) {
        tokens.append(self);
    }

    fn count(&self) -> usize {
        self.len()
    }
}

impl ToTokens for Ident<'_> {
    fn add_to(&self, tokens: &mut Tokens) {
        tokens.name(&self.0);
    }
}

impl ToTokens for bool {
    fn add_to(&self, tokens: &mut Tokens) {
        tokens.list.push(Token::Name(Text::Fixed(if *self { "true" } else { "false" })));
    }
}

impl ToTokens for char {
    fn add_to(&self, tokens: &mut Tokens) {
        Literal::character(*self).add_to(tokens);
    }
}

impl ToTokens for str {
    fn add_to(&self, tokens: &mut Tokens) {
        text(self).add_to(tokens);
    }
}

impl ToTokens for String {
    fn add_to(&self, tokens: &mut Tokens) {
        self.as_str().add_to(tokens);
    }
}

impl<T: ToTokens + ?Sized> ToTokens for &T {
    fn add_to(&self, tokens: &mut Tokens) {
        (**self).add_to(tokens);
    }

    fn count(&self) -> usize {
        (**self).count()
    }
}

impl<T: ToTokens> ToTokens for Option<T> {
    fn add_to(&self, tokens: &mut Tokens) {
        if let Some(part) = self {
            part.add_to(tokens);
        }
    }

    fn count(&self) -> usize {
        self.as_ref().map_or(0, T::count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_of_tokens_are_as_they_are_written() {
        let (name, inner) = (plain_ident("Name"), quote! { a.b(1, "c") });
        let made = quote! {
            /// Says so.
            #[derive(Clone)]
            pub fn #name<'a, T: Copy>(x: &'a [T]) -> Option<f64> { let _ = -1 >= 'x' as i32 && !true; #inner }
        };
        let expected = "# [doc = \" Says so.\"] # [ derive ( Clone ) ] pub fn Name < 'a , T : Copy > ( x : & 'a [ T ] ) \
                        -> Option < f64 > { let _ = - 1 >= 'x' as i32 && ! true ; a . b ( 1 , \"c\" ) }";
        assert_eq!(made.to_string(), expected);
        assert_eq!(Tokens::parse(expected).to_string(), expected);
    }

    #[test]
    fn repetitions_go_through_whatever_can_be_interpolated() {
        let names = || ["a", "b"].into_iter().map(plain_ident);
        let (plain, after, between, either) = (names(), names(), names(), names());
        let made = quote! { f(#(#plain)*, [#(#after,)*], (#(#between),*), #(#either)|*) };
        assert_eq!(made.to_string(), "f ( a b , [ a , b , ] , ( a , b ) , a | b )");
        let none: [bool; 0] = [];
        assert_eq!(quote! { [#(#none),*] }.to_string(), "[ ]");
    }

    #[test]
    fn texts_stay_with_their_tokens_wherever_they_are_moved() {
        let part = |n: usize| {
            let (name, text, count) = (Ident(format!("name_{n}").into()), format!("é{n}\"\n"), Literal::count(n));
            quote! { #name: { #text, #count } }
        };
        let all: Tokens = (0..3).map(part).collect();
        let (first, none) = (part(7), None::<bool>);
        let made = quote! { #first; #all; #none #first };
        let of = |n: usize| format!("name_{n} : {{ r#\"é{n}\"\n\"# , {n} }}");
        let expected = format!("{} ; {} {} {} ; {}", of(7), of(0), of(1), of(2), of(7));
        assert_eq!(made.to_string(), expected);
        let Some(Token::Open(_, end)) = made.get(2) else { panic!("no group") };
        assert_eq!(made.get(end), Some(Token::Close(Delimiter::Brace)));
    }

    #[test]
    fn a_path_is_its_names() {
        for path in ["Clone", "::std::fmt::Debug", "crate::a_1::B", "a::B<'static, c::D>"] {
            assert_eq!(Tokens::path(path).to_string(), Tokens::parse(path).to_string(), "{path}");
        }
    }
}
