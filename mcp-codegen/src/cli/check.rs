//! `check`: validates a contract.

use std::error::Error;

use clap::ColorChoice;
use mcp_codegen::Config;

use super::{CheckArgs, Outcome, console, contract};

pub(super) fn run(args: &CheckArgs, color: ColorChoice) -> Result<Outcome, Box<dyn Error>> {
    if contract::generate(&args.contract, Config::new(), color)?.is_none() {
        return Ok(Outcome::Findings);
    }
    console::talk("the contract is valid")?;
    Ok(Outcome::Fine)
}
