//! Requests that no handler sees: what the client and the listeners hear of them.

use std::borrow::Cow;

use crate::connection::{Reply, Request};
use crate::jsonrpc::{ErrorCode, RequestId, write_error_with};
use crate::listener::{Event, Listeners, Refused};

/// What came of a request, unless it is refused.
pub(super) type Outcome = Result<Reply, Box<Refusal>>;

/// A request that is refused before a handler runs.
#[derive(Debug)]
pub(super) struct Refusal {
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
    ) -> Box<Self> {
        Box::new(Self { id: id.clone(), method: method.to_owned(), code, message: message.into(), data: None })
    }

    /// Adds `data`, which is JSON text.
    pub(super) fn with(mut self: Box<Self>, data: String) -> Box<Self> {
        self.data = Some(data);
        self
    }

    /// Appends the error, and tells the listeners of it.
    #[cold]
    pub(super) fn tell(self, listeners: &Listeners, out: &mut Vec<u8>) -> Reply {
        let Self { id, method, code, message, data } = self;
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
    Err(Refusal::new((&request.id, &request.method), code, message))
}
