//! Why a resource could not be read, or a prompt not rendered.

use std::fmt;

use crate::context::ask::AskError;
use crate::jsonrpc::ErrorCode;
use crate::protocol::Revision;
use crate::tool_error::{Instead, ToolError, ToolErrorCategory};

/// A failed read or render, as a handler says it. It becomes a JSON-RPC error.
///
/// Any error turns into an internal one with `?`; its text reaches the client only where the server may show it, as
/// with [`ToolError`](crate::ToolError).
#[derive(Debug)]
pub struct RequestError {
    kind: Kind,
    message: String,
    foreign: bool,
    /// What the protocol wants the client to be told instead.
    instead: Option<Instead>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Internal,
    InvalidParams,
    NotFound,
}

impl RequestError {
    /// There is no such resource: −32002, or −32602 since 2026-07-28.
    #[must_use]
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::of(Kind::NotFound, message)
    }

    /// The request does not fit: −32602.
    #[must_use]
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::of(Kind::InvalidParams, message)
    }

    /// Something failed, in words that the client may see: −32603.
    #[must_use]
    pub fn internal(message: impl Into<String>) -> Self {
        Self::of(Kind::Internal, message)
    }

    /// What a generated stub answers until somebody writes the handler.
    #[must_use]
    pub fn not_implemented(feature: &str) -> Self {
        Self::internal(format!("`{feature}` is not implemented yet"))
    }

    /// The text as it was given, whether or not the client may see it.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Whether the text came from an error that was not written for the client.
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        self.foreign
    }

    /// What the protocol wants the client to be told instead of the message alone.
    pub(crate) fn instead(&self) -> Option<&Instead> {
        self.instead.as_ref()
    }

    pub(crate) fn is_not_found(&self) -> bool {
        self.kind == Kind::NotFound
    }

    pub(crate) fn code(&self, revision: Revision) -> ErrorCode {
        match self.kind {
            Kind::Internal => ErrorCode::InternalError,
            Kind::InvalidParams => ErrorCode::InvalidParams,
            Kind::NotFound => revision.resource_not_found(),
        }
    }

    fn of(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), foreign: false, instead: None }
    }
}

impl<E> From<E> for RequestError
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    #[cold]
    fn from(error: E) -> Self {
        let error = error.into();
        if let Some(unanswered) = AskError::within(&*error) {
            return Self {
                instead: unanswered.lacking().map(Instead::Lacks),
                ..Self::internal(unanswered.to_string())
            };
        }
        Self { foreign: true, ..Self::internal(error.to_string()) }
    }
}

/// For what tools, resources and prompts share, such as [`Context::once`](crate::Context::once).
impl From<ToolError> for RequestError {
    #[cold]
    fn from(error: ToolError) -> Self {
        let kind = match error.category() {
            ToolErrorCategory::InvalidParams => Kind::InvalidParams,
            ToolErrorCategory::Internal
            | ToolErrorCategory::PermissionDenied
            | ToolErrorCategory::Timeout
            | ToolErrorCategory::ToolNotFound => Kind::Internal,
        };
        let (message, foreign) = (error.message().to_owned(), error.is_foreign());
        Self { kind, message, foreign, instead: error.instead().cloned() }
    }
}

/// Shows the message alone.
impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
