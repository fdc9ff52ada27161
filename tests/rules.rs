//! The rules of the protocol, one by one: each test names those that it is about, and `PROTOCOL.md` has all of them.
//!
//! A server in memory that has something of everything; every message that it sends is judged by the official schemas.

/// What the contract in `rules/contract` becomes.
#[expect(clippy::exhaustive_enums, reason = "an enumeration of the contract is complete")]
pub mod api {
    mcp_runtime::include_service!("house");
}

#[path = "rules/base.rs"]
mod base;
#[path = "rules/eras.rs"]
mod eras;
#[path = "rules/general.rs"]
mod general;
#[path = "rules/house.rs"]
mod house;
#[path = "rules/lists.rs"]
mod lists;
#[path = "rules/notices.rs"]
mod notices;
#[path = "rules/peer.rs"]
mod peer;
#[path = "rules/prompts.rs"]
mod prompts;
#[path = "rules/resources.rs"]
mod resources;
#[path = "rules/results.rs"]
mod results;
#[path = "rules/table.rs"]
mod table;
#[path = "rules/tools.rs"]
mod tools;

use mcp_runtime::Revision;

/// The newest revision of each era.
const ERAS: [Revision; 2] = [Revision::NEWEST_WITH_SESSION, Revision::V2026_07_28];
