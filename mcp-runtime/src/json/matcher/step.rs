//! The steps of a pattern that needs no engine.

/// A piece of a [`Plain`](super::Plain) pattern.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_enums, reason = "generated code makes it, and nobody else looks inside")]
pub enum Step {
    /// Characters of a set: [`Step::set`] makes it.
    Set(CharSet),
    /// This text.
    Text(&'static str),
}

/// A set of characters, and how many of it.
#[derive(Clone, Copy, Debug)]
pub struct CharSet {
    pub(super) ranges: &'static [(char, char)],
    pub(super) min: u32,
    pub(super) max: u32,
    /// One bit for each byte that is a character of its own.
    ascii: [u64; 4],
}

impl Step {
    /// Characters of a set, which is given as ranges with both ends within: at least `min`, and at most `max`
    /// ([`u32::MAX`] for any number).
    #[must_use]
    pub const fn set(ranges: &'static [(char, char)], min: u32, max: u32) -> Self {
        let mut ascii = [0; 4];
        let mut range = 0;
        while range < ranges.len() {
            let (mut character, last) = (ranges[range].0 as usize, ranges[range].1 as usize);
            while character <= last && character < 128 {
                ascii[character / 64] |= 1 << (character % 64);
                character += 1;
            }
            range += 1;
        }
        Self::Set(CharSet { ranges, min, max, ascii })
    }

    /// The index behind this step, which begins at `at`.
    #[inline]
    pub(super) fn take(&self, text: &str, at: usize) -> Option<usize> {
        match self {
            Self::Set(set) => set.take(text, at),
            Self::Text(start) => text.as_bytes().get(at..)?.starts_with(start.as_bytes()).then_some(at + start.len()),
        }
    }
}

impl CharSet {
    #[inline]
    fn take(&self, text: &str, at: usize) -> Option<usize> {
        let rest = text.as_bytes().get(at..)?;
        let most = rest.len().min(self.max as usize);
        let count = rest[..most].iter().position(|&byte| !self.has_byte(byte)).unwrap_or(most);
        match rest.get(count) {
            Some(byte) if count < most && !byte.is_ascii() => self.take_any(text, at),
            _ => (count >= self.min as usize).then_some(at + count),
        }
    }

    /// The same in a text that is not all ASCII.
    #[inline(never)]
    fn take_any(&self, text: &str, at: usize) -> Option<usize> {
        let rest = text.get(at..)?;
        let taken = rest.chars().take(self.max as usize).take_while(|&character| self.has(character));
        let (count, length) =
            taken.fold((0, 0), |(count, length), character| (count + 1, length + character.len_utf8()));
        (count >= self.min).then_some(at + length)
    }

    fn has_byte(&self, byte: u8) -> bool {
        self.ascii[usize::from(byte >> 6)] >> (byte & 63) & 1 != 0
    }

    fn has(&self, character: char) -> bool {
        self.ranges.iter().any(|&(first, last)| first <= character && character <= last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_their_ranges_say() {
        let rest = |step: Step, text: &'static str| step.take(text, 0).map(|end| &text[end..]);
        let letters = Step::set(&[('a', 'c'), ('x', 'é')], 1, 3);
        assert_eq!(rest(letters, "abxyz"), Some("yz"));
        assert_eq!(rest(letters, "é\u{7f}ê"), Some("ê"));
        assert_eq!(rest(letters, "aéaa"), Some("a"));
        assert_eq!(rest(letters, "abcé"), Some("é"));
        assert_eq!(rest(letters, "d"), None);
        assert_eq!(rest(letters, "ê"), None);
        assert_eq!(rest(letters, ""), None);
        assert_eq!(rest(Step::set(&[('\0', '\u{10ffff}')], 0, u32::MAX), "\0é𝄞~"), Some(""));
        assert_eq!(rest(Step::set(&[], 0, 4), "a"), Some("a"));
        assert_eq!(rest(Step::Text("é"), "éa"), Some("a"));
    }
}
