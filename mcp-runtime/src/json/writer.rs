//! The writer: appends JSON to the answer's bytes.

use super::scan::special;
use super::{Encode, Field, Rest};

/// Appends one JSON text to a buffer. Commas are its business.
///
/// ```
/// use mcp_runtime::json::{Rest, Writer};
///
/// let mut out = Vec::new();
/// let mut writer = Writer::new(&mut out);
/// writer.begin_object();
/// writer.member("\"city\":", &"Oslo");
/// writer.optional("\"country\":", &None::<String>);
/// writer.member("\"days\":", &vec![1.5, -2.0]);
/// writer.end_object();
/// assert_eq!(out, br#"{"city":"Oslo","days":[1.5,-2.0]}"#);
/// ```
#[derive(Debug)]
pub struct Writer<'b> {
    out: &'b mut Vec<u8>,
    /// Nothing stands yet in the array or object that is open.
    is_first: bool,
    /// Something was to be written that JSON has no text for.
    is_sound: bool,
}

impl<'b> Writer<'b> {
    /// A writer that appends to `out`.
    #[must_use]
    pub const fn new(out: &'b mut Vec<u8>) -> Self {
        Self { out, is_first: true, is_sound: true }
    }

    /// Opens an object.
    pub fn begin_object(&mut self) {
        self.out.push(b'{');
        self.is_first = true;
    }

    /// Closes the object.
    pub fn end_object(&mut self) {
        self.out.push(b'}');
        self.is_first = false;
    }

    /// Opens an array.
    pub fn begin_array(&mut self) {
        self.out.push(b'[');
        self.is_first = true;
    }

    /// Closes the array.
    pub fn end_array(&mut self) {
        self.out.push(b']');
        self.is_first = false;
    }

    /// Writes a member whose key is known: `key` is its JSON text with the colon, `"\"city\":"`.
    pub fn member(&mut self, key: &'static str, value: &dyn Encode) {
        self.separate();
        self.out.extend_from_slice(key.as_bytes());
        value.encode(self);
    }

    /// Writes a member, or nothing if it is `None`.
    #[inline]
    pub fn optional(&mut self, key: &'static str, value: &Option<impl Encode>) {
        if let Some(value) = value {
            self.member(key, value);
        }
    }

    /// Writes a member, or nothing if it is absent.
    #[inline]
    pub fn field(&mut self, key: &'static str, value: &Field<impl Encode>) {
        match value {
            Field::Absent => {}
            Field::Null => self.member(key, &()),
            Field::Value(value) => self.member(key, value),
        }
    }

    /// Writes the members that the schema does not declare.
    pub fn rest(&mut self, rest: &Rest) {
        for (key, value) in rest.iter() {
            self.entry(key, value);
        }
    }

    /// Writes a member whose key is known only now.
    pub fn entry(&mut self, key: &str, value: &dyn Encode) {
        self.separate();
        self.string(key);
        self.out.push(b':');
        value.encode(self);
    }

    /// Writes an array's next item.
    pub fn item(&mut self, value: &dyn Encode) {
        self.separate();
        value.encode(self);
    }

    /// Writes a string.
    pub fn string(&mut self, text: &str) {
        let bytes = text.as_bytes();
        // prose and code have an escape in some ten bytes; a long text must not be moved for a few of them
        self.out.reserve(bytes.len() + bytes.len() / 8 + 2);
        self.out.push(b'"');
        let mut start = 0;
        loop {
            let end = special(bytes, start);
            self.out.extend_from_slice(&bytes[start..end]);
            let Some(&byte) = bytes.get(end) else { break };
            self.escape(byte);
            start = end + 1;
        }
        self.out.push(b'"');
    }

    /// Writes an integer.
    pub fn integer(&mut self, value: i64) {
        self.raw(itoa::Buffer::new().format(value));
    }

    /// Writes an integer that is not negative.
    pub fn unsigned(&mut self, value: u64) {
        self.raw(itoa::Buffer::new().format(value));
    }

    /// Writes a number as the shortest text that reads back as the same one. JSON has no text for infinities and NaN:
    /// they become `null`.
    pub fn number(&mut self, value: f64) {
        if value.is_finite() {
            self.raw(zmij::Buffer::new().format_finite(value));
        } else {
            self.is_sound = false;
            self.null();
        }
    }

    /// Whether everything that was written so far is what was to be written: not an infinity or NaN, which JSON lacks.
    #[must_use]
    pub const fn is_sound(&self) -> bool {
        self.is_sound
    }

    /// Writes a boolean.
    pub fn boolean(&mut self, value: bool) {
        self.raw(if value { "true" } else { "false" });
    }

    /// Writes `null`.
    pub fn null(&mut self) {
        self.raw("null");
    }

    /// Writes a text that is one JSON value already.
    pub fn raw(&mut self, json: &str) {
        self.out.extend_from_slice(json.as_bytes());
    }

    #[inline]
    fn separate(&mut self) {
        if !self.is_first {
            self.out.push(b',');
        }
        self.is_first = false;
    }

    #[inline]
    pub(super) fn escape(&mut self, byte: u8) {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        let letter = match byte {
            b'"' | b'\\' => byte,
            0x08 => b'b',
            0x0c => b'f',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            _ => {
                let digits = [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]];
                self.out.extend_from_slice(b"\\u00");
                self.out.extend_from_slice(&digits);
                return;
            }
        };
        self.out.extend_from_slice(&[b'\\', letter]);
    }
}
