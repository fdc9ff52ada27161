//! Typed Rust from the contract of an MCP server.
//!
//! # Layout
//!
//! The modules stand in the order in which data flows through them; ARCHITECTURE.md tells the whole story.

pub mod diagnostic;
pub mod source;

mod document;
mod spelling;
mod uri_template;

mod contract;
mod formats;
mod pattern;
mod schema;

mod check;
mod ir;
mod lower;

mod emit;
mod format;

pub mod compile;
mod config;
pub mod load;
pub mod output;

#[cfg(feature = "cli")]
pub mod breaking;
#[cfg(feature = "cli")]
pub mod client;
#[cfg(feature = "cli")]
mod contract_schema;
#[cfg(feature = "cli")]
pub mod docs;
#[cfg(feature = "cli")]
pub mod fmt;
#[cfg(feature = "cli")]
pub mod import;
#[cfg(feature = "cli")]
pub mod lint;
#[cfg(feature = "cli")]
pub mod mock;
#[cfg(feature = "cli")]
pub mod stubs;

pub use self::config::{Config, Via};
#[cfg(feature = "cli")]
pub use self::contract_schema::contract_schema;
pub use self::output::Files;

use self::diagnostic::Diagnostics;
use self::source::Sources;

/// What one generation made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Generated {
    /// The code: a tree of files, or with [`Config::single_file`] one.
    pub files: Files,
    /// What is odd about the contract, but stops nothing.
    pub warnings: Diagnostics,
    /// What the service is called: as the configuration says, or else the contract. Nothing, if neither does.
    pub name: Option<String>,
}

/// Generates the code of a contract.
///
/// # Errors
///
/// Gives all findings back if one of them is an error; then there is no code.
pub fn generate(sources: &Sources, config: &Config) -> Result<Generated, Diagnostics> {
    let mut found = Diagnostics::default();
    config.check(&mut found);
    let documents = document::read(sources, &mut found);
    let contract = contract::read(&documents, sources, &mut found);
    let ir = lower::lower(&contract, sources, config, &mut found);
    let Some(checked) = check::check(ir, &mut found) else { return Err(found) };
    let modules = emit::emit(&checked, config);
    let files = if config.single_file { emit::single(&modules) } else { emit::tree(&modules) };
    let name = config.name.clone().or(contract.server.name.map(|name| name.value));
    Ok(Generated { files, warnings: found, name })
}

/// What is wrong or odd about a contract, short of generating its code.
#[cfg(feature = "cli")]
pub(crate) fn faults(sources: &Sources, config: &Config) -> Diagnostics {
    let mut found = Diagnostics::default();
    config.check(&mut found);
    let documents = document::read(sources, &mut found);
    let contract = contract::read(&documents, sources, &mut found);
    let ir = lower::lower(&contract, sources, config, &mut found);
    check::check(ir, &mut found);
    found
}

#[cfg(test)]
mod tests;
