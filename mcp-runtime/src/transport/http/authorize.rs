//! Whose request it is: the token of each, and what is published for those who have none.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;
use http::header::{AUTHORIZATION, CACHE_CONTROL, HeaderMap, HeaderValue};
use http::request::Parts;
use http::{Method, Response, StatusCode, Uri};
use serde_json::{Map, Value, json};

use crate::auth::{Auth, TokenVerifier, VerifiedToken};
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::jsonrpc::ErrorCode;
use crate::listener::{Event, TransportEvent};
use crate::peer::Principal;
use crate::transport::http::body::Body;
use crate::transport::http::refusal::{Refusal, json as json_response};
use crate::transport::http::{Endpoint, challenge::Challenge};

/// Where metadata is found, before the path of the resource (RFC 9728, section 3).
const WELL_KNOWN: &str = "/.well-known/oauth-protected-resource";
/// Issuers may list it, resource servers never do: it asks for what no request needs.
const OFFLINE: &str = "offline_access";

/// What makes certain of callers.
pub(super) struct Authorizer {
    verifier: Arc<dyn TokenVerifier>,
    /// The canonical URI of the server.
    resource: String,
    /// Its path, empty for the root.
    path: String,
    /// The address of the metadata.
    metadata_url: String,
    metadata: Bytes,
    implied: BTreeMap<String, BTreeSet<String>>,
    /// What every request needs.
    needed: Vec<String>,
    /// What a client should ask for first.
    first: Vec<String>,
}

impl Authorizer {
    /// # Errors
    ///
    /// Fails if nobody said which resource it is or who issues tokens, or if the resource is no URI of one.
    pub(super) fn new(auth: Auth, engine: &Engine) -> Result<Self> {
        let Auth { verifier, resource, mut servers, scopes: needed, implied } = auth;
        let (declared, issuers) = engine.declared_resource();
        let resource = resource.or_else(|| declared.map(str::to_owned)).ok_or_else(|| {
            let why = "it has an authenticator but no URI: say `.resource(…)`, or `auth.resource` in the contract";
            Error::invalid_definition("resource", "", why)
        })?;
        let (resource, path, metadata_url) = canonical(&resource).ok_or_else(|| {
            let why = "it must be an `https` or `http` URL without query and fragment";
            Error::invalid_definition("resource", &resource, why)
        })?;
        if servers.is_empty() {
            servers.extend(issuers.into_iter().map(str::to_owned));
        }
        if servers.is_empty() {
            let why = "nobody issues tokens for it: say `.authorization_servers(…)`, or `auth.authorizationServers` in the \
                       contract";
            return Err(Error::invalid_definition("resource", &resource, why));
        }
        let (all, common) = engine.scopes();
        let mut supported: BTreeSet<&str> = all.into_iter().chain(needed.iter().map(String::as_str)).collect();
        supported.remove(OFFLINE);
        let mut metadata = Map::new();
        metadata.insert("resource".to_owned(), json!(resource));
        metadata.insert("authorization_servers".to_owned(), json!(servers));
        if !supported.is_empty() {
            metadata.insert("scopes_supported".to_owned(), json!(supported));
        }
        metadata.insert("bearer_methods_supported".to_owned(), json!(["header"]));
        let mut first: Vec<_> =
            needed.iter().map(String::as_str).chain(common).filter(|scope| *scope != OFFLINE).collect();
        first.sort_unstable();
        first.dedup();
        let first = first.into_iter().map(str::to_owned).collect();
        let metadata = Value::Object(metadata).to_string().into();
        Ok(Self { verifier, resource, path, metadata_url, metadata, implied, needed, first })
    }

    /// Whether metadata is found at a path: at the root, or under the path of the endpoint.
    pub(super) fn publishes_at(&self, path: &str, endpoint: &str) -> bool {
        let under = path.strip_prefix(WELL_KNOWN).map(|under| under.strip_suffix('/').unwrap_or(under));
        under.is_some_and(|under| under.is_empty() || under == self.path || under == endpoint)
    }

