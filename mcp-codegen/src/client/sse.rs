//! A stream of events (`text/event-stream`), bounded in each event and in all.

use std::io::{self, BufRead};
use std::time::Duration;

/// An event that has data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) data: String,
    /// Whether it is a message, and not of some other kind.
    pub(super) is_message: bool,
}

/// A stream that is being read.
pub(super) struct Events<R> {
    stream: R,
    left: usize,
    /// Whether the last line ended with `\r`: a `\n` that follows belongs to it, but nobody waits for it.
    after_return: bool,
    /// The id of the last event that had one.
    pub(super) last_id: Option<String>,
    /// How long to wait before coming back.
    pub(super) retry: Option<Duration>,
}

/// Why there is no further event.
#[derive(Debug)]
pub(super) enum End {
    Closed,
    Failed(io::Error),
    /// The bytes are no UTF-8.
    NotText,
    TooLong,
}

impl<R: BufRead> Events<R> {
    /// Reads events of `most` bytes together.
    pub(super) fn new(stream: R, most: usize) -> Self {
        Self { stream, left: most, after_return: false, last_id: None, retry: None }
    }

    /// The next event.
    pub(super) fn next(&mut self) -> Result<Event, End> {
        let mut event = Event { data: String::new(), is_message: true };
        let mut has_data = false;
        loop {
            let line = self.line()?;
            let (field, value) = line.split_once(':').unwrap_or((&line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match field {
                // An empty line ends an event; one that starts with a colon is a comment.
                "" if line.is_empty() && has_data => return Ok(event),
                "data" => {
                    if has_data {
                        event.data.push('\n');
                    }
                    event.data.push_str(value);
                    has_data = true;
                }
                "event" => event.is_message = value == "message",
                "id" if !value.contains('\0') => self.last_id = Some(value.to_owned()),
                "retry" => self.retry = value.parse().ok().map(Duration::from_millis).or(self.retry),
                _ => {}
            }
        }
    }

    /// A line without its end, which is `\n`, `\r\n` or `\r`.
    fn line(&mut self) -> Result<String, End> {
        let mut line = Vec::new();
        loop {
            let bytes = match self.stream.fill_buf() {
                Ok([]) => return Err(End::Closed),
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(End::Failed(error)),
            };
            let skipped = usize::from(self.after_return && bytes[0] == b'\n');
            self.after_return = false;
            let rest = &bytes[skipped..];
            let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            self.after_return = end.is_some_and(|end| rest[end] == b'\r');
            let taken = skipped + end.map_or(rest.len(), |end| end + 1);
            line.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
            self.stream.consume(taken);
            self.left = self.left.checked_sub(taken).ok_or(End::TooLong)?;
            if end.is_some() {
                return String::from_utf8(line).map_err(|_| End::NotText);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str, most: usize) -> (Vec<String>, Events<&[u8]>, String) {
        read(text.as_bytes(), most)
    }

    fn read<R: BufRead>(stream: R, most: usize) -> (Vec<String>, Events<R>, String) {
        let mut events = Events::new(stream, most);
        let mut all = Vec::new();
        loop {
            match events.next() {
                Ok(event) => all.push(format!("{}{}", if event.is_message { "" } else { "other " }, event.data)),
                Err(end) => return (all, events, format!("{end:?}")),
            }
        }
    }

    #[test]
    fn events_are_read_as_browsers_do() {
        let text = ": hello\r\nid: 1\r\nretry: 20\r\ndata:\r\n\r\ndata: a\ndata:b\nid\n\nevent: ping\ndata: x\n\nevent: message\ndata: y\n\ndata: cut";
        let (all, events, end) = events(text, 1000);
        assert_eq!(all, ["", "a\nb", "other x", "y"]);
        assert_eq!((events.last_id.as_deref(), events.retry), (Some(""), Some(Duration::from_millis(20))));
        assert_eq!(end, "Closed");
    }

    /// However the stream is cut into pieces.
    #[test]
    fn a_line_ends_in_each_of_three_ways() {
        let text = "data: a\rdata: b\r\ndata: c\n\rdata: d\r\rdata: e\r\n\r\ndata: f\n\n";
        for size in 1..text.len() {
            let (all, _, end) = read(io::BufReader::with_capacity(size, text.as_bytes()), 1000);
            assert_eq!(
                (all, end.as_str()),
                (["a\nb\nc", "d", "e", "f"].map(str::to_owned).to_vec(), "Closed"),
                "{size}"
            );
        }
    }

    /// The server may say nothing for long after a `\r` that ends an event.
    #[test]
    fn an_event_that_a_return_ends_is_not_waited_for() {
        struct Silent;
        impl io::Read for Silent {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                panic!("there is an event already");
            }
        }
        let stream = io::Read::chain("data: a\r\r".as_bytes(), io::BufReader::new(Silent));
        assert_eq!(Events::new(stream, 1000).next().unwrap().data, "a");
    }

    #[test]
    fn bytes_that_are_no_text_end_the_stream() {
        assert_eq!(read(&b"data: ok\n\ndata: \xff\n\n"[..], 1000).2, "NotText");
    }

    #[test]
    fn a_stream_has_an_end() {
        assert_eq!(events("data: 0123456789\n\n", 10).2, "TooLong");
        assert_eq!(events("data: 0123456789\n\n: more\n", 20).2, "TooLong");
        assert_eq!(events("data: 0123456789\n\n", 18).0, ["0123456789"]);
    }
}
