//! A generated server, asked in the same process: what needs no program of its own, in both eras of the protocol.

/// What the contract in `served/contract` becomes.
#[expect(clippy::exhaustive_enums, reason = "an enumeration of the contract is complete")]
pub mod api {
    mcp_runtime::include_service!("served");
}

#[path = "served/changes.rs"]
mod changes;
#[path = "served/completion.rs"]
mod completion;
#[path = "served/digest.rs"]
mod digest;
#[path = "served/examples.rs"]
mod examples;
#[path = "served/formats.rs"]
mod formats;
#[path = "served/given_up.rs"]
mod given_up;
#[path = "served/groups.rs"]
mod groups;
#[path = "served/metadata.rs"]
mod metadata;
#[path = "served/mock.rs"]
mod mock;
#[path = "served/pages.rs"]
mod pages;
#[path = "served/progress.rs"]
mod progress;
#[path = "served/prompts.rs"]
mod prompts;
#[path = "served/providers.rs"]
mod providers;
#[path = "served/schemas.rs"]
mod schemas;
#[path = "served/travel.rs"]
mod travel;

use mcp_runtime::Revision;

/// The newest revision of each era.
const ERAS: [Revision; 2] = [Revision::NEWEST_WITH_SESSION, Revision::V2026_07_28];
