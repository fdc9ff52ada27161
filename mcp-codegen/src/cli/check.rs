//! `check`: validates a contract.

use std::error::Error;

use clap::ColorChoice;
use mcp_codegen::Config;

use super::{CheckArgs, Outcome, contract};

pub(super) fn run(args: &CheckArgs, color: ColorChoice) -> Result<Outcome, Box<dyn Error>> {
    let files = contract::generate(&args.contract, Config::new(), color)?;
    Ok(if files.is_some() { Outcome::Fine } else { Outcome::Findings })
}
