//! Which of an object's known keys a key is.

use crate::json::Fault;

/// The keys that a type declares, and which of them have come.
///
/// Keys mostly come in the order of the declaration, so the next one is tried first. Where there are many keys and the
/// guess keeps failing, a sorted index is made: what a stranger sends must not cost a walk over all keys each time.
pub(super) struct Keys<'k> {
    names: &'k [&'k str],
    expected: usize,
    seen: Seen,
    misses: usize,
    sorted: Vec<usize>,
}

enum Seen {
    Few(u64),
    Many(Vec<bool>),
}

/// With fewer keys than this a walk is as fast as a search.
const MANY_KEYS: usize = 32;

/// The wrong guesses after which the index pays.
const MANY_MISSES: usize = 16;

impl<'k> Keys<'k> {
    #[inline]
    pub(super) fn new(names: &'k [&'k str]) -> Self {
        let seen = if names.len() <= 64 { Seen::Few(0) } else { Seen::Many(vec![false; names.len()]) };
        Self { names, expected: 0, seen, misses: 0, sorted: Vec::new() }
    }

    /// The key's index, or `usize::MAX` if it is not known.
    #[inline]
    pub(super) fn find(&mut self, key: &str) -> Result<usize, Fault> {
        let index = match self.names.get(self.expected) {
            Some(&expected) if same(expected.as_bytes(), key.as_bytes()) => self.expected,
            _ => match self.search(key) {
                Some(index) => index,
                None => return Ok(usize::MAX),
            },
        };
        if !self.seen.insert(index) {
            return Err(Fault::DUPLICATE);
        }
        self.expected = index + 1;
        Ok(index)
    }

    #[inline]
    fn walk(&self, key: &str) -> Option<usize> {
        self.names.iter().position(|known| same(known.as_bytes(), key.as_bytes()))
    }

    fn search(&mut self, key: &str) -> Option<usize> {
        if self.names.len() < MANY_KEYS {
            return self.walk(key);
        }
        self.misses += 1;
        if self.misses < MANY_MISSES {
            return self.walk(key);
        }
        let names = self.names;
        if self.sorted.is_empty() {
            self.sorted.extend(0..names.len());
            self.sorted.sort_unstable_by_key(|&index| names[index]);
        }
        let found = self.sorted.binary_search_by_key(&key, |&index| names[index]).ok()?;
        Some(self.sorted[found])
    }
}

impl Seen {
    /// Notes an index, and says whether it is new.
    #[inline]
    fn insert(&mut self, index: usize) -> bool {
        match self {
            Self::Few(bits) => {
                let bit = 1 << index;
                let is_new = *bits & bit == 0;
                *bits |= bit;
                is_new
            }
            Self::Many(flags) => !std::mem::replace(&mut flags[index], true),
        }
    }
}

/// Whether two keys are the same. Most are shorter than what a call of `memcmp` costs.
#[inline(always)]
pub(super) fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    // the first and the last bytes, which meet or overlap
    match (a.first_chunk::<8>(), b.first_chunk::<8>()) {
        (Some(first), Some(other)) if a.len() <= 16 => first == other && a.last_chunk::<8>() == b.last_chunk::<8>(),
        (Some(_), Some(_)) => a == b,
        _ => match (a.first_chunk::<4>(), b.first_chunk::<4>()) {
            (Some(first), Some(other)) => first == other && a.last_chunk::<4>() == b.last_chunk::<4>(),
            _ => a.iter().eq(b),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_the_same_only_if_every_byte_is() {
        for length in 0..40 {
            let key = vec![b'k'; length];
            assert!(same(&key, &key));
            assert!(!same(&key, &vec![b'k'; length + 1]));
            for place in 0..length {
                let mut other = key.clone();
                other[place] = b'l';
                assert!(!same(&key, &other), "{place} of {length}");
            }
        }
    }
}
