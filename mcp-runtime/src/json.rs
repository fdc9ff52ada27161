//! One concrete JSON reader and writer, compiled once: generated code is short functions over them.
//!
//! Arguments go from the request's bytes into the struct, and a result from the struct into the answer's bytes, with no
//! tree of values between. serde_json stays for places that no Rust type can say.

mod decode;
mod encode;
mod field;
mod reader;
mod rules;
mod writer;

pub use self::decode::{Decode, decode};
pub use self::encode::Encode;
pub use self::field::{Field, Rest};
pub use self::reader::{Fault, Reader};
pub use self::rules::{ArrayRules, IntegerRules, NumberRules, ObjectRules, StringRules};
pub use self::writer::Writer;
