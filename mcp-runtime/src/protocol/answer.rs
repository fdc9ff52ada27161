//! How an answer begins and ends, by era.

use crate::engine::Engine;
use crate::json::Writer;
use crate::jsonrpc::RequestId;
use crate::protocol::Revision;

/// All that is needed to write an answer without the handler: for one that panicked, or ran too long.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) id: RequestId,
    pub(crate) revision: Revision,
    /// A failed tool call is a result; any other failure is an error.
    pub(crate) is_tool: bool,
}

/// Appends `,"result":{` and what every result of the era has; a member must follow.
pub(crate) fn result_head(engine: &Engine, revision: Revision, out: &mut Vec<u8>) {
    if revision.is_stateless() {
        out.extend_from_slice(engine.identity.stateless_head.as_bytes());
    } else {
        out.extend_from_slice(br#","result":{"#);
    }
}

impl Head {
    /// Appends `{"jsonrpc":"2.0","id":…`.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        self.id.write(out);
    }

    /// Appends a whole answer that says that the handler failed.
    pub(crate) fn write_failure(&self, engine: &Engine, message: &str, out: &mut Vec<u8>) {
        if !self.is_tool {
            crate::jsonrpc::write_error(out, Some(&self.id), crate::jsonrpc::ErrorCode::InternalError, message);
            return;
        }
        self.write(out);
        result_head(engine, self.revision, out);
        out.extend_from_slice(br#""content":[{"type":"text","text":"#);
        Writer::new(out).string(message);
        out.extend_from_slice(br#"}],"isError":true}}"#);
    }
}
