//! Why a tool call failed, sorted into five categories.

use std::fmt;

use crate::context::ask::AskError;
use crate::jsonrpc::ErrorCode;
use crate::protocol::Capability;
use crate::response::Content;

/// What kind of failure it was. The list is complete by definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the five categories are the contract with listeners")]
pub enum ToolErrorCategory {
    /// The arguments do not fit, in form or in meaning.
    InvalidParams,
    /// No such tool.
    ToolNotFound,
    /// The tool ran longer than it may.
    Timeout,
    /// The caller may not do this.
    PermissionDenied,
    /// Anything else: our own fault, or that of something behind us.
    Internal,
}

impl ToolErrorCategory {
    /// The category's name: `invalid_params`, `tool_not_found`, `timeout`, `permission_denied` or `internal`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidParams => "invalid_params",
            Self::ToolNotFound => "tool_not_found",
            Self::Timeout => "timeout",
            Self::PermissionDenied => "permission_denied",
            Self::Internal => "internal",
        }
    }

    /// The JSON-RPC code for the cases in which the protocol wants an error instead of a result.
    #[must_use]
    pub const fn code(self) -> ErrorCode {
        match self {
            Self::InvalidParams | Self::ToolNotFound => ErrorCode::InvalidParams,
            Self::Timeout | Self::PermissionDenied | Self::Internal => ErrorCode::InternalError,
        }
    }

    /// Whether the same call may succeed later.
    #[must_use]
    pub const fn is_retriable(self) -> bool {
        matches!(self, Self::Timeout | Self::Internal)
    }

    /// A line that tells the caller what to do next.
    #[must_use]
    pub const fn guidance(self) -> &'static str {
        match self {
            Self::InvalidParams => "Correct the arguments and call again.",
            Self::ToolNotFound => "List the tools and choose one of them.",
            Self::Timeout => "Try again later, or ask for less at once.",
            Self::PermissionDenied => "Do not retry; ask the user for access.",
            Self::Internal => "Try again; if it fails again, report it.",
        }
    }
}

impl fmt::Display for ToolErrorCategory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A failure that the protocol has an error of its own for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Instead {
    /// The client cannot be asked what the handler must know.
    Lacks(Capability),
    /// The user has to open pages first.
    Pages(String),
}

/// A failed tool call, as a handler says it. It becomes a result with `isError: true`.
///
/// Any error turns into one with `?`, of the category [`Internal`](ToolErrorCategory::Internal). Such an error's own
/// text (one level, never its chain) reaches the model only where the server may show it; see
/// [`Server::expose_errors`](crate::Server::expose_errors). A text given to a constructor is always shown.
///
/// Like `anyhow::Error` it does not implement [`std::error::Error`] itself, which is what makes the conversion possible.
///
/// ```
/// use mcp_runtime::{ToolError, ToolErrorCategory};
///
/// fn parse(text: &str) -> Result<u16, ToolError> {
///     if text.is_empty() {
///         return Err(ToolError::invalid_params("`port` is empty: give a number such as 8080"));
///     }
///     Ok(text.parse()?)
/// }
/// assert_eq!(parse("").unwrap_err().category(), ToolErrorCategory::InvalidParams);
/// assert_eq!(parse("x").unwrap_err().category(), ToolErrorCategory::Internal);
/// ```
#[derive(Debug)]
pub struct ToolError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    category: ToolErrorCategory,
    message: String,
    /// The text was not written for the caller: it came from some error below.
    foreign: bool,
    /// What the protocol wants the client to be told instead.
    instead: Option<Instead>,
    content: Vec<Content>,
}

impl ToolError {
    /// The arguments do not fit.
    #[must_use]
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(ToolErrorCategory::InvalidParams, message)
    }

    /// No such tool.
    #[must_use]
    pub fn tool_not_found(message: impl Into<String>) -> Self {
        Self::new(ToolErrorCategory::ToolNotFound, message)
    }

    /// It took too long.
    #[must_use]
    pub fn timeout(message: impl Into<String>) -> Self {
        Self::new(ToolErrorCategory::Timeout, message)
    }

    /// The caller may not do this.
    #[must_use]
    pub fn permission_denied(message: impl Into<String>) -> Self {
        Self::new(ToolErrorCategory::PermissionDenied, message)
    }

    /// Something failed, in words that the caller may see.
    #[must_use]
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ToolErrorCategory::Internal, message)
    }

    /// What a generated stub answers until somebody writes the handler.
    #[must_use]
    pub fn not_implemented(feature: &str) -> Self {
        Self::internal(format!("`{feature}` is not implemented yet"))
    }

    /// A failure of `category`, in words that the caller may see.
    #[must_use]
    pub fn new(category: ToolErrorCategory, message: impl Into<String>) -> Self {
        Self(Box::new(Inner { category, message: message.into(), foreign: false, instead: None, content: Vec::new() }))
    }

    /// A question has no answer; why is for the caller to know.
    fn unanswered(error: &AskError) -> Self {
        let category = if error.is_timed_out() { ToolErrorCategory::Timeout } else { ToolErrorCategory::Internal };
        let mut converted = Self::new(category, error.to_string());
        converted.0.instead = error.lacking().map(Instead::Lacks);
        converted
    }

    /// The user has to open pages first: `pages` is a JSON array of them.
    pub(crate) fn pages_required(message: &str, pages: String) -> Self {
        let mut error = Self::permission_denied(message);
        error.0.instead = Some(Instead::Pages(pages));
        error
    }

    /// Adds content after the message: a screenshot of the failure, a link to a log.
    #[must_use]
    pub fn with(mut self, content: impl Into<Content>) -> Self {
        self.0.content.push(content.into());
        self
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn category(&self) -> ToolErrorCategory {
        self.0.category
    }

    /// The text as it was given, whether or not the caller may see it.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Whether the text came from an error that was not written for the caller.
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        self.0.foreign
    }

    /// What the protocol wants the client to be told instead of the message alone.
    pub(crate) fn instead(&self) -> Option<&Instead> {
        self.0.instead.as_ref()
    }

    /// The content that was added.
    pub(crate) fn content(&self) -> &[Content] {
        &self.0.content
    }
}

impl<E> From<E> for ToolError
where
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    #[cold]
    fn from(error: E) -> Self {
        let error = error.into();
        if let Some(unanswered) = AskError::within(&*error) {
            return Self::unanswered(unanswered);
        }
        let mut converted = Self::internal(error.to_string());
        converted.0.foreign = true;
        converted
    }
}

/// Shows the message alone.
impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_error_converts_with_its_own_text_only() {
        #[derive(Debug)]
        struct Outer;
        impl fmt::Display for Outer {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("outer")
            }
        }
        impl std::error::Error for Outer {
            fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
                Some(&fmt::Error)
            }
        }
        let error = ToolError::from(Outer);
        assert_eq!((error.message(), error.is_foreign()), ("outer", true));
        let boxed: Box<dyn std::error::Error + Send + Sync> = Box::new(Outer);
        assert_eq!(ToolError::from(boxed).message(), "outer");
    }

    #[test]
    fn only_time_outs_and_internal_failures_are_worth_a_retry() {
        use ToolErrorCategory as C;
        let all = [C::InvalidParams, C::ToolNotFound, C::Timeout, C::PermissionDenied, C::Internal];
        let retriable: Vec<_> = all.into_iter().filter(|c| c.is_retriable()).collect();
        assert_eq!(retriable, [C::Timeout, C::Internal]);
    }
}
