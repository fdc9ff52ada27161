//! Requests that no handler sees: what the client and the listeners hear of them.

use std::borrow::Cow;

use crate::connection::{Reply, Request};
use crate::jsonrpc::{ErrorCode, RequestId, write_error_with};
use crate::listener::{Event, Listeners, Refused};
use crate::trace::RequestSpan;

/// What came of a request, unless it is refused.
pub(super) type Outcome = Result<Reply, Refusal>;

/// A request that is refused before a handler runs. Most are not: so it is small.
#[derive(Debug)]
pub(super) struct Refusal(Box<Parts>);

#[derive(Debug)]
struct Parts {
    id: RequestId,
    method: String,
    code: ErrorCode,
    message: Cow<'static, str>,
    /// `data` of the error, as JSON text.
    data: Option<String>,
}

impl Refusal {
    #[cold]
    pub(super) fn new(
        (id, method): (&RequestId, &str),
        code: ErrorCode,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self(Box::new(Parts { id: id.clone(), method: method.to_owned(), code, message: message.into(), data: None }))
    }

    /// Adds `data`, which is JSON text.
    pub(super) fn with(mut self, data: String) -> Self {
        self.0.data = Some(data);
        self
    }

    /// Appends the error, and tells the listeners of it.
    #[cold]
    pub(super) fn tell(self, (listeners, span): (&Listeners, &RequestSpan), out: &mut Vec<u8>) -> Reply {
        let Parts { id, method, code, message, data } = *self.0;
        span.failed(code.code());
        write_error_with(out, Some(&id), (code.code(), &message), data.as_deref());
        if listeners.any() {
            let message = message.into_owned();
            listeners.send(Event::Refused(Refused { method, request_id: id, code, message }));
        }
        Reply::Written
    }
}

/// Refuses a request.
pub(super) fn refuse(request: &Request<'_>, code: ErrorCode, message: impl Into<Cow<'static, str>>) -> Outcome {
    Err(Refusal::new((&request.id, request.method), code, message))
}
