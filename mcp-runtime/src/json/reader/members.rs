//! Objects whose keys a type declares, member by member: what generated code reads a struct with.

use super::keys::same;
use super::{MAX_DEPTH, Reader};
use crate::json::Fault;
use crate::json::fault::refuse;
use crate::json::scan::{next_word, special};

/// A key that a type declares. Its ends lie ready as words, so that most keys are told apart by one comparison.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    text: &'static str,
    /// How long `"key":` is. A key that is never written without escapes is longer than any text.
    span: usize,
    /// The first bytes of `"key":`, as far as it goes; the others are zero.
    first: u64,
    /// The bits of `first` that count.
    mask: u64,
    /// The last bytes of `"key":`, if there are eight.
    last: u64,
}

/// Prepares the keys that a type declares.
#[must_use]
pub const fn keys<const COUNT: usize>(names: [&'static str; COUNT]) -> [Key; COUNT] {
    let mut keys = [Key { text: "", span: 0, first: 0, mask: 0, last: 0 }; COUNT];
    let mut index = 0;
    while index < COUNT {
        keys[index] = Key::new(names[index]);
        index += 1;
    }
    keys
}

impl Key {
    const fn new(text: &'static str) -> Self {
        let bytes = text.as_bytes();
        let mut key = Self { text, span: bytes.len() + 3, first: 0, mask: 0, last: 0 };
        let mut index = 0;
        while index < key.span {
            let byte = if index == 0 || index == key.span - 2 {
                b'"'
            } else if index == key.span - 1 {
                b':'
            } else if matches!(bytes[index - 1], b'"' | b'\\' | 0..=0x1f) {
                return Self { span: usize::MAX, mask: 0, first: 1, ..key };
            } else {
                bytes[index - 1]
            };
            if index < 8 {
                key.first |= (byte as u64) << (8 * index);
                key.mask |= 0xff << (8 * index);
            }
            key.last = key.last >> 8 | (byte as u64) << 56;
            index += 1;
        }
        key
    }

    /// Whether `"key":` is what a text begins with; `word` is the first of it.
    #[inline(always)]
    fn begins(&self, word: u64, text: &[u8]) -> bool {
        word & self.mask == self.first && (self.span <= 8 || self.is_whole(text))
    }

    /// The same for what does not fit a word.
    #[inline(always)]
    fn is_whole(&self, text: &[u8]) -> bool {
        let Some(whole) = text.get(..self.span) else { return false };
        whole.last_chunk::<8>().is_some_and(|last| u64::from_le_bytes(*last) == self.last)
            && (self.span <= 16 || self.is_within(whole))
    }

    /// The same for what does not fit two words. A call of `memcmp` would make the shorter ones dearer, too.
    #[inline(always)]
    fn is_within(&self, whole: &[u8]) -> bool {
        let key = self.text.as_bytes();
        let found = whole.get(1..).unwrap_or_default();
        let (words, _) = key.as_chunks::<8>();
        let (found_words, _) = found.as_chunks::<8>();
        // the last bytes are in the last words, which may overlap
        words.iter().eq(found_words.iter().take(words.len())) && found.get(..key.len()).and_then(<[u8]>::last_chunk::<8>) == key.last_chunk()
    }
}

/// An object that is being read.
#[derive(Debug)]
pub struct Members<'k> {
    keys: &'k [Key],
    /// The keys that have come, one bit each.
    seen: u64,
    /// The key behind the last one: keys mostly come in the order of the declaration.
    expected: usize,
    /// What stands before the next member.
    before: u8,
}

/// No further member.
const END: usize = usize::MAX - 1;

/// A fault, which the reader holds.
const FAULT: usize = usize::MAX - 2;

impl Reader<'_> {
    /// Begins to read an object with at most 64 known keys.
    ///
    /// # Errors
    ///
    /// If the next value is not an object, or is nested too deeply.
    #[inline]
    pub fn members<'k>(&mut self, keys: &'k [Key]) -> Result<Members<'k>, Fault> {
        if self.bytes().get(self.at) != Some(&b'{') && self.peek() != b'{' {
            return refuse("expected an object");
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Fault::TOO_DEEP);
        }
        // the bracket stays for the first member, which looks for it as the others do for a comma
        Ok(Members { keys, seen: 0, expected: 0, before: b'{' })
    }

    /// Says that the text is at fault, in one register.
    #[cold]
    #[inline(never)]
    fn fail(&mut self, fault: Fault) -> usize {
        self.fault = Some(fault);
        FAULT
    }
}

