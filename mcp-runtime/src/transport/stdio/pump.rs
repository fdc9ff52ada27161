//! Streams that the async runtime cannot wait for: a thread reads ahead, a few chunks at most.

use std::io::{self, Read};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::thread;
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::mpsc;

/// Bytes of one read.
const CHUNK: usize = 1 << 16;
/// How long to sleep where nobody can wait.
const NAP: Duration = Duration::from_millis(5);
/// The error of a terminal whose other side is gone.
const EIO: i32 = 5;
/// Chunks that may wait: reading stops when nobody takes them.
const AHEAD: usize = 4;

/// What the thread reads, as an async stream.
struct Pump {
    chunks: mpsc::Receiver<io::Result<Vec<u8>>>,
    current: Vec<u8>,
    taken: usize,
}

/// Reads `source` on a thread of its own. The thread ends with the source, or with the process.
pub(super) fn reader(source: impl Read + Send + 'static) -> io::Result<impl AsyncRead + Send + Unpin> {
    let (sender, chunks) = mpsc::channel(AHEAD);
    thread::Builder::new().name("mcp-stdin".to_owned()).spawn(move || pump(source, &sender))?;
    Ok(Pump { chunks, current: Vec::new(), taken: 0 })
}

/// Writes to `file` through tokio's pool: a file or a terminal takes bytes at once.
#[cfg(unix)]
pub(super) fn writer(file: std::fs::File) -> impl tokio::io::AsyncWrite + Send + Unpin {
    tokio::fs::File::from_std(file)
}

fn pump(mut source: impl Read, sender: &mpsc::Sender<io::Result<Vec<u8>>>) {
    loop {
        let mut chunk = vec![0; CHUNK];
        let read = match source.read(&mut chunk) {
            Ok(0) => return,
            Ok(length) => {
                chunk.truncate(length);
                Ok(chunk)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            // another holder of the socket has switched waiting off
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                thread::sleep(NAP);
                continue;
            }
            // a terminal that hung up
            Err(error) if error.raw_os_error() == Some(EIO) => return,
            Err(error) => Err(error),
        };
        let failed = read.is_err();
        if sender.blocking_send(read).is_err() || failed {
            return;
        }
    }
}

impl AsyncRead for Pump {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.taken == self.current.len() {
            match ready!(self.chunks.poll_recv(cx)) {
                Some(Ok(chunk)) => (self.current, self.taken) = (chunk, 0),
                Some(Err(error)) => return Poll::Ready(Err(error)),
                None => return Poll::Ready(Ok(())),
            }
        }
        let rest = self.current.get(self.taken..).unwrap_or_default();
        let length = rest.len().min(out.remaining());
        out.put_slice(&rest[..length]);
        self.taken += length;
        Poll::Ready(Ok(()))
    }
}
