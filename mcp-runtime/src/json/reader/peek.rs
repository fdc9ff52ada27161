//! Looking at what comes next before it is read.

use super::Reader;
use crate::json::{Fault, required};

impl<'a> Reader<'a> {
    /// Goes past white space and tells the first byte of the next value, and so its type: `{`, `[`, `"`, `t` or `f`, `n`,
    /// `-` or a digit. 0 at the end of the text.
    pub fn next_byte(&mut self) -> u8 {
        self.peek()
    }

    /// Tells which of `tags` the member `property` of the next value is. The value itself is still to be read: whoever
    /// reads it sees the member again, and a second one of the same name.
    ///
    /// # Errors
    ///
    /// If the value is not an object, if it has no such member before its grammar ends, or if the member is none of them.
    ///
    /// ```
    /// # use mcp_runtime::json::Reader;
    /// let mut reader = Reader::new(r#"{"radius": 1, "kind": "circle"}"#);
    /// assert_eq!(reader.tag("kind", &["square", "circle"]), Ok(1));
    /// assert!(reader.skip_value().is_ok());
    /// ```
    pub fn tag(&mut self, property: &str, tags: &[&str]) -> Result<usize, Fault> {
        self.peek();
        let mut ahead = Self { ..*self };
        let mut tag = None;
        ahead.members_until(&mut |key, reader| {
            if key == property {
                tag = Some(reader.variant(tags)?);
            } else {
                reader.skip_value()?;
            }
            Ok(tag.is_some())
        })?;
        required(tag)
    }

    /// The text of one member of the next value, if that is an object with this member.
    pub(crate) fn member(mut self, key: &str) -> Option<&'a str> {
        let mut member = None;
        let read = self.object(&[key], &mut |index, reader| {
            let value = reader.raw_value()?;
            if index == 0 {
                member = Some(value);
            }
            Ok(())
        });
        read.ok().and(member)
    }

    /// Whether a string is next.
    pub(crate) fn next_is_string(&mut self) -> bool {
        self.peek() == b'"'
    }

    /// Whether an object is next.
    pub(crate) fn next_is_object(&mut self) -> bool {
        self.peek() == b'{'
    }

    /// Skips the next value if it is `known` byte for byte.
    ///
    /// `known` must be a whole JSON object or string that was read before: it ends where its bytes end, so nothing of it
    /// needs to be looked at again.
    pub(crate) fn take_known(&mut self, known: &str) -> bool {
        self.peek();
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let same = !known.is_empty() && rest.starts_with(known.as_bytes());
        if same {
            self.at += known.len();
        }
        same
    }

    /// Skips these bytes if they are next, without a look at white space.
    #[inline(always)]
    pub(crate) fn take_exactly(&mut self, text: &str) -> bool {
        let is_next = self.bytes().get(self.at..).is_some_and(|rest| rest.starts_with(text.as_bytes()));
        if is_next {
            self.at += text.len();
        }
        is_next
    }

    /// The byte behind the very next one; 0 at the end.
    #[inline(always)]
    pub(crate) fn second_byte(&self) -> u8 {
        self.bytes().get(self.at + 1).copied().unwrap_or(0)
    }

    /// Enters an object whose bracket is the very next byte.
    #[inline(always)]
    pub(crate) fn enter_exactly(&mut self) -> bool {
        let is_next = self.take_exactly("{");
        self.depth += u8::from(is_next);
        is_next
    }

    /// Leaves an object whose bracket is the very next byte.
    #[inline(always)]
    pub(crate) fn leave_exactly(&mut self) -> bool {
        let is_next = self.take_exactly("}");
        self.depth -= u8::from(is_next);
        is_next
    }

    /// Whether nothing is left, not even white space.
    pub(crate) fn is_at_end(&self) -> bool {
        self.at == self.text.len()
    }
}
