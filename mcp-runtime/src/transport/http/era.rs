//! Which rules a message is under: those of a session, or those of requests that bring all that is to be known.

use std::sync::Arc;

use crate::json::Reader;
use crate::jsonrpc::{ErrorCode, Message, RequestId, Shape};
use crate::protocol::{Meta, Revision, write_versions};
use crate::transport::http::Post;
use crate::transport::http::head::Version;
use crate::transport::http::refusal::Refusal;

/// See `connection` for what each does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// `initialize`: a session begins.
    Handshake,
    Session,
    Stateless,
}

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

impl Post<'_> {
    /// The message says it before the headers do: a stateless request states its version in itself.
    pub(super) fn era(&self) -> Result<Era, Refusal> {
        if self.states_version() {
            return Ok(Era::Stateless);
        }
        match self.said.version() {
            Version::Known(revision) if revision.is_stateless() => self.must_not_lack_version(),
            Version::Unknown(name) => Err(unsupported(&name).of(self.id())),
            Version::Absent | Version::Known(_) => {
                let is_handshake = self.message.shape == Shape::Request && self.message.method == "initialize";
                Ok(if is_handshake { Era::Handshake } else { Era::Session })
            }
        }
    }

    /// The request's id, if it has a usable one.
    pub(super) fn id(&self) -> Option<RequestId> {
        let is_answer = self.message.shape == Shape::Response;
        self.message.id.filter(|_| !is_answer).and_then(RequestId::parse)
    }

    /// What the message says in its `_meta`, if nothing is wrong with that.
    pub(super) fn sound_meta(&self) -> Option<Arc<Meta>> {
        self.meta.as_ref().and_then(|meta| meta.as_ref().ok()).cloned()
    }

    /// Whether it is a message at all.
    pub(super) fn is_valid(&self) -> bool {
        match self.message.shape {
            Shape::Request => self.id().is_some(),
            Shape::Notification | Shape::Response => true,
            Shape::Invalid => false,
        }
    }

    fn states_version(&self) -> bool {
        match &self.meta {
            None => false,
            Some(Ok(meta)) => meta.version.is_some(),
            // it is at fault, and may still say so
            Some(Err(_)) => states_version(&self.message),
        }
    }

    /// The header says that it is stateless: then a request must say so itself.
    fn must_not_lack_version(&self) -> Result<Era, Refusal> {
        match (self.message.shape, self.id()) {
            (Shape::Request, Some(id)) => {
                let why = format!("`_meta` must state `{VERSION}`");
                let why =
                    self.meta.as_ref().and_then(|meta| meta.as_ref().err()).map_or(why, |fault| fault.0.to_owned());
                Err(Refusal::bad_request(ErrorCode::InvalidParams, why).of(Some(id)))
            }
            _ => Ok(Era::Stateless),
        }
    }
}

/// Whether a message is one of those that state their version.
pub(super) fn states_version(message: &Message<'_>) -> bool {
    message.params.meta.and_then(|meta| Reader::new(meta).member(VERSION)).is_some()
}

/// The answer to a version that nobody here knows.
pub(super) fn unsupported(requested: &str) -> Refusal {
    let mut data = br#"{"supported":"#.to_vec();
    write_versions(Revision::ALL.iter().rev(), &mut data);
    data.extend_from_slice(br#","requested":"#);
    crate::json::Writer::new(&mut data).string(requested);
    data.push(b'}');
    Refusal::bad_request(ErrorCode::UnsupportedProtocolVersion, "unsupported protocol version")
        .with_data(String::from_utf8_lossy(&data).into_owned())
}
