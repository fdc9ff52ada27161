//! What is known of a task.

mod wire;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub(crate) use self::wire::write_related;
use crate::json::Reader;
use crate::jsonrpc;
use crate::task::store::{StoreError, StoredTask};
use crate::task::time;

/// All about a task. Texts of JSON stay texts: they were read by somebody before, and will be by somebody after.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    #[serde(skip)]
    pub(crate) id: String,
    #[serde(skip)]
    pub(crate) owner: String,
    #[serde(skip)]
    pub(crate) version: u64,
    /// Milliseconds since 1970.
    created: u64,
    updated: u64,
    /// Milliseconds from its creation.
    pub(super) ttl: u64,
    /// Whether its client has a session: results are spelled as such a client reads them.
    has_session: bool,
    pub(crate) status: Status,
    pub(crate) message: Option<String>,
    /// Questions of a stateless client's task, by key.
    pub(super) questions: BTreeMap<String, String>,
    /// Answers that the handler has not taken yet.
    pub(super) answers: BTreeMap<String, String>,
    outcome: Option<Outcome>,
}

/// Where a task stands. The last three never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    Working,
    InputRequired,
    Cancelled,
    Completed,
    Failed,
}

/// How a handler ended, as JSON: what its client would have got as the answer to its call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    Error(String),
    Result(String),
}

impl Status {
    pub(crate) const fn is_terminal(self) -> bool {
        matches!(self, Self::Cancelled | Self::Completed | Self::Failed)
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::InputRequired => "input_required",
            Self::Cancelled => "cancelled",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }
}

impl Record {
    /// A task that begins now.
    pub(super) fn new(id: String, owner: &str, has_session: bool, ttl: u64) -> Self {
        let now = time::now();
        Self {
            id,
            owner: owner.to_owned(),
            version: 1,
            created: now,
            updated: now,
            ttl,
            has_session,
            status: Status::Working,
            message: None,
            questions: BTreeMap::new(),
            answers: BTreeMap::new(),
            outcome: None,
        }
    }

    pub(super) fn load(stored: StoredTask) -> Result<Self, StoreError> {
        let StoredTask { id, owner, version, body, .. } = stored;
        Ok(Self { id, owner, version, ..serde_json::from_str(&body)? })
    }

    pub(super) fn store(&self) -> Result<StoredTask, StoreError> {
        Ok(StoredTask {
            id: self.id.clone(),
            owner: self.owner.clone(),
            version: self.version,
            expires: Some(self.expires()),
            body: serde_json::to_string(self)?,
        })
    }

    /// Says that it is another one than before.
    pub(super) fn touch(&mut self) {
        self.version += 1;
        self.updated = time::now().max(self.updated);
    }

    /// When it is forgotten, in milliseconds since 1970.
    pub(crate) fn expires(&self) -> u64 {
        self.created.saturating_add(self.ttl)
    }

    pub(super) fn is_expired(&self) -> bool {
        self.expires() <= time::now()
    }

    /// Takes answers of a client: those to questions that are open. `false` if there are none.
    pub(crate) fn answer(&mut self, responses: &BTreeMap<String, String>) -> bool {
        let mut taken = false;
        for (key, response) in responses {
            if self.questions.remove(key).is_some() {
                self.answers.insert(key.clone(), response.clone());
                taken = true;
            }
        }
        if taken && self.questions.is_empty() {
            self.status = Status::Working;
        }
        taken
    }

    /// Ends it because its client wants so; `false` if it had ended before.
    pub(crate) fn cancel(&mut self) -> bool {
        self.end(Status::Cancelled)
    }

    /// Ends it with what the handler gave; `false` if it had ended before.
    pub(crate) fn finish(&mut self, outcome: Outcome) -> bool {
        // a tool that fails is a failed task to clients with sessions, and to others a completed one with such a result
        let failed = match &outcome {
            Outcome::Error(_) => true,
            Outcome::Result(result) => self.has_session && is_error(result),
        };
        let ended = self.end(if failed { Status::Failed } else { Status::Completed });
        if ended {
            self.outcome = Some(outcome);
        }
        ended
    }

    fn end(&mut self, status: Status) -> bool {
        if self.status.is_terminal() {
            return false;
        }
        self.status = status;
        self.questions.clear();
        self.answers.clear();
        true
    }
}

impl Outcome {
    /// What an answer says.
    pub(crate) fn of(answer: &[u8]) -> Self {
        let text = std::str::from_utf8(answer).unwrap_or_default();
        let mut message = jsonrpc::Message::EMPTY;
        match message.read(text, "").map(|()| (message.result, message.error)) {
            Ok((Some(result), _)) => Self::Result(result.to_owned()),
            Ok((None, Some(error))) => Self::Error(error.to_owned()),
            _ => Self::failure("the handler gave no answer"),
        }
    }

    /// A fault of ours.
    pub(crate) fn failure(why: &str) -> Self {
        let mut error = Vec::new();
        jsonrpc::write_object(&mut error, (jsonrpc::ErrorCode::InternalError.code(), why), None);
        Self::Error(String::from_utf8(error).unwrap_or_default())
    }
}

fn is_error(result: &str) -> bool {
    let mut is_error = false;
    let read = Reader::new(result).object(&["isError"], &mut |key, reader| {
        let value = reader.raw_value()?;
        is_error |= key == 0 && value == "true";
        Ok(())
    });
    read.is_ok() && is_error
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(has_session: bool) -> Record {
        Record::new("7".to_owned(), "", has_session, 5)
    }

    #[test]
    fn what_has_ended_does_not_change() {
        let mut task = record(true);
        assert!(task.cancel());
        assert!(!task.finish(Outcome::Result("{}".to_owned())) && !task.cancel());
        assert_eq!((task.status, task.outcome), (Status::Cancelled, None));
    }

    #[test]
    fn a_failed_tool_is_a_failed_task_only_to_sessions() {
        let failed = || Outcome::Result(r#"{"content":[],"isError":true}"#.to_owned());
        for (has_session, status) in [(true, Status::Failed), (false, Status::Completed)] {
            let mut task = record(has_session);
            task.finish(failed());
            assert_eq!(task.status, status);
            task = record(has_session);
            task.finish(Outcome::failure("x"));
            assert_eq!(task.status, Status::Failed);
        }
    }

    #[test]
    fn only_open_questions_take_answers() {
        let mut task = record(false);
        task.status = Status::InputRequired;
        task.questions = [("a", "1"), ("b", "2")].map(|(key, json)| (key.to_owned(), json.to_owned())).into();
        let answers = |keys: &[&str]| keys.iter().map(|key| ((*key).to_owned(), "{}".to_owned())).collect();
        assert!(task.answer(&answers(&["a", "x"])) && !task.answer(&answers(&["a"])));
        assert_eq!((task.status, task.questions.len(), task.answers.len()), (Status::InputRequired, 1, 1));
        assert!(task.answer(&answers(&["b"])));
        assert_eq!(task.status, Status::Working);
    }
}
