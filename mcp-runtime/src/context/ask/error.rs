//! Why a question has no answer.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use crate::protocol::Capability;

/// Why a question has no answer. That the user declines is none of these: it is an answer.
///
/// With `?` it becomes a [`ToolError`](crate::ToolError) or a [`RequestError`](crate::RequestError). If the client lacks
/// the capability, stateless clients are told so by the protocol's own error, -32021.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskError(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Gone,
    Invalid(String),
    MultipleChoice,
    Overloaded,
    Refused { code: i64, message: String },
    Suspended,
    TimedOut(Duration),
    Unaskable(String),
    Unsupported(Capability),
}

impl AskError {
    /// Whether the client cannot be asked such a thing: it does not declare the capability, or its revision of the
    /// protocol does not know it. Do without the answer, if you can.
    #[must_use]
    pub fn is_unsupported(&self) -> bool {
        matches!(self.0, Kind::MultipleChoice | Kind::Unsupported(_))
    }

    /// Whether the client did not answer in time.
    #[must_use]
    pub fn is_timed_out(&self) -> bool {
        matches!(self.0, Kind::TimedOut(_))
    }

    /// Whether the client answered with an error: a user who does not let the model be asked, say.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        matches!(self.0, Kind::Refused { .. })
    }

    /// Whether the answer does not fit the question.
    #[must_use]
    pub fn is_invalid(&self) -> bool {
        matches!(self.0, Kind::Invalid(_))
    }

    /// Whether the client is gone, and nobody will read what the handler still has to say.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        matches!(self.0, Kind::Gone)
    }

    /// The one in a chain of errors, if there is one.
    pub(crate) fn within<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e Self> {
        let mut next = Some(error);
        while let Some(error) = next {
            if let Some(found) = error.downcast_ref() {
                return Some(found);
            }
            next = error.source();
        }
        None
    }

    /// The capability that the client lacks.
    pub(crate) fn lacking(&self) -> Option<Capability> {
        match self.0 {
            Kind::Unsupported(capability) => Some(capability),
            Kind::Gone
            | Kind::Invalid(_)
            | Kind::MultipleChoice
            | Kind::Overloaded
            | Kind::Refused { .. }
            | Kind::Suspended
            | Kind::TimedOut(_)
            | Kind::Unaskable(_) => None,
        }
    }

    pub(super) fn gone() -> Self {
        Self(Kind::Gone)
    }

    pub(super) fn invalid(why: impl Into<String>) -> Self {
        Self(Kind::Invalid(why.into()))
    }

    pub(super) fn multiple_choice() -> Self {
        Self(Kind::MultipleChoice)
    }

    pub(super) fn overloaded() -> Self {
        Self(Kind::Overloaded)
    }

    pub(super) fn refused(code: i64, message: String) -> Self {
        Self(Kind::Refused { code, message })
    }

    pub(super) fn suspended() -> Self {
        Self(Kind::Suspended)
    }

    pub(super) fn timed_out(limit: Duration) -> Self {
        Self(Kind::TimedOut(limit))
    }

    pub(super) fn unaskable(why: impl Into<String>) -> Self {
        Self(Kind::Unaskable(why.into()))
    }

    pub(super) fn unsupported(capability: Capability) -> Self {
        Self(Kind::Unsupported(capability))
    }
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Gone => f.write_str("the client is gone"),
            Kind::Invalid(why) => write!(f, "the client's answer does not fit the question: {why}"),
            Kind::MultipleChoice => f.write_str("the client's revision of the protocol knows no multiple choice"),
            Kind::Overloaded => f.write_str("the client leaves too many questions unanswered"),
            Kind::Refused { code, message } => write!(f, "the client refused to answer: {message} ({code})"),
            Kind::Suspended => f.write_str("suspended until the client has answered"),
            Kind::TimedOut(limit) => write!(f, "the client did not answer within {limit:?}"),
            Kind::Unaskable(why) => write!(f, "the question cannot be asked: {why}"),
            Kind::Unsupported(capability) => write!(f, "the client does not have the capability `{capability}`"),
        }
    }
}

impl Error for AskError {}
