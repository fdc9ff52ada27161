//! Requests that carry their version (since 2026-07-28): nothing is remembered from one to the next.

use crate::connection::{Connection, Load, Reply, Request, lists, refuse};
use crate::jsonrpc::{ErrorCode, RequestId, write_error_with};
use crate::protocol::{Revision, write_versions};

impl Connection {
    pub(super) fn stateless_request(&mut self, mut request: Request<'_>, load: &impl Load, out: &mut Vec<u8>) -> Reply {
        let meta = request.meta.as_deref();
        let Some(version) = meta.and_then(|meta| meta.version.as_ref()) else {
            let why = "`_meta` must state `io.modelcontextprotocol/protocolVersion`";
            return refuse(&request.id, ErrorCode::InvalidParams, why, out);
        };
        if meta.is_none_or(|meta| meta.capabilities.is_none()) {
            let why = "`_meta` must state `io.modelcontextprotocol/clientCapabilities`";
            return refuse(&request.id, ErrorCode::InvalidParams, why, out);
        }
        let name = version.as_ref().map_or_else(|name| &**name, |revision| revision.as_str());
        if let Err(why) = load.check_version(name) {
            return refuse(&request.id, ErrorCode::HeaderMismatch, &why, out);
        }
        request.revision = match version {
            Ok(revision) if revision.is_stateless() => *revision,
            // a version that needs a session cannot be had per request: name only those that can, or a client loops
            Ok(_) => return unsupported(&request.id, name, Revision::is_stateless, out),
            Err(_) => return unsupported(&request.id, name, |_| true, out),
        };
        if let Err(why) = load.check_target(request.method, request.params) {
            return refuse(&request.id, ErrorCode::HeaderMismatch, &why, out);
        }
        match request.method {
            "server/discover" => {
                let engine = &self.peer.engine;
                lists::open(engine, &request, out);
                engine.identity.write_discover(request.revision, out);
                out.extend_from_slice(engine.lists.caching(request.revision).as_bytes());
                out.extend_from_slice(b"}}");
                Reply::Written
            }
            "subscriptions/listen" if self.peer.engine.can_be_listened_to() => self.listen(&request, out),
            "tasks/get" | "tasks/update" | "tasks/cancel" if self.peer.engine.tasks.is_some() => {
                self.task_request(request, out)
            }
            "initialize" => {
                let why = "`initialize` opens a session, and this request is stateless";
                unknown_with_versions(&request.id, why, out)
            }
            _ => self.feature_request(request, load, out),
        }
    }
}

fn unsupported(id: &RequestId, requested: &str, served: fn(Revision) -> bool, out: &mut Vec<u8>) -> Reply {
    let mut data = br#"{"supported":"#.to_vec();
    let versions: Vec<_> = Revision::ALL.into_iter().rev().filter(|revision| served(*revision)).collect();
    write_versions(versions.iter(), &mut data);
    data.extend_from_slice(br#","requested":"#);
    crate::json::Writer::new(&mut data).string(requested);
    data.push(b'}');
    let message = "unsupported protocol version";
    let code = ErrorCode::UnsupportedProtocolVersion.code();
    write_error_with(out, Some(id), (code, message), Some(&String::from_utf8_lossy(&data)));
    Reply::Written
}

fn unknown_with_versions(id: &RequestId, why: &str, out: &mut Vec<u8>) -> Reply {
    let mut data = br#"{"supported":"#.to_vec();
    write_versions(Revision::ALL.iter().rev(), &mut data);
    data.push(b'}');
    let code = ErrorCode::MethodNotFound.code();
    write_error_with(out, Some(id), (code, why), Some(&String::from_utf8_lossy(&data)));
    Reply::Written
}
