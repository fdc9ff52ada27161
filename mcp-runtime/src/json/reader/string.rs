//! Strings: borrowed from the text where they hold no escape.

use std::borrow::Cow;

use super::Reader;
use crate::json::fault::refuse;
use crate::json::scan::special;
use crate::json::{Fault, StringRules};

/// What stands between two quotes, checked but not yet decoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawString<'a> {
    pub(super) text: &'a str,
    pub(super) escaped: bool,
}

impl<'a> RawString<'a> {
    pub(super) const EMPTY: Self = Self { text: "", escaped: false };

    #[inline]
    pub(super) fn decode(self) -> Cow<'a, str> {
        if self.escaped { Cow::Owned(unescape(self.text)) } else { Cow::Borrowed(self.text) }
    }
}

impl<'a> Reader<'a> {
    /// Reads a string; borrowed from the text if it holds no escape.
    ///
    /// # Errors
    ///
    /// If the next value is not a string, or holds a control character, an unknown escape or half of a surrogate pair.
    #[inline]
    pub fn string(&mut self) -> Result<Cow<'a, str>, Fault> {
        Ok(self.raw_string()?.decode())
    }

    /// Reads a string by a schema's rules.
    ///
    /// # Errors
    ///
    /// As [`string`](Self::string), and if the string breaks a rule.
    pub fn string_where(&mut self, rules: &StringRules) -> Result<String, Fault> {
        let text = self.string()?;
        check_length(&text, rules)?;
        Ok(text.into_owned())
    }

    /// Reads a string that is one of `names`, and says which.
    ///
    /// # Errors
    ///
    /// As [`string`](Self::string), and if it is none of them.
    ///
    /// ```
    /// # use mcp_runtime::json::Reader;
    /// assert_eq!(Reader::new(r#""imperial""#).variant(&["metric", "imperial"]), Ok(1));
    /// assert!(Reader::new(r#""Metric""#).variant(&["metric", "imperial"]).is_err());
    /// ```
    pub fn variant(&mut self, names: &[&str]) -> Result<usize, Fault> {
        let name = self.string()?;
        match names.iter().position(|&known| known == name) {
            Some(index) => Ok(index),
            None => refuse("not one of the allowed values"),
        }
    }

    /// Reads a string's text, checks its escapes and leaves them as they are.
    #[inline]
    pub(super) fn raw_string(&mut self) -> Result<RawString<'a>, Fault> {
        if !self.take(b'"') {
            return refuse("expected a string");
        }
        let end = special(self.bytes(), self.at);
        if self.bytes().get(end) != Some(&b'"') {
            return self.raw_string_from(end);
        }
        let text = self.slice(self.at, end)?;
        self.at = end + 1;
        Ok(RawString { text, escaped: false })
    }

    /// The rest of `raw_string` once something other than the closing quote has been met.
    #[inline(never)]
    fn raw_string_from(&mut self, mut at: usize) -> Result<RawString<'a>, Fault> {
        let bytes = self.bytes();
        loop {
            match bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => at = special(bytes, read_escape(bytes, at + 1)?.1),
                Some(_) => return refuse("control character in a string"),
                None => return refuse("unterminated string"),
            }
        }
        let text = self.slice(self.at, at)?;
        self.at = at + 1;
        Ok(RawString { text, escaped: true })
    }
}

/// Counts characters only where the number of bytes leaves a doubt: a character has one to four.
fn check_length(text: &str, rules: &StringRules) -> Result<(), Fault> {
    let most = text.len() as u64;
    if most < rules.min_length {
        return refuse("string too short");
    }
    if most.div_ceil(4) >= rules.min_length && most <= rules.max_length {
        return Ok(());
    }
    let length = text.chars().count() as u64;
    if length < rules.min_length {
        return refuse("string too short");
    }
    if length > rules.max_length { refuse("string too long") } else { Ok(()) }
}

/// Decodes a text whose escapes have been checked.
#[inline(never)]
fn unescape(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        decoded.push_str(plain);
        let (character, length) = read_escape(escape.as_bytes(), 0).unwrap_or((char::REPLACEMENT_CHARACTER, 1));
        decoded.push(character);
        rest = escape.get(length..).unwrap_or_default();
    }
    decoded.push_str(rest);
    decoded
}

/// Reads what follows a backslash: the character, and the index behind it.
fn read_escape(bytes: &[u8], at: usize) -> Result<(char, usize), Fault> {
    let character = match bytes.get(at) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return read_unicode(bytes, at + 1),
        _ => return refuse("unknown escape in a string"),
    };
    Ok((character, at + 1))
}

/// Reads the four digits of `\u`, and a second `\u` where the first is the high half of a pair.
fn read_unicode(bytes: &[u8], at: usize) -> Result<(char, usize), Fault> {
    const LONE: Fault = Fault::new("half of a surrogate pair in a string");
    let unit = hex4(bytes, at)?;
    if !(0xd800..0xdc00).contains(&unit) {
        // only a low half is no character
        return char::from_u32(unit).map(|character| (character, at + 4)).ok_or(LONE);
    }
    if bytes.get(at + 4..at + 6) != Some(b"\\u") {
        return Err(LONE);
    }
    let low = hex4(bytes, at + 6)?;
    if !(0xdc00..0xe000).contains(&low) {
        return Err(LONE);
    }
    let code = 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    char::from_u32(code).map(|character| (character, at + 10)).ok_or(LONE)
}

fn hex4(bytes: &[u8], at: usize) -> Result<u32, Fault> {
    let digits = bytes.get(at..at + 4).unwrap_or_default();
    let value = digits.iter().try_fold(0, |sum, &digit| Some(sum << 4 | char::from(digit).to_digit(16)?));
    value.filter(|_| digits.len() == 4).ok_or(Fault::new("bad digits after \\u in a string"))
}
