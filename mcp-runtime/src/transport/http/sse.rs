//! Server-sent events: messages as frames, and the way to whoever reads them.

use std::fmt::Write as _;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::timeout;

/// Frames that may wait for a reader.
const WAITING: usize = 16;

/// A comment: it means nothing, but keeps those between us and the client from taking the stream for dead.
const COMMENT: &[u8] = b": still here\n\n";

/// The way to one reader of a stream.
#[derive(Debug)]
pub(super) struct Writer {
    sender: mpsc::Sender<Bytes>,
    /// How long a reader may let a frame wait.
    patience: Duration,
    /// What the stream counts as, until it ends.
    _place: Option<OwnedSemaphorePermit>,
}

/// Why a frame did not go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gone {
    Closed,
    Slow,
}

impl Writer {
    pub(super) fn new(patience: Duration) -> (Self, mpsc::Receiver<Bytes>) {
        let (sender, receiver) = mpsc::channel(WAITING);
        (Self { sender, patience, _place: None }, receiver)
    }

    /// Keeps a place as long as the stream is open.
    pub(super) fn holding(self, place: OwnedSemaphorePermit) -> Self {
        Self { _place: Some(place), ..self }
    }

    /// Sends a frame, if there is one.
    ///
    /// # Errors
    ///
    /// Fails if nobody reads any more, or too slowly.
    pub(super) async fn send(&self, frame: Vec<u8>) -> Result<(), Gone> {
        if frame.is_empty() {
            return Ok(());
        }
        match timeout(self.patience, self.sender.send(frame.into())).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(Gone::Closed),
            Err(_) => Err(Gone::Slow),
        }
    }

    /// Sends a comment.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send).
    pub(super) async fn keep_alive(&self) -> Result<(), Gone> {
        self.send(COMMENT.to_vec()).await
    }

    /// Waits until nobody reads any more.
    pub(super) async fn closed(&self) {
        self.sender.closed().await;
    }
}

/// Appends each line of `lines`, which is a message, as an event of its own.
pub(super) fn write_events(lines: &[u8], out: &mut Vec<u8>) {
    for message in messages(lines) {
        write_event(None, message, out);
    }
}

/// The messages that `lines` holds, one a line.
pub(super) fn messages(lines: &[u8]) -> impl Iterator<Item = &[u8]> {
    lines.split(|&byte| byte == b'\n').filter(|message| !message.is_empty())
}

/// Appends an event.
pub(super) fn write_event(id: Option<&EventId>, message: &[u8], out: &mut Vec<u8>) {
    if let Some(id) = id {
        out.extend_from_slice(id.line().as_bytes());
    }
    out.extend_from_slice(b"data: ");
    out.extend_from_slice(message);
    out.extend_from_slice(b"\n\n");
}

/// Appends the event that begins a stream to which the client can come back: an id, and after how long.
pub(super) fn write_priming(id: &EventId, retry: Duration, out: &mut Vec<u8>) {
    out.extend_from_slice(id.line().as_bytes());
    out.extend_from_slice(format!("retry: {}\ndata: \n\n", retry.as_millis()).as_bytes());
}

/// Which event of which stream of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EventId {
    pub(super) stream: u64,
    pub(super) number: u64,
}

impl EventId {
    /// Reads a `Last-Event-ID`; `None` if it is none of ours.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (stream, number) = text.split_once('-')?;
        Some(Self { stream: stream.parse().ok()?, number: number.parse().ok()? })
    }

    fn line(self) -> String {
        let mut line = String::new();
        // writing to a string cannot fail
        let _ = writeln!(line, "id: {}-{}", self.stream, self.number);
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_become_events() {
        let mut out = Vec::new();
        write_events(b"{1}\n{2}\n", &mut out);
        let id = EventId { stream: 3, number: 7 };
        write_event(Some(&id), b"{3}", &mut out);
        assert_eq!(out, b"data: {1}\n\ndata: {2}\n\nid: 3-7\ndata: {3}\n\n");
        assert_eq!(EventId::parse("3-7"), Some(id));
        assert!(["", "3", "3-", "-7", "3-7-1", "a-b"].map(EventId::parse).iter().all(Option::is_none));
    }
}
