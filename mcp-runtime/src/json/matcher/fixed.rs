//! Patterns that take one number of ASCII characters, such as `^[A-Z]{3}-[0-9]{4}$`: eight characters at a time.

use super::Step;
use crate::json::scan::{HIGHS, ONES};

/// The longest text, in bytes: a UUID has 36.
const MOST_BYTES: usize = 40;
/// So many ranges a character may be of: hexadecimal digits have three.
const MOST_RANGES: usize = 3;

/// What each character of a text may be.
#[derive(Debug)]
pub(super) struct Fixed {
    length: usize,
    /// How many of the ranges are in use.
    ranges: usize,
    /// What is asked of the last word, and of each before it.
    last: Ranges,
    before: [Ranges; (MOST_BYTES - 1) / 8],
}

/// What eight characters may be of.
type Ranges = [Range; MOST_RANGES];

/// A range for each of eight characters.
#[derive(Clone, Copy, Debug)]
struct Range {
    /// The first characters.
    low: u64,
    /// What lifts the byte behind each last character to 0x80.
    lift: u64,
}

/// The first and the last character of each range, place by place.
type Bounds = [[[u8; MOST_BYTES]; 2]; MOST_RANGES];

impl Range {
    /// Nothing is in it.
    const NONE: (u8, u8) = (0x7f, 0);

    /// Says with the high bit of each byte whether it is within. None may be beyond ASCII.
    #[inline]
    fn holds(self, word: u64) -> u64 {
        // no byte carries into the next, or borrows of it
        ((word | HIGHS) - self.low) & !(word + self.lift)
    }
}

impl Fixed {
    /// Nothing where the number of characters is open, or too large, or there are others than ASCII.
    pub(super) const fn new(steps: &[Step]) -> Option<Self> {
        let (first, last) = Range::NONE;
        let mut bounds = [[[first; MOST_BYTES], [last; MOST_BYTES]]; MOST_RANGES];
        let (mut length, mut ranges, mut index) = (0, 1, 0);
        while index < steps.len() {
            let used = match &steps[index] {
                Step::Text(text) => add_text(&mut bounds, &mut length, text.as_bytes()),
                Step::Set(set) if set.min == set.max => add_set(&mut bounds, &mut length, set.ranges, set.min as usize),
                Step::Set(_) => return None,
            };
            match used {
                Some(used) if used > ranges => ranges = used,
                Some(_) => {}
                None => return None,
            }
            index += 1;
        }
        if length < 4 {
            return None;
        }
        let mut before = [[Range { low: 0, lift: 0 }; MOST_RANGES]; (MOST_BYTES - 1) / 8];
        let mut word = 0;
        while word < (length - 1) / 8 {
            before[word] = ranges_of(&bounds, word * 8, word * 8 + 8);
            word += 1;
        }
        Some(Self { length, ranges, last: ranges_of(&bounds, length.saturating_sub(8), length), before })
    }

    #[inline]
    pub(super) fn is_match(&self, text: &[u8]) -> bool {
        if text.len() != self.length || !self.holds(&self.last, last_word(text)) {
            return false;
        }
        if self.length <= 8 {
            return true;
        }
        let before = self.before.get(..(self.length - 1) / 8).unwrap_or_default();
        before.iter().zip(text.chunks_exact(8)).all(|(ranges, word)| self.holds(ranges, last_word(word)))
    }

    #[inline]
    fn holds(&self, [first, others @ ..]: &Ranges, word: u64) -> bool {
        let ascii = word & !HIGHS;
        let mut within = first.holds(ascii);
        if self.ranges > 1 {
            within |= others.iter().fold(0, |within, range| within | range.holds(ascii));
        }
        within & !word & HIGHS == HIGHS
    }
}

/// Adds the characters of a text, and says how many ranges they need.
const fn add_text(bounds: &mut Bounds, length: &mut usize, text: &[u8]) -> Option<usize> {
    let mut index = 0;
    while index < text.len() {
        if *length == MOST_BYTES || !text[index].is_ascii() {
            return None;
        }
        bounds[0][0][*length] = text[index];
        bounds[0][1][*length] = text[index];
        *length += 1;
        index += 1;
    }
    Some(1)
}

/// Adds characters of a set, and says how many ranges they need.
const fn add_set(bounds: &mut Bounds, length: &mut usize, ranges: &[(char, char)], count: usize) -> Option<usize> {
    if ranges.len() > MOST_RANGES || count > MOST_BYTES - *length {
        return None;
    }
    let mut index = 0;
    while index < ranges.len() {
        let (first, last) = ranges[index];
        if !last.is_ascii() {
            return None;
        }
        let mut place = *length;
        while place < *length + count {
            // ASCII is one byte
            bounds[index][0][place] = first as u8;
            bounds[index][1][place] = last as u8;
            place += 1;
        }
        index += 1;
    }
    *length += count;
    Some(ranges.len())
}

