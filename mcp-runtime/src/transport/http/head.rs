//! What the headers of a request say.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use http::header::{ACCEPT, AsHeaderName, HeaderMap, HeaderName};

use crate::connection::Load;
use crate::json::string_of;
use crate::jsonrpc::{Param, Params, RequestId};
use crate::protocol::Revision;
use crate::transport::http::Endpoint;

pub(super) const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
pub(super) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

pub(super) const JSON: &str = "application/json";
pub(super) const EVENTS: &str = "text/event-stream";
/// How a text begins that headers cannot hold as it is.
const ENCODED: &str = "=?base64?";
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

/// The headers that nearly every request has, found in one pass.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Said<'h> {
    pub(super) host: Field<'h>,
    pub(super) origin: Field<'h>,
    accept: Field<'h>,
    content_type: Field<'h>,
    version: Field<'h>,
    method: Field<'h>,
    name: Field<'h>,
}

/// A header that may be there once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Field<'h> {
    #[default]
    Absent,
    Once(&'h [u8]),
    Repeated,
}

impl<'h> Said<'h> {
    pub(super) fn of(headers: &'h HeaderMap) -> Self {
        let mut said = Self::default();
        for (name, value) in headers {
            let field = match name.as_str() {
                "host" => &mut said.host,
                "origin" => &mut said.origin,
                "accept" => &mut said.accept,
                "content-type" => &mut said.content_type,
                "mcp-protocol-version" => &mut said.version,
                "mcp-method" => &mut said.method,
                "mcp-name" => &mut said.name,
                _ => continue,
            };
            *field = match field {
                Field::Absent => Field::Once(value.as_bytes().trim_ascii()),
                Field::Once(_) | Field::Repeated => Field::Repeated,
            };
        }
        said
    }

    /// Which revision the headers name.
    pub(super) fn version(&self) -> Version {
        match self.version.text() {
            Ok(None) => Version::Absent,
            Ok(Some(name)) => Revision::named(name).map_or_else(|| Version::Unknown(name.to_owned()), Version::Known),
            Err(Unusable) => Version::Unknown(String::new()),
        }
    }

    /// Whether the client takes what a POST may be answered with.
    pub(super) fn accepts_both(&self, headers: &HeaderMap) -> bool {
        self.accept == Field::Once(USUAL) || accepts(headers, &[JSON, EVENTS])
    }

    /// Whether the body is said to be JSON. Forms and plain text, which any page may send, are not.
    pub(super) fn is_json(&self) -> bool {
        if self.content_type == Field::Once(JSON.as_bytes()) {
            return true;
        }
        let Ok(Some(text)) = self.content_type.text() else { return false };
        let (media, parameters) = text.split_once(';').unwrap_or((text, ""));
        let charset = parameters.split(';').filter_map(|parameter| parameter.split_once('='));
        let mut charset = charset.filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
        media.trim().eq_ignore_ascii_case(JSON)
            && charset.all(|(_, value)| value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8"))
    }
}

impl<'h> Field<'h> {
    /// The value, if it is one text.
    pub(super) fn text(self) -> Result<Option<&'h str>, Unusable> {
        match self {
            Self::Absent => Ok(None),
            Self::Once(value) => std::str::from_utf8(value).map(Some).map_err(|_| Unusable),
            Self::Repeated => Err(Unusable),
        }
    }
}

/// The value of a header that may be there once.
pub(super) fn single(headers: &HeaderMap, name: impl AsHeaderName) -> Result<Option<&str>, Unusable> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => Field::Once(value.as_bytes().trim_ascii()).text(),
        (Some(_), Some(_)) => Err(Unusable),
    }
}

/// Whether the client takes all of these media types. One that does not say what it takes, takes anything.
pub(super) fn accepts(headers: &HeaderMap, types: &[&str]) -> bool {
    let values = headers.get_all(ACCEPT);
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

/// The headers of a stateless request, which must say what its body says.
#[derive(Debug)]
pub(super) struct Stated<'h> {
    pub(super) headers: &'h HeaderMap,
    pub(super) said: &'h Said<'h>,
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
        must_be(self.said.version, "`MCP-Protocol-Version`", version)
    }

    fn check_target(&self, method: &str, params: &Params<'_>) -> Result<(), String> {
        must_be(self.said.method, "`Mcp-Method`", method)?;
        let name = match method {
            "prompts/get" | "tools/call" => params.name,
            "resources/read" => params.uri,
            "tasks/cancel" | "tasks/get" | "tasks/update" => params.get(Param::TaskId),
            _ => return Ok(()),
        };
        // what is wrong with the name itself is said where it is needed
        let Some(name) = name.and_then(string_of) else { return Ok(()) };
        // most names are written as they are
        if self.said.name == Field::Once(name.as_bytes()) && !name.starts_with(ENCODED) {
            return Ok(());
        }
        match decoded_field(self.said.name.text(), "Mcp-Name")? {
            Some(stated) if *stated == *name => Ok(()),
            Some(_) => Err("`Mcp-Name` is not what the body says".to_owned()),
            None => Err("`Mcp-Name` is missing".to_owned()),
        }
    }

    fn check_arguments(&self, tool: &str, arguments: &str) -> Result<(), String> {
        let Endpoint { engine, param_headers, .. } = self.endpoint;
        let headers = engine.param_headers(param_headers, tool);
        headers.iter().try_for_each(|header| {
            let stated = decoded_field(single(self.headers, header.name()), header.name())?;
            header.check(stated.as_deref(), arguments)
        })
    }
}

fn must_be(field: Field<'_>, shown: &str, value: &str) -> Result<(), String> {
    match field {
        Field::Once(stated) if stated == value.as_bytes() => Ok(()),
        Field::Once(_) => Err(format!("{shown} is not what the body says")),
        Field::Absent => Err(format!("{shown} is missing")),
        Field::Repeated => Err(format!("{shown} must be there once")),
    }
}

/// The value of a header that may hold any text: as it is, or as `=?base64?…?=`.
fn decoded_field<'h>(stated: Result<Option<&'h str>, Unusable>, shown: &str) -> Result<Option<Cow<'h, str>>, String> {
    let Ok(stated) = stated else { return Err(format!("`{shown}` must be there once, and be text")) };
    let decoded = stated.map(|stated| decoded(stated).ok_or_else(|| format!("`{shown}` is no valid Base64 of UTF-8")));
    decoded.transpose()
}

/// `None` if what is encoded is no text.
fn decoded(value: &str) -> Option<Cow<'_, str>> {
    let Some(encoded) = value.strip_prefix(ENCODED).and_then(|rest| rest.strip_suffix("?=")) else {
        return Some(value.into());
    };
    String::from_utf8(BASE64.decode(encoded).ok()?).ok().map(Into::into)
}

#[cfg(test)]
mod tests {
    use http::header::CONTENT_TYPE;

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
        let is_json = |media: &str| Said::of(&HeaderMap::from_iter([(CONTENT_TYPE, media.parse().unwrap())])).is_json();
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
