//! Looking at what comes next before it is read.

use super::Reader;

impl<'a> Reader<'a> {
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
    /// `known` must be a whole JSON object that was read before: an object ends where its bytes end, so nothing of it
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
}
