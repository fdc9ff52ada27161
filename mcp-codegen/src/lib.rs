//! Typed Rust from the contract of an MCP server.
//!
//! # Layout
//!
//! The modules stand in the order in which data flows through them; ARCHITECTURE.md tells the whole story.

pub mod diagnostic;
pub mod source;

mod document;

mod contract;
mod schema;

mod check;
mod ir;
mod lower;

mod emit;
mod format;

mod compile;
mod config;
pub mod load;
pub mod output;

pub use self::config::Config;
pub use self::output::Files;
