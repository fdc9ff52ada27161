//! What can be written, and the types of Rust and `serde_json` that are.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Writer;

/// A type that is written as JSON. Generated code implements it for each type of a contract.
pub trait Encode {
    /// Writes the value.
    fn encode(&self, w: &mut Writer<'_>);
}

/// Writes a value as JSON text.
#[must_use]
pub fn encode(value: &(impl Encode + ?Sized)) -> String {
    let mut text = Vec::new();
    value.encode(&mut Writer::new(&mut text));
    // a writer writes nothing else
    String::from_utf8(text).unwrap_or_default()
}

impl<T: Encode + ?Sized> Encode for &T {
    fn encode(&self, w: &mut Writer<'_>) {
        (**self).encode(w);
    }
}

impl<T: Encode + ?Sized> Encode for Box<T> {
    fn encode(&self, w: &mut Writer<'_>) {
        (**self).encode(w);
    }
}

impl Encode for str {
    fn encode(&self, w: &mut Writer<'_>) {
        w.string(self);
    }
}

impl Encode for String {
    fn encode(&self, w: &mut Writer<'_>) {
        w.string(self);
    }
}

impl Encode for i64 {
    fn encode(&self, w: &mut Writer<'_>) {
        w.integer(*self);
    }
}

impl Encode for u64 {
    fn encode(&self, w: &mut Writer<'_>) {
        w.unsigned(*self);
    }
}

/// Infinities and NaN become `null`.
impl Encode for f64 {
    fn encode(&self, w: &mut Writer<'_>) {
        w.number(*self);
    }
}

impl Encode for bool {
    fn encode(&self, w: &mut Writer<'_>) {
        w.boolean(*self);
    }
}

/// A constant that is JSON text already.
#[derive(Clone, Copy, Debug)]
pub struct Verbatim(pub &'static str);

impl Encode for Verbatim {
    fn encode(&self, w: &mut Writer<'_>) {
        w.raw(self.0);
    }
}

/// `null`.
impl Encode for () {
    fn encode(&self, w: &mut Writer<'_>) {
        w.null();
    }
}

/// `None` becomes `null`.
impl<T: Encode> Encode for Option<T> {
    fn encode(&self, w: &mut Writer<'_>) {
        match self {
            Some(value) => value.encode(w),
            None => w.null(),
        }
    }
}

impl<T: Encode> Encode for [T] {
    fn encode(&self, w: &mut Writer<'_>) {
        w.begin_array();
        for item in self {
            w.item(item);
        }
        w.end_array();
    }
}

impl<T: Encode> Encode for Vec<T> {
    fn encode(&self, w: &mut Writer<'_>) {
        self.as_slice().encode(w);
    }
}

impl<T: Encode> Encode for BTreeMap<String, T> {
    fn encode(&self, w: &mut Writer<'_>) {
        w.begin_object();
        for (key, value) in self {
            w.entry(key, value);
        }
        w.end_object();
    }
}

impl Encode for Value {
    fn encode(&self, w: &mut Writer<'_>) {
        match self {
            Self::Null => w.null(),
            Self::Bool(value) => w.boolean(*value),
            Self::Number(number) => match (number.as_i64(), number.as_u64()) {
                (Some(value), _) => w.integer(value),
                (None, Some(value)) => w.unsigned(value),
                (None, None) => w.raw(&number.to_string()),
            },
            Self::String(text) => w.string(text),
            Self::Array(items) => items.encode(w),
            Self::Object(members) => {
                w.begin_object();
                for (key, value) in members {
                    w.entry(key, value);
                }
                w.end_object();
            }
        }
    }
}
