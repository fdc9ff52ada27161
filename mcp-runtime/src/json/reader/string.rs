//! Strings: borrowed from the text where they hold no escape.

use std::borrow::Cow;

use super::{Reader, unescape};
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
        let start = self.string_start()?;
        match self.plain_string_from(start) {
            Ok(Some(text)) => Ok(text.to_owned()),
            Ok(None) => self.unescape(),
            Err(fault) => Err(fault),
        }
    }

    /// Reads a string by a schema's rules.
    ///
    /// # Errors
    ///
    /// As [`string`](Self::string), and if the string breaks a rule.
    pub fn string_where(&mut self, rules: &StringRules) -> Result<String, Fault> {
        self.string_by(rules, None)
    }

    /// Reads a string by a schema's rules and its `pattern` or `format`.
    ///
    /// # Errors
    ///
    /// As [`string_where`](Self::string_where), and if the string does not match.
    pub fn string_matching(&mut self, rules: &StringRules, pattern: &dyn Matcher) -> Result<String, Fault> {
        self.string_by(rules, Some(pattern))
    }

    #[inline(always)]
    fn string_by(&mut self, rules: &StringRules, matcher: Option<&dyn Matcher>) -> Result<String, Fault> {
        let start = self.string_start()?;
        match self.plain_string_from(start) {
            Ok(Some(text)) => match self.check(text, rules, matcher) {
                Ok(()) => Ok(text.to_owned()),
                Err(fault) => Err(fault),
            },
            Ok(None) => self.escaped_string_by(rules, matcher),
            Err(fault) => Err(fault),
        }
    }

    #[inline(never)]
    fn escaped_string_by(&mut self, rules: &StringRules, matcher: Option<&dyn Matcher>) -> Result<String, Fault> {
        let text = self.unescape()?;
        self.check(&text, rules, matcher)?;
        Ok(text)
    }

    #[inline(always)]
    fn check(&self, text: &str, rules: &StringRules, matcher: Option<&dyn Matcher>) -> Result<(), Fault> {
        // a character has one to four bytes: the characters are counted only where that leaves a doubt
        let most = text.len() as u64;
        if (most.div_ceil(4) < rules.min_length || most > rules.max_length) && !has_length(text, rules) {
            return refuse("string too short or too long");
        }
        match matcher {
            Some(matcher) if !self.trusted && !matcher.is_match(text) => refuse(match matcher.keyword() {
                "format" => "string that is not of its format",
                _ => "string that does not match the pattern",
            }),
            _ => Ok(()),
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
    pub(crate) fn plain_string(&mut self) -> Result<Option<&'a str>, Fault> {
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
        if self.bytes().get(self.at) == Some(&b'"') || self.peek() == b'"' {
            Ok(self.at + 1)
        } else {
            refuse("expected a string")
        }
    }

    /// Reads a string that may hold escapes.
    #[inline(never)]
    fn unescape(&mut self) -> Result<String, Fault> {
        let start = self.string_start()?;
        let (text, end) = unescape::unescape(self.bytes(), start)?;
        self.at = end;
        Ok(text)
    }
}

/// The string that a text is, which a reader has found to be a JSON value; nothing if it is another value.
pub(crate) fn string_of(json: &str) -> Option<Cow<'_, str>> {
    let text = json.strip_prefix('"')?.strip_suffix('"')?;
    if text.as_bytes().contains(&b'\\') { Reader::new(json).string().ok() } else { Some(Cow::Borrowed(text)) }
}

/// Checks a string whose opening quote stands before `start`, and gives the index behind it.
#[inline(always)]
pub(super) fn string_end(bytes: &[u8], start: usize) -> Result<usize, Fault> {
    let end = special(bytes, start);
    if bytes.get(end) == Some(&b'"') { Ok(end + 1) } else { Ok(unescape::skip_escapes(bytes, end)? + 1) }
}

#[inline(never)]
fn has_length(text: &str, rules: &StringRules) -> bool {
    (rules.min_length..=rules.max_length).contains(&(text.chars().count() as u64))
}
