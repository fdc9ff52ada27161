//! The serving loop of one byte stream: message in, service, message out. The only place that spawns and queues.
//!
//! A handler that is ready at once takes none of those roads: its answer is appended to the batch that is written when
//! everything that was read has been looked at.

mod batch;
mod calls;
mod lines;
mod run;
mod tasks;
mod waiting;

use std::io;
use std::sync::Arc;
use std::time::Instant;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::{Sleep, sleep, timeout_at};

use self::batch::Batch;
pub(crate) use self::calls::{Calls, Done};
pub(crate) use self::lines::Line;
use self::lines::Lines;
#[cfg(feature = "http")]
pub(crate) use self::run::{End, run};
pub(crate) use self::tasks::{Begins, Creation, Keepers};
use crate::connection::{Connection, Reply};
use crate::context::Answer;
use crate::engine::Engine;
use crate::jsonrpc::{ErrorCode, write_error};
use crate::listener::{Cancelled, Event, TransportEvent};
use crate::peer::Peer;

/// The way in, of whatever kind: one dynamic call for each read.
pub(crate) type Input = Box<dyn AsyncRead + Send + Unpin>;
/// The way out.
pub(crate) type Output = Box<dyn AsyncWrite + Send + Unpin>;

/// A batch that has grown to this many bytes is written before further lines are looked at.
const BATCH: usize = 1 << 18;

/// Serves one client until it closes its side and all answers are written.
///
/// # Errors
///
/// Fails if reading or writing fails; a client that closed its reading side is no failure.
pub(crate) async fn serve(engine: Arc<Engine>, input: Input, output: Output) -> io::Result<()> {
    let peer = Peer::new(Arc::clone(&engine));
    let served = Stream::new(engine, Arc::clone(&peer), output).run(input).await;
    peer.cancel_all();
    peer.engine.stop_tasks();
    if let Err(error) = &served {
        peer.engine.listeners.send(Event::Transport(TransportEvent::Failed(error.to_string())));
    }
    peer.engine.listeners.flush();
    match served {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        served => served,
    }
}

/// One stream under way.
struct Stream {
    connection: Connection,
    calls: Calls,
    output: Output,
    /// What will be written next.
    batch: Batch,
    /// Set once the client has closed its side: until when it may still read.
    deadline: Option<tokio::time::Instant>,
}

impl Stream {
    fn new(engine: Arc<Engine>, peer: Arc<Peer>, output: Output) -> Self {
        let calls = Calls::new(engine, Arc::clone(&peer));
        Self { connection: Connection::new(peer), calls, output, batch: Batch::default(), deadline: None }
    }

    async fn run(mut self, mut input: Input) -> io::Result<()> {
        let peer = Arc::clone(&self.connection.peer);
        let mut lines = Lines::new(peer.engine.limits.message);
        let mut open = true;
        let mut drained = std::pin::pin!(never());
        while open || !self.calls.is_empty() {
            tokio::select! {
                biased;
                Some(done) = self.calls.next_done(), if !self.calls.is_empty() => self.finish(done),
                () = peer.outbox.notify.notified() => {}
                read = input.read(lines.room()), if open => {
                    let length = read?;
                    lines.filled(length);
                    if length == 0 {
                        open = false;
                        lines.finish();
                        drained.set(sleep(peer.engine.limits.drain));
                        self.deadline = Some(tokio::time::Instant::now() + peer.engine.limits.drain);
                        let in_flight = self.calls.len();
                        peer.engine.listeners.send(Event::Transport(TransportEvent::Closed { in_flight }));
                    }
                    self.answer_all(&mut lines).await?;
                    if !open {
                        peer.questions.close();
                    }
                }
                () = &mut drained, if !open => {
                    let cut = self.calls.len();
                    peer.engine.listeners.send(Event::Transport(TransportEvent::ShutDown { cut }));
                    break;
                }
            }
            while let Some(done) = self.calls.try_next_done() {
                self.finish(done);
            }
            self.retry_waiting();
            self.write().await?;
        }
        self.connection.end_streams(&mut self.batch.bytes);
        self.write().await
    }

    /// Answers every complete line that is there. What does not fit into one batch is written on the way.
    async fn answer_all(&mut self, lines: &mut Lines) -> io::Result<()> {
        let start = Instant::now();
        while let Some(line) = lines.next() {
            self.line(line);
            if self.batch.len() >= BATCH {
                self.write().await?;
            }
        }
        self.calls.batch_took(start.elapsed());
        Ok(())
    }

    /// Takes a line. The messages of a batch are answered each on a line of its own, as the one revision that has
    /// batches allows.
    fn line(&mut self, line: Line<'_>) {
        let Some(messages) = self.connection.batch(&line) else { return self.message(line) };
        for message in messages {
            self.message(Line::Short(message.as_bytes()));
        }
    }

    fn message(&mut self, line: Line<'_>) {
        let before = self.batch.len();
        match self.connection.message(&line, &self.calls, &mut self.batch.bytes) {
            Reply::Written if self.batch.len() > before => self.batch.end_line(),
            Reply::Written => {}
            Reply::Answered(answer) => self.answer(answer),
            Reply::Panicked(answer) => {
                // what the handler said on its way goes out before its answer
                self.connection.peer.outbox.drain_into(&mut self.batch.bytes);
                self.batch.bytes.extend_from_slice(&answer);
                self.batch.end_line();
            }
            Reply::Pending(pending) => self.calls.spawn(pending),
            Reply::Cancel { id, reason } => {
                if self.calls.cancel(&id, &self.connection.peer) {
                    let event = Event::Cancelled(Cancelled { request_id: id, reason });
                    self.connection.peer.engine.listeners.send(event);
                }
            }
            Reply::Busy(id) => {
                if !self.calls.hold(id.clone(), line) {
                    let why = "the server is busy: try again later";
                    write_error(&mut self.batch.bytes, Some(&id), ErrorCode::InternalError, why);
                    self.batch.end_line();
                }
            }
        }
    }

    /// Looks again at requests that waited for a free place.
    fn retry_waiting(&mut self) {
        while let Some(line) = self.calls.next_waiting() {
            self.line(line);
        }
    }

    fn finish(&mut self, done: Done) {
        // what the handler said on its way goes out before its answer
        self.connection.peer.outbox.drain_into(&mut self.batch.bytes);
        match self.calls.finish(done, &mut self.batch.bytes) {
            Some(answer) => self.answer(answer),
            None => self.batch.end_line(),
        }
    }

    fn answer(&mut self, mut answer: Answer) {
        self.connection.peer.outbox.drain_into(&mut self.batch.bytes);
        self.batch.push(&mut answer);
        self.connection.recycle(answer);
    }

    async fn write(&mut self) -> io::Result<()> {
        self.connection.peer.outbox.drain_into(&mut self.batch.bytes);
        self.connection.peer.inbox.drain_into(&mut self.batch.bytes);
        if self.batch.len() > 0 {
            let (output, bytes) = (&mut self.output, self.batch.unwritten());
            let written = async {
                output.write_all(bytes).await?;
                output.flush().await
            };
            match self.deadline {
                None => written.await?,
                // a client that has closed its side and does not read must not keep us
                Some(deadline) => timeout_at(deadline, written).await.map_err(|_| io::ErrorKind::BrokenPipe)??,
            }
            self.batch.clear();
        }
        Ok(())
    }
}

/// A timer that is not set yet.
fn never() -> Sleep {
    sleep(std::time::Duration::from_secs(u64::from(u32::MAX)))
}
