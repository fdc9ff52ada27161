//! Matching a URI against a template, in linear time.
//!
//! Served are literals and simple variables (`{city}`, RFC 6570 level 1): a variable takes what stands before the next
//! literal and does not cross `/`. Its value is percent-decoded once.

use std::borrow::Cow;

use crate::json::{Fault, Reader, Writer};

/// One piece of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part<'t> {
    /// Text that stands in the URI as it is.
    Literal(&'t str),
    /// `{name}`: at least one character, up to the next literal or `/`.
    Variable {
        /// The variable's name.
        name: &'t str,
    },
}

/// A URI template that was taken apart at generation.
#[derive(Debug)]
pub struct UriTemplate {
    parts: &'static [Part<'static>],
}

impl UriTemplate {
    /// A template of these parts. Two variables never stand side by side.
    #[must_use]
    pub const fn new(parts: &'static [Part<'static>]) -> Self {
        Self { parts }
    }

    /// The variables' values in order, if the URI fits.
    #[must_use]
    pub fn matches<'u>(&self, uri: &'u str) -> Option<Vec<Cow<'u, str>>> {
        matches(self.parts, uri)
    }
}

impl<'t> Part<'t> {
    /// The variable's name, if it is one.
    pub(crate) fn variable(&self) -> Option<&'t str> {
        match self {
            Self::Literal(_) => None,
            Self::Variable { name } => Some(name),
        }
    }
}

/// The variables' values in order, if the URI fits.
pub(crate) fn matches<'u>(parts: &[Part<'_>], uri: &'u str) -> Option<Vec<Cow<'u, str>>> {
    let mut rest = uri;
    let mut values = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        match part {
            Part::Literal(text) => rest = rest.strip_prefix(text)?,
            Part::Variable { .. } => {
                let end = match parts.get(index + 1) {
                    Some(Part::Literal(next)) => rest.find(next)?,
                    Some(Part::Variable { .. }) | None => rest.len(),
                };
                let (value, tail) = rest.split_at(end);
                if value.is_empty() || value.contains('/') {
                    return None;
                }
                values.push(percent_decode(value)?);
                rest = tail;
            }
        }
    }
    rest.is_empty().then_some(values)
}

/// Takes a template apart; `None` if it is none of literals and simple variables with a literal between two.
pub(crate) fn parse_template(template: &str) -> Option<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some(brace) = rest.find(['{', '}']) {
        let (literal, tail) = rest.split_at(brace);
        let (name, tail) = tail.strip_prefix('{')?.split_once('}')?;
        if !literal.is_empty() {
            parts.push(Part::Literal(literal));
        } else if matches!(parts.last(), Some(Part::Variable { .. })) {
            return None;
        }
        let is_name = |c: char| c.is_alphanumeric() || "_.%".contains(c);
        if name.is_empty() || !name.chars().all(is_name) {
            return None;
        }
        parts.push(Part::Variable { name });
        rest = tail;
    }
    if !rest.is_empty() {
        parts.push(Part::Literal(rest));
    }
    Some(parts)
}

/// The URI that a template makes with these values, percent-encoded; `None` if one is missing.
pub(crate) fn expand<'v>(parts: &[Part<'_>], value: impl Fn(&str) -> Option<Cow<'v, str>>) -> Option<String> {
    let mut uri = String::new();
    for part in parts {
        match part {
            Part::Literal(text) => uri.push_str(text),
            Part::Variable { name } => percent_encode(&value(name)?, &mut uri),
        }
    }
    Some(uri)
}

/// Everything is encoded but what RFC 3986 calls unreserved.
fn percent_encode(text: &str, out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble & 15)]);
            out.extend(['%', digit(byte >> 4), digit(byte)]);
        }
    }
}

/// Whether a template has the variable `name`.
pub(crate) fn has_variable(template: &str, name: &str) -> bool {
    parse_template(template).is_some_and(|parts| parts.iter().any(|part| part.variable() == Some(name)))
}

/// A variable whose text is JSON, such as a number; `None` if its schema refuses it.
pub fn variable<T>(text: &str, read: impl FnOnce(&mut Reader<'_>) -> Result<T, Fault>) -> Option<T> {
    let mut reader = Reader::new(text);
    let value = read(&mut reader).ok()?;
    reader.end().ok().map(|()| value)
}

/// A variable that stands for a string; `None` if its schema refuses it.
pub fn text_variable<T>(text: &str, read: impl FnOnce(&mut Reader<'_>) -> Result<T, Fault>) -> Option<T> {
    let mut quoted = Vec::new();
    Writer::new(&mut quoted).string(text);
    variable(std::str::from_utf8(&quoted).ok()?, read)
}

/// `None` if an escape is broken or the bytes are not UTF-8.
fn percent_decode(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || char::from(rest.next()?).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
            bytes.push(digit()? << 4 | digit()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAILY: UriTemplate = UriTemplate::new(&[
        Part::Literal("weather://"),
        Part::Variable { name: "city" },
        Part::Literal("/"),
        Part::Variable { name: "date" },
    ]);

    #[test]
    fn variables_are_decoded_once_and_stay_between_slashes() {
        assert_eq!(DAILY.matches("weather://S%C3%A3o%2520Paulo/today").unwrap(), ["São%20Paulo", "today"]);
        for uri in [
            "weather://Oslo",
            "weather:///today",
            "weather://a/b/c",
            "x://a/b",
            "weather://%zz/today",
            "weather://%ff/b",
        ] {
            assert_eq!(DAILY.matches(uri), None, "{uri}");
        }
    }

    #[test]
    fn a_template_is_taken_apart() {
        let parts = [Part::Literal("a://"), Part::Variable { name: "x" }, Part::Literal("/y")];
        assert_eq!(parse_template("a://{x}/y").unwrap(), parts);
        assert_eq!(parse_template("{x}").unwrap(), [Part::Variable { name: "x" }]);
        for broken in ["a://{x", "a://x}", "a://{}", "a://{x}{y}", "a://{+x}", "a://{{x}}"] {
            assert_eq!(parse_template(broken), None, "{broken}");
        }
    }

    #[test]
    fn what_is_expanded_is_matched_again() {
        let parts = parse_template("weather://{city}/{date}").unwrap();
        let uri = expand(&parts, |name| (name == "city").then_some("São/P".into()).or(Some("1".into()))).unwrap();
        assert_eq!(uri, "weather://S%C3%A3o%2FP/1");
        assert_eq!(matches(&parts, &uri).unwrap(), ["São/P", "1"]);
        assert_eq!(expand(&parts, |_| None), None);
    }
}