    /// What a request has to bring that has not brought it.
    pub(super) fn challenge(&self) -> Challenge<'_> {
        Challenge { metadata: Some(&self.metadata_url), ..Challenge::default() }
    }

    /// The scopes of a token with all that they imply.
    fn granted(&self, principal: Principal) -> Principal {
        let mut granted: BTreeSet<String> = principal.scopes().map(str::to_owned).collect();
        let mut open: Vec<String> = granted.iter().cloned().collect();
        while let Some(scope) = open.pop() {
            for implied in self.implied.get(&scope).into_iter().flatten() {
                if granted.insert(implied.clone()) {
                    open.push(implied.clone());
                }
            }
        }
        principal.with_scopes(granted)
    }
}

impl Endpoint {
    /// The metadata of the server, if that is what is asked for. Nobody needs a token for it.
    pub(super) fn metadata(&self, head: &Parts) -> Option<std::result::Result<Response<Body>, Refusal>> {
        let authorizer = self.authorizer.as_ref()?;
        if !head.uri.path().starts_with(WELL_KNOWN) {
            return None;
        }
        if head.method != Method::GET {
            return Some(Err(Refusal::method("GET")));
        }
        let mut response = json_response(StatusCode::OK, authorizer.metadata.clone());
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("max-age=3600"));
        Some(Ok(response))
    }

    /// Makes certain of the caller, who is in the extensions from then on; the token is not in the headers any more.
    pub(super) async fn authorize(&self, head: &mut Parts) -> std::result::Result<(), Refusal> {
        let Some(authorizer) = &self.authorizer else { return Ok(()) };
        // whoever a layer in front took it for
        head.extensions.remove::<Principal>();
        let challenge =
            Challenge { scopes: authorizer.first.iter().map(String::as_str).collect(), ..authorizer.challenge() };
        if has_token_in_query(&head.uri) {
            let why = "a token belongs into the `Authorization` header, and never into the URL";
            let challenge = Challenge { error: Some(("invalid_request", why)), ..challenge };
            return Err(self.unauthorized(StatusCode::BAD_REQUEST, why, &challenge));
        }
        let token = match bearer(&head.headers) {
            Ok(Some(token)) => token,
            Ok(None) => {
                let why = "a token is needed: `Authorization: Bearer …`";
                return Err(self.unauthorized(StatusCode::UNAUTHORIZED, why, &challenge));
            }
            Err(why) => {
                let challenge = Challenge { error: Some(("invalid_request", why)), ..challenge };
                return Err(self.unauthorized(StatusCode::BAD_REQUEST, why, &challenge));
            }
        };
        let VerifiedToken { principal, expires } = match authorizer.verifier.verify(token, &authorizer.resource).await {
            Ok(verified) => verified,
            Err(error) if error.is_unavailable() => {
                self.hear(error.to_string());
                return Err(Refusal::busy("tokens cannot be verified now: try again later"));
            }
            Err(error) => {
                let why = error.to_string();
                let challenge = Challenge { error: Some(("invalid_token", &why)), ..challenge };
                return Err(self.unauthorized(StatusCode::UNAUTHORIZED, &why, &challenge));
            }
        };
        if expires.is_some_and(|at| at <= SystemTime::now()) {
            let why = "the token has expired";
            let challenge = Challenge { error: Some(("invalid_token", why)), ..challenge };
            return Err(self.unauthorized(StatusCode::UNAUTHORIZED, why, &challenge));
        }
        let principal = authorizer.granted(principal);
        if !authorizer.needed.iter().all(|scope| principal.has_scope(scope)) {
            let why = "the token lacks a scope that every request needs";
            self.hear(why.to_owned());
            let refusal = Refusal::new(StatusCode::FORBIDDEN, ErrorCode::InvalidRequest, why);
            return Err(refusal.challenging(self.insufficient(&[])));
        }
        head.headers.remove(AUTHORIZATION);
        head.extensions.insert(principal);
        Ok(())
    }

    /// The challenge for one whose token does not reach: all scopes that the request needs.
    pub(super) fn insufficient(&self, scopes: &[&str]) -> Option<HeaderValue> {
        let authorizer = self.authorizer.as_ref();
        let always = authorizer.into_iter().flat_map(|authorizer| &authorizer.needed).map(String::as_str);
        let scopes: BTreeSet<&str> = always.chain(scopes.iter().copied()).collect();
        let challenge = authorizer.map(Authorizer::challenge).unwrap_or_default();
        let error = Some(("insufficient_scope", "the token lacks a scope"));
        Challenge { error, scopes: scopes.into_iter().collect(), ..challenge }.to_header()
    }

    fn unauthorized(&self, status: StatusCode, why: &str, challenge: &Challenge<'_>) -> Refusal {
        self.hear(why.to_owned());
        Refusal::new(status, ErrorCode::InvalidRequest, why).challenging(challenge.to_header())
    }

    fn hear(&self, why: String) {
        self.engine.listeners.send(Event::Transport(TransportEvent::Unauthorized(why)));
    }
}

