//! Requests that wait for a free place, in the order in which they came.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use crate::jsonrpc::RequestId;
use crate::serve::Line;

/// The queue, bounded in bytes.
#[derive(Debug)]
pub(super) struct Waiting {
    queue: VecDeque<(RequestId, Arc<Vec<u8>>)>,
    /// The ids in the queue: each request that comes is held against them.
    ids: HashSet<RequestId>,
    bytes: usize,
    limit: usize,
}

impl Waiting {
    pub(super) fn new(limit: usize) -> Self {
        Self { queue: VecDeque::new(), ids: HashSet::new(), bytes: 0, limit }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    pub(super) fn contains(&self, id: &RequestId) -> bool {
        !self.ids.is_empty() && self.ids.contains(id)
    }

    /// Keeps a request; `false` if too much is waiting already.
    pub(super) fn push(&mut self, id: RequestId, line: Line<'_>) -> bool {
        let line = match line {
            Line::Short(bytes) => Arc::new(bytes.to_vec()),
            Line::Long(line) => line,
            Line::TooLong => return false,
        };
        if self.bytes + line.len() > self.limit {
            return false;
        }
        self.bytes += line.len();
        self.ids.insert(id.clone());
        self.queue.push_back((id, line));
        true
    }

    /// Takes the request that has waited longest.
    pub(super) fn pop(&mut self) -> Option<Line<'static>> {
        let taken = self.queue.pop_front();
        self.taken(taken)
    }

    /// Takes a request out that was given up; `false` if it does not wait.
    pub(super) fn forget(&mut self, id: &RequestId) -> bool {
        if !self.contains(id) {
            return false;
        }
        let place = self.queue.iter().position(|(waiting, _)| waiting == id);
        let taken = place.and_then(|place| self.queue.remove(place));
        self.taken(taken).is_some()
    }

    fn taken(&mut self, request: Option<(RequestId, Arc<Vec<u8>>)>) -> Option<Line<'static>> {
        let (id, line) = request?;
        self.ids.remove(&id);
        self.bytes -= line.len();
        Some(Line::Long(line))
    }
}
