//! The values of a template's variables.

use std::borrow::Cow;

use crate::json::{Fault, Reader, Writer};

/// The values of a template's variables by name, as they are when nothing is encoded; those of a list one by one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UriValues<'a> {
    entries: Vec<(&'a str, Cow<'a, str>)>,
}

impl<'a> UriValues<'a> {
    /// Adds a value.
    pub fn put(&mut self, name: &'a str, value: impl Into<Cow<'a, str>>) {
        self.entries.push((name, value.into()));
    }

    /// The values of a variable.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.entries.iter().filter(move |(known, _)| *known == name).map(|(_, value)| &**value)
    }

    /// The value of a variable, if it has one.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// Everything, in order.
    pub(crate) fn into_entries(self) -> impl Iterator<Item = (&'a str, Cow<'a, str>)> {
        self.entries.into_iter()
    }

    /// The value of a variable that can be any text.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(str::to_owned)
    }

    /// The values of a list whose items can be any text.
    #[must_use]
    pub fn texts(&self, name: &str) -> Vec<String> {
        self.all(name).map(str::to_owned).collect()
    }

    /// The value of a variable that is a string in JSON.
    ///
    /// # Errors
    ///
    /// Fails if its schema refuses it.
    pub fn string<T>(&self, name: &str, decode: impl Decoder<T>) -> Result<Option<T>, Fault> {
        self.get(name).map(|value| read(&string(value), decode)).transpose()
    }

    /// The value of a variable that is a number or a boolean in JSON.
    ///
    /// # Errors
    ///
    /// Fails if its schema refuses it.
    pub fn scalar<T>(&self, name: &str, decode: impl Decoder<T>) -> Result<Option<T>, Fault> {
        self.get(name).map(|value| read(&scalar(value), decode)).transpose()
    }

    /// The values of a list whose items are strings in JSON.
    ///
    /// # Errors
    ///
    /// Fails if its schema refuses it.
    pub fn strings<T>(&self, name: &str, decode: impl Decoder<T>) -> Result<T, Fault> {
        read(&array(self.all(name).map(string)), decode)
    }

    /// The values of a list whose items are numbers or booleans in JSON.
    ///
    /// # Errors
    ///
    /// Fails if its schema refuses it.
    pub fn scalars<T>(&self, name: &str, decode: impl Decoder<T>) -> Result<T, Fault> {
        read(&array(self.all(name).map(scalar)), decode)
    }
}

/// What makes a value of JSON.
pub trait Decoder<T>: FnOnce(&mut Reader<'_>) -> Result<T, Fault> {}

impl<T, F: FnOnce(&mut Reader<'_>) -> Result<T, Fault>> Decoder<T> for F {}

fn read<T>(json: &str, decode: impl Decoder<T>) -> Result<T, Fault> {
    let mut reader = Reader::new(json);
    let value = decode(&mut reader)?;
    reader.end()?;
    Ok(value)
}

fn string(value: &str) -> String {
    let mut json = Vec::new();
    Writer::new(&mut json).string(value);
    String::from_utf8(json).unwrap_or_default()
}

/// A number or a word as it stands. Anything else becomes a string, so that it cannot pass for several values.
fn scalar(value: &str) -> String {
    let is_word = |c: u8| c.is_ascii_alphanumeric() || b"+-.".contains(&c);
    if value.bytes().all(is_word) { value.to_owned() } else { string(value) }
}

fn array(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}
