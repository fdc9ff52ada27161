//! The bounded queue between the requests and the listeners' thread.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::listener::{
    Cancelled, Finished, Listener, Outcome, Refused, Repaired, Skipped, ToolErrorEvent, TransportEvent,
};
use crate::lock::lock;
use crate::protocol::Head;

/// Events that may wait for the listeners.
const CAPACITY: usize = 1024;
/// How long the end of the server waits for listeners that are behind.
const FLUSH: Duration = Duration::from_secs(1);

/// All listeners of a server, and the way to them.
pub(crate) struct Listeners {
    queue: Option<Queue>,
}

struct Queue {
    sender: Mutex<Option<SyncSender<Event>>>,
    dropped: Arc<AtomicU64>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

pub(crate) enum Event {
    Cancelled(Cancelled),
    Finished(Finished),
    Refused(Refused),
    Repaired(Repaired),
    Skipped(Skipped),
    TaskStore(String),
    ToolError(ToolErrorEvent),
    Transport(TransportEvent),
}

impl Listeners {
    /// Starts the listeners' thread, if there are any listeners.
    ///
    /// # Errors
    ///
    /// Fails if the system refuses a thread.
    pub(crate) fn start(listeners: Vec<Box<dyn Listener>>) -> std::io::Result<Self> {
        if listeners.is_empty() {
            return Ok(Self { queue: None });
        }
        let (sender, receiver) = sync_channel(CAPACITY);
        let dropped = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&dropped);
        let thread = thread::Builder::new()
            .name("mcp-listeners".to_owned())
            .spawn(move || deliver(&listeners, &receiver, &counter))?;
        let (sender, thread) = (Mutex::new(Some(sender)), Mutex::new(Some(thread)));
        Ok(Self { queue: Some(Queue { sender, dropped, thread }) })
    }

    /// Whether anybody listens: else nobody needs to build an event.
    pub(crate) fn any(&self) -> bool {
        self.queue.is_some()
    }

    /// Queues an event, or counts it as dropped.
    pub(crate) fn send(&self, event: Event) {
        let Some(queue) = &self.queue else { return };
        let sender = lock(&queue.sender);
        if sender.as_ref().is_some_and(|sender| sender.try_send(event).is_err()) {
            queue.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Says that a handler was dropped because nobody waits for it any more.
    pub(crate) fn cancelled(&self, head: &Head, name: &str) {
        if let Some(finished) = head.finished(name, Outcome::Cancelled, None) {
            self.send(Event::Finished(finished));
        }
    }

    /// Lets the listeners hear what is queued, for a short time at most.
    pub(crate) fn flush(&self) {
        let Some(queue) = &self.queue else { return };
        drop(lock(&queue.sender).take());
        let Some(thread) = lock(&queue.thread).take() else { return };
        let deadline = Instant::now() + FLUSH;
        while !thread.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl fmt::Debug for Listeners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listeners").field("any", &self.any()).finish()
    }
}

fn deliver(listeners: &[Box<dyn Listener>], events: &Receiver<Event>, dropped: &AtomicU64) {
    for event in events {
        let lost = dropped.swap(0, Ordering::Relaxed);
        let lost = (lost > 0).then_some(Event::Transport(TransportEvent::EventsDropped(lost)));
        for event in lost.iter().chain([&event]) {
            for listener in listeners {
                // the panic hook has already told standard error
                let _ = catch_unwind(AssertUnwindSafe(|| hand_over(&**listener, event)));
            }
        }
    }
}

fn hand_over(listener: &dyn Listener, event: &Event) {
    match event {
        Event::Cancelled(event) => listener.cancelled(event),
        Event::Finished(event) => listener.finished(event),
        Event::Refused(event) => listener.refused(event),
        Event::Repaired(event) => listener.repaired(event),
        Event::Skipped(event) => listener.skipped(event),
        Event::TaskStore(error) => listener.task_store(error),
        Event::ToolError(event) => listener.tool_error(event),
        Event::Transport(event) => listener.transport(event),
    }
}
