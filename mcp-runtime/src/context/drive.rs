//! Polling a handler.

use crate::context::Context;

/// What became of a handler. Generated code carries it from [`Context::drive`] to the method that writes the answer.
#[derive(Debug)]
#[must_use]
pub struct Outcome<T, E>(pub(crate) Result<T, E>);

impl Context {
    /// Runs a handler to its end.
    pub async fn drive<T, E>(&self, handler: impl Future<Output = Result<T, E>>) -> Outcome<T, E> {
        Outcome(handler.await)
    }
}
