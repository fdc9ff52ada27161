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
mod workers;

mod contract;
mod formats;
mod pattern;
mod schema;

mod check;
mod ir;
mod lower;

mod emit;
mod format;
mod tokens;

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

use self::check::Checked;
use self::contract::Contract;
use self::diagnostic::Diagnostics;
use self::document::Document;
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
    let Valid { documents, mut contract, checked, warnings } = read(sources, config)?;
    let name = config.name.clone().or(contract.server.name.take().map(|name| name.value));
    let modules = emit::emit(&checked, config);
    workers::free((documents, contract, checked));
    let files = if config.single_file { emit::single(&modules) } else { emit::tree(modules) };
    Ok(Generated { files, warnings, name })
}

/// A contract without errors, and what its stages made of it.
struct Valid {
    documents: Vec<Document>,
    contract: Contract,
    checked: Checked,
    warnings: Diagnostics,
}

/// All stages short of emission: every command begins with them.
fn read(sources: &Sources, config: &Config) -> Result<Valid, Diagnostics> {
    let mut found = Diagnostics::default();
    config.check(&mut found);
    let documents = document::read(sources, &mut found);
    let contract = contract::read(&documents, sources, &mut found);
    let ir = lower::lower(&contract, sources, config, &mut found);
    match check::check(ir, &mut found) {
        Some(checked) => Ok(Valid { documents, contract, checked, warnings: found }),
        None => Err(found),
    }
}

/// What is wrong or odd about a contract, short of generating its code.
#[cfg(feature = "cli")]
fn faults(sources: &Sources, config: &Config) -> Diagnostics {
    read(sources, config).map_or_else(|found| found, |valid| valid.warnings)
}

#[cfg(test)]
mod tests;