/// The canonical form of a resource's URI, its path, and where its metadata is found.
fn canonical(uri: &str) -> Option<(String, String, String)> {
    // the parser drops fragments without a word
    let parsed: Uri = uri.parse().ok().filter(|_| !uri.contains(['#', '?', '@']))?;
    let scheme = parsed.scheme_str().filter(|scheme| matches!(*scheme, "https" | "http"))?;
    let authority = parsed.authority()?.as_str().to_ascii_lowercase();
    let path = parsed.path().trim_end_matches('/');
    Some((
        format!("{scheme}://{authority}{path}"),
        path.to_owned(),
        format!("{scheme}://{authority}{WELL_KNOWN}{path}"),
    ))
}

fn has_token_in_query(uri: &Uri) -> bool {
    let query = uri.query().unwrap_or_default();
    query.split('&').any(|pair| pair.split('=').next() == Some("access_token"))
}

/// The token, if there is one.
fn bearer(headers: &HeaderMap) -> std::result::Result<Option<&str>, &'static str> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err("`Authorization` must be there once");
    }
    let text = value.to_str().map_err(|_| "`Authorization` must be text")?.trim();
    let (scheme, token) = text.split_once(' ').unwrap_or((text, ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Ok(None);
    }
    let token = token.trim_start();
    let is_token = |c: u8| c.is_ascii_alphanumeric() || b"-._~+/=".contains(&c);
    if token.is_empty() || !token.bytes().all(is_token) {
        return Err("there is no token in `Authorization`");
    }
    Ok(Some(token))
}

impl fmt::Debug for Authorizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authorizer").field("resource", &self.resource).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_are_spelled_in_one_way() {
        let canonical = |uri| canonical(uri).map(|(uri, _, metadata)| (uri, metadata));
        let expected =
            ("https://api.example:8443/a/mcp", "https://api.example:8443/.well-known/oauth-protected-resource/a/mcp");
        for uri in ["https://api.example:8443/a/mcp", "HTTPS://API.example:8443/a/mcp/"] {
            assert_eq!(canonical(uri), Some((expected.0.to_owned(), expected.1.to_owned())), "{uri}");
        }
        let root =
            ("https://api.example".to_owned(), "https://api.example/.well-known/oauth-protected-resource".to_owned());
        assert_eq!(canonical("https://api.example/"), Some(root));
        for broken in
            ["api.example/mcp", "/mcp", "ftp://api.example", "https://api.example/#a", "https://a@b", "https://a?b", ""]
        {
            assert_eq!(canonical(broken), None, "{broken}");
        }
    }
}
