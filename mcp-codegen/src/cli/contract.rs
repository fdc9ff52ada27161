//! From the path of a contract to its code in memory, with all that is to be said about it on the way.

use std::error::Error;

use mcp_codegen::diagnostic::Diagnostics;
use mcp_codegen::source::Sources;
use mcp_codegen::{Config, Generated, load};

use super::console::View;
use super::{ContractArgs, Outcome};

/// A contract that was read, and what was made of it.
pub(super) struct Read<T> {
    pub(super) sources: Sources,
    /// What was made, unless the contract has errors.
    pub(super) made: Option<T>,
    pub(super) found: Diagnostics,
}

/// Reads the contract and generates.
pub(super) fn generate(args: &ContractArgs, config: Config, view: View) -> Result<Read<Generated>, Box<dyn Error>> {
    let sources = load::load(&args.specs)?;
    let _status = view.work("looking at the contract, and making its code");
    Ok(match mcp_codegen::generate(&sources, &named(args, config)) {
        Ok(mut generated) => {
            let found = std::mem::take(&mut generated.warnings);
            Read { sources, made: Some(generated), found }
        }
        Err(found) => Read { sources, made: None, found },
    })
}

/// The configuration with the name that was typed.
pub(super) fn named(args: &ContractArgs, config: Config) -> Config {
    match &args.name {
        Some(name) => config.name(name),
        None => config,
    }
}

impl<T> Read<T> {
    /// Reports what was found, and says whether that is fine.
    pub(super) fn report(&self, view: View) -> Result<Outcome, Box<dyn Error>> {
        view.report(&self.found, &self.sources)?;
        Ok(view.outcome(&self.found))
    }
}
