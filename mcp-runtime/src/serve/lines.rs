//! Bytes in, complete lines out: no line is copied, and none can be longer than the limit.

use std::ops::Range;
use std::sync::Arc;

use memchr::memchr;

/// Room for one read, and what the buffer shrinks back to after a long line.
const CHUNK: usize = 1 << 16;
/// A line longer than this leaves with its buffer.
const LONG: usize = 1 << 16;

/// The bytes that were read and not answered yet.
#[derive(Debug)]
pub(super) struct Lines {
    buffer: Vec<u8>,
    /// First byte of the line that is read next.
    start: usize,
    /// No line end stands before this byte.
    scanned: usize,
    /// One past the last byte that was read.
    end: usize,
    limit: usize,
    /// The rest of a line that was too long is being dropped.
    skipping: bool,
}

/// One line without its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line<'b> {
    Short(&'b [u8]),
    /// A line worth keeping instead of copying.
    Long(Arc<Vec<u8>>),
    /// It went beyond the limit; its bytes are gone.
    TooLong,
}

impl Line<'_> {
    /// The line's text, if it is there.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Short(bytes) => Some(bytes),
            Self::Long(bytes) => Some(bytes),
            Self::TooLong => None,
        }
    }

    /// A long line, to be kept.
    pub(crate) fn shared(&self) -> Option<Arc<Vec<u8>>> {
        match self {
            Self::Long(line) => Some(Arc::clone(line)),
            Self::Short(_) | Self::TooLong => None,
        }
    }
}

impl Lines {
    pub(super) fn new(limit: usize) -> Self {
        Self { buffer: vec![0; CHUNK], start: 0, scanned: 0, end: 0, limit, skipping: false }
    }

    /// Free bytes to read into, always some.
    pub(super) fn room(&mut self) -> &mut [u8] {
        if self.start == self.end {
            (self.start, self.scanned, self.end) = (0, 0, 0);
            if self.buffer.len() > CHUNK {
                self.buffer = vec![0; CHUNK];
            }
        } else if self.buffer.len() - self.end < CHUNK / 2 {
            self.make_room();
        }
        &mut self.buffer[self.end..]
    }

    /// Moves the unfinished line to the front, and grows the buffer if that is not enough.
    fn make_room(&mut self) {
        self.buffer.copy_within(self.start..self.end, 0);
        (self.scanned, self.end) = (self.scanned - self.start, self.end - self.start);
        self.start = 0;
        if self.buffer.len() - self.end < CHUNK / 2 {
            let longer = (self.buffer.len() * 2).min(self.limit.saturating_add(CHUNK)).max(self.end + CHUNK / 2);
            self.buffer.resize(longer, 0);
        }
    }

    /// Says that so many bytes of the room were filled.
    pub(super) fn filled(&mut self, length: usize) {
        self.end += length;
    }

    /// Says that nothing more comes: what is there counts as a line, even without an end.
    pub(super) fn finish(&mut self) {
        if self.start < self.end {
            if self.end == self.buffer.len() {
                self.buffer.push(0);
            }
            self.buffer[self.end] = b'\n';
            self.end += 1;
        }
    }

    /// The next line that is not blank; a byte order mark at its front and a `\r` at its end are dropped.
    pub(super) fn next(&mut self) -> Option<Line<'_>> {
        loop {
            let Some(found) = memchr(b'\n', &self.buffer[self.scanned..self.end]) else {
                self.scanned = self.end;
                return self.drop_long_start().then_some(Line::TooLong);
            };
            let (from, to) = (self.start, self.scanned + found);
            (self.start, self.scanned) = (to + 1, to + 1);
            if std::mem::take(&mut self.skipping) {
                continue;
            }
            if to - from > self.limit {
                return Some(Line::TooLong);
            }
            let text = trimmed(&self.buffer, from..to);
            if text.is_empty() {
                continue;
            }
            if to - from > LONG {
                return Some(Line::Long(Arc::new(self.move_out(text))));
            }
            return Some(Line::Short(&self.buffer[text]));
        }
    }

    /// Moves a line's text out with the buffer that holds it; what follows the line goes to a new one.
    fn move_out(&mut self, text: Range<usize>) -> Vec<u8> {
        let tail = &self.buffer[self.start..self.end];
        let mut fresh = vec![0; CHUNK.max(tail.len() + CHUNK / 2)];
        fresh[..tail.len()].copy_from_slice(tail);
        (self.scanned, self.end) = (0, tail.len());
        self.start = 0;
        let mut buffer = std::mem::replace(&mut self.buffer, fresh);
        buffer.truncate(text.end);
        buffer.drain(..text.start);
        buffer
    }

    /// Drops the start of a line that is too long already; `true` the first time.
    fn drop_long_start(&mut self) -> bool {
        let is_long = self.skipping || self.end - self.start > self.limit;
        if is_long {
            self.start = self.end;
        }
        is_long && !std::mem::replace(&mut self.skipping, true)
    }
}

/// Where the text of a line is, without a byte order mark and without white space around it.
fn trimmed(buffer: &[u8], line: Range<usize>) -> Range<usize> {
    let bytes = &buffer[line.clone()];
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let start = line.end - text.len();
    start..start + text.trim_ascii_end().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &mut Lines, bytes: &[u8]) {
        for chunk in bytes.chunks(CHUNK / 4) {
            lines.room()[..chunk.len()].copy_from_slice(chunk);
            lines.filled(chunk.len());
        }
    }

    fn all(lines: &mut Lines) -> Vec<String> {
        let mut seen = Vec::new();
        while let Some(line) = lines.next() {
            seen.push(match line {
                Line::Short(line) => String::from_utf8_lossy(line).into_owned(),
                Line::Long(line) => String::from_utf8_lossy(&line).into_owned(),
                Line::TooLong => "too long".to_owned(),
            });
        }
        seen
    }

    #[test]
    fn lines_are_cut_at_their_ends_only() {
        let mut lines = Lines::new(1000);
        read(&mut lines, b"\xef\xbb\xbf{1}\r\n\n  \n{2}\n{3");
        assert_eq!(all(&mut lines), ["{1}", "{2}"]);
        read(&mut lines, b"}\n");
        assert_eq!(all(&mut lines), ["{3}"]);
    }

    #[test]
    fn a_last_line_needs_no_end() {
        let mut lines = Lines::new(1000);
        read(&mut lines, b"{1}");
        assert!(all(&mut lines).is_empty());
        lines.finish();
        assert_eq!(all(&mut lines), ["{1}"]);
    }

    #[test]
    fn a_line_beyond_the_limit_is_told_once_and_the_next_one_is_served() {
        let mut lines = Lines::new(100_000);
        let mut seen = Vec::new();
        for _ in 0..50 {
            read(&mut lines, &[b'x'; 16_000]);
            seen.extend(all(&mut lines));
        }
        read(&mut lines, b"\n{1}\n");
        seen.extend(all(&mut lines));
        assert_eq!(seen, ["too long", "{1}"]);
        assert!(lines.buffer.len() < 400_000, "the buffer stays bounded");
    }

    #[test]
    fn long_lines_below_the_limit_are_whole() {
        let mut lines = Lines::new(1 << 20);
        let long = "y".repeat(900_000);
        let mut seen = Vec::new();
        for chunk in format!("\u{feff} {long}\r\n{{2}}\n").as_bytes().chunks(10_000) {
            read(&mut lines, chunk);
            seen.extend(all(&mut lines));
        }
        assert_eq!(seen, [&long, "{2}"]);
        lines.room();
        assert_eq!(lines.buffer.len(), CHUNK);
    }
}
