//! Tokens that are signed JWTs (RFC 9068 and its like).

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use jsonwebtoken::crypto::{CryptoProvider, rust_crypto};
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Validation, decode, decode_header};
use serde_json::{Map, Value};

use crate::auth::jwks::Jwks;
use crate::auth::keys::{KeySource, Keys};
use crate::auth::{TokenError, TokenVerifier, VerifiedToken, VerifyFuture};
use crate::error::{Error, Result};
use crate::peer::Principal;

/// The most that clocks may differ.
const MAX_LEEWAY: Duration = Duration::from_secs(10 * 60);

/// Verifies JWTs of one issuer: signature, algorithm, `iss`, `aud`, `exp` and `nbf`, of which all but the last must be
/// there, and `sub`.
///
/// The principal's name is the issuer and the subject; its scopes are those of `scope` or `scp`, its claims all of the
/// token. Only asymmetric algorithms are known, so that `none` and keys that are mistaken for secrets are not possible.
/// Keys that the token itself brings or points at are never looked at.
#[derive(Debug)]
pub struct JwtVerifier {
    issuer: String,
    audiences: Vec<String>,
    algorithms: Vec<Algorithm>,
    leeway: Duration,
    keys: Arc<Keys>,
}

/// How a token is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// Ed25519.
    EdDsa,
    /// ECDSA with P-256 and SHA-256.
    Es256,
    /// ECDSA with P-384 and SHA-384.
    Es384,
    /// RSASSA-PSS with SHA-256.
    Ps256,
    /// RSASSA-PSS with SHA-384.
    Ps384,
    /// RSASSA-PSS with SHA-512.
    Ps512,
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    Rs256,
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    Rs384,
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    Rs512,
}

impl JwtVerifier {
    /// Takes tokens of this issuer, whose keys `source` fetches.
    #[must_use]
    pub fn new(issuer: impl Into<String>, source: impl KeySource) -> Self {
        Self::with(issuer.into(), Keys::new(Some(Box::new(source)), None))
    }

    /// Takes tokens of this issuer, whose keys never change: a set as JSON text (RFC 7517).
    ///
    /// # Errors
    ///
    /// Fails if it is no set, or no key in it can verify a token: one for another purpose, say, or a symmetric one.
    pub fn with_keys(issuer: impl Into<String>, keys: &str) -> Result<Self> {
        let issuer = issuer.into();
        let keys = Jwks::parse(keys).map_err(|why| Error::invalid_definition("key set of", &issuer, why))?;
        Ok(Self::with(issuer, Keys::new(None, Some(keys))))
    }

    fn with(issuer: String, keys: Keys) -> Self {
        // where another crate of the program enables another backend too, the library picks none and would panic later
        if CryptoProvider::try_get_default().is_none() {
            // whoever installs one in this moment has the same effect
            let _ = rust_crypto::DEFAULT_PROVIDER.install_default();
        }
        let algorithms = Algorithm::ALL.to_vec();
        Self { issuer, audiences: Vec::new(), algorithms, leeway: Duration::from_secs(60), keys: Arc::new(keys) }
    }

