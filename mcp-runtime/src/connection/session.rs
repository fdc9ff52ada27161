//! Requests of the revisions that begin with `initialize` (2024-11-05 to 2025-11-25).

use std::sync::Arc;

use crate::connection::refusal::{Outcome, refuse};
use crate::connection::{Connection, Load, Reply, Request, lists};
use crate::json::string_of;
use crate::jsonrpc::{ErrorCode, Param};
use crate::listener::{Event, TransportEvent};
use crate::log::LogLevel;
use crate::protocol::{ClientCapabilities, ClientInfo, Revision, Session};

/// What a session keeps of its client, in bytes: more than any client says of itself, and little enough for thousands.
const MAX_CLIENT: usize = 16 << 10;

impl Connection {
    pub(super) fn session_request(&mut self, mut request: Request<'_>, load: &impl Load, out: &mut Vec<u8>) -> Outcome {
        if request.method == "initialize" {
            return self.initialize(request, out);
        }
        let revision = self.peer.session.get().map(|session| session.revision);
        if request.method == "ping" {
            return Ok(lists::empty(&self.peer.engine, &request, out));
        }
        let Some(revision) = revision else {
            let why = "no session: send `initialize` first, or state the protocol version in `_meta`";
            return refuse(&request, ErrorCode::InvalidRequest, why);
        };
        request.revision = revision;
        request.span.speaks(revision);
        match request.method {
            "logging/setLevel" => self.set_level(&request, out),
            "resources/subscribe" if self.peer.engine.capabilities().subscribe => self.subscribe(&request, out),
            "resources/unsubscribe" if self.peer.engine.capabilities().subscribe => self.unsubscribe(&request, out),
            "tasks/get" | "tasks/result" | "tasks/cancel" if self.has_session_tasks(revision) => {
                self.task_request(request)
            }
            "tasks/list" if self.has_session_tasks(revision) && self.peer.engine.capabilities().task_lists => {
                self.task_request(request)
            }
            _ => self.feature_request(request, load, out),
        }
    }

    fn has_session_tasks(&self, revision: Revision) -> bool {
        revision.has_session_tasks() && self.peer.engine.tasks.is_some()
    }

    fn initialize(&mut self, mut request: Request<'_>, out: &mut Vec<u8>) -> Outcome {
        let params = &request.params;
        let asked = params.get(Param::ProtocolVersion).and_then(string_of);
        let Some(asked) = asked else {
            return refuse(&request, ErrorCode::InvalidParams, "`params.protocolVersion` must be a string");
        };
        let Ok(capabilities) = ClientCapabilities::parse(params.get(Param::Capabilities).unwrap_or("{}")) else {
            return refuse(&request, ErrorCode::InvalidParams, "`params.capabilities` must be an object");
        };
        let client = params.get(Param::ClientInfo).and_then(ClientInfo::parse);
        let names = client.as_ref().map_or(0, |client| client.name.len() + client.version.len());
        if capabilities.json.len() + names > MAX_CLIENT {
            let why = format!("`params.capabilities` and the names of the client are longer than {MAX_CLIENT} bytes");
            return refuse(&request, ErrorCode::InvalidParams, why);
        }
        let known = Revision::named(&asked).filter(|revision| revision.has_session());
        let revision = known.unwrap_or(Revision::NEWEST_WITH_SESSION);
        let connected = client.as_ref().map(|client| (client.name.clone(), client.version.clone()));
        if self.peer.session.set(Session { revision, client, capabilities }).is_err() {
            return refuse(&request, ErrorCode::InvalidRequest, "the session is initialized already");
        }
        let engine = Arc::clone(&self.peer.engine);
        engine.listeners.send(Event::Transport(TransportEvent::Connected { client: connected }));
        request.revision = revision;
        request.span.speaks(revision);
        lists::open(&engine, &request, out);
        engine.identity.write_initialize(revision, out);
        out.extend_from_slice(b"}}");
        Ok(Reply::Written)
    }

    fn set_level(&self, request: &Request<'_>, out: &mut Vec<u8>) -> Outcome {
        let level = request.params.get(Param::Level).and_then(string_of);
        let Some(level) = level.and_then(|level| LogLevel::named(&level)) else {
            return refuse(request, ErrorCode::InvalidParams, "`params.level` names no log level");
        };
        self.peer.set_log_level(level);
        Ok(lists::empty(&self.peer.engine, request, out))
    }
}
