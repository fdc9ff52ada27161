//! The reader: a place in a text, moved forward value by value.
//!
//! It is not generic over what it reads into, so it is compiled once, and a struct's decoder is one call with a table of
//! keys. It takes `&str`: UTF-8 is checked once, by whoever cuts the messages apart.

#[cfg(feature = "schema")]
mod ahead;
mod array;
mod keys;
mod members;
mod number;
mod object;
mod peek;
mod raw;
mod skip;
mod string;
mod unescape;
mod value;

pub use self::members::{Key, Members, keys};
pub(super) use self::raw::{FEW, Seen, find_key};
pub(crate) use self::string::string_of;
use super::Fault;
use super::fault::refuse;

/// The most levels of arrays and objects, one inside the other.
const MAX_DEPTH: u8 = 128;

/// Reads one JSON text from its start to its end.
///
/// Each method reads one value, or says why it cannot. After a [`Fault`] the place is unspecified.
///
/// ```
/// use mcp_runtime::json::{ArrayRules, Fault, Reader};
///
/// let mut reader = Reader::new(r#" [1, 2.0, 3e0] "#);
/// let mut sum = 0;
/// reader.array(&ArrayRules::ANY, &mut |reader| {
///     sum += reader.integer()?;
///     Ok(())
/// })?;
/// reader.end()?;
/// assert_eq!(sum, 6);
/// # Ok::<(), Fault>(())
/// ```
#[derive(Debug)]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: u8,
    /// Where the key stands whose value is being read.
    key: usize,
    /// Where it ends, if it is known to hold no escape; else 0.
    key_end: usize,
    /// Whether patterns and formats are taken to match: in a text of the contract's author.
    trusted: bool,
    /// What a method could not give back in a register.
    fault: Option<Fault>,
}

impl<'a> Reader<'a> {
    /// A reader at the start of a text.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0, key: 0, key_end: 0, trusted: false, fault: None }
    }

    /// A reader of a default, whose patterns the generator looks at, and whose formats are its author's business.
    pub(super) const fn of_default(text: &'a str) -> Self {
        Self { trusted: true, ..Self::new(text) }
    }

    /// A reader of an integer that travels as text: only the spelling in which it is written again.
    ///
    /// # Errors
    ///
    /// If the text is no integer, or one in another spelling, such as `1e3`.
    pub fn of_digits(text: &'a str) -> Result<Self, Fault> {
        let bare = text.strip_prefix('-').unwrap_or(text);
        let is_plain = bare.bytes().all(|byte| byte.is_ascii_digit()) && (!bare.starts_with('0') || text == "0");
        if is_plain { Ok(Self::new(text)) } else { refuse("expected the digits of an integer") }
    }

    /// Ends the text: nothing but white space may be left.
    ///
    /// # Errors
    ///
    /// If anything is left.
    pub fn end(&mut self) -> Result<(), Fault> {
        if self.at != self.text.len() {
            self.peek();
        }
        if self.at == self.text.len() { Ok(()) } else { refuse("unexpected text after the value") }
    }

    /// Reads `true` or `false`.
    ///
    /// # Errors
    ///
    /// If the next value is not a boolean.
    pub fn boolean(&mut self) -> Result<bool, Fault> {
        match self.peek() {
            b't' if self.take_word("true") => Ok(true),
            b'f' if self.take_word("false") => Ok(false),
            _ => refuse("expected a boolean"),
        }
    }

    /// Reads `null`.
    ///
    /// # Errors
    ///
    /// If the next value is not null.
    pub fn null(&mut self) -> Result<(), Fault> {
        if self.take_null() { Ok(()) } else { refuse("expected null") }
    }

    /// Consumes `null` if it is the next value, and says whether it was.
    #[inline]
    pub fn take_null(&mut self) -> bool {
        self.peek() == b'n' && self.take_word("null")
    }

    /// Goes past white space and looks at the next byte: 0 at the end, which no JSON text holds outside of strings.
    #[inline(always)]
    pub(super) fn peek(&mut self) -> u8 {
        while let Some(&byte) = self.bytes().get(self.at) {
            if byte > b' ' || !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return byte;
            }
            self.at += 1;
        }
        0
    }

    #[inline(always)]
    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    #[inline(always)]
    fn slice(&self, start: usize, end: usize) -> Result<&'a str, Fault> {
        self.text.get(start..end).ok_or(Fault::new("bad text"))
    }

    #[inline(always)]
    fn take(&mut self, byte: u8) -> bool {
        if self.peek() != byte {
            return false;
        }
        self.at += 1;
        true
    }

    #[inline(always)]
    fn take_word(&mut self, word: &str) -> bool {
        let is_next = self.bytes()[self.at..].starts_with(word.as_bytes());
        self.at += if is_next { word.len() } else { 0 };
        is_next
    }

    /// Enters an array or object.
    #[inline(always)]
    fn open(&mut self, bracket: u8, expected: &'static str) -> Result<(), Fault> {
        if !self.take(bracket) {
            return refuse(expected);
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Fault::TOO_DEEP);
        }
        Ok(())
    }

    /// Leaves an array or object, if its bracket is next.
    #[inline(always)]
    fn close(&mut self, bracket: u8) -> bool {
        let is_next = self.take(bracket);
        self.depth -= u8::from(is_next);
        is_next
    }

    /// Goes to the next item or member, or leaves: says whether there is one.
    #[inline(always)]
    fn more(&mut self, bracket: u8) -> Result<bool, Fault> {
        let byte = self.peek();
        if byte == b',' {
            self.at += 1;
            return Ok(true);
        }
        if byte != bracket {
            return refuse("expected a comma or a closing bracket");
        }
        self.at += 1;
        self.depth -= 1;
        Ok(false)
    }
}
