//! Typed Rust from the contract of an MCP server.
//!
//! # Layout
//!
//! The modules stand in the order in which data flows through them; ARCHITECTURE.md tells the whole story.

pub mod source;
pub mod diagnostic;

mod document;

mod schema;
mod contract;

mod ir;
mod lower;
mod check;

mod emit;
mod format;

mod config;
pub mod output;
mod compile;

pub use self::config::Config;
pub use self::output::Files;
