//! One concrete JSON reader and writer, compiled once: generated code is short functions over them.
//!
//! Arguments go from the request's bytes into the struct, and a result from the struct into the answer's bytes, with no
//! tree of values between. `serde_json` stays for places that no Rust type can say.
//!
//! The reader is strict where strictness protects the reader of a schema: the whole JSON grammar is checked (also in
//! values that are skipped), a key that a Rust type or a [`Value`](serde_json::Value) has a place for may come only
//! once, nesting ends at 128 levels, and a number that its type cannot hold is refused instead of rounded away.
//! It is exact where JSON Schema is: `1.0` and `1e2` are integers, lengths are counted in Unicode scalar values, and
//! 4.35 is a multiple of 0.01.
//!
//! ```
//! use mcp_runtime::json::{self, Decode, Fault, Reader, StringRules, required};
//!
//! struct Place {
//!     city: String,
//!     days: i64,
//! }
//!
//! impl Decode for Place {
//!     fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
//!         let (mut city, mut days) = (None, None);
//!         r.object(&["city", "days"], &mut |key, r| {
//!             match key {
//!                 0 => city = Some(r.string_where(&StringRules { min_length: 1, ..StringRules::ANY })?),
//!                 1 => days = Some(r.integer()?),
//!                 _ => return r.refuse_key(),
//!             }
//!             Ok(())
//!         })?;
//!         Ok(Self { city: required(city)?, days: days.unwrap_or(1) })
//!     }
//! }
//!
//! let place: Place = json::decode(r#"{"city": "Oslo", "days": 3.0}"#)?;
//! assert_eq!((place.city.as_str(), place.days), ("Oslo", 3));
//! assert!(json::decode::<Place>(r#"{"city": ""}"#).is_err());
//! # Ok::<(), Fault>(())
//! ```

#[cfg(test)]
mod agreement;
mod decimal;
mod decode;
mod divisor;
mod encode;
mod fault;
mod field;
mod matcher;
mod quote;
#[expect(clippy::inline_always, reason = "measured: the steps of the reader are a few instructions each")]
mod reader;
mod rest;
mod rules;
#[expect(clippy::inline_always, reason = "measured: most strings are shorter than two steps")]
mod scan;
#[cfg(test)]
mod tests;
mod tree;
mod writer;

pub(crate) use self::decimal::Decimal;
pub use self::decode::{Decode, decode, decode_default, required};
pub use self::divisor::Divisor;
pub use self::encode::{Encode, Verbatim, encode};
pub use self::fault::Fault;
pub use self::field::Field;
pub use self::matcher::{Both, CharSet, Matcher, Plain, Step};
pub(crate) use self::quote::quote_within;
pub(crate) use self::reader::string_of;
pub use self::reader::{Key, Members, Reader, keys};
pub use self::rest::Rest;
pub use self::rules::{ArrayRules, IntegerRules, NumberRules, ObjectRules, StringRules};
pub(crate) use self::tree::{Object, Tree, any_equal};
pub use self::writer::Writer;
