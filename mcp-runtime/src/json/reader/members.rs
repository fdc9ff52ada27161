//! Objects whose keys a type declares, member by member: what generated code reads a struct with.

use super::Reader;
use crate::json::Fault;

/// A key that a type declares. Its ends lie ready as words, so that most keys are told apart by one comparison.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    text: &'static str,
    /// The first bytes with the quote behind them, as far as they fit; the others are zero.
    first: u64,
    /// The bits of `first` that count. None where the key is never written without escapes: nothing equals it then.
    mask: u64,
    /// The last bytes, if there are eight.
    last: u64,
}

/// Prepares the keys that a type declares.
#[must_use]
pub const fn keys<const COUNT: usize>(names: [&'static str; COUNT]) -> [Key; COUNT] {
    let mut keys = [Key { text: "", first: 0, mask: 0, last: 0 }; COUNT];
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
        let (mut first, mut mask, mut last) = (0, 0, 0);
        let mut index = 0;
        while index < bytes.len() {
            if matches!(bytes[index], b'"' | b'\\' | 0..=0x1f) {
                return Self { text, first: 1, mask: 0, last: 0 };
            }
            if index < 8 {
                first |= (bytes[index] as u64) << (8 * index);
                mask |= 0xff << (8 * index);
            }
            last = last >> 8 | (bytes[index] as u64) << 56;
            index += 1;
        }
        if index < 8 {
            first |= (b'"' as u64) << (8 * index);
            mask |= 0xff << (8 * index);
        }
        Self { text, first, mask, last }
    }

    /// Whether the key stands at `at`, with a quote behind it; `word` is what stands there.
    #[inline(always)]
    fn is_at(&self, word: u64, bytes: &[u8], at: usize) -> bool {
        word & self.mask == self.first && (self.text.len() < 8 || self.ends_at(bytes, at))
    }

    /// The same for what does not fit a word.
    #[inline(never)]
    fn ends_at(&self, bytes: &[u8], at: usize) -> bool {
        let end = at + self.text.len();
        bytes.get(end) == Some(&b'"')
            && word_at(bytes, end - 8) == self.last
            && (self.text.len() <= 16 || bytes.get(at..end) == Some(self.text.as_bytes()))
    }
}

/// The eight bytes at `at`, zeros behind the end of the text.
#[inline(always)]
fn word_at(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => last_word(bytes, at),
    }
}

#[cold]
fn last_word(bytes: &[u8], at: usize) -> u64 {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// An object that is being read.
#[derive(Debug)]
pub struct Members<'k> {
    keys: &'k [Key],
    /// The keys that have come, one bit each.
    seen: u64,
    /// The key behind the last one: keys mostly come in the order of the declaration.
    expected: usize,
    has_begun: bool,
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
    /// If the next value is not an object.
    #[inline]
    pub fn members<'k>(&mut self, keys: &'k [Key]) -> Result<Members<'k>, Fault> {
        self.open(b'{', "expected an object")?;
        Ok(Members { keys, seen: 0, expected: 0, has_begun: false })
    }

    /// The byte behind white space, and where it stands; 0 at the end.
    #[inline(always)]
    fn next_from(&self, at: usize) -> (u8, usize) {
        match self.bytes().get(at) {
            Some(&byte) if byte > b' ' => (byte, at),
            _ => self.next_behind_space(at),
        }
    }

    #[cold]
    fn next_behind_space(&self, mut at: usize) -> (u8, usize) {
        while matches!(self.bytes().get(at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            at += 1;
        }
        (self.bytes().get(at).copied().unwrap_or(0), at)
    }

    /// Says that the text is at fault, in one register.
    #[cold]
    fn fail(&mut self, fault: Fault) -> usize {
        self.fault = fault;
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
            FAULT => Err(r.fault),
            index => Ok(Some(index)),
        }
    }

    /// The same in one register. Texts without white space and keys without escapes take the short way.
    #[inline(never)]
    fn step(&mut self, r: &mut Reader<'_>) -> usize {
        let (byte, mut at) = r.next_from(r.at);
        if byte == b'}' {
            r.at = at + 1;
            r.depth -= 1;
            return END;
        }
        if self.has_begun {
            if byte != b',' {
                return r.fail(Fault::new("expected a comma or a closing bracket"));
            }
            at += 1;
        }
        self.has_begun = true;
        let (quote, at) = r.next_from(at);
        if quote != b'"' {
            return r.fail(Fault::new("expected a string"));
        }
        (r.key, r.key_end) = (at, 0);
        let (bytes, start) = (r.bytes(), at + 1);
        let Some(chunk) = bytes.get(start..).and_then(<[u8]>::first_chunk::<8>) else { return self.search(r, start) };
        let word = u64::from_le_bytes(*chunk);
        let (keys, mut index) = (self.keys, self.expected);
        for _ in 0..keys.len() {
            if index >= keys.len() {
                index = 0;
            }
            let key = &keys[index];
            if word & key.mask == key.first && (key.text.len() < 8 || key.ends_at(bytes, start)) {
                let end = start + key.text.len() + 1;
                if bytes.get(end) != Some(&b':') {
                    break;
                }
                r.at = end + 1;
                return self.note(r, index);
            }
            index += 1;
        }
        self.search(r, start)
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
        index
    }

    /// Finds any key.
    #[inline(never)]
    fn search(&mut self, r: &mut Reader<'_>, start: usize) -> usize {
        let bytes = r.bytes();
        let word = word_at(bytes, start);
        let is_at = |key: &Key| key.is_at(word, bytes, start);
        let expected = self.keys.get(self.expected).filter(|key| is_at(key)).map(|_| self.expected);
        let found = expected.or_else(|| self.keys.iter().position(is_at));
        r.at = r.key;
        let index = match found {
            Some(index) => {
                r.at = start + self.keys[index].text.len() + 1;
                index
            }
            None => match r.plain_string_from(start) {
                Ok(Some(_)) => {
                    r.key_end = r.at - 1;
                    usize::MAX
                }
                Ok(None) => match r.string() {
                    Ok(key) => self.keys.iter().position(|known| known.text == key).unwrap_or(usize::MAX),
                    Err(fault) => return r.fail(fault),
                },
                Err(fault) => return r.fail(fault),
            },
        };
        if !r.take(b':') {
            return r.fail(Fault::new("expected a colon"));
        }
        if index == usize::MAX { index } else { self.note(r, index) }
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
        assert_eq!(read(&known, " { } "), Ok(Vec::new()));
        assert_eq!(read(&known, "{ \"b\" : 1 , \"a\" : 2 }"), Ok(vec![1, 0]));
    }
}
