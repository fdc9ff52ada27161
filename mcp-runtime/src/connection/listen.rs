//! Who wants to hear of changes: `resources/subscribe` in a session, `subscriptions/listen` without one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::changes::{Topics, write_cancelled};
use crate::connection::refusal::{Outcome, Refusal, refuse};
use crate::connection::{Connection, Reply, Request, lists};
use crate::engine::Engine;
use crate::json::{self, Fault, Reader, string_of};
use crate::jsonrpc::{ErrorCode, Param, RequestId};
use crate::protocol::{Capabilities, Revision, result_head, write_head};

const TOO_MANY: &str = "too many subscriptions on this connection";

impl Connection {
    /// `subscriptions/listen`: no answer until the end, but a notice at once that says what will be told.
    pub(super) fn listen(&self, request: &Request<'_>, out: &mut Vec<u8>) -> Outcome {
        let (id, engine) = (&request.id, &self.peer.engine);
        let Some(wanted) = request.params.get(Param::Notifications).and_then(|filter| read_filter(filter).ok()) else {
            let why = "`params.notifications` must say what to listen to";
            return refuse(request, ErrorCode::InvalidParams, why);
        };
        let serves = engine.capabilities();
        let mut honored = listable(serves);
        honored.tools &= wanted.tools;
        honored.prompts &= wanted.prompts;
        honored.resources &= wanted.resources;
        if serves.subscribe {
            honored.uris = wanted
                .uris
                .into_iter()
                .filter(|uri| engine.announces(uri, self.principal.as_ref()) == Some(true))
                .collect();
        }
        honored.tasks = match self.listened_tasks(request, wanted.tasks) {
            Ok(tasks) => tasks,
            Err(fault) => return Err(fault.refuse((id, request.method))),
        };
        self.peer.connect();
        match self.peer.inbox.listen(id.clone(), honored, out) {
            Ok(()) => Ok(Reply::Written),
            Err(_) => refuse(request, ErrorCode::InternalError, TOO_MANY),
        }
    }

    /// Whether the id is that of an open stream. Only servers that tell of changes have to look.
    pub(super) fn is_listening(&self, id: &RequestId) -> bool {
        self.peer.engine.can_be_listened_to() && self.peer.inbox.is_listening(id)
    }

    /// `resources/subscribe`
    pub(super) fn subscribe(&self, request: &Request<'_>, out: &mut Vec<u8>) -> Outcome {
        let Some(uri) = request.params.uri.and_then(string_of) else {
            return refuse(request, ErrorCode::InvalidParams, "`params.uri` must be a string");
        };
        match self.peer.engine.announces(&uri, self.principal.as_ref()) {
            Some(true) => {}
            Some(false) => {
                let why = format!("the resource tells of no updates: {uri}");
                return refuse(request, ErrorCode::InvalidParams, why);
            }
            None => return not_found(request, &uri),
        }
        self.peer.connect();
        match self.peer.inbox.subscribe(&uri) {
            Ok(()) => Ok(lists::empty(&self.peer.engine, request, out)),
            Err(_) => refuse(request, ErrorCode::InternalError, TOO_MANY),
        }
    }

    /// `resources/unsubscribe`; whoever did not subscribe has nothing to lose.
    pub(super) fn unsubscribe(&self, request: &Request<'_>, out: &mut Vec<u8>) -> Outcome {
        let Some(uri) = request.params.uri.and_then(string_of) else {
            return refuse(request, ErrorCode::InvalidParams, "`params.uri` must be a string");
        };
        self.peer.inbox.unsubscribe(&uri);
        Ok(lists::empty(&self.peer.engine, request, out))
    }

    /// The client is ready: a session is told of all lists from now on.
    pub(crate) fn initialized(&self) {
        let serves = self.peer.engine.capabilities();
        if self.peer.session.get().is_some() && serves.list_changed {
            self.peer.connect();
            self.peer.inbox.open_session(&listable(serves));
        }
    }

    /// The server ends: every stream is cancelled, and then answered with a result.
    pub(crate) fn end_streams(&self, out: &mut Vec<u8>) {
        for id in self.peer.inbox.close_all() {
            write_cancelled(&id, out);
            write_end(&self.peer.engine, &id, out);
        }
    }
}

/// Appends the result of a stream that ends, and its line end.
pub(super) fn write_end(engine: &Engine, id: &RequestId, out: &mut Vec<u8>) {
    write_head(id, out);
    result_head(engine, Revision::V2026_07_28, out);
    // the head ends with `…},`: the stream's id goes into the same `_meta`
    out.truncate(out.len() - 2);
    out.extend_from_slice(br#","io.modelcontextprotocol/subscriptionId":"#);
    id.write(out);
    out.extend_from_slice(b"}}}\n");
}

/// The lists that a client can be told of.
fn listable(serves: Capabilities) -> Topics {
    let Capabilities { tools, prompts, resources, list_changed, .. } = serves;
    Topics {
        tools: tools && list_changed,
        prompts: prompts && list_changed,
        resources: resources && list_changed,
        uris: BTreeSet::new(),
        tasks: BTreeMap::new(),
    }
}

/// The filter of a `subscriptions/listen`.
fn read_filter(text: &str) -> Result<Topics, Fault> {
    let members =
        ["toolsListChanged", "promptsListChanged", "resourcesListChanged", "resourceSubscriptions", "taskIds"];
    let mut wanted = Topics::default();
    Reader::new(text).object(&members, &mut |key, reader| {
        match key {
            0 => wanted.tools = reader.boolean()?,
            1 => wanted.prompts = reader.boolean()?,
            2 => wanted.resources = reader.boolean()?,
            3 => wanted.uris = json::decode::<Vec<String>>(reader.raw_value()?)?.into_iter().collect(),
            4 => {
                let ids = json::decode::<Vec<String>>(reader.raw_value()?)?;
                wanted.tasks = ids.into_iter().map(|id| (id, Arc::from(""))).collect();
            }
            _ => reader.skip_value()?,
        }
        Ok(())
    })?;
    Ok(wanted)
}

fn not_found(request: &Request<'_>, uri: &str) -> Outcome {
    let mut data = br#"{"uri":"#.to_vec();
    json::Writer::new(&mut data).string(uri);
    data.push(b'}');
    let (code, message) = (request.revision.resource_not_found(), format!("resource not found: {uri}"));
    let refusal = Refusal::new((&request.id, request.method), code, message);
    Err(refusal.with(String::from_utf8_lossy(&data).into_owned()))
}
