//! Notices that say nothing but that the handler still runs: many clients give up on a request that is silent for long,
//! and count anew at each notice.

use std::pin::Pin;
use std::task::{self, Poll};
use std::time::Instant;

use tokio::time::{Sleep, sleep};

use crate::context::Context;

/// The timer of one handler; there is none before it has to wait.
#[derive(Debug, Default)]
pub(crate) struct Heartbeat(Option<Pin<Box<Sleep>>>);

impl Context {
    /// Tells the client that the handler still runs, if it has heard nothing for long. To be called at each poll that
    /// brought no result.
    pub(crate) fn beat(&self, heartbeat: &mut Heartbeat, context: &mut task::Context<'_>) {
        let Some(silence) = self.state.peer.engine.limits.heartbeat else { return };
        // a task's answer is there already: nobody counts the time to it
        if !self.wants_progress() || self.related_task().is_some() {
            return;
        }
        let timer = heartbeat.0.get_or_insert_with(|| Box::pin(sleep(silence)));
        while let Poll::Ready(()) = timer.as_mut().poll(context) {
            let wait = match self.pace().beat(silence, Instant::now()) {
                Ok(notice) => {
                    self.send_progress(notice);
                    silence
                }
                Err(wait) => wait,
            };
            timer.as_mut().reset(tokio::time::Instant::now() + wait);
        }
    }
}
