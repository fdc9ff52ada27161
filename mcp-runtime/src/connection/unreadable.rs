//! Texts that are no message.

use serde::de::IgnoredAny;

use crate::json::Fault;
use crate::jsonrpc::{ErrorCode, RequestId, id_of_invalid};

/// A text that is no message, and what is to be said about it.
#[derive(Debug)]
pub(crate) struct Unreadable {
    /// Whom to answer, if that could be read.
    pub(crate) id: Option<RequestId>,
    pub(crate) code: ErrorCode,
    pub(crate) why: String,
}

impl Unreadable {
    #[cold]
    pub(crate) fn new(text: &str, fault: Fault) -> Self {
        // by the grammar alone: what our reader refuses beyond it, such as half a surrogate pair, is no parse error
        let is_json = serde_json::from_str::<IgnoredAny>(text).is_ok();
        let code = if is_json { ErrorCode::InvalidRequest } else { ErrorCode::ParseError };
        let id = id_of_invalid(text).filter(|_| is_json);
        Self { id, code, why: format!("not a JSON-RPC message: {fault}") }
    }
}
