//! Handlers that block: each on a thread of its own, a bounded number at a time.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::thread;

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::context::{Answer, Context, Heartbeat, Outcome};
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
        let (sender, mut receiver) = oneshot::channel();
        let context = Arc::new(self);
        let on_thread = Arc::clone(&context);
        let runtime = Handle::current();
        let spawned = thread::Builder::new().name("mcp-blocking".to_owned()).spawn(move || {
            let _entered = runtime.enter();
            let span = on_thread.span();
            let result = catch_unwind(AssertUnwindSafe(|| span.within(|| run(&on_thread))));
            drop((permit, on_thread));
            // nobody may be waiting any more
            let _ = sender.send(result);
        });
        if let Err(error) = spawned {
            resume_unwind(Box::new(error));
        }
        let mut heartbeat = Heartbeat::default();
        let ended = poll_fn(|cx| match Pin::new(&mut receiver).poll(cx) {
            Poll::Ready(ended) => Poll::Ready(ended),
            Poll::Pending => {
                context.beat(&mut heartbeat, cx);
                Poll::Pending
            }
        });
        let ended = ended.await;
        guard.0 = None;
        // the thread gave its share back before it sent
        let Some(context) = Arc::into_inner(context) else { resume_unwind(Box::new("the handler's thread lives on")) };
        match ended {
            Ok(Ok(result)) => {
                let outcome = context.ended(result);
                finish(context, outcome)
            }
            Ok(Err(panic)) => resume_unwind(panic),
            Err(closed) => resume_unwind(Box::new(closed)),
        }
    }
}
