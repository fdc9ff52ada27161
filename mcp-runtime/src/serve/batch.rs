//! The answers that go out with one write.

use crate::context::Answer;

/// An answer this long becomes the batch instead of being copied to it.
const LARGE: usize = 1 << 16;
/// What the buffer may keep from one batch to the next.
const KEPT: usize = 1 << 19;

/// Lines that are to be written.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) bytes: Vec<u8>,
    /// What stands before is not ours to write.
    start: usize,
}

impl Batch {
    pub(super) fn len(&self) -> usize {
        self.bytes.len() - self.start
    }

    pub(super) fn unwritten(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// Adds an answer and its line end.
    pub(super) fn push(&mut self, answer: &mut Answer) {
        if self.len() > 0 || answer.bytes().len() < LARGE {
            self.bytes.extend_from_slice(answer.bytes());
        } else {
            (self.bytes, self.start) = answer.take_bytes();
        }
        self.bytes.push(b'\n');
    }

    /// Ends what was appended, if it needs an end.
    pub(super) fn end_line(&mut self) {
        if self.unwritten().last().is_some_and(|&byte| byte != b'\n') {
            self.bytes.push(b'\n');
        }
    }

    /// Forgets what was written.
    pub(super) fn clear(&mut self) {
        self.start = 0;
        if self.bytes.capacity() > KEPT {
            self.bytes = Vec::new();
        } else {
            self.bytes.clear();
        }
    }
}
