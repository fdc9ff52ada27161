//! Whoever can tell whose a token is.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::SystemTime;

use crate::peer::Principal;

/// What a verifier returns: a boxed future, because the trait is used behind `dyn`.
pub type VerifyFuture<'a> = Pin<Box<dyn Future<Output = Result<VerifiedToken, TokenError>> + Send + 'a>>;

/// Tells whose a token is, and what it allows.
///
/// It is asked for every request, so that a verifier which asks somebody else (by introspection, say) should remember
/// answers for a moment. For tokens that are signed JWTs there is `JwtVerifier`, with the feature `auth`.
///
/// ```
/// use mcp_runtime::Principal;
/// use mcp_runtime::auth::{TokenError, TokenVerifier, VerifiedToken, VerifyFuture};
///
/// struct Fixed;
///
/// impl TokenVerifier for Fixed {
///     fn verify<'a>(&'a self, token: &'a str, _resource: &'a str) -> VerifyFuture<'a> {
///         Box::pin(async move {
///             match token {
///                 "s3cr3t" => Ok(VerifiedToken::new(Principal::new("ada").with_scopes(["rooms:read"]))),
///                 _ => Err(TokenError::invalid("the token is unknown")),
///             }
///         })
///     }
/// }
/// ```
pub trait TokenVerifier: Send + Sync + 'static {
    /// Verifies a token: that it is genuine, holds now, and was issued for `resource`, which is the URI of this server.
    /// A token that was issued for another must not be accepted, whoever issued it.
    fn verify<'a>(&'a self, token: &'a str, resource: &'a str) -> VerifyFuture<'a>;
}

impl<T: TokenVerifier + ?Sized> TokenVerifier for Arc<T> {
    fn verify<'a>(&'a self, token: &'a str, resource: &'a str) -> VerifyFuture<'a> {
        (**self).verify(token, resource)
    }
}

/// A token that holds.
#[derive(Clone, Debug)]
pub struct VerifiedToken {
    pub(crate) principal: Principal,
    pub(crate) expires: Option<SystemTime>,
}

impl VerifiedToken {
    /// The token of a principal, with the scopes and claims that the principal brings.
    #[must_use]
    pub fn new(principal: Principal) -> Self {
        Self { principal, expires: None }
    }

    /// When it stops to hold. A token whose time is over is refused, also if a verifier remembered it.
    #[must_use]
    pub fn expires(mut self, at: SystemTime) -> Self {
        self.expires = Some(at);
        self
    }
}

/// Why there is nobody behind a token.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenError {
    why: String,
    is_unavailable: bool,
}

impl TokenError {
    /// The token does not hold. The client reads why, in the challenge of a 401: say nothing that helps to forge one.
    pub fn invalid(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_unavailable: false }
    }

    /// Nobody can tell now: the issuer's keys are out of reach, say. The client is told to try again, and the listeners
    /// hear why.
    pub fn unavailable(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_unavailable: true }
    }

    /// Whether the same token may hold later.
    #[must_use]
    pub fn is_unavailable(&self) -> bool {
        self.is_unavailable
    }
}

/// What is wrong, in a line.
impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl fmt::Debug for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for TokenError {}
