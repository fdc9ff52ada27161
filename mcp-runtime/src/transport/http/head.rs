//! What the headers of a request say.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use http::header::{ACCEPT, AsHeaderName, CONTENT_TYPE, HeaderMap, HeaderName};

use crate::connection::Load;
use crate::json::Reader;
use crate::jsonrpc::{Param, Params, RequestId};
use crate::protocol::Revision;
use crate::transport::http::Endpoint;

pub(super) const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
pub(super) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
const PROTOCOL_VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

pub(super) const JSON: &str = "application/json";
pub(super) const EVENTS: &str = "text/event-stream";
/// What nearly all clients accept.
const USUAL: &[u8] = b"application/json, text/event-stream";

/// A header that is there more than once, or is not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unusable;

/// What `MCP-Protocol-Version` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Version {
    Absent,
    Known(Revision),
    Unknown(String),
}

/// The value of a header that may be there once.
pub(super) fn single(headers: &HeaderMap, name: impl AsHeaderName) -> Result<Option<&str>, Unusable> {
    sole(headers, name)?.map(|value| std::str::from_utf8(value).map_err(|_| Unusable)).transpose()
}

/// The same, whatever its bytes are.
fn sole(headers: &HeaderMap, name: impl AsHeaderName) -> Result<Option<&[u8]>, Unusable> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => Ok(Some(value.as_bytes().trim_ascii())),
        (Some(_), Some(_)) => Err(Unusable),
    }
}

/// Which revision the headers name.
pub(super) fn version(headers: &HeaderMap) -> Version {
    match single(headers, &PROTOCOL_VERSION) {
        Ok(None) => Version::Absent,
        Ok(Some(name)) => Revision::named(name).map_or_else(|| Version::Unknown(name.to_owned()), Version::Known),
        Err(Unusable) => Version::Unknown(String::new()),
    }
}

/// Whether the client takes all of these media types. One that does not say what it takes, takes anything.
pub(super) fn accepts(headers: &HeaderMap, types: &[&str]) -> bool {
    let values = headers.get_all(ACCEPT);
    if values.iter().next().is_some_and(|value| value == USUAL) {
        return true;
    }
    let ranges = || values.iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    values.iter().next().is_none() || types.iter().all(|media| ranges().any(|range| covers(range, media)))
}

/// Whether a range of media types has this one in it, and does not refuse it by its weight.
fn covers(range: &str, media: &str) -> bool {
    let (range, parameters) = range.split_once(';').unwrap_or((range, ""));
    let mut weights = parameters.split(';').filter_map(|parameter| parameter.trim().split_once('='));
    if weights.any(|(name, weight)| name.eq_ignore_ascii_case("q") && weight.parse() == Ok(0.0)) {
        return false;
    }
    let range = range.trim();
    let kind = media.split('/').next().unwrap_or_default();
    range == "*/*"
        || range.eq_ignore_ascii_case(media)
        || range.strip_suffix("/*").is_some_and(|range| range.eq_ignore_ascii_case(kind))
}

/// Whether the body is said to be JSON. Forms and plain text, which any page may send, are not.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let Ok(Some(text)) = single(headers, &CONTENT_TYPE) else { return false };
    if text == JSON {
        return true;
    }
    let (media, parameters) = text.split_once(';').unwrap_or((text, ""));
    let charset = parameters.split(';').filter_map(|parameter| parameter.split_once('='));
    let mut charset = charset.filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
    media.trim().eq_ignore_ascii_case(JSON)
        && charset.all(|(_, value)| value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8"))
}

/// The headers of a stateless request, which must say what its body says.
#[derive(Debug)]
pub(super) struct Stated<'h> {
    pub(super) headers: &'h HeaderMap,
    pub(super) endpoint: &'h Endpoint,
}

