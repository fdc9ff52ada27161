//! Members that are kept as text: checked as if they were made into values, and made into none.

use std::borrow::Cow;

use super::Reader;
use super::string::string_end;
use crate::json::fault::refuse;
use crate::json::scan::special;
use crate::json::{ArrayRules, Fault, ObjectRules};

/// Up to so many members a walk finds a key that comes twice; more need an index.
pub(in crate::json) const FEW: u8 = 16;

impl<'a> Reader<'a> {
    /// Goes past the value of the member whose key was read last, refuses what [`value`](Self::value) would, and gives
    /// the text of the member.
    pub(in crate::json) fn raw_member(&mut self) -> Result<&'a str, Fault> {
        let start = self.key;
        self.check_value()?;
        self.slice(start, self.at)
    }

    /// The same with all members of an object: the text between its brackets. Nothing, and it does not move, where there
    /// are many of them.
    pub(in crate::json) fn raw_members(&mut self) -> Result<Option<&'a str>, Fault> {
        let before = self.at;
        self.open(b'{', "expected an object")?;
        if self.close(b'}') {
            return Ok(Some(""));
        }
        self.peek();
        let first = self.at;
        let mut seen = Seen::NONE;
        for _ in 0..FEW {
            let start = self.string_start()?;
            let (key, end) = (self.at, special(self.bytes(), start));
            let is_plain = self.bytes().get(end) == Some(&b'"');
            self.at = if is_plain { end + 1 } else { string_end(self.bytes(), start)? };
            let name = self.bytes().get(start..end).filter(|_| is_plain);
            if seen.may_have(name) {
                self.slice(first, key).and_then(|text| find_key(text, &Self { key, ..Self::new(self.text) }.key()))?;
            }
            if !self.take(b':') {
                return refuse("expected a colon");
            }
            self.check_value()?;
            let end = self.at;
            if !self.more(b'}')? {
                return self.slice(first, end).map(Some);
            }
            self.peek();
        }
        self.at = before;
        self.depth -= 1;
        Ok(None)
    }

    /// The key that was read last, as it is written, if it was seen to hold no escape.
    #[inline(always)]
    pub(in crate::json) fn plain_key(&self) -> Option<&'a [u8]> {
        self.bytes().get(self.key + 1..self.key_end)
    }

    /// Reads the key of the next member, in a text of members without brackets: where such a text begins, and behind each
    /// value.
    pub(in crate::json) fn member_key(&mut self) -> Result<Cow<'a, str>, Fault> {
        self.take(b',');
        let key = self.string()?;
        if self.take(b':') { Ok(key) } else { refuse("expected a colon") }
    }

    fn check_value(&mut self) -> Result<(), Fault> {
        match self.peek() {
            b'"' => {
                self.at = string_end(self.bytes(), self.at + 1)?;
                Ok(())
            }
            b'[' => self.check_array(),
            b'{' => self.check_object(),
            b't' if self.take_word("true") => Ok(()),
            b'f' if self.take_word("false") => Ok(()),
            b'n' if self.take_word("null") => Ok(()),
            b'-' | b'0'..=b'9' => self.check_number(),
            _ => refuse("expected a value"),
        }
    }

    #[inline(never)]
    fn check_array(&mut self) -> Result<(), Fault> {
        self.items(&ArrayRules::ANY, &mut Self::check_value)
    }

    #[inline(never)]
    fn check_object(&mut self) -> Result<(), Fault> {
        let mut keys = Vec::new();
        self.entries(&ObjectRules::ANY, &mut |key, reader| {
            keys.push(key);
            reader.check_value()
        })?;
        keys.sort_unstable();
        if keys.windows(2).any(|pair| pair[0] == pair[1]) { Err(Fault::DUPLICATE) } else { Ok(()) }
    }
}

/// The keys that have come, one bit for those of like length and ends.
#[derive(Clone, Copy)]
pub(in crate::json) struct Seen(u64);

impl Seen {
    pub(in crate::json) const NONE: Self = Self(0);

    /// Notes a key, and says whether it may be one that has come. Nothing can be told of one with escapes.
    #[inline(always)]
    pub(in crate::json) fn may_have(&mut self, key: Option<&[u8]>) -> bool {
        let Some(key) = key else {
            let had_any = self.0 != 0;
            self.0 = u64::MAX;
            return had_any;
        };
        let ends = key.first().zip(key.last()).map_or(0, |(&first, &last)| usize::from(first) + 5 * usize::from(last));
        let bit = 1 << ((ends + 11 * key.len()) & 63);
        let had = self.0 & bit != 0;
        self.0 |= bit;
        had
    }
}

/// Looks for a key in a text of members that was checked before.
///
/// # Errors
///
/// If it is there.
pub(in crate::json) fn find_key(members: &str, key: &str) -> Result<(), Fault> {
    let mut r = Reader::new(members);
    while let Ok(known) = r.member_key() {
        if known == key {
            return Err(Fault::DUPLICATE);
        }
        r.skip_value()?;
    }
    Ok(())
}
