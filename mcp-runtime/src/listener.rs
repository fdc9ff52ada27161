//! Who hears what happens on a server, off the road of the requests.

mod event;
mod queue;

pub use self::event::{Cancelled, Finished, Outcome, Refused, Repaired, Skipped, ToolErrorEvent, TransportEvent};
pub(crate) use self::queue::{Event, Listeners};

/// Hears events of a server. Each method does nothing unless it is written.
///
/// Listeners run on a thread of their own, fed by a bounded queue: a slow one delays no request, one that panics is
/// reported on standard error and goes on with the next event. When the queue is full, events are dropped and
/// counted; the count arrives as [`TransportEvent::EventsDropped`].
///
/// ```
/// use mcp_runtime::listener::{Finished, Listener, ToolErrorEvent};
///
/// struct Audit;
///
/// impl Listener for Audit {
///     fn tool_error(&self, event: &ToolErrorEvent) {
///         eprintln!("{event}");
///     }
///     fn finished(&self, event: &Finished) {
///         eprintln!("{}: {:?} after {:?}", event.name, event.outcome, event.duration);
///     }
/// }
/// ```
#[expect(unused_variables, reason = "the names of the parameters are documentation")]
pub trait Listener: Send + Sync + 'static {
    /// A tool call failed, for whatever reason.
    fn tool_error(&self, event: &ToolErrorEvent) {}

    /// Arguments were mended before a handler saw them.
    fn repaired(&self, event: &Repaired) {}

    /// A request was cancelled.
    fn cancelled(&self, event: &Cancelled) {}

    /// A handler ended, well or badly.
    fn finished(&self, event: &Finished) {}

    /// A request was refused before a handler ran.
    fn refused(&self, event: &Refused) {}

    /// A provider offers something that cannot be served. Told once for each name.
    fn skipped(&self, event: &Skipped) {}

    /// The store of tasks could not do what it was asked for.
    fn task_store(&self, error: &str) {}

    /// Something happened to the connection.
    fn transport(&self, event: &TransportEvent) {}
}

/// A closure as a listener to tool errors.
pub(crate) struct OnToolError<F>(pub(crate) F);

impl<F: Fn(&ToolErrorEvent) + Send + Sync + 'static> Listener for OnToolError<F> {
    fn tool_error(&self, event: &ToolErrorEvent) {
        (self.0)(event);
    }
}