impl Members<'_> {
    /// Goes to the next member: the index of its key, or [`usize::MAX`] for one that is not known
    /// ([`Reader::key`] tells it). Its value is next in the reader. Nothing at the end of the object.
    ///
    /// # Errors
    ///
    /// If the text is not an object, or if a known key comes twice.
    #[inline(always)]
    pub fn next(&mut self, r: &mut Reader<'_>) -> Result<Option<usize>, Fault> {
        // most objects end here, and need no call for it
        if r.bytes().get(r.at) == Some(&b'}') {
            r.at += 1;
            r.depth -= 1;
            return Ok(None);
        }
        match self.step(r) {
            END => Ok(None),
            FAULT => Err(r.fault.unwrap_or(Fault::MISSING)),
            index => Ok(Some(index)),
        }
    }

    /// The same in one register. Here known keys in texts without white space are found, mostly at the first guess.
    ///
    /// It calls nothing that it comes back from, and so needs no stack.
    #[inline(never)]
    fn step(&mut self, r: &mut Reader<'_>) -> usize {
        let Some((&before, text)) = r.bytes().get(r.at..).and_then(<[u8]>::split_first) else { return self.seek(r) };
        let Some(word) = text.first_chunk::<8>() else { return self.seek(r) };
        if before != self.before {
            return self.seek(r);
        }
        let word = u64::from_le_bytes(*word);
        let mut index = self.expected;
        while let Some(key) = self.keys.get(index) {
            if word & key.mask == key.first {
                if key.span <= 8 {
                    r.at += 1 + key.span;
                    return self.note(r, index);
                }
                return self.check(r, index);
            }
            index += 1;
        }
        self.turn(r, 0)
    }

    /// Looks whether the key stands there whose first bytes do, and goes on looking if not.
    #[inline(never)]
    fn check(&mut self, r: &mut Reader<'_>, index: usize) -> usize {
        let text = r.bytes().get(r.at + 1..).unwrap_or_default();
        match self.keys.get(index) {
            Some(key) if key.is_whole(text) => {
                r.at += 1 + key.span;
                self.note(r, index)
            }
            _ => self.turn(r, index + 1),
        }
    }

    /// Notes that a key has come.
    #[inline(always)]
    fn note(&mut self, r: &mut Reader<'_>, index: usize) -> usize {
        let bit = 1 << (index & 63);
        if self.seen & bit != 0 {
            return r.fail(Fault::DUPLICATE);
        }
        self.seen |= bit;
        self.expected = index + 1;
        self.before = b',';
        index
    }

    /// Looks for a known key at `from` and behind, then before the expected one, and goes past an unknown one without
    /// escapes.
    #[inline(never)]
    fn turn(&mut self, r: &mut Reader<'_>, from: usize) -> usize {
        let bytes = r.bytes();
        let start = r.at + 1;
        let text = bytes.get(start..).unwrap_or_default();
        if text.first() != Some(&b'"') {
            return self.seek(r);
        }
        let word = next_word(text, 0);
        let further = self.keys.iter().enumerate().skip(if from == 0 { usize::MAX } else { from });
        let mut all = further.chain(self.keys.iter().enumerate().take(self.expected));
        if let Some((index, key)) = all.find(|(_, key)| key.begins(word, text)) {
            r.at = start + key.span;
            return self.note(r, index);
        }
        let end = special(bytes, start + 1);
        if bytes.get(end..end + 2) != Some(b"\":") {
            return self.seek(r);
        }
        (r.key, r.key_end) = (start, end);
        r.at = end + 2;
        self.before = b',';
        usize::MAX
    }

    /// Goes to the next member in any text.
    #[inline(never)]
    fn seek(&mut self, r: &mut Reader<'_>) -> usize {
        if self.before == b'{' {
            r.at += 1;
            if r.close(b'}') {
                return END;
            }
            self.before = b',';
        } else {
            match r.more(b'}') {
                Ok(true) => {}
                Ok(false) => return END,
                Err(fault) => return r.fail(fault),
            }
        }
        self.read_key(r)
    }

    /// Reads any key.
    #[inline(never)]
    fn read_key(&mut self, r: &mut Reader<'_>) -> usize {
        let start = match r.string_start() {
            Ok(start) => start,
            Err(fault) => return r.fail(fault),
        };
        (r.key, r.key_end) = (r.at, 0);
        let position = |key: &str| self.keys.iter().position(|known| same(known.text.as_bytes(), key.as_bytes()));
        let index = match r.plain_string_from(start) {
            Ok(Some(key)) => {
                r.key_end = r.at - 1;
                position(key)
            }
            Ok(None) => match r.string() {
                Ok(key) => position(&key),
                Err(fault) => return r.fail(fault),
            },
            Err(fault) => return r.fail(fault),
        };
        if !r.take(b':') {
            return r.fail(Fault::new("expected a colon"));
        }
        index.map_or(usize::MAX, |index| self.note(r, index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "a_key_of_more_than_sixteen_bytes";

    /// The indices of the keys of an object of numbers.
    fn read(known: &[Key], text: &str) -> Result<Vec<usize>, Fault> {
        let mut reader = Reader::new(text);
        let mut members = reader.members(known)?;
        let mut found = Vec::new();
        while let Some(index) = members.next(&mut reader)? {
            found.push(index);
            reader.skip_value()?;
        }
        reader.end().map(|()| found)
    }

    #[test]
    fn keys_are_found_whatever_their_length_and_wherever_they_stand() {
        for length in 0..40 {
            let name: &'static str = "k".repeat(length).leak();
            let known = keys(["other", name, "ä", LONG]);
            for padding in ["", " ", "      ", "              "] {
                assert_eq!(read(&known, &format!("{{\"{name}\":1}}{padding}")), Ok(vec![1]), "{length}");
                assert_eq!(read(&known, &format!("{{\"{name}k\":1}}{padding}")), Ok(vec![usize::MAX]), "{length}");
            }
            for place in 0..length {
                let mut other = name.to_owned();
                other.replace_range(place..=place, "l");
                assert_eq!(read(&known, &format!("{{\"{other}\":1 }}")), Ok(vec![usize::MAX]), "{place} of {length}");
            }
        }
        let known = keys(["other", "b", "ä", LONG]);
        assert_eq!(read(&known, &format!(r#"{{"{LONG}":1,"b":2,"ä":3,"x":4}}"#)), Ok(vec![3, 1, 2, usize::MAX]));
    }

    #[test]
    fn escapes_are_read_and_never_taken_for_a_key() {
        let known = keys(["a\"b", "a\\", "ab"]);
        assert_eq!(read(&known, r#"{"a\"b":1,"a\\":2,"\u0061b":3}"#), Ok(vec![0, 1, 2]));
        assert!(read(&known, r#"{"a"b":1}"#).is_err());
        assert!(read(&known, r#"{"a\":1}"#).is_err());
    }

    #[test]
    fn what_is_no_object_is_refused() {
        let known = keys(["a", "b"]);
        for bad in [
            "",
            "[]",
            "{",
            r#"{"a"}"#,
            r#"{"a":1,}"#,
            r#"{,"a":1}"#,
            r#"{"a":1 "b":2}"#,
            r#"{"a":1,"a":2}"#,
            "{a:1}",
            r#"{"a"#,
        ] {
            assert!(read(&known, bad).is_err(), "{bad}");
        }
        for empty in ["{}", " { } ", "{}               ", "{ }               "] {
            assert_eq!(read(&known, empty), Ok(Vec::new()), "{empty}");
        }
        for bad in ["}", "}                ", "a}               ", "{}}              ", "{,}              "] {
            assert!(read(&known, bad).is_err(), "{bad}");
        }
        assert_eq!(read(&known, "{ \"b\" : 1 , \"a\" : 2 }"), Ok(vec![1, 0]));
    }
}
