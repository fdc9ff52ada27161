//! Finds the bytes of a string that mean something: eight at a time, and 32 at a time in long runs.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = ONES << 7;

/// The index of the first quote, backslash or control character at or after `at`; the length if there is none.
#[inline(always)]
pub(super) fn special(bytes: &[u8], mut at: usize) -> usize {
    let mut quiet = 0;
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let found = specials(u64::from_le_bytes(*chunk));
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
        quiet += 1;
        if quiet == 4 {
            at = quiet_blocks(bytes, at);
        }
    }
    tail(bytes, at)
}

/// The same for the last bytes of the text, fewer than eight.
#[inline(always)]
fn tail(bytes: &[u8], mut at: usize) -> usize {
    let Some(last) = bytes.last_chunk::<8>() else {
        while bytes.get(at).is_some_and(|&byte| !is_special(byte)) {
            at += 1;
        }
        return at;
    };
    let rest = bytes.len() - at;
    if rest == 0 {
        return at;
    }
    // the zeros that are shifted in count as control characters, so that the end of the text is found like one
    let word = u64::from_le_bytes(*last) >> (64 - 8 * rest);
    at + (specials(word).trailing_zeros() / 8) as usize
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
