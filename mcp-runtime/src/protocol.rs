//! MCP itself: revisions, the handshake, what a request says about its client, lists, and how results are spelled.

mod answer;
mod capabilities;
mod capability;
mod lifecycle;
mod lists;
mod meta;
mod revision;

pub(crate) use self::answer::{Audit, Handling, Head, input_required_head, result_head, task_head, write_head};
pub(crate) use self::capabilities::Capabilities;
pub(crate) use self::capability::Capability;
pub(crate) use self::lifecycle::{ContractDigest, Identity, Session, write_versions};
pub(crate) use self::lists::{List, Lists, Page, Permits};
pub use self::meta::{ClientCapabilities, ClientInfo};
pub(crate) use self::meta::{Meta, MetaFault};
pub(crate) use self::revision::Kind;
pub use self::revision::Revision;
