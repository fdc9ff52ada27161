//! Responses that are made of a status and little else.

use bytes::Bytes;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{Response, StatusCode};

use crate::jsonrpc::{ErrorCode, RequestId, error_code, write_error_with};
use crate::transport::http::body::Body;
use crate::transport::http::head::{EVENTS, JSON};

/// A request that no handler gets to see.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    id: Option<RequestId>,
    code: ErrorCode,
    why: String,
    data: Option<String>,
    allow: Option<&'static str>,
    challenge: Option<Box<HeaderValue>>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, code: ErrorCode, why: impl Into<String>) -> Self {
        Self { status, id: None, code, why: why.into(), data: None, allow: None, challenge: None }
    }

    /// The client's request is at fault, and with it this status.
    pub(super) fn bad_request(code: ErrorCode, why: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, why)
    }

    /// Another method would do.
    pub(super) fn method(allow: &'static str) -> Self {
        let why = format!("the methods here are {allow}");
        Self { allow: Some(allow), ..Self::new(StatusCode::METHOD_NOT_ALLOWED, ErrorCode::InvalidRequest, why) }
    }

    /// There is no room for the request now.
    pub(super) fn busy(why: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, ErrorCode::InternalError, why)
    }

    /// Says which request it was, if that is known.
    pub(super) fn of(mut self, id: Option<RequestId>) -> Self {
        self.id = id;
        self
    }

    /// Adds `data`, which is JSON.
    pub(super) fn with_data(mut self, data: String) -> Self {
        self.data = Some(data);
        self
    }

    /// Says what the request has to bring.
    pub(super) fn challenging(mut self, challenge: Option<HeaderValue>) -> Self {
        self.challenge = challenge.map(Box::new);
        self
    }

    pub(super) fn into_response(self) -> Response<Body> {
        let mut body = Vec::new();
        write_error_with(&mut body, self.id.as_ref(), (self.code.code(), &self.why), self.data.as_deref());
        let mut response = json(self.status, body);
        if let Some(allow) = self.allow {
            response.headers_mut().insert(ALLOW, HeaderValue::from_static(allow));
        }
        if let Some(challenge) = self.challenge {
            response.headers_mut().insert(WWW_AUTHENTICATE, *challenge);
        }
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// The answer to one who lacks a scope.
pub(super) fn forbidden(mut response: Response<Body>, challenge: Option<HeaderValue>) -> Response<Body> {
    *response.status_mut() = StatusCode::FORBIDDEN;
    if let Some(challenge) = challenge {
        response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
    }
    response
}

/// A response without a body.
pub(super) fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}

/// A response that is one JSON text.
pub(super) fn json(status: StatusCode, body: impl Into<Bytes>) -> Response<Body> {
    let mut response = Response::new(Body::whole(body));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
    response
}

/// The same in the room that the headers of its request took: a connection has that from one request to the next.
pub(super) fn json_within(mut room: HeaderMap, status: StatusCode, body: Bytes) -> Response<Body> {
    room.clear();
    room.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
    let mut response = Response::new(Body::whole(body));
    (*response.status_mut(), *response.headers_mut()) = (status, room);
    response
}

/// A response of events. No proxy should hold them back, nor keep them.
pub(super) fn events(body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(EVENTS));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store, no-transform"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// The status that a stateless answer has: errors that are the client's own are told by it, too.
pub(super) fn status(answer: &[u8]) -> StatusCode {
    match error_code(answer) {
        Some(-32_601) => StatusCode::NOT_FOUND,
        Some(-32_700 | -32_600 | -32_602 | -32_022..=-32_020) => StatusCode::BAD_REQUEST,
        Some(_) | None => StatusCode::OK,
    }
}
