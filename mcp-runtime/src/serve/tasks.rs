//! Calls that become tasks, and whoever keeps those: runs the handler, and carries what it says to the store and what
//! the client says to the handler.

mod keepers;

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

pub(crate) use self::keepers::Keepers;
use crate::changes::Change;
use crate::context::{Answer, Arguments, Context};
use crate::engine::Engine;
use crate::jsonrpc::ErrorCode;
use crate::listener::{Cancelled, Event};
use crate::peer::Peer;
use crate::protocol::{Handling, Head};
use crate::serve::run::{End, guard, within};
use crate::service::{Running, Start};
use crate::task::{Board, Link, Missing, Outcome, Record, StoreError, until};

/// What a handler says is written down this often.
const PACE: Duration = Duration::from_millis(100);
/// How long a store that fails is left alone.
const REST: Duration = Duration::from_secs(1);

/// A call that may become a task, or has to.
#[derive(Debug)]
pub(crate) struct Creation {
    pub(crate) peer: Arc<Peer>,
    pub(crate) head: Head,
    pub(crate) tool: String,
    pub(crate) owner: String,
    /// Milliseconds that the client wants the task to live.
    pub(crate) ttl: Option<u64>,
    pub(crate) link: Arc<Link>,
    pub(crate) begins: Begins,
}

/// When a call becomes a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begins {
    /// After this time, unless it is over.
    After(Duration),
    /// Before the handler's first step.
    AtOnce,
}

/// A handler and all that is needed to keep its task.
struct Job {
    creation: Creation,
    record: Record,
    handler: Running,
    /// The longest run, and what has passed of it.
    limit: Option<(Duration, Duration)>,
}

impl Creation {
    /// Puts the task around a call that was started.
    pub(crate) fn around(self, start: Start) -> Start {
        match start {
            // a client with a session expects a task, whatever comes of it; others see what there is to see
            Start::Answered(answer) if !self.link.has_session || !answer.denied().is_empty() => Start::Answered(answer),
            Start::Answered(answer) => {
                let future = Box::pin(self.call(Box::pin(std::future::ready(answer)), None));
                Start::Running { future, timeout: None }
            }
            Start::Running { future, timeout } => {
                Start::Running { future: Box::pin(self.call(future, timeout)), timeout }
            }
        }
    }

    async fn call(self, mut handler: Running, limit: Option<Duration>) -> Answer {
        let begun = Instant::now();
        if let Begins::After(time) = self.begins
            && let Ok(answer) = timeout(time, handler.as_mut()).await
        {
            return answer;
        }
        let (peer, head, begins) = (Arc::clone(&self.peer), self.head.clone(), self.begins);
        let limit = limit.map(|limit| (limit, begun.elapsed()));
        match self.detach(handler, limit).await {
            Ok((record, until_written)) => {
                peer.unwatch(&head.id);
                bare(&peer, head).task_created(&record, until_written)
            }
            Err(Some(handler)) if begins != Begins::AtOnce => handler.await,
            Err(_) => {
                bare(&peer, head).task_refused(ErrorCode::InternalError, "no task can be created now: try again later")
            }
        }
    }

    /// Creates the task, and hands the handler over to whoever keeps it. Where there is none, the handler comes back.
    async fn detach(self, handler: Running, limit: Option<(Duration, Duration)>) -> Created {
        let engine = Arc::clone(&self.peer.engine);
        let Some(board) = &engine.tasks else { return Err(Some(handler)) };
        let Ok(record) = board.record(&self.owner, self.link.has_session, self.ttl) else { return Err(Some(handler)) };
        let (sender, created) = oneshot::channel();
        let (id, running) = (record.id.clone(), (self.owner.clone(), Arc::clone(&self.link)));
        let job = Job { creation: self, record, handler, limit };
        board.keepers.spawn(id, running, job.keep(sender));
        created.await.unwrap_or(Err(None))
    }
}

/// What became of a creation.
type Created = Result<(Record, oneshot::Sender<()>), Option<Running>>;

impl Job {
    /// Creates the task and runs its handler to the end.
    async fn keep(self, created: oneshot::Sender<Created>) {
        let engine = Arc::clone(&self.creation.peer.engine);
        let Some(board) = &engine.tasks else { return };
        let id = self.record.id.clone();
        let _entered = board.keepers.entered(&id);
        if let Err(error) = board.insert(&self.record).await {
            tell_failure(&engine, &error);
            // whoever waits may be gone
            let _ = created.send(Err(Some(self.handler)));
            return;
        }
        if !self.creation.link.begin(&id) {
            board.remove(&id).await;
            let _ = created.send(Err(Some(self.handler)));
            return;
        }
        let (until_written, written) = oneshot::channel();
        if created.send(Ok((self.record.clone(), until_written))).is_err() {
            // the call was given up before anybody heard of the task
            board.remove(&id).await;
            return;
        }
        // it comes by the other end being dropped
        let _ = written.await;
        let Self { creation, mut record, handler, limit } = self;
        if let Some(outcome) = work(board, &creation, &mut record, run(handler, limit, &creation)).await {
            finish(board, &creation, &record, outcome).await;
        }
    }
}

