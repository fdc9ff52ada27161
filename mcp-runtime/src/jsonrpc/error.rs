//! Error answers and their codes.

#[cfg(feature = "http")]
mod read;

#[cfg(feature = "http")]
pub(crate) use self::read::error_code;
use crate::json::Writer;
use crate::jsonrpc::RequestId;

/// The codes that a server sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorCode {
    /// −32700: the bytes are not JSON.
    ParseError,
    /// −32600: not a JSON-RPC message.
    InvalidRequest,
    /// −32601: no such method, or one of a feature that the server does not have.
    MethodNotFound,
    /// −32602: parameters that do not fit; also an unknown tool or prompt.
    InvalidParams,
    /// −32603: our own fault.
    InternalError,
    /// −32002: an unknown resource, before 2026-07-28.
    ResourceNotFound,
    /// −32020: what the HTTP headers say is not what the body says.
    HeaderMismatch,
    /// −32021: the client lacks a capability that the request needs.
    MissingClientCapability,
    /// −32042: the user has to open a page first (2025-11-25).
    UrlElicitationRequired,
    /// −32022: a protocol version that is not served.
    UnsupportedProtocolVersion,
}

impl ErrorCode {
    /// The number on the wire.
    #[must_use]
    pub const fn code(self) -> i32 {
        match self {
            Self::ParseError => -32700,
            Self::InvalidRequest => -32600,
            Self::MethodNotFound => -32601,
            Self::InvalidParams => -32602,
            Self::InternalError => -32603,
            Self::ResourceNotFound => -32002,
            Self::HeaderMismatch => -32020,
            Self::MissingClientCapability => -32021,
            Self::UnsupportedProtocolVersion => -32022,
            Self::UrlElicitationRequired => -32042,
        }
    }
}

/// Appends a whole error answer. Without an id the member is left out, as the schemas since 2025-11-25 say.
pub(crate) fn write_error(out: &mut Vec<u8>, id: Option<&RequestId>, code: ErrorCode, message: &str) {
    write_error_with(out, id, (code.code(), message), None);
}

/// The same with `data`, which is JSON text.
pub(crate) fn write_error_with(out: &mut Vec<u8>, id: Option<&RequestId>, what: (i32, &str), data: Option<&str>) {
    out.extend_from_slice(br#"{"jsonrpc":"2.0","#);
    if let Some(id) = id {
        out.extend_from_slice(br#""id":"#);
        id.write(out);
        out.push(b',');
    }
    out.extend_from_slice(br#""error":"#);
    write_object(out, what, data);
    out.push(b'}');
}

/// Appends the error object alone.
pub(crate) fn write_object(out: &mut Vec<u8>, (code, message): (i32, &str), data: Option<&str>) {
    out.extend_from_slice(br#"{"code":"#);
    let mut writer = Writer::new(out);
    writer.integer(i64::from(code));
    out.extend_from_slice(br#","message":"#);
    Writer::new(out).string(message);
    if let Some(data) = data {
        out.extend_from_slice(br#","data":"#);
        out.extend_from_slice(data.as_bytes());
    }
    out.push(b'}');
}