/// The bounds of some places as words.
const fn ranges_of(bounds: &Bounds, start: usize, end: usize) -> Ranges {
    let mut ranges = [Range { low: 0, lift: 0 }; MOST_RANGES];
    let mut index = 0;
    while index < MOST_RANGES {
        let [first, last] = &bounds[index];
        let (first, last) = (first.split_at(end).0.split_at(start).1, last.split_at(end).0.split_at(start).1);
        ranges[index] = Range { low: last_word(first), lift: ONES * 0x7f - last_word(last) };
        index += 1;
    }
    ranges
}

/// The last eight of at least four bytes. Where there are fewer than eight, some stand twice.
#[inline]
const fn last_word(bytes: &[u8]) -> u64 {
    match (bytes.last_chunk::<8>(), bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(last), _, _) => u64::from_le_bytes(*last),
        (None, Some(first), Some(last)) => u32::from_le_bytes(*first) as u64 | (u32::from_le_bytes(*last) as u64) << 32,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Matcher as _, Plain};

    /// The same without what is tried here.
    fn by_steps(steps: &[Step], text: &str) -> bool {
        steps.iter().try_fold(0, |at, step| step.take(text, at)) == Some(text.len())
    }

    #[test]
    fn each_place_holds_what_its_step_says() {
        const HEX: &[(char, char)] = &[('0', '9'), ('A', 'F'), ('a', 'f')];
        const PATTERNS: &[(&[Step], &str)] = &[
            (&[Step::Text("C"), Step::set(&[('0', '9')], 6, 6)], "C004211"),
            (&[Step::set(&[('A', 'Z')], 3, 3), Step::Text("-"), Step::set(&[('0', '9')], 4, 4)], "ABZ-0129"),
            (&[Step::set(&[('0', '9')], 4, 4)], "2026"),
            (&[Step::set(HEX, 32, 32)], "0123456789abcdefABCDEF0123456789"),
            (
                &[
                    Step::set(HEX, 8, 8),
                    Step::Text("-"),
                    Step::set(HEX, 4, 4),
                    Step::Text("-7"),
                    Step::set(HEX, 3, 3),
                    Step::Text("-"),
                    Step::set(&[('8', '9'), ('a', 'b')], 1, 1),
                    Step::set(HEX, 3, 3),
                    Step::Text("-"),
                    Step::set(HEX, 12, 12),
                ],
                "01234567-89ab-7cde-8f01-23456789abcd",
            ),
            (&[Step::set(&[('\0', '\u{7f}')], 5, 5)], "\0\u{1}a~\u{7f}"),
            (&[Step::Text("a"), Step::set(&[], 3, 3)], "abcd"),
        ];
        for (steps, good) in PATTERNS {
            let fixed = Fixed::new(steps).expect("a text of one length");
            assert_eq!(fixed.is_match(good.as_bytes()), by_steps(steps, good), "{good}");
            for place in 0..good.len() {
                for other in (0..=0x7f).chain([0xe9, 0x1d11e]).filter_map(char::from_u32) {
                    let mut text = (*good).to_owned();
                    text.replace_range(place..=place, other.encode_utf8(&mut [0; 4]));
                    assert_eq!(fixed.is_match(text.as_bytes()), by_steps(steps, &text), "{text:?}");
                }
                assert!(!fixed.is_match(&good.as_bytes()[..place]), "{}", &good[..place]);
            }
            assert!(!fixed.is_match(format!("{good}0").as_bytes()));
        }
    }

    #[test]
    fn what_has_no_one_length_is_left_to_the_steps() {
        const OPEN: &[&[Step]] = &[
            &[],
            &[Step::Text("abc")],
            &[Step::Text("abcd"), Step::set(&[('0', '9')], 0, 1)],
            &[Step::Text("abcd\u{e9}")],
            &[Step::set(&[('a', '\u{e9}')], 4, 4)],
            &[Step::set(&[('0', '9')], 41, 41)],
            &[Step::Text("a"), Step::set(&[('0', '9')], 40, 40)],
            &[Step::set(&[('0', '1'), ('3', '4'), ('6', '7'), ('9', 'A')], 4, 4)],
        ];
        const YEAR: Plain = Plain::new("^[0-9]{4}", &[&[Step::set(&[('0', '9')], 4, 4)]], false);
        assert!(OPEN.iter().all(|steps| Fixed::new(steps).is_none()));
        assert!(YEAR.is_match("2026-11") && !YEAR.is_match("202-11"));
    }
}
