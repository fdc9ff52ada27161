//! One handler on its way to its end, whatever kind of end.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::time::timeout_at;

use crate::context::Answer;
use crate::jsonrpc::RequestId;
use crate::peer::Peer;
use crate::protocol::Handling;
use crate::service::Running;

/// How exactly the time in which a handler waited for the client is given back to it.
const STEP: Duration = Duration::from_millis(20);

/// How a handler ended.
#[derive(Debug)]
pub(crate) enum End {
    Answered(Answer),
    Panicked(Box<dyn Any + Send>),
    /// It ran longer than this.
    TimedOut(Duration),
}

impl End {
    /// The answer; where there is none, what to say instead is appended to `out`.
    pub(crate) fn told(self, handling: Handling<'_>, out: &mut Vec<u8>) -> Option<Answer> {
        match self {
            Self::Answered(answer) => return Some(answer),
            Self::Panicked(panic) => handling.panicked(&*panic, out),
            Self::TimedOut(limit) => handling.timed_out(limit, out),
        }
        None
    }
}

/// Runs a handler to its end.
pub(crate) async fn run(id: RequestId, future: Running, limited: Option<(Duration, Arc<Peer>)>) -> End {
    let guarded = guard(future);
    match limited {
        None => guarded.await,
        Some((limit, peer)) => within(limit, guarded, || peer.waited(&id)).await,
    }
}

/// Runs a handler for as long as it may; the time in which it waited for the client does not count.
pub(super) async fn within(limit: Duration, handler: impl Future<Output = End>, waited: impl Fn() -> Duration) -> End {
    let mut handler = pin!(handler);
    let end = tokio::time::Instant::now() + limit;
    let mut granted = Duration::ZERO;
    loop {
        if let Ok(end) = timeout_at(end + granted, handler.as_mut()).await {
            return end;
        }
        let so_far = waited();
        if so_far <= granted {
            return End::TimedOut(limit);
        }
        // looked at in steps: a handler that has used up its time and waits still would be looked at all the time
        granted = so_far + STEP;
    }
}

pub(super) async fn guard(mut future: Running) -> End {
    poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
        Ok(Poll::Ready(answer)) => Poll::Ready(End::Answered(answer)),
        Ok(Poll::Pending) => Poll::Pending,
        Err(panic) => Poll::Ready(End::Panicked(panic)),
    })
    .await
}
