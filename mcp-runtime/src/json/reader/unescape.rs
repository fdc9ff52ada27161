//! Escapes in strings: checked, or made into what they stand for.

use crate::json::Fault;
use crate::json::fault::refuse;
use crate::json::scan::{next_word, special, special_in};

/// Room for a word, and for a character behind seven of its bytes.
const ROOM: usize = 12;

/// Reads a string from behind its opening quote: what it stands for, and the index behind its closing quote.
pub(super) fn unescape(bytes: &[u8], start: usize) -> Result<(String, usize), Fault> {
    let mut at = special(bytes, start);
    let plain = bytes.get(start..at).unwrap_or_default();
    let mut end = plain.len();
    // what is left becomes no longer than it is
    let room = |at: usize, end: usize| end + ROOM + (bytes.len() - at).min(end + 64);
    let mut decoded = Vec::with_capacity(room(at, end));
    decoded.extend_from_slice(plain);
    loop {
        // words are copied whole, and what is too much is written over
        if decoded.len() < end + ROOM {
            decoded.resize(room(at, end), 0);
        }
        let word = next_word(bytes, at);
        let plain = special_in(word);
        decoded[end..end + 8].copy_from_slice(&word.to_le_bytes());
        (at, end) = (at + plain, end + plain);
        if plain == 8 {
            continue;
        }
        match bytes.get(at) {
            Some(b'"') => break,
            Some(b'\\') => {
                let letter = LETTERS[usize::from(bytes.get(at + 1).copied().unwrap_or(0))];
                if letter == 0 {
                    let (character, behind) = read_unicode(bytes, at)?;
                    end += character.encode_utf8(&mut decoded[end..]).len();
                    at = behind;
                } else {
                    decoded[end] = letter;
                    (at, end) = (at + 2, end + 1);
                }
            }
            Some(_) => return refuse("control character in a string"),
            None => return refuse("unterminated string"),
        }
    }
    decoded.truncate(end);
    let text = String::from_utf8(decoded).map_err(|_| Fault::new("bad text"))?;
    Ok((text, at + 1))
}

/// Checks the escapes from the special byte at `at` on, and gives the index of the closing quote.
#[inline(never)]
pub(super) fn skip_escapes(bytes: &[u8], mut at: usize) -> Result<usize, Fault> {
    loop {
        match bytes.get(at) {
            Some(b'"') => return Ok(at),
            Some(b'\\') => {
                let letter = bytes.get(at + 1).copied().unwrap_or(0);
                at = if LETTERS[usize::from(letter)] == 0 { read_unicode(bytes, at)?.1 } else { at + 2 };
            }
            Some(_) => return refuse("control character in a string"),
            None => return refuse("unterminated string"),
        }
        at = special(bytes, at);
    }
}

/// What a letter behind a backslash stands for; 0 for one that stands for nothing by itself.
const LETTERS: [u8; 256] = {
    let mut letters = [0; 256];
    let known = [b'"', b'\\', b'/', b'b', b'f', b'n', b'r', b't'];
    let meant = [b'"', b'\\', b'/', 8, 12, b'\n', b'\r', b'\t'];
    let mut place = 0;
    while place < known.len() {
        letters[known[place] as usize] = meant[place];
        place += 1;
    }
    letters
};

/// Reads `\u` with its four digits, and a second one where the first is the high half of a pair: the character, and the
/// index behind it.
#[inline(never)]
fn read_unicode(bytes: &[u8], backslash: usize) -> Result<(char, usize), Fault> {
    const LONE: Fault = Fault::new("half of a surrogate pair in a string");
    if bytes.get(backslash + 1) != Some(&b'u') {
        return refuse("unknown escape in a string");
    }
    let at = backslash + 2;
    let unit = hex4(bytes, at)?;
    if !(0xd800..0xdc00).contains(&unit) {
        // only a low half is no character
        return char::from_u32(unit).map(|character| (character, at + 4)).ok_or(LONE);
    }
    if bytes.get(at + 4..at + 6) != Some(b"\\u") {
        return Err(LONE);
    }
    let low = hex4(bytes, at + 6)?;
    if !(0xdc00..0xe000).contains(&low) {
        return Err(LONE);
    }
    let code = 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    char::from_u32(code).map(|character| (character, at + 10)).ok_or(LONE)
}

fn hex4(bytes: &[u8], at: usize) -> Result<u32, Fault> {
    let digits = bytes.get(at..at + 4).unwrap_or_default();
    let value = digits.iter().try_fold(0, |sum, &digit| Some(sum << 4 | char::from(digit).to_digit(16)?));
    value.filter(|_| digits.len() == 4).ok_or(Fault::new("bad digits after \\u in a string"))
}

#[cfg(test)]
mod tests {
    use crate::json::{Fault, Reader, decode};

    #[test]
    fn escapes_are_read_wherever_they_stand_in_a_word() {
        for length in 0..90 {
            for place in 0..=length {
                for escape in ["\\n", "\\\"", "\\u00e9", "\\ud834\\udd1e", "\\u20ac\\\\\\t", "é\\r"] {
                    let text = format!("\"{}{escape}{}\"", "a".repeat(place), "b".repeat(length - place));
                    let wanted: String = serde_json::from_str(&text).unwrap();
                    assert_eq!(decode::<String>(&text), Ok(wanted), "{text}");
                    assert_eq!(Reader::new(&text).raw_value(), Ok(text.as_str()));
                    for cut in [1, 2, 5] {
                        let cut = text.get(..text.len().saturating_sub(cut)).unwrap_or_default();
                        assert!(decode::<String>(cut).is_err() && Reader::new(cut).skip_value().is_err(), "{cut}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_no_escape_is_refused_for_what_it_is() {
        for (text, reason) in [
            ("\"a\\n", "unterminated string"),
            ("\"a\\n\u{1}\"", "control character in a string"),
            ("\"a\\x\"", "unknown escape in a string"),
            ("\"a\\", "unknown escape in a string"),
            ("\"a\\u12\"", "bad digits after \\u in a string"),
        ] {
            assert_eq!(decode::<String>(text), Err(Fault::new(reason)));
            assert_eq!(Reader::new(text).skip_value(), Err(Fault::new(reason)));
        }
    }
}
