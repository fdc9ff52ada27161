//! Servers on the network, from outside: over a socket, byte by byte. Every message is held against the official schemas.
//!
//! The names of tests begin with the rule of the specification that they are about, where there is one for it: `hl` for
//! revisions with sessions, `hm` for those without, `e` for how they are told apart.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

/// What the contract in `served/contract` becomes.
#[expect(clippy::exhaustive_enums, reason = "an enumeration of the contract is complete")]
pub mod api {
    mcp_runtime::include_service!("served");
}

#[path = "http/asking.rs"]
mod asking;
#[path = "http/cors.rs"]
mod cors;
#[path = "http/eras.rs"]
mod eras;
#[path = "http/faults.rs"]
mod faults;
#[path = "http/guard.rs"]
mod guard;
#[path = "http/limits.rs"]
mod limits;
#[path = "http/listen.rs"]
mod listen;
#[path = "http/mounted.rs"]
mod mounted;
#[cfg(unix)]
#[path = "http/nginx.rs"]
mod nginx;
#[path = "http/reports.rs"]
mod reports;
#[path = "http/resume.rs"]
mod resume;
#[path = "http/service.rs"]
mod service;
#[path = "http/session.rs"]
mod session;
#[path = "http/shutdown.rs"]
mod shutdown;
#[path = "http/stateless.rs"]
mod stateless;
#[path = "http/store.rs"]
mod store;
#[path = "http/together.rs"]
mod together;
#[path = "served/travel.rs"]
mod travel;

use support::web::Site;

use crate::service::{World, server};

/// A server of the test's tools, and what happens in it.
async fn site() -> (Site, World) {
    let world = World::default();
    (Site::start(server(&world)).await, world)
}
