//! Literals.

use std::borrow::Cow;
use std::fmt::Display;
use std::iter;

use proc_macro2::Literal as Foreign;

use super::{Part, ToTokens, Tokens, quote};

/// A literal, as it is written.
#[derive(Clone, Debug)]
pub(crate) enum Literal<'a> {
    /// A string, between quotes as it stands.
    Plain(&'a str),
    /// A raw string with so many hashes.
    Raw(&'a str, usize),
    /// Any other.
    Written(Cow<'static, str>),
}

/// A string literal.
pub(crate) fn text(text: &str) -> Literal<'_> {
    if text.contains(['"', '\\']) { long_text(text) } else { Literal::string(text) }
}

/// A raw string literal where nothing in the text forbids it.
pub(crate) fn long_text(text: &str) -> Literal<'_> {
    let forbidden = |c: char| c.is_control() && c != '\n' || is_invisible(c);
    let is_plain = text.bytes().all(|byte| matches!(byte, b'\n' | b' '..=b'~'));
    if !is_plain && text.contains(forbidden) || !text.contains(['"', '\\', '\n']) {
        return Literal::string(text);
    }
    // The longest run of hashes behind a quote, which must not end the literal.
    let longest = text.split("\"#").skip(1).map(|after| 1 + after.len() - after.trim_start_matches('#').len()).max();
    Literal::Raw(text, longest.map_or(usize::from(text.contains('"')), |longest| longest + 1))
}

impl<'a> Literal<'a> {
    /// A string between quotes, with escapes.
    fn string(text: &'a str) -> Self {
        if text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')) {
            return Self::Plain(text);
        }
        Self::of(&Foreign::string(text))
    }

    pub(crate) fn character(c: char) -> Self {
        Self::of(&Foreign::character(c))
    }

    /// `b'a'`
    pub(crate) fn byte(byte: u8) -> Self {
        Self::of(&Foreign::byte_character(byte))
    }

    /// A whole number that is not negative.
    pub(crate) fn count(count: impl Display) -> Self {
        Self::Written(count.to_string().into())
    }

    fn of(literal: &Foreign) -> Self {
        Self::Written(literal.to_string().into())
    }
}

impl From<Literal<'_>> for Tokens {
    fn from(literal: Literal<'_>) -> Self {
        Self::of(&[Part::Of(&literal)])
    }
}

impl ToTokens for Literal<'_> {
    fn add_to(&self, tokens: &mut Tokens) {
        tokens.literal(|out| match self {
            Self::Plain(text) => out.extend(["\"", text, "\""]),
            Self::Raw(text, hashes) => {
                out.push('r');
                out.extend(iter::repeat_n('#', *hashes));
                out.extend(["\"", text, "\""]);
                out.extend(iter::repeat_n('#', *hashes));
            }
            Self::Written(text) => out.push_str(text),
        });
    }
}

/// Signs that rustc or clippy refuse in a text as it stands: they turn its direction, or cannot be seen.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// An optional string as an expression.
pub(crate) fn optional_text(value: Option<&str>) -> Tokens {
    optional(value.map(long_text))
}

/// An optional value as an expression.
pub(crate) fn optional(value: Option<impl ToTokens>) -> Tokens {
    value.map_or_else(|| quote! { None }, |value| quote! { Some(#value) })
}

/// An integer, its digits in groups of three where there are many.
pub(crate) fn integer(value: i128) -> Tokens {
    signed(value < 0, grouped(&value.unsigned_abs().to_string()))
}

/// A number as f64. JSON text beyond f64 reads as infinity, which has no literal; the nearest finite one says the same.
pub(crate) fn float(value: f64) -> Tokens {
    let value = value.clamp(f64::MIN, f64::MAX);
    let text = format!("{:?}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let is_plain = !text.contains('e') && !fraction.is_empty();
    signed(value < 0.0, if is_plain { format!("{}.{fraction}", grouped(whole)) } else { text })
}

fn signed(is_negative: bool, digits: String) -> Tokens {
    let digits = Literal::Written(digits.into());
    if is_negative {
        quote! { -#digits }
    } else {
        digits.into()
    }
}

fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if digits.len() > 5 && index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push('_');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_quote_inside_ends_a_raw_string() {
        for (text, literal) in [
            ("a\nb", "r\"a\nb\""),
            ("\\d+", "r\"\\d+\""),
            ("a \"b\"", "r#\"a \"b\"\"#"),
            ("#\"#\"##\"", "r###\"#\"#\"##\"\"###"),
        ] {
            assert_eq!(Tokens::from(long_text(text)).to_string(), literal);
        }
    }
}
