//! `lint`: what clients and models would refuse, cut or read badly.

use std::error::Error;
use std::fmt::Write;

use mcp_codegen::diagnostic::Diagnostics;
use mcp_codegen::lint::{self, Options, Tokens};
use mcp_codegen::{Config, load};

use super::console::{self, View};
use super::{Format, LintArgs, Outcome, contract};

pub(super) fn run(args: &LintArgs, view: View) -> Result<Outcome, Box<dyn Error>> {
    if let Some(unknown) = args.allow.iter().find(|id| lint::rules().all(|rule| rule.id != id.as_str())) {
        return Err(format!("there is no rule `{unknown}`; `mcp-codegen explain` lists them all").into());
    }
    let sources = load::load(&args.contract.specs)?;
    let mut options = Options::default();
    options.targets.clone_from(&args.target);
    options.allow.clone_from(&args.allow);
    let status = view.work("looking at the contract with the eyes of clients");
    let linted = lint::lint(&sources, &contract::named(&args.contract, Config::new()), &options);
    drop(status);
    let linted = match linted {
        Ok(linted) => linted,
        Err(faults) => {
            view.report(&faults, &sources)?;
            return Ok(Outcome::Findings);
        }
    };
    let mut found = linted.found;
    let outcome = view.outcome(&found);
    if view.format != Format::Human && args.tokens {
        linted.tokens.notes().into_iter().for_each(|note| found.push(note));
    }
    view.report(&found, &sources)?;
    if view.format == Format::Human {
        if args.tokens {
            console::data(&table(&linted.tokens))?;
        }
        console::talk(&summary(&linted.tokens, &found))?;
    }
    Ok(outcome)
}

fn summary(tokens: &Tokens, found: &Diagnostics) -> String {
    let verdict = if found.is_empty() { "nothing to report; " } else { "" };
    let tools = console::count(tokens.tools.len(), "tool");
    match tokens.most() {
        Some(most) if tokens.tools.len() > 1 => {
            let (total, name) = (tokens.total(), &most.name);
            format!("{verdict}about {total} tokens for {tools}, {} of them for `{name}`", most.tokens)
        }
        Some(_) | None => format!("{verdict}about {} tokens for {tools}", tokens.total()),
    }
}

/// The dearest first.
fn table(tokens: &Tokens) -> String {
    let mut rows: Vec<(usize, &str)> = tokens.tools.iter().map(|tool| (tool.tokens, tool.name.as_str())).collect();
    rows.sort_by_key(|(tokens, _)| std::cmp::Reverse(*tokens));
    if tokens.instructions > 0 {
        rows.push((tokens.instructions, "(instructions)"));
    }
    rows.push((tokens.total(), "(total)"));
    let mut text = String::new();
    for (tokens, name) in rows {
        // Writing to a `String` cannot fail.
        writeln!(text, "{tokens:>8}  {name}").unwrap_or_default();
    }
    text
}
