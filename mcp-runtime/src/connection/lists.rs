//! Answers that were made before anybody asked.

use crate::connection::{Reply, Request, refuse};
use crate::engine::Engine;
use crate::jsonrpc::ErrorCode;
use crate::protocol::{Head, List, result_head};

/// Appends a list answer. No list has more than one page, so no cursor is one of ours.
pub(super) fn write(
    engine: &Engine,
    request: &Request<'_>,
    (list, more): (&List, &[String]),
    out: &mut Vec<u8>,
) -> Reply {
    if request.params.cursor.is_some() {
        return refuse(&request.id, ErrorCode::InvalidParams, "unknown cursor", out);
    }
    open(engine, request, out);
    list.write(request.revision, more, out);
    out.extend_from_slice(engine.lists.caching(request.revision).as_bytes());
    out.extend_from_slice(b"}}");
    Reply::Written
}

/// Appends the answer's beginning, up to the first member of the result.
pub(super) fn open(engine: &Engine, request: &Request<'_>, out: &mut Vec<u8>) {
    Head { id: request.id.clone(), revision: request.revision, is_tool: false }.write(out);
    result_head(engine, request.revision, out);
}