    /// Takes tokens for this audience instead of those for the [resource](crate::auth::Auth::resource), where the issuer
    /// has a name of its own for this server. Several are possible.
    #[must_use]
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.audiences.push(audience.into());
        self
    }

    /// Takes tokens that are signed in one of these ways alone. Default: any that fits the key.
    #[must_use]
    pub fn algorithms(mut self, algorithms: impl IntoIterator<Item = Algorithm>) -> Self {
        self.algorithms = algorithms.into_iter().collect();
        self
    }

    /// By how much the issuer's clock may differ from ours, 10 minutes at most. Default: 1 minute.
    #[must_use]
    pub fn leeway(mut self, leeway: Duration) -> Self {
        self.leeway = leeway.min(MAX_LEEWAY);
        self
    }

    /// After how long keys are fetched again. Default: 1 hour. If that fails, the old ones are used for up to a day.
    #[must_use]
    pub fn max_key_age(self, age: Duration) -> Self {
        self.with_cache(|keys| keys.max_age = age)
    }

    /// The shortest time between two fetches of keys because a token names one that is not known. Default: 30 seconds.
    #[must_use]
    pub fn refresh_pause(self, pause: Duration) -> Self {
        self.with_cache(|keys| keys.pause = pause)
    }

    fn with_cache(mut self, change: impl FnOnce(&mut Keys)) -> Self {
        // nobody shares them before the first token
        if let Some(keys) = Arc::get_mut(&mut self.keys) {
            change(keys);
        }
        self
    }

    async fn check(&self, token: &str, resource: &str) -> Result<VerifiedToken, TokenError> {
        let header = decode_header(token).map_err(|_| TokenError::invalid("the token is no signed JWT"))?;
        let algorithm = Algorithm::of(header.alg).filter(|algorithm| self.algorithms.contains(algorithm));
        let algorithm =
            algorithm.ok_or_else(|| TokenError::invalid("the token is signed in a way that is not accepted"))?;
        let kid = header.kid.as_deref();
        let keys = self.keys.satisfying(|keys| keys.fitting(kid, algorithm).next().is_some()).await;
        let keys =
            keys.map_err(|why| TokenError::unavailable(format!("the keys of {} cannot be had: {why}", self.issuer)))?;
        let validation = self.validation(header.alg, resource);
        for key in keys.fitting(kid, algorithm) {
            match decode::<Map<String, Value>>(token, &key.decoding, &validation) {
                Ok(data) => return self.accept(data.claims),
                // a token that names no key may be signed with the next one
                Err(error) if matches!(error.kind(), ErrorKind::InvalidSignature) => {}
                Err(error) => return Err(TokenError::invalid(reason(error.kind()))),
            }
        }
        Err(TokenError::invalid("the token is signed by nobody who is known"))
    }

    fn validation(&self, algorithm: jsonwebtoken::Algorithm, resource: &str) -> Validation {
        let mut validation = Validation::new(algorithm);
        validation.set_issuer(&[&self.issuer]);
        if self.audiences.is_empty() {
            // with or without the slash at its end, it is the same resource
            validation.set_audience(&[resource, &format!("{resource}/")]);
        } else {
            validation.set_audience(&self.audiences);
        }
        validation.set_required_spec_claims(&["aud", "exp", "iss", "sub"]);
        validation.validate_nbf = true;
        validation.leeway = self.leeway.as_secs();
        validation
    }

    fn accept(&self, claims: Map<String, Value>) -> Result<VerifiedToken, TokenError> {
        let is_issuer = claims.get("iss").and_then(Value::as_str) == Some(&self.issuer);
        let subject = claims.get("sub").and_then(Value::as_str).filter(|subject| !subject.is_empty() && is_issuer);
        let subject = subject.ok_or_else(|| TokenError::invalid("the token names nobody"))?;
        // no issuer has a blank in its name, so that no other issuer's subject reads the same
        let principal = Principal::new(&format!("{} {subject}", self.issuer)).with_scopes(scopes(&claims));
        let expires = claims.get("exp").and_then(Value::as_f64).filter(|at| at.is_finite() && *at >= 0.0);
        let expires = expires.and_then(|at| Duration::try_from_secs_f64(at).ok());
        let expires = expires.and_then(|at| SystemTime::UNIX_EPOCH.checked_add(at + self.leeway));
        let token = VerifiedToken::new(principal.with_claims(claims));
        Ok(match expires {
            Some(at) => token.expires(at),
            None => token,
        })
    }
}

impl TokenVerifier for JwtVerifier {
    fn verify<'a>(&'a self, token: &'a str, resource: &'a str) -> VerifyFuture<'a> {
        Box::pin(self.check(token, resource))
    }
}

impl Algorithm {
    const ALL: [Self; 9] = [
        Self::EdDsa,
        Self::Es256,
        Self::Es384,
        Self::Ps256,
        Self::Ps384,
        Self::Ps512,
        Self::Rs256,
        Self::Rs384,
        Self::Rs512,
    ];

    /// The same as the library has it; `None` for those that take a secret.
    pub(super) fn of(algorithm: jsonwebtoken::Algorithm) -> Option<Self> {
        Some(match algorithm {
            jsonwebtoken::Algorithm::EdDSA => Self::EdDsa,
            jsonwebtoken::Algorithm::ES256 => Self::Es256,
            jsonwebtoken::Algorithm::ES384 => Self::Es384,
            jsonwebtoken::Algorithm::PS256 => Self::Ps256,
            jsonwebtoken::Algorithm::PS384 => Self::Ps384,
            jsonwebtoken::Algorithm::PS512 => Self::Ps512,
            jsonwebtoken::Algorithm::RS256 => Self::Rs256,
            jsonwebtoken::Algorithm::RS384 => Self::Rs384,
            jsonwebtoken::Algorithm::RS512 => Self::Rs512,
            _ => return None,
        })
    }
}

/// `scope` is a text of words; some issuers have `scp`, a text or an array.
fn scopes(claims: &Map<String, Value>) -> Vec<String> {
    let mut scopes = Vec::new();
    for value in ["scope", "scp"].into_iter().filter_map(|claim| claims.get(claim)) {
        let texts = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        let words = texts.iter().filter_map(Value::as_str).flat_map(str::split_ascii_whitespace);
        scopes.extend(words.map(str::to_owned));
    }
    scopes
}

/// What a client may know.
fn reason(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::ExpiredSignature => "the token has expired",
        ErrorKind::ImmatureSignature => "the token does not hold yet",
        ErrorKind::InvalidAudience => "the token was issued for another server",
        ErrorKind::InvalidIssuer => "the token was issued by somebody else",
        ErrorKind::MissingRequiredClaim(_) => "the token lacks a claim that it needs",
        _ => "the token is not valid",
    }
}
