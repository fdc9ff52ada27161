//! Progress notices.

mod heartbeat;
mod pace;

use std::sync::MutexGuard;
use std::time::Instant;

pub(crate) use self::heartbeat::Heartbeat;
use self::pace::Notice;
pub(crate) use self::pace::Pace;
use crate::context::Context;
use crate::context::task::Related;
use crate::json::{Encode, Writer};
use crate::lock::lock;

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
    ///
    /// Some 20 notices a second go out; of those beyond, the last one does, before the answer.
    pub fn send(self) {
        let Self { context, done, total, message } = self;
        if let (Some(task), Some(message)) = (context.task(), &message) {
            task.status(message.as_str());
        }
        if !context.wants_progress() || !done.is_finite() {
            return;
        }
        let notice = Notice { done, total: total.filter(|total| total.is_finite()), message };
        if let Some(notice) = context.pace().admit(notice, Instant::now()) {
            context.send_progress(notice);
        }
    }
}

impl Context {
    /// Whether the client asked for progress, and still waits for the answer.
    fn wants_progress(&self) -> bool {
        !self.is_given_up()
            && !self.is_silent_task()
            && self.state.meta.as_ref().is_some_and(|meta| meta.progress_token.is_some())
    }

    /// Sends what is still held: nothing comes after it but the answer.
    pub(super) fn finish_progress(&mut self) {
        if let Some(notice) = self.pace().take_held() {
            self.send_progress(notice);
        }
    }

    fn send_progress(&self, notice: &Notice) {
        let Some(token) = self.state.meta.as_ref().and_then(|meta| meta.progress_token.as_ref()) else { return };
        let message = notice.message.as_ref().filter(|_| self.state.head.revision.has_progress_message());
        self.outbox().push(|out| {
            out.extend_from_slice(br#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"#);
            if let Some(id) = self.related_task() {
                out.extend_from_slice(br#""_meta":"#);
                Related(id).encode(&mut Writer::new(out));
                out.push(b',');
            }
            out.extend_from_slice(br#""progressToken":"#);
            token.write(out);
            out.extend_from_slice(br#","progress":"#);
            Writer::new(out).number(notice.done);
            if let Some(total) = notice.total {
                out.extend_from_slice(br#","total":"#);
                Writer::new(out).number(total);
            }
            if let Some(message) = message {
                out.extend_from_slice(br#","message":"#);
                Writer::new(out).string(message);
            }
            out.extend_from_slice(b"}}");
        });
    }

    fn pace(&self) -> MutexGuard<'_, Pace> {
        lock(&self.state.pace)
    }
}
