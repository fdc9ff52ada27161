//! Objects whose keys a type declares, member by member: what generated code reads a struct with.

use super::keys::same;
use super::{MAX_DEPTH, Reader};
use crate::json::Fault;
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
    /// The bytes behind them, if there are eight.
    second: u64,
    /// The last bytes of `"key":`, if there are eight.
    last: u64,
}

/// Prepares the keys that a type declares.
#[must_use]
pub const fn keys<const COUNT: usize>(names: [&'static str; COUNT]) -> [Key; COUNT] {
    let mut keys = [Key { text: "", span: 0, first: 0, mask: 0, second: 0, last: 0 }; COUNT];
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
        let mut key = Self { text, span: bytes.len() + 3, first: 0, mask: 0, second: 0, last: 0 };
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
            if index == 15 {
                key.second = key.last;
            }
            index += 1;
        }
        key
    }

    /// Whether all of `"key":` stands in a text of which the first word was compared. Of a key that does not fit three
    /// words it cannot tell, and says no.
    #[inline(always)]
    fn goes_on(&self, text: &[u8]) -> bool {
        self.span <= 8
            || word_at(text, self.span - 8) == Some(self.last)
                && (self.span <= 16 || self.span <= 24 && word_at(text, 8) == Some(self.second))
    }

    /// The same for any key.
    fn is_at(&self, text: &[u8]) -> bool {
        let Some([b'"', key @ .., b'"', b':']) = text.get(..self.span) else { return false };
        key == self.text.as_bytes()
    }
}

#[inline(always)]
fn word_at(text: &[u8], at: usize) -> Option<u64> {
    text.get(at..).and_then(<[u8]>::first_chunk::<8>).map(|word| u64::from_le_bytes(*word))
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
    /// Begins to read an object with at most 64 known keys. That the next value is none is for the first member to say.
    #[inline]
    pub fn members<'k>(&mut self, keys: &'k [Key]) -> Members<'k> {
        if self.bytes().get(self.at) != Some(&b'{') || self.depth >= MAX_DEPTH {
            self.look_for_object();
        }
        self.depth += 1;
        // the bracket stays for the first member, which looks for it as the others do for a comma
        Members { keys, seen: 0, expected: 0, before: b'{' }
    }

    /// Goes past white space to an object. Without one there is no text left, but a fault.
    #[cold]
    #[inline(never)]
    fn look_for_object(&mut self) {
        if self.peek() != b'{' {
            self.fault = Some(Fault::new("expected an object"));
        } else if self.depth >= MAX_DEPTH {
            self.fault = Some(Fault::TOO_DEEP);
        } else {
            return;
        }
        self.at = self.text.len();
        self.depth = 0;
    }

    /// Says that the text is at fault, in one register.
    #[inline(always)]
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

    /// The same in one register. Here the expected key is found in a text without white space.
    ///
    /// It calls nothing that it comes back from, and so needs no stack.
    #[inline(never)]
    fn step(&mut self, r: &mut Reader<'_>) -> usize {
        let Some((&before, text)) = r.bytes().get(r.at..).and_then(<[u8]>::split_first) else { return self.seek(r) };
        if before != self.before || r.bytes().len() < 8 {
            return self.seek(r);
        }
        let word = next_word(r.bytes(), r.at + 1);
        match self.keys.get(self.expected) {
            Some(key) if word & key.mask == key.first => {
                if !key.goes_on(text) {
                    return self.compare(r);
                }
                r.at += 1 + key.span;
                self.note(r, self.expected)
            }
            _ => {
                let (earlier, later) = self.keys.split_at(self.expected.min(self.keys.len()));
                for (index, key) in later.iter().enumerate() {
                    if word & key.mask == key.first {
                        return self.settle(r, self.expected + index);
                    }
                }
                for (index, key) in earlier.iter().enumerate() {
                    if word & key.mask == key.first {
                        return self.settle(r, index);
                    }
                }
                self.pass(r)
            }
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

    /// Looks at the rest of a key whose first bytes have been seen.
    #[inline(never)]
    fn settle(&mut self, r: &mut Reader<'_>, index: usize) -> usize {
        let text = r.bytes().get(r.at + 1..).unwrap_or_default();
        match self.keys.get(index) {
            Some(key) if key.goes_on(text) => {
                r.at += 1 + key.span;
                self.note(r, index)
            }
            _ => self.compare(r),
        }
    }

    /// Looks for any key: a long one, or one that begins like another.
    #[inline(never)]
    fn compare(&mut self, r: &mut Reader<'_>) -> usize {
        let text = r.bytes().get(r.at + 1..).unwrap_or_default();
        let word = next_word(text, 0);
        let is_at = |key: &Key| word & key.mask == key.first && (key.goes_on(text) || key.span > 24 && key.is_at(text));
        match self.keys.iter().position(is_at) {
            Some(index) => {
                r.at += 1 + self.keys[index].span;
                self.note(r, index)
            }
            None => self.pass(r),
        }
    }

    /// Goes past an unknown key without escapes.
    #[inline(never)]
    fn pass(&mut self, r: &mut Reader<'_>) -> usize {
        let (bytes, start) = (r.bytes(), r.at + 1);
        let end = special(bytes, start + 1);
        if bytes.get(start) != Some(&b'"') || bytes.get(end..end + 2) != Some(b"\":") {
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
            if r.at == r.text.len() {
                return FAULT;
            }
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
        let mut members = reader.members(known);
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
        // the last key in the last word of the text
        assert_eq!(read(&known, r#"{"other":1,"b":2}"#), Ok(vec![0, 1]));
        assert_eq!(read(&known, r#"{"other":1,"c":2}"#), Ok(vec![0, usize::MAX]));
        for cut in [r#"{"other":1,"b":"#, r#"{"other":1,"b""#, r#"{"other":1,"b"#, r#"{"other":1,""#, r#"{"other":1,"#]
        {
            assert!(read(&known, cut).is_err(), "{cut}");
        }
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
