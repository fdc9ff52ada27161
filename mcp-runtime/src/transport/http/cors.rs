//! Pages of other origins: what their browsers ask before they send a request, and what lets them read the answer.
//!
//! Only for pages that may send requests at all, and only where the server was told to; see
//! [`Http::cors`](crate::http::Http::cors).

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, HeaderMap, HeaderValue, ORIGIN, VARY,
};
use http::request::Parts;
use http::{Method, Response, StatusCode};
use hyper::body::Body as HttpBody;

use crate::transport::http::body::Body;
use crate::transport::http::head::Said;
use crate::transport::http::refusal::empty;
use crate::transport::http::{Endpoint, METHODS, Memory};

/// The headers of requests that mean something here.
const KNOWN: [&str; 8] = [
    "accept",
    "authorization",
    "content-type",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "mcp-session-id",
];
/// And those that repeat arguments, by how they begin.
const PARAMETERS: &str = "mcp-param-";
/// The headers of answers that a client has to read.
const EXPOSED: &str = "Mcp-Session-Id, MCP-Protocol-Version, Retry-After, WWW-Authenticate";
/// For how many seconds a browser need not ask again; none remembers it for longer.
const MAX_AGE: &str = "7200";

impl Endpoint {
    /// Answers one request, and tells the browser that sent it what its page may do, if that is wanted.
    ///
    /// What waits for its turn holds the head once: a reference goes through the futures, and not the head itself.
    pub(crate) async fn respond<B>(
        self: &std::sync::Arc<Self>,
        memory: &Memory,
        head: &mut Parts,
        body: B,
    ) -> Response<Body>
    where
        B: HttpBody,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let origin = if self.options.cors { self.allowed_origin(head) } else { None };
        let mut response = match &origin {
            Some(_) if is_preflight(head) => preflight(&head.headers),
            _ => self.answer(memory, head, body).await,
        };
        if !self.options.cors {
            return response;
        }
        let headers = response.headers_mut();
        headers.append(VARY, HeaderValue::from_static("Origin"));
        if let Some(origin) = origin {
            headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
        }
        response
    }

    fn allowed_origin(&self, head: &Parts) -> Option<HeaderValue> {
        let is_allowed = self.guard.check(&head.uri, &Said::of(&head.headers)).is_ok();
        head.headers.get(ORIGIN).filter(|_| is_allowed).cloned()
    }
}

/// Whether a browser asks what it may send. It does so without a token, whatever the request will carry.
fn is_preflight(head: &Parts) -> bool {
    head.method == Method::OPTIONS && head.headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

fn preflight(asked: &HeaderMap) -> Response<Body> {
    let mut response = empty(StatusCode::NO_CONTENT);
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(METHODS));
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(MAX_AGE));
    let values = asked.get_all(ACCESS_CONTROL_REQUEST_HEADERS).iter().filter_map(|value| value.to_str().ok());
    let names = values.flat_map(|value| value.split(',')).map(|name| name.trim().to_ascii_lowercase());
    let allowed = names.filter(|name| KNOWN.contains(&&**name) || name.starts_with(PARAMETERS));
    if let Ok(allowed) = HeaderValue::from_str(&allowed.collect::<Vec<_>>().join(", ")) {
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, allowed);
    }
    response
}
