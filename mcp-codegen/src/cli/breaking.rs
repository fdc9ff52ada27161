//! `breaking`: what changed since an older contract, and whom it hurts.

use std::error::Error;
use std::path::Path;

use mcp_codegen::source::Sources;
use mcp_codegen::{Config, breaking, load};

use super::console::{self, View};
use super::{BreakingArgs, Format, Outcome, contract, revision, server};

pub(super) fn run(args: &BreakingArgs, view: View) -> Result<Outcome, Box<dyn Error>> {
    if let Some(unknown) = args.allow.iter().find(|id| breaking::RULES.iter().all(|rule| rule.id != id.as_str())) {
        return Err(format!("there is no change `{unknown}`; `mcp-codegen explain` lists them all").into());
    }
    let new = load::load(&args.contract.specs)?;
    let old = old(args, view)?;
    let status = view.work("comparing the contracts");
    let mut compared = breaking::compare(&old, &new, &contract::named(&args.contract, Config::new()));
    drop(status);
    let accepted = compared.found.retain(|finding| !args.allow.contains(&finding.code().to_string()));
    view.report(&compared.found, &compared.sources)?;
    if !compared.is_valid {
        return Err("one of the contracts has errors, so that they were not compared".into());
    }
    if accepted > 0 && view.format == Format::Human {
        console::talk(&format!("{} accepted by `--allow`", console::count(accepted, "change")))?;
    } else if compared.found.is_empty() && view.format == Format::Human {
        console::talk("nothing changed that a client could notice")?;
    }
    Ok(view.outcome(&compared.found))
}

/// The older contract: a file, a folder, a revision of git, or a running server.
fn old(args: &BreakingArgs, view: View) -> Result<Sources, Box<dyn Error>> {
    let against = args.against.as_str();
    if let Some(target) = server::named(against, &args.conversation)? {
        return server::lists(&target, &args.conversation, view);
    }
    match against.strip_prefix("git:") {
        Some(revision) => revision::load(revision, &args.contract.specs),
        None => Ok(load::load(Path::new(against))?),
    }
}
