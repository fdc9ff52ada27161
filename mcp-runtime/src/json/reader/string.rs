//! Strings: borrowed from the text where they hold no escape.

use std::borrow::Cow;

use super::Reader;
use crate::json::fault::refuse;
use crate::json::scan::special;
use crate::json::{Fault, Matcher, StringRules};

impl<'a> Reader<'a> {
    /// Reads a string; borrowed from the text if it holds no escape.
    ///
    /// # Errors
    ///
    /// If the next value is not a string, or holds a control character, an unknown escape or half of a surrogate pair.
    #[inline]
    pub fn string(&mut self) -> Result<Cow<'a, str>, Fault> {
        match self.plain_string()? {
            Some(text) => Ok(Cow::Borrowed(text)),
            None => self.unescape().map(Cow::Owned),
        }
    }

    /// Reads a string that is kept.
    ///
    /// # Errors
    ///
    /// As [`string`](Self::string).
    pub fn text(&mut self) -> Result<String, Fault> {
        match self.plain_string()? {
            Some(text) => Ok(text.to_owned()),
            None => self.unescape(),
        }
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

    /// Reads a string by a schema's rules and its `pattern` or `format`.
    ///
    /// # Errors
    ///
    /// As [`string_where`](Self::string_where), and if the string does not match.
    pub fn string_matching(&mut self, rules: &StringRules, pattern: &dyn Matcher) -> Result<String, Fault> {
        let text = self.string()?;
        check_length(&text, rules)?;
        if self.trusted || pattern.is_match(&text) {
            Ok(text.into_owned())
        } else {
            refuse(match pattern.keyword() {
                "format" => "string that is not of its format",
                _ => "string that does not match the pattern",
            })
        }
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

    /// Reads a string without escapes; at any other string it does not move.
    #[inline(always)]
    pub(super) fn plain_string(&mut self) -> Result<Option<&'a str>, Fault> {
        let start = self.string_start()?;
        self.plain_string_from(start)
    }

    #[inline(always)]
    pub(super) fn plain_string_from(&mut self, start: usize) -> Result<Option<&'a str>, Fault> {
        let end = special(self.bytes(), start);
        if self.bytes().get(end) != Some(&b'"') {
            return Ok(None);
        }
        self.at = end + 1;
        self.slice(start, end).map(Some)
    }

    /// Looks for the opening quote, and gives the index behind it.
    #[inline(always)]
    pub(super) fn string_start(&mut self) -> Result<usize, Fault> {
        if self.peek() == b'"' { Ok(self.at + 1) } else { refuse("expected a string") }
    }

    /// Reads a string that may hold escapes.
    #[inline(never)]
    fn unescape(&mut self) -> Result<String, Fault> {
        let bytes = self.bytes();
        let mut start = self.string_start()?;
        let mut at = special(bytes, start);
        let mut decoded = String::with_capacity((at - start + 32) * 2);
        while let Some(escape) = next_escape(bytes, at)? {
            let (character, end) = read_escape(bytes, escape + 1)?;
            decoded.push_str(self.slice(start, escape)?);
            decoded.push(character);
            start = end;
            at = special(bytes, end);
        }
        decoded.push_str(self.slice(start, at)?);
        self.at = at + 1;
        Ok(decoded)
    }
}

/// Checks a string whose opening quote stands before `start`, and gives the index behind it.
#[inline(always)]
pub(super) fn string_end(bytes: &[u8], start: usize) -> Result<usize, Fault> {
    let end = special(bytes, start);
    if bytes.get(end) == Some(&b'"') { Ok(end + 1) } else { Ok(skip_escapes(bytes, end)? + 1) }
}

/// Checks the escapes from the special byte at `at` on, and gives the index of the closing quote.
#[inline(never)]
fn skip_escapes(bytes: &[u8], mut at: usize) -> Result<usize, Fault> {
    while let Some(escape) = next_escape(bytes, at)? {
        at = special(bytes, read_escape(bytes, escape + 1)?.1);
    }
    Ok(at)
}

/// Tells an escape from the closing quote.
fn next_escape(bytes: &[u8], at: usize) -> Result<Option<usize>, Fault> {
    match bytes.get(at) {
        Some(b'"') => Ok(None),
        Some(b'\\') => Ok(Some(at)),
        Some(_) => refuse("control character in a string"),
        None => refuse("unterminated string"),
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

/// What a letter behind a backslash stands for; 0 for one that stands for nothing by itself.
const LETTERS: [u8; 256] = {
    let mut letters = [0; 256];
    let known = [b'"', b'\\', b'/', b'b', b'f', b'n', b'r', b't'];
    let meant = [b'"', b'\\', b'/', 8, 12, b'\n', b'\r', b'\t'];
    let mut place = 0;
    while place < known.len() {
        letters[known[place] as usize] = meant[place];
        place += 1;
    }
    letters
};

/// Reads what follows a backslash: the character, and the index behind it.
#[inline(always)]
fn read_escape(bytes: &[u8], at: usize) -> Result<(char, usize), Fault> {
    let letter = bytes.get(at).copied().unwrap_or(0);
    match LETTERS[usize::from(letter)] {
        0 if letter == b'u' => read_unicode(bytes, at + 1),
        0 => refuse("unknown escape in a string"),
        meant => Ok((char::from(meant), at + 1)),
    }
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
