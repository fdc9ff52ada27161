//! Polling a handler.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use crate::context::{Context, Heartbeat};

/// What became of a handler. Generated code carries it from [`Context::drive`] to the method that writes the answer.
#[derive(Debug)]
#[must_use]
pub struct Outcome<T, E>(pub(crate) Ended<T, E>);

#[derive(Debug)]
pub(crate) enum Ended<T, E> {
    /// It asks what this request cannot answer.
    Asked,
    Failed(E),
    Succeeded(T),
}

impl<T, E> Outcome<T, E> {
    pub(crate) fn succeeded(value: T) -> Self {
        Self(Ended::Succeeded(value))
    }

    pub(crate) fn failed(error: E) -> Self {
        Self(Ended::Failed(error))
    }
}

impl Context {
    /// Runs a handler to its end, or until it waits for what only the client's next request can bring.
    pub async fn drive<T, E>(&self, handler: impl Future<Output = Result<T, E>>) -> Outcome<T, E> {
        let mut handler = pin!(handler);
        let mut heartbeat = Heartbeat::default();
        poll_fn(|context| match handler.as_mut().poll(context) {
            Poll::Ready(result) => Poll::Ready(self.ended(result)),
            Poll::Pending if self.is_suspended() => Poll::Ready(Outcome(Ended::Asked)),
            Poll::Pending => {
                self.beat(&mut heartbeat, context);
                Poll::Pending
            }
        })
        .await
    }

    /// What a handler's result means: one that fails with a question open may have failed because of it, for whatever
    /// error it made of that.
    pub(crate) fn ended<T, E>(&self, result: Result<T, E>) -> Outcome<T, E> {
        match result {
            Ok(value) => Outcome::succeeded(value),
            Err(_) if self.is_suspended() => Outcome(Ended::Asked),
            Err(error) => Outcome::failed(error),
        }
    }
}
