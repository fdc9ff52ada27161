//! Calls that are tasks: what their handlers can say, and what the protocol's requests about tasks are answered.

use std::sync::Arc;

use tokio::sync::oneshot;

use crate::context::{Answer, Context};
use crate::json::{Encode, Writer};
use crate::jsonrpc::{ErrorCode, write_error};
use crate::peer::{Cancellation, Outbox};
use crate::protocol::{result_head, task_head};
use crate::task::{Board, Link, Record};

/// What a request has to do with tasks.
#[derive(Debug, Default)]
pub(crate) enum Tie {
    #[default]
    None,
    /// Its handler may become a task, or is one.
    Call(Arc<Link>),
    /// It was answered with a task, whose handler goes on when the answer is written and this dropped.
    Created { _until_written: oneshot::Sender<()> },
}

/// The task that a call is; see [`Context::task`].
#[derive(Debug)]
pub struct CurrentTask<'c> {
    link: &'c Link,
    id: &'c str,
}

/// The `_meta` of a message that belongs to a task, by its id.
pub(super) struct Related<'a>(pub(super) &'a str);

impl Encode for Related<'_> {
    fn encode(&self, w: &mut Writer<'_>) {
        w.raw(r#"{"io.modelcontextprotocol/related-task":{"taskId":"#);
        w.string(self.0);
        w.raw("}}");
    }
}

impl CurrentTask<'_> {
    /// Its id. Whoever knows it can look at the task, so keep it between the client and the server.
    #[must_use]
    pub fn id(&self) -> &str {
        self.id
    }

    /// Says how the task is getting on, to whoever looks at it. The text of a progress notice does the same.
    pub fn status(&self, message: impl Into<String>) {
        self.link.note(message.into());
    }
}

impl Context {
    /// The task that this call is. `None` for an ordinary call, and for one that may become a task and is none yet.
    #[must_use]
    pub fn task(&self) -> Option<CurrentTask<'_>> {
        let link = self.link()?;
        Some(CurrentTask { link, id: link.id()? })
    }

    /// Ties the request to the task that it may become.
    pub(crate) fn tied(mut self, link: Option<Arc<Link>>) -> Self {
        if let Some(link) = link {
            self.state.tie = Tie::Call(link);
        }
        self
    }

    pub(super) fn link(&self) -> Option<&Arc<Link>> {
        match &self.state.tie {
            Tie::Call(link) => Some(link),
            Tie::None | Tie::Created { .. } => None,
        }
    }

    /// Whether it is a task whose client gets no notices of it but those that it listens to.
    pub(super) fn is_silent_task(&self) -> bool {
        self.link().is_some_and(|link| !link.has_session && link.id().is_some())
    }

    /// The task that messages of this request have to name.
    pub(super) fn related_task(&self) -> Option<&str> {
        self.link().filter(|link| link.has_session)?.id()
    }

    /// Where notices of this request leave. The stream of a call ends with its answer; a task goes on after that.
    pub(super) fn outbox(&self) -> &Arc<Outbox> {
        if self.related_task().is_some() { &self.state.peer.outbox } else { &self.state.outbox }
    }

    /// Where questions of this request leave.
    pub(super) fn way_of_questions(&self) -> &Arc<Outbox> {
        let link = self.link().filter(|_| self.related_task().is_some());
        link.and_then(|link| link.questions.as_ref()).unwrap_or_else(|| self.outbox())
    }

    /// What is fired when the client gives the request up, or the task that it has become.
    pub(super) fn watch(&self) -> Arc<Cancellation> {
        let watch = || self.state.peer.watch(&self.state.head.id);
        self.link().map_or_else(watch, |link| link.cancellation(watch))
    }

    /// Says that the call is a task from now on.
    pub(crate) fn task_created(mut self, record: &Record, until_written: oneshot::Sender<()>) -> Answer {
        let mut out = std::mem::take(&mut self.state.buffer);
        self.state.head.write(&mut out);
        let interval = self.board().map_or(0, Board::poll_interval);
        if self.state.head.revision.is_stateless() {
            task_head(&self.state.peer.engine, &mut out);
            record.write(interval, &mut out);
        } else {
            out.extend_from_slice(br#","result":{"task":{"#);
            record.write(interval, &mut out);
            out.push(b'}');
        }
        out.extend_from_slice(b"}}");
        self.state.tie = Tie::Created { _until_written: until_written };
        self.answered(out)
    }

    /// Says where a task stands.
    pub(crate) fn task_state(self, record: &Record) -> Answer {
        self.task_answer(|interval, context, out| {
            result_head(&context.state.peer.engine, context.state.head.revision, out);
            if context.state.head.revision.is_stateless() {
                record.write_whole(interval, out);
            } else {
                record.write(interval, out);
            }
            out.push(b'}');
        })
    }

    /// Says what the call would have been answered that has become the task.
    pub(crate) fn task_outcome(self, record: &Record) -> Answer {
        self.task_answer(|_, _, out| {
            out.push(b',');
            record.write_outcome(out);
        })
    }

    /// A page of tasks.
    pub(crate) fn task_list(self, (records, next): (&[Record], Option<&str>)) -> Answer {
        self.task_answer(|interval, _, out| {
            out.extend_from_slice(br#","result":{"tasks":["#);
            for (index, record) in records.iter().enumerate() {
                out.extend_from_slice(if index == 0 { b"{".as_slice() } else { b",{" });
                record.write(interval, out);
                out.push(b'}');
            }
            out.push(b']');
            if let Some(next) = next {
                out.extend_from_slice(br#","nextCursor":"#);
                Writer::new(out).string(next);
            }
            out.push(b'}');
        })
    }

    /// Says that something about a task has been heard.
    pub(crate) fn task_acknowledged(self) -> Answer {
        self.task_answer(|_, context, out| {
            result_head(&context.state.peer.engine, context.state.head.revision, out);
            // the head ends with a comma
            out.pop();
            out.push(b'}');
        })
    }

    /// Says why there is no task to speak of.
    pub(crate) fn task_refused(mut self, code: ErrorCode, why: &str) -> Answer {
        self.span().failed(code.code());
        let mut out = std::mem::take(&mut self.state.buffer);
        write_error(&mut out, Some(&self.state.head.id), code, why);
        self.answered(out)
    }

    fn task_answer(mut self, write: impl FnOnce(u64, &Self, &mut Vec<u8>)) -> Answer {
        let mut out = std::mem::take(&mut self.state.buffer);
        self.state.head.write(&mut out);
        write(self.board().map_or(0, Board::poll_interval), &self, &mut out);
        out.push(b'}');
        self.answered(out)
    }

    fn board(&self) -> Option<&Board> {
        self.state.peer.engine.tasks.as_ref()
    }
}
