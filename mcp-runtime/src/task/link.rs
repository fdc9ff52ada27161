//! What a running handler and the keeper of its task tell each other. The handler never waits for a store.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::Duration;

use tokio::sync::{Notify, oneshot};

use crate::json::Fault;
use crate::lock::lock;
use crate::peer::{Cancellation, Outbox, Waited};
use crate::task::record::{Record, Status};

/// Between a call that may become a task, or is one, and whoever keeps the task.
#[derive(Debug)]
pub(crate) struct Link {
    /// Whether the client has a session: it is asked by requests, and hears of progress and logs.
    pub(crate) has_session: bool,
    /// Where questions wait for a `tasks/result`, whose stream takes them, where each request has a stream of its own.
    pub(crate) questions: Option<Arc<Outbox>>,
    stage: Mutex<Stage>,
    /// Of the task, once it is one.
    id: OnceLock<String>,
    desk: Mutex<Desk>,
    /// Something lies on the desk for the keeper.
    news: Notify,
    cancellation: OnceLock<Arc<Cancellation>>,
}

/// A call becomes a task or asks its client in the old way, and never both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Call,
    Suspended,
    Task,
}

/// What the handler has said and the keeper has to write down.
#[derive(Debug, Default)]
struct Desk {
    message: Option<String>,
    /// Questions of a stateless client's task, by key.
    questions: BTreeMap<String, Open>,
    waited: Waited,
}

/// Says what is wrong with an answer to a question.
pub(crate) type Check = Box<dyn Fn(&str) -> Result<(), Fault> + Send + Sync>;

struct Open {
    request: String,
    check: Check,
    answer: oneshot::Sender<String>,
}

/// While it lives, the task waits for its client. Dropped, it takes its question back.
#[derive(Debug)]
pub(crate) struct Wait<'l> {
    link: &'l Link,
    key: Option<String>,
}

impl Link {
    pub(crate) fn new(has_session: bool, has_streams: bool) -> Arc<Self> {
        Arc::new(Self {
            has_session,
            questions: has_streams.then(Arc::default),
            stage: Mutex::new(Stage::Call),
            id: OnceLock::new(),
            desk: Mutex::default(),
            news: Notify::new(),
            cancellation: OnceLock::new(),
        })
    }

    /// The task's id, once the call is one.
    pub(crate) fn id(&self) -> Option<&str> {
        self.id.get().map(String::as_str)
    }

    /// Makes the call a task; `false` if it asks its client something already.
    pub(crate) fn begin(&self, id: &str) -> bool {
        let mut stage = lock(&self.stage);
        if *stage == Stage::Suspended {
            return false;
        }
        *stage = Stage::Task;
        self.id.get_or_init(|| id.to_owned());
        true
    }

    /// Lets the call end with a question; `false` if it is a task, in which questions wait.
    pub(crate) fn suspend(&self) -> bool {
        let mut stage = lock(&self.stage);
        if *stage == Stage::Task {
            return false;
        }
        *stage = Stage::Suspended;
        true
    }

    /// Says how the task is getting on.
    pub(crate) fn note(&self, message: String) {
        self.desk().message = Some(message);
        self.news.notify_one();
    }

    /// Puts a question into the task.
    pub(crate) fn ask(&self, key: String, (request, check): (String, Check)) -> (Wait<'_>, oneshot::Receiver<String>) {
        let (answer, receiver) = oneshot::channel();
        let mut desk = self.desk();
        desk.questions.insert(key.clone(), Open { request, check, answer });
        desk.waited.begin();
        drop(desk);
        self.news.notify_one();
        (Wait { link: self, key: Some(key) }, receiver)
    }

    /// Holds answers against the questions that are open here.
    ///
    /// # Errors
    ///
    /// Says which answer is none, and why.
    pub(crate) fn check(&self, answers: &BTreeMap<String, String>) -> Result<(), String> {
        let desk = self.desk();
        for (key, answer) in answers {
            if let Some(open) = desk.questions.get(key) {
                (open.check)(answer).map_err(|fault| format!("`inputResponses.{key}`: {fault}"))?;
            }
        }
        Ok(())
    }

    /// Says that the task waits for an answer that comes another way.
    pub(crate) fn wait(&self) -> Wait<'_> {
        self.desk().waited.begin();
        self.news.notify_one();
        Wait { link: self, key: None }
    }

    /// How long the task has waited for its client: time that its limit does not count.
    pub(crate) fn waited(&self) -> Duration {
        self.desk().waited.total()
    }

    /// Waits until the handler has said something.
    pub(crate) async fn news(&self) {
        self.news.notified().await;
    }

    /// Takes over what either side has said since; whether the record is another one now.
    pub(crate) fn exchange(&self, record: &mut Record) -> bool {
        if record.status.is_terminal() {
            return false;
        }
        let mut desk = self.desk();
        let answers = std::mem::take(&mut record.answers);
        let mut changed = !answers.is_empty();
        for (key, answer) in answers {
            if let Some(open) = desk.questions.remove(&key) {
                // whoever asked may be gone by now
                let _ = open.answer.send(answer);
            }
        }
        let questions: BTreeMap<_, _> =
            desk.questions.iter().map(|(key, open)| (key.clone(), open.request.clone())).collect();
        let waits = !questions.is_empty() || (self.has_session && desk.waited.is_waiting());
        let status = if waits { Status::InputRequired } else { Status::Working };
        changed |= (status, &questions) != (record.status, &record.questions);
        (record.status, record.questions) = (status, questions);
        if desk.message.is_some() && desk.message != record.message {
            record.message.clone_from(&desk.message);
            changed = true;
        }
        changed
    }

    /// What is told when the task is cancelled; `or_watch` makes it, where a cancelled call would tell it, too.
    pub(crate) fn cancellation(&self, or_watch: impl FnOnce() -> Arc<Cancellation>) -> Arc<Cancellation> {
        let make = || if self.id().is_some() { Arc::default() } else { or_watch() };
        Arc::clone(self.cancellation.get_or_init(make))
    }

    /// Tells the handler that nobody wants its result; `false` if it did not ask to be told.
    pub(crate) fn cancel(&self) -> bool {
        let cancellation = self.cancellation.get();
        if let Some(cancellation) = cancellation {
            cancellation.fire();
        }
        cancellation.is_some()
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        lock(&self.desk)
    }
}

impl fmt::Debug for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Open").field("request", &self.request).finish_non_exhaustive()
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        let mut desk = self.link.desk();
        desk.waited.end();
        if let Some(key) = &self.key {
            desk.questions.remove(key);
        }
        drop(desk);
        self.link.news.notify_one();
    }
}
