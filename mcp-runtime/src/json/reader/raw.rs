//! Members that are kept as text: checked as if they were made into values, and made into none.

use std::borrow::Cow;

use super::Reader;
use super::string::string_end;
use crate::json::fault::refuse;
use crate::json::scan::special;
use crate::json::{ArrayRules, Fault, ObjectRules};

/// Up to so many members a walk finds a key that comes twice; more need an index.
const FEW: usize = 16;

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
        let mut seen = Seen(0);
        for _ in 0..FEW {
            let start = self.string_start()?;
            let (key, end) = (self.at, special(self.bytes(), start));
            let is_plain = self.bytes().get(end) == Some(&b'"');
            self.at = if is_plain { end + 1 } else { string_end(self.bytes(), start)? };
            let name = self.bytes().get(start..end).filter(|_| is_plain);
            if seen.may_have(name) {
                self.slice(first, key).and_then(|text| count(text, &Self { key, ..Self::new(self.text) }.key()))?;
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
            b'[' => self.items(&ArrayRules::ANY, &mut Self::check_value),
            b'{' => self.check_object(),
            b't' if self.take_word("true") => Ok(()),
            b'f' if self.take_word("false") => Ok(()),
            b'n' if self.take_word("null") => Ok(()),
            b'-' | b'0'..=b'9' => self.check_number(),
            _ => refuse("expected a value"),
        }
    }

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
struct Seen(u64);

impl Seen {
    /// Whether a key may be one that has come. Nothing can be told of one with escapes.
    #[inline(always)]
    fn may_have(&mut self, key: Option<&[u8]>) -> bool {
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

/// How many members a text has that was checked before.
///
/// # Errors
///
/// If `key` is one of them.
pub(in crate::json) fn count(text: &str, key: &str) -> Result<usize, Fault> {
    let mut r = Reader::new(text);
    let mut count = 0;
    while let Ok(known) = r.member_key() {
        if known == key {
            return Err(Fault::DUPLICATE);
        }
        r.skip_value()?;
        count += 1;
    }
    Ok(count)
}
