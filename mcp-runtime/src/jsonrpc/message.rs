//! One pass over a message: the envelope and the members of `params` that a server needs, as slices of the line.

mod usual;

use std::borrow::Cow;

use crate::json::{Fault, Reader};
use crate::jsonrpc::RequestId;

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Request,
    Notification,
    /// An answer to something that we asked.
    Response,
    /// JSON, but not one message: −32600.
    Invalid,
}

/// A message, borrowed from its line.
#[derive(Debug)]
pub(crate) struct Message<'a> {
    pub(crate) shape: Shape,
    /// JSON text of the id, whatever it is.
    pub(crate) id: Option<&'a str>,
    pub(crate) method: Cow<'a, str>,
    pub(crate) params: Params<'a>,
    /// Of an answer: JSON text, as the following one.
    pub(crate) result: Option<&'a str>,
    pub(crate) error: Option<&'a str>,
}

/// The members of `params`, each as JSON text.
#[derive(Debug)]
pub(crate) struct Params<'a> {
    /// `params` was there and was not an object.
    pub(crate) malformed: bool,
    pub(crate) meta: Option<&'a str>,
    pub(crate) name: Option<&'a str>,
    pub(crate) arguments: Option<&'a str>,
    pub(crate) uri: Option<&'a str>,
    pub(crate) cursor: Option<&'a str>,
    /// The others, in the order in which they came: places for all would make every message long.
    others: Vec<(Param, &'a str)>,
}

/// A member of `params` that few methods have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Param {
    Level,
    RequestId,
    Reason,
    ProtocolVersion,
    Capabilities,
    ClientInfo,
    /// Answers to what a request before this one asked.
    InputResponses,
    RequestState,
    Reference,
    Argument,
    Context,
    Notifications,
    /// That a call is to be a task.
    Task,
    TaskId,
}

impl<'a> Message<'a> {
    /// Nothing that was read yet.
    pub(crate) const EMPTY: Self = Self {
        shape: Shape::Invalid,
        id: None,
        method: Cow::Borrowed(""),
        params: Params::EMPTY,
        result: None,
        error: None,
    };

    /// Reads one message into one that is empty. `known_meta` is the text of the last `_meta`: the same bytes are not
    /// looked at again.
    ///
    /// # Errors
    ///
    /// Fails if the text is not one JSON object: −32700, or −32600 for other JSON.
    pub(crate) fn read(&mut self, line: &'a str, known_meta: &'a str) -> Result<(), Fault> {
        if usual::read(line, known_meta, self) {
            return Ok(());
        }
        *self = Self::EMPTY;
        self.read_any(line, known_meta)
    }

    /// Reads any message.
    fn read_any(&mut self, line: &'a str, known_meta: &'a str) -> Result<(), Fault> {
        let (mut version, mut has_method) = (false, false);
        let mut reader = Reader::new(line);
        reader.object(ENVELOPE, &mut |key, reader| {
            match key {
                0 if reader.take_known("\"2.0\"") => version = true,
                1 => self.id = Some(reader.raw_value()?),
                2 if reader.next_is_string() => (self.method, has_method) = (reader.string()?, true),
                3 if reader.next_is_object() => self.params.read(reader, known_meta)?,
                3 => (_, self.params.malformed) = (reader.raw_value()?, true),
                4 => self.result = Some(reader.raw_value()?),
                5 => self.error = Some(reader.raw_value()?),
                // a version that is not known, or a member that is not
                _ => reader.skip_value()?,
            }
            Ok(())
        })?;
        reader.end()?;
        let has_answer = self.result.is_some() || self.error.is_some();
        self.shape = match (version, has_method, self.id.is_some(), has_answer) {
            (true, true, true, false) => Shape::Request,
            (true, true, false, false) => Shape::Notification,
            (true, false, _, true) => Shape::Response,
            _ => Shape::Invalid,
        };
        Ok(())
    }
}

impl<'a> Params<'a> {
    const EMPTY: Self =
        Self { malformed: false, meta: None, name: None, arguments: None, uri: None, cursor: None, others: Vec::new() };

    /// A member that few methods have, as JSON text.
    pub(crate) fn get(&self, wanted: Param) -> Option<&'a str> {
        self.others.iter().find(|(param, _)| *param == wanted).map(|(_, text)| *text)
    }

    fn read(&mut self, reader: &mut Reader<'a>, known_meta: &'a str) -> Result<(), Fault> {
        reader.object(PARAMS, &mut |key, reader| {
            let slot = match key {
                0 if reader.take_known(known_meta) => {
                    self.meta = Some(known_meta);
                    return Ok(());
                }
                0 => &mut self.meta,
                1 => &mut self.name,
                2 => &mut self.arguments,
                3 => &mut self.uri,
                4 => &mut self.cursor,
                _ => {
                    let param = key.checked_sub(COMMON).and_then(|other| OTHERS.get(other));
                    let Some(param) = param else { return reader.skip_value() };
                    self.others.push((*param, reader.raw_value()?));
                    return Ok(());
                }
            };
            *slot = Some(reader.raw_value()?);
            Ok(())
        })
    }
}

const ENVELOPE: &[&str] = &["jsonrpc", "id", "method", "params", "result", "error"];
const PARAMS: &[&str] = &[
    "_meta",
    "name",
    "arguments",
    "uri",
    "cursor",
    "level",
    "requestId",
    "reason",
    "protocolVersion",
    "capabilities",
    "clientInfo",
    "inputResponses",
    "requestState",
    "ref",
    "argument",
    "context",
    "notifications",
    "task",
    "taskId",
];

/// How many of them have places of their own.
const COMMON: usize = 5;

/// What the rest are, in the same order.
const OTHERS: [Param; PARAMS.len() - COMMON] = [
    Param::Level,
    Param::RequestId,
    Param::Reason,
    Param::ProtocolVersion,
    Param::Capabilities,
    Param::ClientInfo,
    Param::InputResponses,
    Param::RequestState,
    Param::Reference,
    Param::Argument,
    Param::Context,
    Param::Notifications,
    Param::Task,
    Param::TaskId,
];

/// The id of a request that is no message, such as one with a member twice, or with half of a surrogate pair in its
/// arguments: its sender waits for an answer.
#[cold]
pub(crate) fn id_of_invalid(line: &str) -> Option<RequestId> {
    let (mut id, mut has_method) = (None, false);
    let mut reader = Reader::new(line);
    let read = reader.object(&["id", "method"], &mut |key, reader| {
        let value = reader.raw_value()?;
        match key {
            0 => id = RequestId::parse(value),
            1 => has_method = true,
            _ => {}
        }
        Ok(())
    });
    // which of two ids or methods is meant, nobody knows; any other fault comes after what was read
    id.filter(|_| has_method && read != Err(Fault::DUPLICATE))
}
