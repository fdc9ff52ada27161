//! Progress notices.

use crate::context::Context;
use crate::json::Writer;

/// A progress notice under construction; see [`Context::progress`].
#[derive(Debug)]
#[must_use = "nothing is sent before `send`"]
pub struct Progress<'c> {
    context: &'c Context,
    done: f64,
    total: Option<f64>,
    message: Option<String>,
}

impl<'c> Progress<'c> {
    pub(crate) fn new(context: &'c Context, done: f64) -> Self {
        Self { context, done, total: None, message: None }
    }

    /// Says what the progress counts up to.
    pub fn total(mut self, total: f64) -> Self {
        self.total = Some(total);
        self
    }

    /// Says in words what is going on. Clients before 2025-03-26 do not see it.
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }

    /// Sends the notice, if the client asked for progress and this is more than before.
    pub fn send(self) {
        let context = self.context;
        let Some(token) = context.state.meta.as_ref().and_then(|meta| meta.progress_token.as_ref()) else { return };
        if !self.done.is_finite() {
            return;
        }
        {
            let mut beside = context.beside();
            if beside.last_progress.is_some_and(|last| self.done <= last) {
                return;
            }
            beside.last_progress = Some(self.done);
        }
        let message = self.message.filter(|_| context.state.head.revision.has_progress_message());
        context.state.peer.outbox.push(|out| {
            out.extend_from_slice(br#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"#);
            token.write(out);
            out.extend_from_slice(br#","progress":"#);
            Writer::new(out).number(self.done);
            if let Some(total) = self.total.filter(|total| total.is_finite()) {
                out.extend_from_slice(br#","total":"#);
                Writer::new(out).number(total);
            }
            if let Some(message) = message {
                out.extend_from_slice(br#","message":"#);
                Writer::new(out).string(&message);
            }
            out.extend_from_slice(b"}}");
        });
    }
}
