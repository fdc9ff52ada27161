//! A set of public keys (RFC 7517), as far as tokens can be verified with them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use jsonwebtoken::DecodingKey;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyOperations, PublicKeyUse};
use serde::Deserialize;
use serde_json::Value;

use crate::auth::Algorithm;

/// The shortest modulus that is accepted, in bytes: 2048 bits (RFC 7518, section 3.3).
const RSA_MODULUS: usize = 256;

/// The keys of an issuer. Those that serve another purpose, or that nobody here can use, are left out.
#[derive(Debug)]
pub(super) struct Jwks(Vec<Key>);

#[derive(Debug)]
pub(super) struct Key {
    id: Option<String>,
    algorithms: Vec<Algorithm>,
    pub(super) decoding: DecodingKey,
}

#[derive(Deserialize)]
struct Written {
    keys: Vec<Value>,
}

impl Jwks {
    /// Reads a set from JSON.
    ///
    /// # Errors
    ///
    /// Fails if it is no set, or holds no key that could verify a token.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let written: Written = serde_json::from_str(text).map_err(|error| format!("no set of keys: {error}"))?;
        // one by one: a key of a new kind must not take the others with it
        let keys: Vec<_> =
            written.keys.into_iter().filter_map(|key| Key::new(&serde_json::from_value(key).ok()?)).collect();
        if keys.is_empty() { Err("no key in the set can verify a token".to_owned()) } else { Ok(Self(keys)) }
    }

    /// The keys that a token can be signed with. One that names no key may be signed with any of its algorithm.
    pub(super) fn fitting<'k>(&'k self, id: Option<&'k str>, algorithm: Algorithm) -> impl Iterator<Item = &'k Key> {
        let named = move |key: &&Key| id.is_none_or(|id| key.id.as_deref() == Some(id));
        self.0.iter().filter(named).filter(move |key| key.algorithms.contains(&algorithm))
    }
}

impl Key {
    fn new(jwk: &Jwk) -> Option<Self> {
        let signs = jwk.common.public_key_use.as_ref().is_none_or(|purpose| *purpose == PublicKeyUse::Signature);
        let operations = jwk.common.key_operations.as_ref();
        let verifies = operations.is_none_or(|operations| operations.contains(&KeyOperations::Verify));
        if !signs || !verifies {
            return None;
        }
        let mut algorithms = algorithms(&jwk.algorithm)?;
        if let Some(only) = jwk.common.key_algorithm {
            let only = jsonwebtoken::Algorithm::try_from(only).ok().and_then(Algorithm::of)?;
            algorithms.retain(|algorithm| *algorithm == only);
        }
        let decoding = DecodingKey::from_jwk(jwk).ok()?;
        (!algorithms.is_empty()).then(|| Self { id: jwk.common.key_id.clone(), algorithms, decoding })
    }
}

/// What a key of this kind can verify. Symmetric keys verify nothing here: who could check a token could make one, too.
fn algorithms(key: &AlgorithmParameters) -> Option<Vec<Algorithm>> {
    use Algorithm::{EdDsa, Es256, Es384, Ps256, Ps384, Ps512, Rs256, Rs384, Rs512};
    match key {
        AlgorithmParameters::RSA(rsa) => {
            let modulus = BASE64.decode(rsa.n.trim_end_matches('=')).ok()?;
            let length = modulus.iter().skip_while(|byte| **byte == 0).count();
            (length >= RSA_MODULUS).then(|| vec![Rs256, Rs384, Rs512, Ps256, Ps384, Ps512])
        }
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => Some(vec![Es256]),
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P384 => Some(vec![Es384]),
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => Some(vec![EdDsa]),
        _ => None,
    }
}
