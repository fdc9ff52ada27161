//! Answers that were made before anybody asked.

use crate::connection::refusal::{Outcome, refuse};
use crate::connection::{Reply, Request};
use crate::engine::Engine;
use crate::json::Reader;
use crate::jsonrpc::ErrorCode;
use crate::peer::Principal;
use crate::protocol::{List, Page, Permits, result_head, write_head};

/// Appends a list answer.
pub(super) fn write(
    engine: &Engine,
    (request, caller): (&Request<'_>, Option<&Principal>),
    (list, more): (&List, &[String]),
    out: &mut Vec<u8>,
) -> Outcome {
    let Ok(cursor) = request.params.cursor.map(|cursor| Reader::new(cursor).string()).transpose() else {
        return refuse(request, ErrorCode::InvalidParams, "`params.cursor` must be a string");
    };
    let start = out.len();
    open(engine, request, out);
    let permits = |scopes: &[&str]| engine.permits(caller, scopes);
    let permits = engine.lists_by_scope().then_some(&permits as Permits<'_>);
    if list.write(request.revision, more, Page { cursor: cursor.as_deref(), permits, out }).is_err() {
        out.truncate(start);
        return refuse(request, ErrorCode::InvalidParams, "unknown cursor");
    }
    out.extend_from_slice(engine.lists.caching(request.revision).as_bytes());
    out.extend_from_slice(b"}}");
    Ok(Reply::Written)
}

/// Appends the answer's beginning, up to the first member of the result.
pub(super) fn open(engine: &Engine, request: &Request<'_>, out: &mut Vec<u8>) {
    write_head(&request.id, out);
    result_head(engine, request.revision, out);
}

/// Appends an answer whose result says nothing but that it is done.
pub(super) fn empty(engine: &Engine, request: &Request<'_>, out: &mut Vec<u8>) -> Reply {
    open(engine, request, out);
    out.extend_from_slice(b"}}");
    Reply::Written
}
