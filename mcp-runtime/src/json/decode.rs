//! What can be read, and the types of Rust and `serde_json` that are.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{ArrayRules, Fault, IntegerRules, ObjectRules, Reader};

/// A type that is read from JSON. Generated code implements it for each type of a contract.
pub trait Decode: Sized {
    /// Reads the next value.
    ///
    /// # Errors
    ///
    /// If the value does not fit the type or the schema behind it.
    fn decode(r: &mut Reader<'_>) -> Result<Self, Fault>;
}

/// Reads one whole text; nothing but white space may follow the value.
///
/// # Errors
///
/// If the value does not fit the type, or something follows it.
///
/// ```
/// use mcp_runtime::json;
///
/// assert_eq!(json::decode(r#"["a", "\u00e9"]"#), Ok(vec!["a".to_owned(), "é".to_owned()]));
/// assert!(json::decode::<bool>("true false").is_err());
/// ```
pub fn decode<T: Decode>(text: &str) -> Result<T, Fault> {
    let mut reader = Reader::new(text);
    let mut value = T::decode(&mut reader);
    // changed in place: moving it out and back would cost as much as reading a short text
    if value.is_ok()
        && let Err(fault) = reader.end()
    {
        value = Err(fault);
    }
    value
}

/// Reads a default of the contract. Its patterns were looked at when it was generated; whether its strings are of their
/// formats is its author's business.
///
/// # Errors
///
/// If the value does not fit the type.
pub fn decode_default<T: Decode>(text: &str) -> Result<T, Fault> {
    T::decode(&mut Reader::of_default(text))
}

/// The value of a member that must be there.
///
/// # Errors
///
/// If it is not.
#[inline]
pub fn required<T>(value: Option<T>) -> Result<T, Fault> {
    value.ok_or(Fault::MISSING)
}

impl Decode for String {
    #[inline]
    fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
        r.text()
    }
}

impl Decode for i64 {
    #[inline]
    fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
        r.integer()
    }
}

impl Decode for u64 {
    #[inline]
    fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
        r.unsigned_where(&IntegerRules::ANY)
    }
}

impl Decode for f64 {
    #[inline]
    fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
        r.number()
    }
}

impl Decode for bool {
    #[inline]
    fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
        r.boolean()
    }
}

/// `null`.
impl Decode for () {
    fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
        r.null()
    }
}

impl Decode for Value {
    fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
        r.value()
    }
}

/// `null` is `None`.
impl<T: Decode> Decode for Option<T> {
    #[inline]
    fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
        if r.take_null() { Ok(None) } else { T::decode(r).map(Some) }
    }
}

impl<T: Decode> Decode for Box<T> {
    fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
        T::decode(r).map(Self::new)
    }
}

impl<T: Decode> Decode for Vec<T> {
    fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
        let mut items = Self::new();
        r.array(&ArrayRules::ANY, &mut |r| {
            let item = T::decode(r)?;
            if items.capacity() == 0 {
                // most arrays are short: the first push would make room for four
                items.reserve_exact(2);
            }
            items.push(item);
            Ok(())
        })?;
        Ok(items)
    }
}

/// A key that comes twice is refused.
impl<T: Decode> Decode for BTreeMap<String, T> {
    fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
        let mut entries = Self::new();
        r.map(&ObjectRules::ANY, &mut |key, r| match entries.insert(key, T::decode(r)?) {
            None => Ok(()),
            Some(_) => Err(Fault::DUPLICATE),
        })?;
        Ok(entries)
    }
}
