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
#[derive(Debug, Default)]
pub(crate) struct Params<'a> {
    /// `params` was there and was not an object.
    pub(crate) malformed: bool,
    pub(crate) meta: Option<&'a str>,
    pub(crate) name: Option<&'a str>,
    pub(crate) arguments: Option<&'a str>,
    pub(crate) uri: Option<&'a str>,
    pub(crate) cursor: Option<&'a str>,
    pub(crate) level: Option<&'a str>,
    pub(crate) request_id: Option<&'a str>,
    pub(crate) reason: Option<&'a str>,
    pub(crate) protocol_version: Option<&'a str>,
    pub(crate) capabilities: Option<&'a str>,
    pub(crate) client_info: Option<&'a str>,
    /// Answers to what a request before this one asked.
    pub(crate) input_responses: Option<&'a str>,
    pub(crate) request_state: Option<&'a str>,
    pub(crate) reference: Option<&'a str>,
    pub(crate) argument: Option<&'a str>,
    pub(crate) context: Option<&'a str>,
    pub(crate) notifications: Option<&'a str>,
    /// That a call is to be a task.
    pub(crate) task: Option<&'a str>,
    pub(crate) task_id: Option<&'a str>,
}

impl Message<'_> {
    /// Nothing that was read yet.
    const EMPTY: Self = Self {
        shape: Shape::Invalid,
        id: None,
        method: Cow::Borrowed(""),
        params: Params::EMPTY,
        result: None,
        error: None,
    };
}

impl Params<'_> {
    const EMPTY: Self = Self {
        malformed: false,
        meta: None,
        name: None,
        arguments: None,
        uri: None,
        cursor: None,
        level: None,
        request_id: None,
        reason: None,
        protocol_version: None,
        capabilities: None,
        client_info: None,
        input_responses: None,
        request_state: None,
        reference: None,
        argument: None,
        context: None,
        notifications: None,
        task: None,
        task_id: None,
    };
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

/// Reads one message. `known_meta` is the text of the last `_meta`: the same bytes are not looked at again.
///
/// # Errors
///
/// Fails if the text is not one JSON object: −32700, or −32600 for other JSON.
pub(crate) fn parse<'a>(line: &'a str, known_meta: &'a str) -> Result<Message<'a>, Fault> {
    let mut message = Message::EMPTY;
    if usual::read(line, known_meta, &mut message) { Ok(message) } else { any(line, known_meta) }
}

/// Reads any message.
fn any<'a>(line: &'a str, known_meta: &'a str) -> Result<Message<'a>, Fault> {
    let mut message = Message::EMPTY;
    let (mut version, mut has_method) = (false, false);
    let mut reader = Reader::new(line);
    reader.object(ENVELOPE, &mut |key, reader| {
        match key {
            0 if reader.take_known("\"2.0\"") => version = true,
            1 => message.id = Some(reader.raw_value()?),
            2 if reader.next_is_string() => (message.method, has_method) = (reader.string()?, true),
            3 if reader.next_is_object() => read_params(reader, known_meta, &mut message.params)?,
            3 => (_, message.params.malformed) = (reader.raw_value()?, true),
            4 => message.result = Some(reader.raw_value()?),
            5 => message.error = Some(reader.raw_value()?),
            // a version that is not known, or a member that is not
            _ => reader.skip_value()?,
        }
        Ok(())
    })?;
    reader.end()?;
    let has_answer = message.result.is_some() || message.error.is_some();
    message.shape = match (version, has_method, message.id.is_some(), has_answer) {
        (true, true, true, false) => Shape::Request,
        (true, true, false, false) => Shape::Notification,
        (true, false, _, true) => Shape::Response,
        _ => Shape::Invalid,
    };
    Ok(message)
}

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

fn read_params<'a>(reader: &mut Reader<'a>, known_meta: &'a str, params: &mut Params<'a>) -> Result<(), Fault> {
    reader.object(PARAMS, &mut |key, reader| {
        let slot = match key {
            0 if reader.take_known(known_meta) => {
                params.meta = Some(known_meta);
                return Ok(());
            }
            0 => &mut params.meta,
            1 => &mut params.name,
            2 => &mut params.arguments,
            3 => &mut params.uri,
            4 => &mut params.cursor,
            5 => &mut params.level,
            6 => &mut params.request_id,
            7 => &mut params.reason,
            8 => &mut params.protocol_version,
            9 => &mut params.capabilities,
            10 => &mut params.client_info,
            11 => &mut params.input_responses,
            12 => &mut params.request_state,
            13 => &mut params.reference,
            14 => &mut params.argument,
            15 => &mut params.context,
            16 => &mut params.notifications,
            17 => &mut params.task,
            18 => &mut params.task_id,
            _ => return reader.skip_value(),
        };
        *slot = Some(reader.raw_value()?);
        Ok(())
    })
}
