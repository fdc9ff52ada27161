//! Requests about tasks, and which calls become tasks.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::connection::refusal::{Outcome, Refusal};
use crate::connection::{Connection, Pending, Reply, Request};
use crate::context::{Answer, Arguments, Context};
use crate::engine::Engine;
use crate::json::{ObjectRules, Reader, string_of};
use crate::jsonrpc::{ErrorCode, Param, Params, RequestId};
use crate::listener::Event;
use crate::peer::Outbox;
use crate::protocol::{Capability, Head, Meta, Revision};
use crate::serve::{Begins, Creation};
use crate::task::{Board, Link, Missing, Record, TaskSupport, is_id};

/// Why a request about tasks, or one that should or should not be one, is refused.
#[derive(Debug)]
pub(super) enum Fault {
    /// The client does not declare the extension.
    Undeclared,
    With(ErrorCode, String),
}

/// What is asked about a task.
#[derive(Debug)]
enum Asked {
    Cancel,
    Get,
    List,
    Result,
    Update(BTreeMap<String, String>),
}

impl Fault {
    pub(super) fn refuse(self, request: (&RequestId, &str)) -> Refusal {
        match self {
            Self::Undeclared => {
                let why = "the client does not declare the extension for tasks";
                let refusal = Refusal::new(request, ErrorCode::MissingClientCapability, why);
                refusal.with(format!(r#"{{"requiredCapabilities":{}}}"#, Capability::Tasks.json()))
            }
            Self::With(code, why) => Refusal::new(request, code, why),
        }
    }
}

impl Connection {
    /// What makes a task of a tool call, if anything does.
    pub(super) fn creation(
        &self,
        board: &Board,
        (head, tool): (&Head, &str),
        (params, meta): (&Params<'_>, Option<&Meta>),
    ) -> Result<Option<Box<Creation>>, Fault> {
        let Some(support) = self.peer.engine.task_support(board, tool) else { return Ok(None) };
        let (begins, ttl) = if head.revision.is_stateless() {
            match (support, declares_tasks(meta, head.revision)) {
                (TaskSupport::Forbidden, _) | (TaskSupport::Optional, false) => return Ok(None),
                (TaskSupport::Required, false) => return Err(Fault::Undeclared),
                (TaskSupport::Optional, true) => (Begins::After(board.settings.begin_after), None),
                (TaskSupport::Required, true) => (Begins::AtOnce, None),
            }
        } else {
            match (support, params.get(Param::Task).filter(|_| head.revision.has_session_tasks())) {
                (TaskSupport::Forbidden | TaskSupport::Optional, None) => return Ok(None),
                (TaskSupport::Required, None) => {
                    let why = format!("the tool `{tool}` runs as a task only: call it with `task`");
                    return Err(Fault::With(ErrorCode::MethodNotFound, why));
                }
                (TaskSupport::Forbidden, Some(_)) => {
                    let why = format!("the tool `{tool}` does not run as a task");
                    return Err(Fault::With(ErrorCode::MethodNotFound, why));
                }
                (TaskSupport::Optional | TaskSupport::Required, Some(task)) => (Begins::AtOnce, read_ttl(task)?),
            }
        };
        let has_session = head.revision.has_session();
        Ok(Some(Box::new(Creation {
            peer: Arc::clone(&self.peer),
            head: head.clone(),
            tool: tool.to_owned(),
            owner: self.owner(has_session),
            ttl,
            link: Link::new(has_session, has_session && !Arc::ptr_eq(&self.outbox, &self.peer.outbox)),
            begins,
        })))
    }

    /// `tasks/…`: what there is to say about a task.
    pub(super) fn task_request(&mut self, request: Request<'_>) -> Outcome {
        let Request { id, method, params, revision, meta, span } = request;
        if revision.is_stateless() && !declares_tasks(meta.as_deref(), revision) {
            return Err(Fault::Undeclared.refuse((&id, method)));
        }
        let (asked, task) = match read(method, params) {
            Ok(read) => read,
            Err(why) => return Err(Refusal::new((&id, method), ErrorCode::InvalidParams, why)),
        };
        let audit = self.audit(known(method), meta.as_deref());
        let head = Head { id, revision, is_tool: false, audit, span };
        let context = Context::new(self.spare.take(), self.way(), (head.clone(), meta), Arguments::keep("", None));
        let waits = matches!(asked, Asked::Result).then(|| (Arc::clone(&self.peer), head.id.clone()));
        let (engine, outbox) = (Arc::clone(&self.peer.engine), Arc::clone(&self.outbox));
        let owner = self.owner(revision.has_session());
        let span = head.span.clone();
        let future = Box::pin(async move {
            // the client waits for its task: that takes no handler's place
            let _wait = waits.as_ref().map(|(peer, id)| peer.wait(id));
            answer((&engine, &outbox), context, asked, (&task, &owner)).await
        });
        let future = span.around(future);
        Ok(Reply::Pending(Pending { future, timeout: None, head, name: method.to_owned() }))
    }

    /// Whose tasks they are: the principal's; where nobody is known, the session's, or of whoever knows a task's id. The
    /// eras do not see each other's: results are spelled for one of them.
    fn owner(&self, has_session: bool) -> String {
        let era = if has_session { "session" } else { "stateless" };
        match (&self.principal, self.peer.scope.get()) {
            (Some(principal), _) => format!("{era} of {}", principal.as_str()),
            (None, Some(scope)) => format!("{era} {scope}"),
            (None, None) => era.to_owned(),
        }
    }

    /// Which of these tasks the client can be told of: those that run here and are its own.
    pub(super) fn listened_tasks(
        &self,
        request: &Request<'_>,
        mut tasks: BTreeMap<String, Arc<str>>,
    ) -> Result<BTreeMap<String, Arc<str>>, Fault> {
        let Some(board) = self.peer.engine.tasks.as_ref().filter(|_| !tasks.is_empty()) else {
            return Ok(BTreeMap::new());
        };
        if !declares_tasks(request.meta.as_deref(), request.revision) {
            return Err(Fault::Undeclared);
        }
        let owner = self.owner(false);
        tasks.retain(|id, _| board.keepers.link(id, &owner).is_some());
        Ok(tasks)
    }
}

fn declares_tasks(meta: Option<&Meta>, revision: Revision) -> bool {
    let declared = meta.and_then(|meta| meta.capabilities.as_ref());
    declared.is_some_and(|declared| Capability::Tasks.is_in(declared, revision))
}

/// The time to live that `task` asks for, in milliseconds.
fn read_ttl(task: &str) -> Result<Option<u64>, Fault> {
    let mut ttl = None;
    let read = Reader::new(task).object(&["ttl"], &mut |key, reader| {
        if key != 0 {
            return reader.skip_value();
        }
        ttl = Some(u64::try_from(reader.integer()?).unwrap_or(0));
        Ok(())
    });
    let why = "`params.task` must be an object, and its `ttl` an integer";
    read.map(|()| ttl).map_err(|_| Fault::With(ErrorCode::InvalidParams, why.to_owned()))
}

fn known(method: &str) -> &'static str {
    match method {
        "tasks/cancel" => "tasks/cancel",
        "tasks/list" => "tasks/list",
        "tasks/result" => "tasks/result",
        "tasks/update" => "tasks/update",
        _ => "tasks/get",
    }
}

/// What is asked, and about which task.
fn read(method: &str, params: &Params<'_>) -> Result<(Asked, String), &'static str> {
    if method == "tasks/list" {
        let cursor = params.cursor.map(|cursor| Reader::new(cursor).string()).transpose();
        let cursor = cursor.map_err(|_| "`params.cursor` must be a string")?;
        return match cursor {
            Some(cursor) if !is_id(&cursor) => Err("unknown cursor"),
            cursor => Ok((Asked::List, cursor.unwrap_or_default().into_owned())),
        };
    }
    let task = params.get(Param::TaskId).and_then(string_of);
    let task = task.ok_or("`params.taskId` must be a string")?.into_owned();
    let asked = match method {
        "tasks/cancel" => Asked::Cancel,
        "tasks/result" => Asked::Result,
        "tasks/update" => Asked::Update(responses(params)?),
        _ => Asked::Get,
    };
    Ok((asked, task))
}

fn responses(params: &Params<'_>) -> Result<BTreeMap<String, String>, &'static str> {
    const WHY: &str = "`params.inputResponses` must be an object";
    let mut responses = BTreeMap::new();
    let read = Reader::new(params.get(Param::InputResponses).ok_or(WHY)?).map(&ObjectRules::ANY, &mut |key, reader| {
        responses.insert(key, reader.raw_value()?.to_owned());
        Ok(())
    });
    read.map(|()| responses).map_err(|_| WHY)
}

async fn answer(
    (engine, outbox): (&Engine, &Outbox),
    context: Context,
    asked: Asked,
    (id, owner): (&str, &str),
) -> Answer {
    let Some(board) = &engine.tasks else { return refused(engine, context, &Missing::Unknown) };
    let mut changed = false;
    if let Asked::Update(responses) = &asked
        && let Some(Err(why)) = board.keepers.link(id, owner).map(|link| link.check(responses))
    {
        return context.task_refused(ErrorCode::InvalidParams, &why);
    }
    let record = match asked {
        Asked::List => {
            return match board.list(owner, id).await {
                Ok((records, next)) => context.task_list((&records, next.as_deref())),
                Err(error) => refused(engine, context, &Missing::Store(error)),
            };
        }
        Asked::Get => board.find(id, owner).await,
        Asked::Result => ended(board, (id, owner), outbox).await,
        Asked::Cancel => {
            let cancel = |record: &mut Record| {
                changed = record.cancel();
                changed
            };
            board.change(id, owner, cancel).await
        }
        Asked::Update(ref responses) => board.change(id, owner, |record| record.answer(responses)).await,
    };
    let record = match record {
        Ok(record) => record,
        Err(missing) => return refused(engine, context, &missing),
    };
    let is_stateless = context.revision().is_stateless();
    match asked {
        Asked::Result => context.task_outcome(&record),
        Asked::Update(_) => context.task_acknowledged(),
        Asked::Cancel if is_stateless => context.task_acknowledged(),
        Asked::Cancel if !changed => context.task_refused(ErrorCode::InvalidParams, "the task has ended already"),
        Asked::Cancel | Asked::Get | Asked::List => context.task_state(&record),
    }
}

/// The task once it has ended. Until then its questions leave with this request.
async fn ended(board: &Board, (id, owner): (&str, &str), outbox: &Outbox) -> Result<Record, Missing> {
    let questions = board.keepers.link(id, owner).and_then(|link| link.questions.clone());
    loop {
        if let Some(questions) = &questions {
            outbox.take_over(questions);
        }
        let record = board.find(id, owner).await?;
        if record.status.is_terminal() {
            return Ok(record);
        }
        tokio::select! {
            () = board.changed(id, record.version) => {}
            () = asked(questions.as_deref()) => {}
        }
    }
}

/// Comes back when there is a question.
async fn asked(questions: Option<&Outbox>) {
    match questions {
        Some(questions) => questions.notify.notified().await,
        None => std::future::pending().await,
    }
}

fn refused(engine: &Engine, context: Context, missing: &Missing) -> Answer {
    match missing {
        Missing::Unknown => context.task_refused(ErrorCode::InvalidParams, "unknown task"),
        Missing::Store(error) => {
            engine.listeners.send(Event::TaskStore(error.to_string()));
            context.task_refused(ErrorCode::InternalError, "tasks cannot be looked at now: try again later")
        }
    }
}
