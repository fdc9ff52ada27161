//! What changed between two contracts, and whom it hurts.
//!
//! By direction: what a server takes may widen, what it gives may narrow. Schemas are compared by what they accept, not
//! by how they are written: either it is proved that nothing is lost, or a value is found that is, or the change is
//! reported as one that cannot be judged.

mod alike;
mod at;
mod budget;
mod disjoint;
mod features;
mod include;
mod judge;
mod number;
mod part;
mod prompts;
mod reason;
mod rule;
mod sample;
mod schemas;
mod words;

pub use self::rule::{RULES, Rule};

use self::at::At;
use self::budget::Fuel;
use self::include::Verdict;
use crate::config::Config;
use crate::contract::Contract;
use crate::diagnostic::Diagnostics;
use crate::document::Node;
use crate::document::json::{self, Place};
use crate::formats::{AllFormats, Formats};
use crate::source::{Role, Sources, Span, Spanned};
use crate::{Valid, lower, schema};

/// What a comparison found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Compared {
    /// The changes, each under the id of its rule; or what is wrong with one of the contracts.
    pub found: Diagnostics,
    /// The texts of both contracts, to which the findings point.
    pub sources: Sources,
    /// Whether both contracts are valid: otherwise nothing was compared.
    pub is_valid: bool,
}

/// Compares two contracts.
#[must_use]
pub fn compare(old: &Sources, new: &Sources, config: &Config) -> Compared {
    let (with_old, with_new) = beside(new, old);
    let mut found = Diagnostics::default();
    let (after, before) = (read(&with_old, config, &mut found), read(&with_new, config, &mut found));
    let (Some(mut after), Some(mut before)) = (after, before) else {
        return Compared { found, sources: with_old, is_valid: false };
    };
    if after.is_answer || before.is_answer {
        leave_out_what_no_answer_says(&mut before.contract);
        leave_out_what_no_answer_says(&mut after.contract);
    }
    // Which formats are asserted no answer says, either.
    let is_of_one_kind = after.is_answer == before.is_answer;
    let (after, before) = (after.contract, before.contract);
    let mut changes = Diagnostics::default();
    server(&before, &after, &mut changes);
    let formats = |contract| if is_of_one_kind { AllFormats::new(contract, config) } else { AllFormats::default() };
    let [now, then] = [&after, &before].map(formats);
    features::compare(&before, &after, (&now, &then), &mut changes);
    Compared { found: changes, sources: with_old, is_valid: true }
}

/// Both contracts in one list of files, once to read the first of them, and once to read the second: spans of either
/// point into the same texts.
fn beside(first: &Sources, second: &Sources) -> (Sources, Sources) {
    let (mut for_first, mut for_second) = (Sources::default(), Sources::default());
    for (sources, is_first) in [(first, true), (second, false)] {
        for (_, file) in sources.files() {
            let mut hidden = file.clone();
            hidden.role = Role::Attachment;
            let (shown, other) = (file.clone(), hidden);
            let (one, two) = if is_first { (shown, other) } else { (other, shown) };
            for_first.add(one);
            for_second.add(two);
        }
        for path in sources.unreadable_paths() {
            let reason = sources.unreadable(path).unwrap_or_default();
            let read = if is_first { &mut for_first } else { &mut for_second };
            read.add_unreadable(path.to_owned(), reason);
        }
    }
    (for_first, for_second)
}

/// One of the contracts.
struct Read {
    contract: Contract,
    /// Whether a part of it is what a server answered.
    is_answer: bool,
}

/// Keys of ours never reach the wire: that an answer does not say them means nothing.
fn leave_out_what_no_answer_says(contract: &mut Contract) {
    contract.server.settings.scopes.clear();
    let tools = contract.tools.iter_mut().map(|tool| &mut tool.common);
    let resources = contract.resources.iter_mut().map(|resource| (&mut resource.common, &mut resource.updates));
    let templates = contract.templates.iter_mut().map(|template| (&mut template.common, &mut template.updates));
    let prompts = contract.prompts.iter_mut().map(|prompt| (&mut prompt.common, &mut prompt.messages));
    tools.for_each(|common| common.settings.scopes.clear());
    for (common, updates) in resources.chain(templates) {
        common.settings.scopes.clear();
        *updates = false;
    }
    for (common, messages) in prompts {
        common.settings.scopes.clear();
        *messages = None;
    }
}

/// A contract, if it has no errors. Warnings are not what a comparison is about.
fn read(sources: &Sources, config: &Config, found: &mut Diagnostics) -> Option<Read> {
    match crate::read(sources, config) {
        Ok(Valid { documents, contract, .. }) => {
            let is_answer = documents.iter().any(|document| document.root.get("format").is_none());
            Some(Read { contract, is_answer })
        }
        Err(faults) => {
            found.extend(faults);
            None
        }
    }
}

fn server(before: &Contract, after: &Contract, found: &mut Diagnostics) {
    let value = |text: &Option<Spanned<String>>| text.as_ref().map(|text| text.value.clone());
    let place = |text: &Option<Spanned<String>>| text.as_ref().map(|text| text.span);
    let (old, new) = (&before.server, &after.server);
    if let (Some(old_name), Some(new_name)) = (&old.name, &new.name)
        && old_name.value != new_name.value
    {
        let message = format!("the server `{}` is `{}` now", old_name.value, new_name.value);
        found.push(rule::SERVER_RENAMED.at((Some(new_name.span), Some(old_name.span)), message));
    }
    if value(&old.instructions) != value(&new.instructions) {
        let message = "the instructions say something else".to_owned();
        found.push(rule::INSTRUCTIONS_CHANGED.at((place(&new.instructions), place(&old.instructions)), message));
    }
}

/// Values that a settled schema perhaps accepts, of every shape that it speaks of.
pub(crate) fn proposals(schema: &Node) -> Vec<Node> {
    let fuel = Fuel::default();
    sample::proposals(At::root(schema, &fuel))
}

/// Whether every value of one JSON Schema is a value of another.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no fourth answer")]
pub enum Inclusion {
    /// It is, without exception.
    Holds,
    /// It is not: this JSON value is one of the first, and none of the second.
    Fails(String),
    /// Neither could be shown.
    Unclear,
}

/// Says whether every value of the JSON Schema `from` is a value of `to`; nothing where one of them is no schema. `format`
/// describes, and is not looked at.
///
/// ```
/// use mcp_codegen::breaking::{Inclusion, inclusion};
///
/// let (days, more_days) = (r#"{"type":"integer","maximum":5}"#, r#"{"type":"integer","maximum":9}"#);
/// assert_eq!(inclusion(days, more_days), Some(Inclusion::Holds));
/// assert_eq!(inclusion(more_days, days), Some(Inclusion::Fails("6".to_owned())));
/// ```
#[must_use]
pub fn inclusion(from: &str, to: &str) -> Option<Inclusion> {
    let mut faults = Diagnostics::default();
    let mut read = |text| {
        let node = json::read(text, Place::At(Span::default()), &mut faults)?;
        let mut settled = schema::settle(&node, &mut faults);
        lower::leave_out_formats(&mut settled, &Formats::default());
        schema::read(&settled, &mut faults);
        Some(settled)
    };
    let (from, to) = (read(from)?, read(to)?);
    if faults.has_errors() {
        return None;
    }
    let fuel = Fuel::default();
    Some(match include::included(At::root(&from, &fuel), At::root(&to, &fuel)) {
        Verdict::Holds => Inclusion::Holds,
        Verdict::Fails(value) => Inclusion::Fails(value.to_json()),
        Verdict::Unclear => Inclusion::Unclear,
    })
}
