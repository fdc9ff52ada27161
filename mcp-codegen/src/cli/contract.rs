//! From the path of a contract to its code in memory, with all that is to be said about it on the way.

use std::error::Error;

use clap::ColorChoice;
use mcp_codegen::{Config, Files, load};

use super::ContractArgs;
use super::console::{self, View};

/// Reads the contract and generates; reports what was found. `None` where the contract has errors.
pub(super) fn generate(
    args: &ContractArgs,
    config: Config,
    color: ColorChoice,
) -> Result<Option<Files>, Box<dyn Error>> {
    let view = View { format: args.format, color };
    let sources = load::load(&args.specs)?;
    let config = match &args.name {
        Some(name) => config.name(name),
        None => config,
    };
    Ok(match mcp_codegen::generate(&sources, &config) {
        Ok(generated) => {
            if !generated.warnings.is_empty() {
                console::report(&generated.warnings, &sources, view)?;
            }
            Some(generated.files)
        }
        Err(found) => {
            console::report(&found, &sources, view)?;
            None
        }
    })
}
