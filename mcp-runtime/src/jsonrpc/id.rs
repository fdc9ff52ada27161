//! Request ids.

use std::fmt;

use crate::json::{Writer, string_of};

/// The id of a request, or the token of its progress: a string or an integer, given back as it came.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RequestId(Repr);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Repr {
    Integer(i64),
    /// An integer beyond 64 bits, as its digits.
    Digits(Box<str>),
    Text(Box<str>),
}

impl RequestId {
    /// Reads an id from its JSON text; `None` for null, a fraction, or anything that is neither string nor integer.
    pub(crate) fn parse(json: &str) -> Option<Self> {
        if json.starts_with('"') {
            return string_of(json).map(|text| Self(Repr::Text(text.into())));
        }
        if let Some(integer) = natural(json).or_else(|| json.parse().ok()) {
            return Some(Self(Repr::Integer(integer)));
        }
        let digits = json.strip_prefix('-').unwrap_or(json);
        let all_digits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        all_digits.then(|| Self(Repr::Digits(json.into())))
    }

    /// Appends the id as JSON.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        match &self.0 {
            Repr::Integer(integer) => Writer::new(out).integer(*integer),
            Repr::Digits(digits) => out.extend_from_slice(digits.as_bytes()),
            Repr::Text(text) => Writer::new(out).string(text),
        }
    }

    /// The id as an integer, if it is one of 64 bits.
    #[must_use]
    pub fn as_integer(&self) -> Option<i64> {
        match self.0 {
            Repr::Integer(integer) => Some(integer),
            Repr::Digits(_) | Repr::Text(_) => None,
        }
    }

    /// The id as a string, if it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match &self.0 {
            Repr::Text(text) => Some(text),
            Repr::Integer(_) | Repr::Digits(_) => None,
        }
    }
}

/// A number of nothing but few digits, as most ids are.
fn natural(json: &str) -> Option<i64> {
    let digit = |byte: u8| byte.is_ascii_digit().then(|| i64::from(byte - b'0'));
    let read = || json.bytes().try_fold(0, |number, byte| Some(number * 10 + digit(byte)?));
    if (1..=18).contains(&json.len()) { read() } else { None }
}

impl From<i64> for RequestId {
    fn from(integer: i64) -> Self {
        Self(Repr::Integer(integer))
    }
}

impl From<&str> for RequestId {
    fn from(text: &str) -> Self {
        Self(Repr::Text(text.into()))
    }
}

/// Shows the value alone: a string without quotes.
impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Integer(integer) => integer.fmt(f),
            Repr::Digits(text) | Repr::Text(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_back_as_they_came() {
        for text in [
            "7",
            "-1",
            "\"7\"",
            "\"a\\\"b\"",
            "123456789012345678901234567890",
            "999999999999999999",
            "9223372036854775807",
        ] {
            let mut out = Vec::new();
            RequestId::parse(text).unwrap().write(&mut out);
            assert_eq!(String::from_utf8(out).unwrap(), text);
        }
    }

    #[test]
    fn fractions_null_and_containers_are_no_ids() {
        for text in ["null", "1.5", "1e3", "true", "[]", "{}"] {
            assert_eq!(RequestId::parse(text), None, "{text}");
        }
    }
}
