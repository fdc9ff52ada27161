//! Arguments that clients repeat as HTTP headers, so that whoever stands in between can look at them.

use std::borrow::Cow;

use crate::json::{Decimal, Fault, Reader};

/// An argument with `x-mcp-header` in its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParamHeader {
    name: Cow<'static, str>,
    path: Path,
    is_integer: bool,
}

/// The properties that lead to an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Path {
    Fixed(&'static [&'static str]),
    Provided(Vec<String>),
}

impl ParamHeader {
    /// A boolean: the whole name of the header, and the properties that lead to the argument.
    #[must_use]
    pub const fn boolean(name: &'static str, path: &'static [&'static str]) -> Self {
        Self { name: Cow::Borrowed(name), path: Path::Fixed(path), is_integer: false }
    }

    /// An integer.
    #[must_use]
    pub const fn integer(name: &'static str, path: &'static [&'static str]) -> Self {
        Self { name: Cow::Borrowed(name), path: Path::Fixed(path), is_integer: true }
    }

    /// A string.
    #[must_use]
    pub const fn string(name: &'static str, path: &'static [&'static str]) -> Self {
        Self { name: Cow::Borrowed(name), path: Path::Fixed(path), is_integer: false }
    }

    /// One that is known only at run time.
    pub(crate) fn provided(name: String, path: Vec<String>, is_integer: bool) -> Self {
        Self { name: name.into(), path: Path::Provided(path), is_integer }
    }

    /// The whole name of the header.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the header, decoded, says what the arguments say: the value, or nothing where it is absent or null.
    ///
    /// What cannot be compared does not agree: a value of another type may be mended later, and whoever looked at the
    /// header would not have seen what the handler gets.
    ///
    /// # Errors
    ///
    /// Says what does not agree.
    pub fn check(&self, stated: Option<&str>, arguments: &str) -> Result<(), String> {
        let disagrees = || Err(format!("`{}` is not what the body says", self.name));
        let Ok(value) = self.value(arguments) else { return disagrees() };
        match (value, stated) {
            (None, None) => Ok(()),
            (Some(value), Some(stated)) if self.is_same(value, stated) => Ok(()),
            (Some(_), None) => Err(format!("`{}` is missing, and the body has the argument", self.name)),
            (Some(_) | None, Some(_)) => disagrees(),
        }
    }

    /// The JSON text of the argument; `None` if it is absent or null.
    fn value<'a>(&self, arguments: &'a str) -> Result<Option<&'a str>, Fault> {
        let path: &mut dyn Iterator<Item = &str> = match &self.path {
            Path::Fixed(path) => &mut path.iter().copied(),
            Path::Provided(path) => &mut path.iter().map(String::as_str),
        };
        let mut value = arguments;
        for step in path {
            let mut reader = Reader::new(value);
            if reader.take_null() {
                return Ok(None);
            }
            let mut member = None;
            reader.object(&[step], &mut |index, reader| {
                let text = reader.raw_value()?;
                member = if index == 0 { Some(text) } else { member };
                Ok(())
            })?;
            let Some(member) = member else { return Ok(None) };
            value = member;
        }
        Ok((value != "null").then_some(value))
    }

    /// Whether the JSON text of a value says the same as the header: numbers by their value.
    fn is_same(&self, value: &str, stated: &str) -> bool {
        if Reader::new(value).next_is_string() {
            return Reader::new(value).string().is_ok_and(|text| text == stated);
        }
        let is_number = |text: &str| text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        if self.is_integer && is_number(value) && is_number(stated) && Reader::new(stated).raw_value() == Ok(stated) {
            return Decimal::new(value) == Decimal::new(stated);
        }
        value == stated
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_their_path() {
        let header = ParamHeader::string("Mcp-Param-City", &["place", "city"]);
        let agrees = |stated, arguments| header.check(stated, arguments).is_ok();
        assert!(agrees(Some("Oslo"), r#"{"city": "Rome", "place": {"city": "O\u0073lo"}}"#));
        for absent in ["{}", "null", r#"{"place": {}}"#, r#"{"place": null}"#, r#"{"place": {"city": null}}"#] {
            assert!(agrees(None, absent), "{absent}");
            assert!(!agrees(Some(""), absent), "{absent}");
        }
        assert!(agrees(Some(""), r#"{"place": {"city": ""}}"#));
        // these may be mended on their way to the handler
        for arguments in [r#"{"place": "{\"city\": \"Oslo\"}"}"#, r#""{}""#, r#"{"place": {"city": ["Oslo"]}}"#] {
            assert!(!agrees(Some("Oslo"), arguments) && !agrees(None, arguments), "{arguments}");
        }
    }

    #[test]
    fn integers_are_compared_by_value() {
        let header = ParamHeader::integer("Mcp-Param-Count", &["n"]);
        let agrees = |stated, value: &str| header.check(Some(stated), &format!(r#"{{"n": {value}}}"#)).is_ok();
        assert!(agrees("42", "42.0") && agrees("42.0", "42") && agrees("-0", "0") && agrees("42", r#""42""#));
        assert!(agrees("9007199254740993", "9007199254740993") && !agrees("9007199254740992", "9007199254740993"));
        for stated in ["", "43", "0x2a", "042", "42 ", "42,1", "true"] {
            assert!(!agrees(stated, "42"), "{stated}");
        }
    }

    #[test]
    fn texts_and_booleans_are_compared_as_they_are() {
        let header = ParamHeader::boolean("Mcp-Param-Dry", &["dry"]);
        let agrees = |stated, value: &str| header.check(Some(stated), &format!(r#"{{"dry": {value}}}"#)).is_ok();
        assert!(agrees("true", "true") && agrees("false", "false") && agrees("true", r#""true""#));
        assert!(!agrees("True", "true") && !agrees("1", "true") && !agrees("1.0", "1") && agrees("1", "1"));
    }
}
