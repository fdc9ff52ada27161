//! How much a client may ask of the server.

use std::time::Duration;

/// Bounds on everything that grows with what a client sends.
#[derive(Clone, Debug)]
pub(crate) struct Limits {
    /// The longest message in bytes.
    pub(crate) message: usize,
    /// Handlers that run at the same time on one connection; further requests wait.
    pub(crate) in_flight: usize,
    /// Bytes of requests that wait for a free place; further requests are refused.
    pub(crate) waiting: usize,
    /// Threads for blocking handlers.
    pub(crate) blocking_threads: usize,
    /// How long a client may take to answer a question.
    pub(crate) answer: Duration,
    /// The longest silence to a client that waits and asked for progress; `None` for any.
    pub(crate) heartbeat: Option<Duration>,
    /// Features on one page of a list; `None` for what the contract says.
    pub(crate) page: Option<usize>,
    /// How long answers in flight may take once the client has closed its side.
    pub(crate) drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message: 16 << 20,
            in_flight: 1024,
            waiting: 4 << 20,
            blocking_threads: 64,
            answer: Duration::from_secs(600),
            heartbeat: Some(Duration::from_secs(15)),
            page: None,
            drain: Duration::from_secs(10),
        }
    }
}
