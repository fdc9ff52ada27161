//! Progress notices.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use crate::context::Context;
use crate::context::task::Related;
use crate::json::{Encode, Writer};

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
        let mut pace = context.state.pace.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(notice) = pace.admit(notice, Instant::now()) {
            context.send_progress(&notice);
        }
    }
}

/// A notice that may have to wait.
#[derive(Debug)]
struct Notice {
    done: f64,
    total: Option<f64>,
    message: Option<String>,
}

/// How fast the notices of one request go out.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    last: Option<f64>,
    /// When the next notice would go out, were they sent evenly.
    due: Option<Instant>,
    /// The last notice that came too early.
    held: Option<Notice>,
}

/// The time between two notices, in the long run.
const INTERVAL: Duration = Duration::from_millis(50);
/// How many intervals a handler may be ahead: few steps are all shown, however fast they are.
const AHEAD: u32 = 10;

impl Pace {
    /// The notice, if it can go out now. One that is not more than the last is dropped; one that is too early is held.
    fn admit(&mut self, notice: Notice, now: Instant) -> Option<Notice> {
        if self.last.is_some_and(|last| notice.done <= last) {
            return None;
        }
        self.last = Some(notice.done);
        let due = self.due.map_or(now, |due| due.max(now));
        if due >= now + INTERVAL * AHEAD {
            self.held = Some(notice);
            return None;
        }
        self.due = Some(due + INTERVAL);
        self.held = None;
        Some(notice)
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
        let pace = self.state.pace.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(notice) = pace.held.take() {
            self.send_progress(&notice);
        }
    }

    fn send_progress(&self, notice: &Notice) {
        let Some(token) = self.state.meta.as_ref().and_then(|meta| meta.progress_token.as_ref()) else { return };
        let message = notice.message.as_ref().filter(|_| self.state.head.revision.has_progress_message());
        self.state.outbox.push(|out| {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(pace: &mut Pace, done: f64, now: Instant) -> bool {
        pace.admit(Notice { done, total: None, message: None }, now).is_some()
    }

    #[test]
    fn few_notices_go_out_at_once_and_many_at_20_a_second() {
        let (mut pace, start) = (Pace::default(), Instant::now());
        let sent = |pace: &mut Pace, millis: std::ops::Range<u32>| {
            let at = |millis| start + Duration::from_millis(u64::from(millis));
            millis.filter(|millis| admitted(pace, f64::from(*millis), at(*millis))).count()
        };
        assert_eq!(sent(&mut pace, 0..10), 10);
        assert_eq!(sent(&mut pace, 10..1000), 20);
        assert_eq!(sent(&mut pace, 1000..2000), 20);
        assert_eq!(pace.held.unwrap().done.to_string(), "1999");
    }

    #[test]
    fn progress_never_goes_back() {
        let (mut pace, now) = (Pace::default(), Instant::now());
        assert_eq!([1.0, 1.0, 0.5, 2.0].map(|done| admitted(&mut pace, done, now)), [true, false, false, true]);
    }
}
