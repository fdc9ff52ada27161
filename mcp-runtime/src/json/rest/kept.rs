//! Undeclared members as they are kept: a text until somebody looks at one, then values.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::values::Values;
use crate::json::reader::{FEW, Seen, find_key};
use crate::json::{Fault, Reader};

/// Members, mostly few and short.
#[derive(Clone)]
pub(super) struct Kept {
    values: OnceLock<Box<Values>>,
    /// The text with commas between the members: here, or if there is no room, in `long`. Without meaning where only the
    /// values count.
    short: [u8; ROOM],
    length: u8,
    /// How many members there are as text; `FEW` where no further one may be kept so, whatever their number.
    count: u8,
    long: String,
    seen: Seen,
}

/// So much fits without a second allocation. With the other fields it fills one of a common size.
const ROOM: usize = 70;

impl Kept {
    const fn empty() -> Self {
        Self { values: OnceLock::new(), short: [0; ROOM], length: 0, count: 0, long: String::new(), seen: Seen::NONE }
    }

    /// Keeps the text of all members of an object, if there are any.
    pub(super) fn all(text: &str) -> Option<Box<Self>> {
        if text.is_empty() {
            return None;
        }
        let mut kept = Box::new(Self::empty());
        kept.append(text);
        // nobody knows how many
        kept.count = FEW;
        Some(kept)
    }

    /// Reads the first member.
    pub(super) fn first(r: &mut Reader<'_>) -> Result<Box<Self>, Fault> {
        let key = r.plain_key();
        let member = r.raw_member()?;
        let mut kept = Box::new(Self::empty());
        kept.count = 1;
        kept.seen.may_have(key);
        kept.append(member);
        Ok(kept)
    }

    /// Reads a further member.
    #[inline(never)]
    pub(super) fn read(&mut self, r: &mut Reader<'_>) -> Result<(), Fault> {
        if self.count >= FEW {
            let key = r.key().into_owned();
            return self.change(|values| values.read(key, r));
        }
        if self.seen.may_have(r.plain_key()) {
            find_key(&self.text(), &r.key())?;
        }
        let member = r.raw_member()?;
        self.values = OnceLock::new();
        self.count += 1;
        self.append(",");
        self.append(member);
        Ok(())
    }

    #[inline]
    fn append(&mut self, text: &str) {
        let start = usize::from(self.length);
        match (self.short.get_mut(start..start + text.len()), u8::try_from(text.len())) {
            (Some(room), Ok(length)) if self.long.is_empty() => {
                room.copy_from_slice(text.as_bytes());
                self.length += length;
            }
            _ => self.append_long(text),
        }
    }

    #[inline(never)]
    fn append_long(&mut self, text: &str) {
        if self.long.is_empty() {
            self.long = self.text().into_owned();
        }
        self.long.push_str(text);
    }

    /// The text. It was copied from text piece by piece, so nothing of it is lost.
    fn text(&self) -> Cow<'_, str> {
        if self.long.is_empty() {
            String::from_utf8_lossy(self.short.get(..usize::from(self.length)).unwrap_or_default())
        } else {
            Cow::Borrowed(&self.long)
        }
    }

    pub(super) fn values(&self) -> &Values {
        self.values.get_or_init(|| Box::new(Values::parse(&self.text())))
    }

    /// Changes the values, which count alone from then on.
    pub(super) fn change<T>(&mut self, change: impl FnOnce(&mut Values) -> T) -> T {
        let mut values = match self.values.take() {
            Some(values) => values,
            None => Box::new(Values::parse(&self.text())),
        };
        (self.count, self.length, self.long) = (FEW, 0, String::new());
        let result = change(&mut values);
        self.values = OnceLock::from(values);
        result
    }

    #[inline(never)]
    pub(super) fn free(kept: Box<Self>) {
        drop(kept);
    }
}

impl Default for Kept {
    fn default() -> Self {
        Self::empty()
    }
}
