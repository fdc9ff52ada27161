//! Requests of the revisions that begin with `initialize` (2024-11-05 to 2025-11-25).

use std::sync::Arc;

use crate::connection::{Connection, Load, Reply, Request, lists, refuse};
use crate::json::Reader;
use crate::jsonrpc::ErrorCode;
use crate::listener::{Event, TransportEvent};
use crate::log::LogLevel;
use crate::protocol::{ClientCapabilities, ClientInfo, Revision, Session};

impl Connection {
    pub(super) fn session_request(&mut self, mut request: Request<'_>, load: &impl Load, out: &mut Vec<u8>) -> Reply {
        if request.method == "initialize" {
            return self.initialize(request, out);
        }
        let revision = self.peer.session.get().map(|session| session.revision);
        if request.method == "ping" {
            return lists::empty(&self.peer.engine, &request, out);
        }
        let Some(revision) = revision else {
            let why = "no session: send `initialize` first, or state the protocol version in `_meta`";
            return refuse(&request.id, ErrorCode::InvalidRequest, why, out);
        };
        request.revision = revision;
        match &*request.method {
            "logging/setLevel" => self.set_level(&request, out),
            "resources/subscribe" if self.peer.engine.capabilities().subscribe => self.subscribe(&request, out),
            "resources/unsubscribe" if self.peer.engine.capabilities().subscribe => self.unsubscribe(&request, out),
            "tasks/get" | "tasks/result" | "tasks/cancel" if self.has_session_tasks(revision) => {
                self.task_request(request, out)
            }
            "tasks/list" if self.has_session_tasks(revision) && self.peer.engine.capabilities().task_lists => {
                self.task_request(request, out)
            }
            _ => self.feature_request(request, load, out),
        }
    }

    fn has_session_tasks(&self, revision: Revision) -> bool {
        revision.has_session_tasks() && self.peer.engine.tasks.is_some()
    }

    fn initialize(&mut self, mut request: Request<'_>, out: &mut Vec<u8>) -> Reply {
        let params = &request.params;
        let asked = params.protocol_version.and_then(|version| Reader::new(version).string().ok());
        let Some(asked) = asked else {
            return refuse(&request.id, ErrorCode::InvalidParams, "`params.protocolVersion` must be a string", out);
        };
        let Ok(capabilities) = ClientCapabilities::parse(params.capabilities.unwrap_or("{}")) else {
            return refuse(&request.id, ErrorCode::InvalidParams, "`params.capabilities` must be an object", out);
        };
        let known = Revision::named(&asked).filter(|revision| revision.has_session());
        let revision = known.unwrap_or(Revision::NEWEST_WITH_SESSION);
        let client = params.client_info.and_then(ClientInfo::parse);
        let connected = client.as_ref().map(|client| (client.name.clone(), client.version.clone()));
        if self.peer.session.set(Session { revision, client, capabilities }).is_err() {
            return refuse(&request.id, ErrorCode::InvalidRequest, "the session is initialized already", out);
        }
        let engine = Arc::clone(&self.peer.engine);
        engine.listeners.send(Event::Transport(TransportEvent::Connected { client: connected }));
        request.revision = revision;
        lists::open(&engine, &request, out);
        engine.identity.write_initialize(revision, out);
        out.extend_from_slice(b"}}");
        Reply::Written
    }

    fn set_level(&self, request: &Request<'_>, out: &mut Vec<u8>) -> Reply {
        let level = request.params.level.and_then(|level| Reader::new(level).string().ok());
        let Some(level) = level.and_then(|level| LogLevel::named(&level)) else {
            return refuse(&request.id, ErrorCode::InvalidParams, "`params.level` names no log level", out);
        };
        self.peer.set_log_level(level);
        lists::empty(&self.peer.engine, request, out)
    }
}
