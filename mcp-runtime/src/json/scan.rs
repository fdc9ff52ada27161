//! Finds the bytes of a string that mean something: eight at a time, and 32 at a time in long runs.

pub(super) const ONES: u64 = 0x0101_0101_0101_0101;
pub(super) const HIGHS: u64 = ONES << 7;

/// The index of the first quote, backslash or control character at or after `at`; the length if there is none.
#[inline(always)]
pub(super) fn special(bytes: &[u8], at: usize) -> usize {
    if bytes.len() < 8 {
        return in_short(bytes, at);
    }
    let Some(mut rest) = bytes.get(at..) else { return bytes.len() };
    for _ in 0..4 {
        let word = match rest.first_chunk::<8>() {
            Some(chunk) => u64::from_le_bytes(*chunk),
            None => last_word(bytes, rest.len()),
        };
        let found = specials(word);
        if found != 0 {
            return bytes.len() - rest.len() + (found.trailing_zeros() / 8) as usize;
        }
        // the zeros behind the last bytes were found
        let Some(further) = rest.get(8..) else { return bytes.len() };
        rest = further;
    }
    in_long(bytes, bytes.len() - rest.len())
}

/// The index of the first of them in a word; 8 if there is none.
#[inline(always)]
pub(super) fn special_in(word: u64) -> usize {
    (specials(word).trailing_zeros() / 8) as usize
}

/// The eight bytes at `at`, with zeros behind the end of the text: they count as control characters.
#[inline(always)]
pub(super) fn next_word(bytes: &[u8], at: usize) -> u64 {
    if bytes.len() < 8 {
        return bytes.iter().skip(at).rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    }
    word(bytes, at)
}

/// The same behind the first bytes of a string. It does not come back to the loop, whose variables stay in registers so.
#[inline(never)]
fn in_long(bytes: &[u8], at: usize) -> usize {
    let mut at = quiet_blocks(bytes, at);
    loop {
        let found = specials(word(bytes, at));
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
}

#[cold]
fn in_short(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|&byte| !is_special(byte)) {
        at += 1;
    }
    at
}

/// The eight bytes at `at`. Behind the end of the text, which has eight bytes at least, there are zeros: they count as
/// control characters, so that the end is found like one.
#[inline(always)]
fn word(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => last_word(bytes, bytes.len().saturating_sub(at)),
    }
}

/// The last bytes, fewer than eight, and zeros.
#[inline(always)]
fn last_word(bytes: &[u8], count: usize) -> u64 {
    let last = bytes.last_chunk::<8>().map_or(0, |chunk| u64::from_le_bytes(*chunk));
    // in two steps, as none can shift out a whole word
    last >> (8 * (7 - (count & 7))) >> 8
}

/// Without short cuts, so that the compiler can do it for many bytes at once.
#[expect(clippy::needless_bitwise_bool, reason = "a short cut would be a branch for each byte")]
fn is_special(byte: u8) -> bool {
    (byte == b'"') | (byte == b'\\') | (byte < 0x20)
}

/// Sets the high bit of each byte that is special. A borrow can mark further bytes, but only above a true one.
fn specials(word: u64) -> u64 {
    let below = |word: u64, bound: u64| word.wrapping_sub(ONES * bound) & !word;
    // this puts the quote beside the control characters, and the space where the quote was
    let quotes_and_controls = below(word ^ (ONES * 0x02), 0x21);
    let backslashes = below(word ^ (ONES * 0x5c), 0x01);
    (quotes_and_controls | backslashes) & HIGHS
}

/// The index up to which blocks of 32 bytes hold nothing special. The loop has no early exit, so that it is vectorised.
fn quiet_blocks(bytes: &[u8], mut at: usize) -> usize {
    while let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk::<32>) {
        if block.iter().fold(false, |found, &byte| found | is_special(byte)) {
            break;
        }
        at += 32;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_special_byte_is_found_wherever_it_stands() {
        for length in 0..100 {
            let mut bytes = vec![b'\x7f'; length];
            assert_eq!(special(&bytes, 0), length);
            for place in 0..length {
                for byte in [b'"', b'\\', 0x00, 0x1f] {
                    bytes[place] = byte;
                    bytes[length - 1] = if place == length - 1 { byte } else { b'"' };
                    assert_eq!(special(&bytes, 0), place, "{byte} at {place} of {length}");
                }
                bytes[place] = 0xc3;
                bytes[length - 1] = 0x7f;
            }
        }
    }
}
