//! Text that leaves the server and comes back as it was, or not at all: encrypted, and bound to what it belongs to.

use std::fmt;
use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

/// A nonce of this cipher is long enough to be drawn at random, by any number of servers that share a key.
const NONCE: usize = 24;

/// A key that seals and opens.
pub(crate) struct Seal(XChaCha20Poly1305);

impl Seal {
    pub(crate) fn new(key: [u8; 32]) -> Self {
        Self(XChaCha20Poly1305::new(&key.into()))
    }

    /// A seal that nobody else can open.
    ///
    /// # Errors
    ///
    /// Fails if the system has no randomness to give.
    pub(crate) fn random() -> io::Result<Self> {
        Ok(Self::new(random_bytes()?))
    }

    /// Seals a text; it opens only together with the same `bound_to`.
    ///
    /// # Errors
    ///
    /// Fails if the system has no randomness to give, or the text is longer than the cipher takes.
    pub(crate) fn close(&self, text: &str, bound_to: &[u8]) -> io::Result<String> {
        let nonce: [u8; NONCE] = random_bytes()?;
        let payload = Payload { msg: text.as_bytes(), aad: bound_to };
        let sealed = self.0.encrypt(&XNonce::from(nonce), payload).map_err(|_| io::Error::other("cannot be sealed"))?;
        Ok(BASE64.encode([nonce.as_slice(), &sealed].concat()))
    }

    /// The text again; `None` if it was sealed by somebody else, bound to something else, or touched.
    pub(crate) fn open(&self, sealed: &str, bound_to: &[u8]) -> Option<String> {
        let bytes = BASE64.decode(sealed).ok()?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE>()?;
        let payload = Payload { msg: sealed, aad: bound_to };
        let text = self.0.decrypt(&XNonce::from(*nonce), payload).ok()?;
        String::from_utf8(text).ok()
    }
}

/// Bytes that nobody can guess.
///
/// # Errors
///
/// Fails if the system has no randomness to give.
pub(crate) fn random_bytes<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes)
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seal")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sealed_opens_only_with_the_same_key_and_binding() {
        let seal = Seal::new([7; 32]);
        let sealed = seal.close("an answer", b"a call").unwrap();
        assert_eq!(Seal::new([7; 32]).open(&sealed, b"a call").as_deref(), Some("an answer"));
        assert_eq!(Seal::new([8; 32]).open(&sealed, b"a call"), None);
        assert_eq!(seal.open(&sealed, b"another call"), None);
    }

    #[test]
    fn no_byte_can_be_changed() {
        let seal = Seal::random().unwrap();
        let sealed = seal.close("an answer", b"").unwrap();
        for place in 0..sealed.len() {
            let mut touched = sealed.clone().into_bytes();
            touched[place] = if touched[place] == b'A' { b'B' } else { b'A' };
            assert_eq!(seal.open(std::str::from_utf8(&touched).unwrap(), b""), None);
        }
        for short in ["", "AAAA", &sealed[..sealed.len() - 4]] {
            assert_eq!(seal.open(short, b""), None);
        }
    }

    #[test]
    fn nothing_is_sealed_the_same_way_twice() {
        let seal = Seal::new([7; 32]);
        assert_ne!(seal.close("an answer", b"").unwrap(), seal.close("an answer", b"").unwrap());
    }
}
