//! `check`: validates a contract.

use std::error::Error;

use mcp_codegen::Config;

use super::console::{self, View};
use super::{CheckArgs, Outcome, contract};

pub(super) fn run(args: &CheckArgs, view: View) -> Result<Outcome, Box<dyn Error>> {
    let outcome = contract::generate(&args.contract, Config::new(), view)?.report(view)?;
    if outcome == Outcome::Fine {
        console::talk("the contract is valid")?;
    }
    Ok(outcome)
}
