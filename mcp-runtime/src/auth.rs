//! Authorization over HTTP: the server as a resource server of OAuth 2.1.
//!
//! Every request must bring a token in its `Authorization` header; a [`TokenVerifier`] tells whose it is. Those who bring
//! none learn where to get one: from the challenge of the answer, and from the metadata of RFC 9728 that the server
//! publishes. What a contract says of `scopes` is asked of each caller before a handler starts.
//!
//! ```no_run
//! # #[cfg(feature = "auth")]
//! # {
//! use mcp_runtime::auth::{Auth, JwtVerifier};
//! use mcp_runtime::{Server, Service};
//!
//! async fn fetch_keys() -> std::io::Result<String> {
//!     // with the HTTP client of your choice, from the issuer's `jwks_uri`
//!     std::fs::read_to_string("keys.json")
//! }
//!
//! async fn run(service: impl Service) -> mcp_runtime::Result<()> {
//!     let verifier = JwtVerifier::new("https://login.example", fetch_keys);
//!     let auth = Auth::new(verifier)
//!         .resource("https://weather.example/mcp")
//!         .authorization_servers(["https://login.example"])
//!         .implies("weather:write", ["weather:read"]);
//!     Server::new(service).http().auth(auth).serve("0.0.0.0:8080").await
//! }
//! # }
//! ```
//!
//! A handler sees the caller by [`Context::principal`](crate::Context::principal). The token itself reaches no handler,
//! so that none is passed on by accident: it was issued for this server alone.

#[cfg(feature = "auth")]
mod jwks;
#[cfg(feature = "auth")]
mod jwt;
#[cfg(feature = "auth")]
mod keys;
mod verifier;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

#[cfg(feature = "auth")]
pub use self::jwt::{Algorithm, JwtVerifier};
#[cfg(feature = "auth")]
pub use self::keys::{KeyFuture, KeySource};
pub use self::verifier::{TokenError, TokenVerifier, VerifiedToken, VerifyFuture};

/// How a server makes certain of its callers; see [`Http::auth`](crate::http::Http::auth).
#[must_use = "it does nothing before a server is given it"]
pub struct Auth {
    pub(crate) verifier: Arc<dyn TokenVerifier>,
    pub(crate) resource: Option<String>,
    pub(crate) servers: Vec<String>,
    pub(crate) scopes: Vec<String>,
    pub(crate) implied: BTreeMap<String, BTreeSet<String>>,
}

impl Auth {
    /// Asks `verifier` whose token it is.
    pub fn new(verifier: impl TokenVerifier) -> Self {
        let (servers, scopes) = (Vec::new(), Vec::new());
        Self { verifier: Arc::new(verifier), resource: None, servers, scopes, implied: BTreeMap::new() }
    }

    /// The URI by which clients and authorization servers know this server: where its endpoint is found, such as
    /// `https://api.example/mcp`. Default: `auth.resource` of the contract. Without either the server does not start.
    pub fn resource(mut self, uri: impl Into<String>) -> Self {
        self.resource = Some(uri.into());
        self
    }

    /// The issuers from whom clients get tokens. Default: `auth.authorizationServers` of the contract. Without any the
    /// server does not start.
    pub fn authorization_servers(mut self, issuers: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.servers.extend(issuers.into_iter().map(Into::into));
        self
    }

    /// Scopes that every request needs, and that a client should ask for first. Default: none.
    pub fn scopes(mut self, scopes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.scopes.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// Says that who has the scope `broader` has these, too, and what those imply in turn.
    pub fn implies(
        mut self,
        broader: impl Into<String>,
        narrower: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.implied.entry(broader.into()).or_default().extend(narrower.into_iter().map(Into::into));
        self
    }
}

impl fmt::Debug for Auth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Auth").field("resource", &self.resource).field("servers", &self.servers).finish_non_exhaustive()
    }
}
