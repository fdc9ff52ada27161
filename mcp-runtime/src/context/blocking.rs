//! Handlers that block: each on a thread of its own, a bounded number at a time.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread;

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::context::{Answer, Context, Outcome};
use crate::peer::Cancellation;
use crate::tool_error::ToolError;

/// Tells a blocking handler that nobody waits for it: when the call was cancelled or ran too long, what waits for the
/// thread is dropped, but the thread runs on.
struct FireOnDrop(Option<Arc<Cancellation>>);

impl Drop for FireOnDrop {
    fn drop(&mut self) {
        if let Some(cancellation) = &self.0 {
            cancellation.fire();
        }
    }
}

impl Context {
    /// Runs a blocking handler and writes its answer with `finish`.
    ///
    /// Threads are our own and not the async runtime's: that one would wait for them at its end, so that a handler
    /// that hangs would keep the process from exiting.
    pub(crate) async fn block_on_thread<T, F>(self, run: F, finish: fn(Self, Outcome<T, ToolError>) -> Answer) -> Answer
    where
        T: Send + 'static,
        F: FnOnce(&Self) -> Result<T, ToolError> + Send + 'static,
    {
        let engine = Arc::clone(&self.state.peer.engine);
        let mut guard = FireOnDrop(Some(Arc::clone(self.cancellation())));
        let Ok(permit) = Arc::clone(&engine.blocking).acquire_owned().await else {
            return finish(self, Outcome::failed(ToolError::internal("the server is shutting down")));
        };
        let (sender, receiver) = oneshot::channel();
        let runtime = Handle::current();
        let spawned = thread::Builder::new().name("mcp-blocking".to_owned()).spawn(move || {
            let _entered = runtime.enter();
            let result = catch_unwind(AssertUnwindSafe(|| run(&self)));
            drop(permit);
            // nobody may be waiting any more
            let _ = sender.send((self, result));
        });
        if let Err(error) = spawned {
            // the context went down with the thread: what polls us answers in its place
            resume_unwind(Box::new(error));
        }
        let ended = receiver.await;
        guard.0 = None;
        match ended {
            Ok((context, Ok(result))) => {
                let outcome = context.ended(result);
                finish(context, outcome)
            }
            Ok((_, Err(panic))) => resume_unwind(panic),
            Err(closed) => resume_unwind(Box::new(closed)),
        }
    }
}