impl Load for Stated<'_> {
    fn is_running(&self, _: &RequestId) -> bool {
        false
    }

    fn is_full(&self) -> bool {
        false
    }

    fn is_slow(&self, _: &str) -> bool {
        false
    }

    fn begin(&self) -> Option<std::time::Instant> {
        None
    }

    fn end(&self, _: &str, _: Option<std::time::Instant>) {}

    fn check_version(&self, version: &str) -> Result<(), String> {
        self.must_be(&PROTOCOL_VERSION, "`MCP-Protocol-Version`", version)
    }

    fn check_target(&self, method: &str, params: &Params<'_>) -> Result<(), String> {
        self.must_be(&METHOD, "`Mcp-Method`", method)?;
        let name = match method {
            "prompts/get" | "tools/call" => params.name,
            "resources/read" => params.uri,
            "tasks/cancel" | "tasks/get" | "tasks/update" => params.get(Param::TaskId),
            _ => return Ok(()),
        };
        // what is wrong with the name itself is said where it is needed
        let Some(name) = name.and_then(|name| Reader::new(name).string().ok()) else { return Ok(()) };
        match self.decoded((NAME, "Mcp-Name"))? {
            Some(stated) if *stated == *name => Ok(()),
            Some(_) => Err("`Mcp-Name` is not what the body says".to_owned()),
            None => Err("`Mcp-Name` is missing".to_owned()),
        }
    }

    fn check_arguments(&self, tool: &str, arguments: &str) -> Result<(), String> {
        let Endpoint { engine, param_headers, .. } = self.endpoint;
        let headers = engine.param_headers(param_headers, tool);
        headers
            .iter()
            .try_for_each(|header| header.check(self.decoded((header.name(), header.name()))?.as_deref(), arguments))
    }
}

impl Stated<'_> {
    /// The value of a header that may hold any text: as it is, or as `=?base64?…?=`.
    fn decoded(&self, (header, shown): (impl AsHeaderName, &str)) -> Result<Option<Cow<'_, str>>, String> {
        let Ok(stated) = single(self.headers, header) else {
            return Err(format!("`{shown}` must be there once, and be text"));
        };
        let decoded =
            stated.map(|stated| decoded(stated).ok_or_else(|| format!("`{shown}` is no valid Base64 of UTF-8")));
        decoded.transpose()
    }

    fn must_be(&self, header: &HeaderName, shown: &str, value: &str) -> Result<(), String> {
        match sole(self.headers, header) {
            Ok(Some(stated)) if stated == value.as_bytes() => Ok(()),
            Ok(Some(_)) => Err(format!("{shown} is not what the body says")),
            Ok(None) => Err(format!("{shown} is missing")),
            Err(Unusable) => Err(format!("{shown} must be there once")),
        }
    }
}

/// `None` if what is encoded is no text.
fn decoded(value: &str) -> Option<Cow<'_, str>> {
    let Some(encoded) = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Some(value.into());
    };
    String::from_utf8(BASE64.decode(encoded).ok()?).ok().map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accept_is_read_as_http_says() {
        let both = |accept: &str| {
            let headers = HeaderMap::from_iter([(ACCEPT, accept.parse().unwrap())]);
            accepts(&headers, &[JSON, EVENTS])
        };
        for accept in [
            "application/json, text/event-stream",
            "text/event-stream;q=0.5,APPLICATION/JSON",
            "*/*",
            "application/*,text/*",
        ] {
            assert!(both(accept), "{accept}");
        }
        for accept in
            ["application/json", "text/event-stream", "text/html", "*/json", "application/json, text/event-stream;q=0"]
        {
            assert!(!both(accept), "{accept}");
        }
    }

    #[test]
    fn only_json_is_json() {
        let is_json = |media: &str| is_json(&HeaderMap::from_iter([(CONTENT_TYPE, media.parse().unwrap())]));
        assert!(is_json("application/json") && is_json("Application/JSON; charset=\"UTF-8\""));
        for media in
            ["text/plain", "application/jsonp", "text/plain; a=application/json", "application/json;charset=latin1"]
        {
            assert!(!is_json(media), "{media}");
        }
    }

    #[test]
    fn names_are_decoded_strictly() {
        assert_eq!(decoded("=?base64?SGVsbG8=?=").as_deref(), Some("Hello"));
        assert_eq!(decoded("SGVsbG8=").as_deref(), Some("SGVsbG8="));
        assert_eq!(decoded("=?base64?SGVsbG8=").as_deref(), Some("=?base64?SGVsbG8="));
        assert_eq!(decoded("=?BASE64?SGVsbG8=?=").as_deref(), Some("=?BASE64?SGVsbG8=?="));
        for wrong in ["=?base64?SGVsbG8?=", "=?base64?SGVs!!!bG8=?=", "=?base64?/w==?="] {
            assert_eq!(decoded(wrong), None, "{wrong}");
        }
    }
}
