//! What a connection asks of the transport that brings its messages.

use std::time::Instant;

use crate::jsonrpc::{Params, RequestId};

/// What the transport knows that a message must respect.
pub(crate) trait Load {
    /// Whether a request with this id is unanswered.
    fn is_running(&self, id: &RequestId) -> bool;
    /// Whether no further handler may start.
    fn is_full(&self) -> bool;
    /// Whether a handler should not be polled here, because its first steps have taken long before.
    fn is_slow(&self, feature: &str) -> bool;
    /// The time, while handlers are watched for being slow.
    fn begin(&self) -> Option<Instant>;
    /// Hears that a handler's first steps are done.
    fn end(&self, feature: &str, begun: Option<Instant>);

    /// Whether what the transport itself says of a stateless request agrees with the version in the request.
    ///
    /// # Errors
    ///
    /// Says what does not agree.
    fn check_version(&self, _version: &str) -> Result<(), String> {
        Ok(())
    }

    /// The same for the method and what it is applied to.
    ///
    /// # Errors
    ///
    /// Says what does not agree.
    fn check_target(&self, _method: &str, _params: &Params<'_>) -> Result<(), String> {
        Ok(())
    }

    /// The same for a tool's arguments, which are JSON text.
    ///
    /// # Errors
    ///
    /// Says what does not agree.
    fn check_arguments(&self, _tool: &str, _arguments: &str) -> Result<(), String> {
        Ok(())
    }
}
