//! Requests that carry their version (since 2026-07-28): nothing is remembered from one to the next.

use crate::connection::refusal::{Outcome, Refusal, refuse};
use crate::connection::{Connection, Load, Reply, Request};
use crate::jsonrpc::ErrorCode;
use crate::protocol::{Revision, write_head, write_versions};

impl Connection {
    pub(super) fn stateless_request(
        &mut self,
        mut request: Request<'_>,
        load: &impl Load,
        out: &mut Vec<u8>,
    ) -> Outcome {
        let meta = request.meta.as_deref();
        let Some(version) = meta.and_then(|meta| meta.version.as_ref()) else {
            let why = "`_meta` must state `io.modelcontextprotocol/protocolVersion`";
            return refuse(&request, ErrorCode::InvalidParams, why);
        };
        if meta.is_none_or(|meta| meta.capabilities.is_none()) {
            let why = "`_meta` must state `io.modelcontextprotocol/clientCapabilities`";
            return refuse(&request, ErrorCode::InvalidParams, why);
        }
        let name = version.as_ref().map_or_else(|name| &**name, |revision| revision.as_str());
        if let Err(why) = load.check_version(name) {
            return refuse(&request, ErrorCode::HeaderMismatch, why);
        }
        request.revision = match version {
            Ok(revision) if revision.is_stateless() => *revision,
            // a version that needs a session cannot be had per request: name only those that can, or a client loops
            Ok(_) => return unsupported(&request, name, Revision::is_stateless),
            Err(_) => return unsupported(&request, name, |_| true),
        };
        request.span.speaks(request.revision);
        if let Err(why) = load.check_target(request.method, request.params) {
            return refuse(&request, ErrorCode::HeaderMismatch, why);
        }
        match request.method {
            "server/discover" => {
                let engine = &self.peer.engine;
                write_head(&request.id, out);
                out.extend_from_slice(engine.identity.discover_head.as_bytes());
                engine.identity.write_discover(request.revision, out);
                out.extend_from_slice(engine.lists.caching(request.revision).as_bytes());
                out.extend_from_slice(b"}}");
                Ok(Reply::Written)
            }
            "subscriptions/listen" if self.peer.engine.can_be_listened_to() => self.listen(&request, out),
            "tasks/get" | "tasks/update" | "tasks/cancel" if self.peer.engine.tasks.is_some() => {
                self.task_request(request)
            }
            "initialize" => {
                let why = "`initialize` opens a session, and this request is stateless";
                unknown_with_versions(&request, why)
            }
            _ => self.feature_request(request, load, out),
        }
    }
}

fn unsupported(request: &Request<'_>, requested: &str, served: fn(Revision) -> bool) -> Outcome {
    let mut data = br#"{"supported":"#.to_vec();
    let versions: Vec<_> = Revision::ALL.into_iter().rev().filter(|revision| served(*revision)).collect();
    write_versions(versions.iter(), &mut data);
    data.extend_from_slice(br#","requested":"#);
    crate::json::Writer::new(&mut data).string(requested);
    let (code, message) = (ErrorCode::UnsupportedProtocolVersion, "unsupported protocol version");
    Err(with_data(request, (code, message), data))
}

fn unknown_with_versions(request: &Request<'_>, why: &'static str) -> Outcome {
    let mut data = br#"{"supported":"#.to_vec();
    write_versions(Revision::ALL.iter().rev(), &mut data);
    Err(with_data(request, (ErrorCode::MethodNotFound, why), data))
}

/// `data` is an object that is to be closed.
fn with_data(request: &Request<'_>, (code, message): (ErrorCode, &'static str), mut data: Vec<u8>) -> Refusal {
    data.push(b'}');
    let refusal = Refusal::new((&request.id, request.method), code, message);
    refusal.with(String::from_utf8_lossy(&data).into_owned())
}
