//! What clients and models would refuse, cut or read badly in a contract that is valid.
//!
//! A rule is a record with a function: the record says whom it hurts, since when and by which source, and shows a wrong
//! and a right example; the function finds the places. One file holds the rules of one subject.

mod allow;
mod counts;
mod cx;
mod gemini;
mod names;
mod roots;
mod rule;
mod schemas;
mod strict;
mod target;
mod texts;
mod tokens;
mod unicode;
mod walk;

use std::collections::BTreeSet;

pub use self::rule::{Client, Does, Rule};
pub use self::target::Target;
pub use self::tokens::{Cost, Tokens};

pub(crate) use self::unicode::hidden;

use self::cx::Cx;
use crate::config::Config;
use crate::diagnostic::Diagnostics;
use crate::read;
use crate::source::Sources;

/// What is looked for.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// For whom. Nothing stands for [`Target::USUAL`].
    pub targets: Vec<Target>,
    /// Rules that are silenced in the whole contract, by their ids.
    pub allow: Vec<String>,
}

/// What was found in a valid contract.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Linted {
    /// The findings, each under the id of its rule.
    pub found: Diagnostics,
    /// What the contract costs a model that reads it.
    pub tokens: Tokens,
}

/// Looks for what breaks the rules of clients and models.
///
/// # Errors
///
/// Gives back what is wrong with the contract itself, if anything is: nothing else counts then.
pub fn lint(sources: &Sources, config: &Config, options: &Options) -> Result<Linted, Diagnostics> {
    let contract = read(sources, config)?.contract;
    let named = contract.server.name.as_ref().map(|name| name.value.as_str());
    let cx = Cx { contract: &contract, sources, server: named.or(config.name.as_deref()) };
    let targets = target::with_their_bases(&options.targets);
    Ok(Linted { found: found(&cx, &targets, &options.allow), tokens: tokens::of(&contract) })
}

/// Every rule, subject by subject.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let groups = [
        names::RULES,
        counts::RULES,
        roots::RULES,
        schemas::RULES,
        gemini::RULES,
        strict::RULES,
        texts::RULES,
        unicode::RULES,
        allow::RULES,
    ];
    groups.into_iter().flatten()
}

fn found(cx: &Cx<'_>, targets: &BTreeSet<Target>, allow: &[String]) -> Diagnostics {
    let mut found = Diagnostics::default();
    let mut allowances = allow::Allowances::of(cx.contract, allow);
    for rule in rules() {
        for finding in (rule.find)(cx) {
            let clients: Vec<&Client> = rule.clients.iter().filter(|client| finding.hurts(client, targets)).collect();
            if !clients.is_empty() && !allowances.cover(rule, &finding) {
                found.push(finding.diagnostic(rule, &clients));
            }
        }
    }
    found.extend(allowances.idle(targets));
    found
}
