//! Bodies: those of requests, bounded in size and time, and those of responses.

use std::convert::Infallible;
use std::fmt;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Buf as _, Bytes};
use http::StatusCode;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::sync::mpsc;

use crate::jsonrpc::ErrorCode;
use crate::transport::http::refusal::Refusal;

/// A body longer than this is shared with its handler instead of being copied.
const LONG: usize = 1 << 16;

/// The body of a response: all at once, or events as they come.
pub struct Body(Inner);

enum Inner {
    Whole(Option<Bytes>),
    Events(mpsc::Receiver<Bytes>),
}

/// The body of a request.
#[derive(Debug)]
pub(super) enum Text {
    Short(Bytes),
    Long(Arc<Vec<u8>>),
}

impl Text {
    /// Reads a body to its end.
    ///
    /// # Errors
    ///
    /// Fails if it is too long, comes too slowly, or breaks off.
    pub(super) async fn read<B>(body: B, (limit, patience): (usize, Duration)) -> Result<Self, Refusal>
    where
        B: HttpBody,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let too_long = || {
            let why = format!("the body is longer than {limit} bytes");
            Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::InvalidRequest, why)
        };
        if body.size_hint().lower() > limit as u64 {
            return Err(too_long());
        }
        let mut reading = pin!(whole(Limited::new(body, limit)));
        // most are there already, and need no timer
        let read = match poll_fn(|cx| Poll::Ready(reading.as_mut().poll(cx))).await {
            Poll::Ready(read) => Ok(read),
            Poll::Pending => tokio::time::timeout(patience, reading).await,
        };
        let Ok(read) = read else {
            let why = format!("the body did not come within {patience:?}");
            return Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, ErrorCode::InvalidRequest, why));
        };
        let bytes = read.map_err(|error| match error.downcast::<LengthLimitError>() {
            Ok(_) => too_long(),
            Err(_) => Refusal::new(StatusCode::BAD_REQUEST, ErrorCode::InvalidRequest, "the body broke off"),
        })?;
        Ok(if bytes.len() > LONG { Self::Long(Arc::new(bytes.into())) } else { Self::Short(bytes) })
    }

    /// The text, if it is one. A byte order mark does not belong to it.
    pub(super) fn as_str(&self) -> Option<&str> {
        let bytes: &[u8] = match self {
            Self::Short(bytes) => bytes,
            Self::Long(bytes) => bytes,
        };
        std::str::from_utf8(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)).ok()
    }

    /// A long body, to be kept.
    pub(super) fn shared(&self) -> Option<Arc<Vec<u8>>> {
        match self {
            Self::Short(_) => None,
            Self::Long(bytes) => Some(Arc::clone(bytes)),
        }
    }
}

/// All of a body. Most come in one piece, which is not copied.
async fn whole<B: HttpBody>(body: B) -> Result<Bytes, B::Error> {
    let mut body = pin!(body);
    let Some(first) = piece(body.as_mut()).await? else { return Ok(Bytes::new()) };
    if body.is_end_stream() {
        return Ok(first);
    }
    let Some(second) = piece(body.as_mut()).await? else { return Ok(first) };
    let mut joined = Vec::from(first);
    joined.extend_from_slice(&second);
    while let Some(next) = piece(body.as_mut()).await? {
        joined.extend_from_slice(&next);
    }
    Ok(joined.into())
}

/// The next bytes of a body; `None` at its end.
async fn piece<B: HttpBody>(mut body: Pin<&mut B>) -> Result<Option<Bytes>, B::Error> {
    while let Some(frame) = body.frame().await {
        if let Ok(mut data) = frame?.into_data() {
            return Ok(Some(data.copy_to_bytes(data.remaining())));
        }
    }
    Ok(None)
}

impl Body {
    pub(super) fn empty() -> Self {
        Self(Inner::Whole(None))
    }

    pub(super) fn whole(bytes: impl Into<Bytes>) -> Self {
        Self(Inner::Whole(Some(bytes.into())))
    }

    pub(super) fn events(events: mpsc::Receiver<Bytes>) -> Self {
        Self(Inner::Events(events))
    }
}

impl HttpBody for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let frame = match &mut self.get_mut().0 {
            Inner::Whole(bytes) => Poll::Ready(bytes.take()),
            Inner::Events(events) => events.poll_recv(cx),
        };
        frame.map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.0, Inner::Whole(None))
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Inner::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)),
            Inner::Events(_) => SizeHint::default(),
        }
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Inner::Whole(_) => "Body::whole",
            Inner::Events(_) => "Body::events",
        })
    }
}