/// Carries words between handler and client until the handler ends; `None` if the task ends before.
async fn work(
    board: &Board,
    creation: &Creation,
    record: &mut Record,
    handler: impl Future<Output = Outcome>,
) -> Option<Outcome> {
    let link = &creation.link;
    let mut handler = std::pin::pin!(handler);
    let mut expiry = std::pin::pin!(sleep(until(record.expires())));
    let mut pause = std::pin::pin!(sleep(Duration::ZERO));
    let mut paused = false;
    loop {
        tokio::select! {
            biased;
            outcome = handler.as_mut() => return Some(outcome),
            () = link.news(), if !paused => {
                pause.set(sleep(PACE));
                paused = true;
            }
            () = pause.as_mut(), if paused => {
                paused = false;
                continue;
            }
            () = board.changed(&record.id, record.version) => {}
            () = expiry.as_mut() => {
                board.remove(&record.id).await;
                return None;
            }
        }
        match board.change(&record.id, &record.owner, |record| link.exchange(record)).await {
            Ok(now) => {
                let changed = now.version != record.version;
                *record = now;
                if changed {
                    tell(board, creation, record);
                }
                if record.status.is_terminal() {
                    cancelled(creation);
                    if link.cancel() {
                        // it wanted to know, and is trusted to stop soon
                        handler.await;
                    } else {
                        creation.peer.engine.listeners.cancelled(&creation.head, &creation.tool);
                    }
                    return None;
                }
            }
            Err(Missing::Unknown) => return None,
            Err(Missing::Store(error)) => {
                tell_failure(&creation.peer.engine, &error);
                sleep(REST).await;
            }
        }
    }
}

/// Runs the handler, whatever kind of end it comes to.
async fn run(handler: Running, limit: Option<(Duration, Duration)>, creation: &Creation) -> Outcome {
    let guarded = guard(handler);
    let end = match limit {
        None => guarded.await,
        Some((limit, past)) => match within(limit.saturating_sub(past), guarded, || creation.link.waited()).await {
            End::TimedOut(_) => End::TimedOut(limit),
            end @ (End::Answered(_) | End::Panicked(_)) => end,
        },
    };
    let handling = Handling { engine: &creation.peer.engine, head: &creation.head, name: &creation.tool };
    let mut out = Vec::new();
    let answer = end.told(handling, &mut out);
    Outcome::of(answer.as_ref().map_or(&out, |answer| answer.bytes()))
}

/// Writes the outcome down. Where that fails, the task has failed.
async fn finish(board: &Board, creation: &Creation, record: &Record, outcome: Outcome) {
    let finished = board.change(&record.id, &record.owner, |record| record.finish(outcome.clone())).await;
    let finished = match finished {
        Err(Missing::Store(error)) => {
            tell_failure(&creation.peer.engine, &error);
            let failure = Outcome::failure("the result of the task could not be kept");
            board.change(&record.id, &record.owner, |record| record.finish(failure.clone())).await
        }
        finished => finished,
    };
    match finished {
        Ok(record) => tell(board, creation, &record),
        Err(Missing::Unknown) => {}
        Err(Missing::Store(error)) => tell_failure(&creation.peer.engine, &error),
    }
}

/// Tells the client where the task stands, if it wants to hear.
fn tell(board: &Board, creation: &Creation, record: &Record) {
    if creation.link.has_session {
        creation.peer.outbox.push(|out| {
            out.extend_from_slice(br#"{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"#);
            record.write(board.poll_interval(), out);
            out.extend_from_slice(b"}}");
        });
        return;
    }
    let mut known = Vec::new();
    record.write_whole(board.poll_interval(), &mut known);
    let known = Arc::from(String::from_utf8_lossy(&known));
    board.changes.tell(Change::Task(&record.id, &known));
}

fn cancelled(creation: &Creation) {
    let (request_id, reason) = (creation.head.id.clone(), Some("its task was cancelled".to_owned()));
    creation.peer.engine.listeners.send(Event::Cancelled(Cancelled { request_id, reason }));
}

fn tell_failure(engine: &Engine, error: &StoreError) {
    engine.listeners.send(Event::TaskStore(error.to_string()));
}

/// The context of an answer that no handler writes.
fn bare(peer: &Arc<Peer>, head: Head) -> Context {
    Context::new(None, peer.into(), (head, None), Arguments::keep("", None))
}
