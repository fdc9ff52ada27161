//! A stream of events (`text/event-stream`), bounded in each event and in all.

use std::io::{self, BufRead, Read};
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
    TooLong,
}

impl<R: BufRead> Events<R> {
    /// Reads events of `most` bytes together.
    pub(super) fn new(stream: R, most: usize) -> Self {
        Self { stream, left: most, last_id: None, retry: None }
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

    /// A line without its end.
    fn line(&mut self) -> Result<String, End> {
        let mut line = Vec::new();
        let limit = self.left as u64 + 1;
        let read = self.stream.by_ref().take(limit).read_until(b'\n', &mut line).map_err(End::Failed)?;
        if read == 0 {
            return Err(End::Closed);
        }
        self.left = self.left.checked_sub(read).ok_or(End::TooLong)?;
        if !line.ends_with(b"\n") {
            return Err(End::Closed);
        }
        let text = String::from_utf8_lossy(&line);
        Ok(text.trim_end_matches('\n').trim_end_matches('\r').to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str, most: usize) -> (Vec<String>, Events<&[u8]>, String) {
        let mut events = Events::new(text.as_bytes(), most);
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

    #[test]
    fn a_stream_has_an_end() {
        assert_eq!(events("data: 0123456789\n\n", 10).2, "TooLong");
        assert_eq!(events("data: 0123456789\n\n: more\n", 20).2, "TooLong");
        assert_eq!(events("data: 0123456789\n\n", 18).0, ["0123456789"]);
    }
}
