//! A rule of clients: a record that says whom it hurts and why we know, and the function that finds the places.

use std::collections::BTreeSet;

use crate::contract::Common;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::lint::Target;
use crate::lint::cx::Cx;
use crate::source::Span;

/// One rule.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Rule {
    /// What `allow` and `explain` call it. Never used again for another rule.
    pub id: &'static str,
    /// What it forbids, in a few words.
    pub title: &'static str,
    /// Whom it hurts.
    pub clients: &'static [Client],
    /// A contract that breaks it, less `format = 1`. `…N characters…` stands for a text of that length, and
    /// `# … N of them` for that many copies of what stands above, each with a number of its own instead of `1`.
    pub wrong: &'static str,
    /// The same contract mended.
    pub right: &'static str,
    pub(super) find: fn(&Cx<'_>) -> Vec<Finding>,
}

/// Whom a rule hurts, and why we know.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Client {
    /// The target; nothing stands for all of them.
    pub target: Option<Target>,
    /// What it does with what breaks the rule.
    pub does: Does,
    /// The same in words, as part of a finding.
    pub says: &'static str,
    /// How much that matters.
    pub severity: Severity,
    /// When it was last seen to be so, as a year and a month.
    pub date: &'static str,
    /// Where: `owner/repository#number`, or the page.
    pub source: &'static str,
}

/// What a client does with what breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Does {
    /// It takes a part of it out, or cuts it off.
    Cuts,
    /// It leaves the tool, or all of the server, out.
    Drops,
    /// It, or its model, takes it for something else.
    Misreads,
    /// It answers the whole request with an error.
    Refuses,
    /// It changes it into something else.
    Rewrites,
}

impl Does {
    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cuts => "cuts",
            Self::Drops => "drops",
            Self::Misreads => "misreads",
            Self::Refuses => "refuses",
            Self::Rewrites => "rewrites",
        }
    }
}

impl Client {
    pub(super) const fn error(target: Target, does: Does, says: &'static str) -> Self {
        Self { target: Some(target), does, says, severity: Severity::Error, date: "", source: "" }
    }

    pub(super) const fn warning(target: Target, does: Does, says: &'static str) -> Self {
        Self { severity: Severity::Warning, ..Self::error(target, does, says) }
    }

    pub(super) const fn note(target: Target, does: Does, says: &'static str) -> Self {
        Self { severity: Severity::Note, ..Self::error(target, does, says) }
    }

    /// Every client, whatever is chosen.
    pub(super) const fn every(severity: Severity, does: Does, says: &'static str) -> Self {
        Self { target: None, does, says, severity, date: "", source: "" }
    }

    pub(super) const fn seen(self, date: &'static str, source: &'static str) -> Self {
        Self { date, source, ..self }
    }
}

/// A place that breaks a rule.
#[derive(Debug)]
#[must_use]
pub(super) struct Finding {
    /// The feature it belongs to, by the place of its name; nothing for the server as a whole.
    pub(super) feature: Option<Span>,
    span: Span,
    message: String,
    help: String,
    /// Whom this one hurts, where that is not all clients of its rule.
    only: Option<Vec<Target>>,
}

impl Finding {
    /// In a feature, `message` at `span`; `help` is the edit that mends it.
    pub(super) fn of(feature: &Common, span: Span, (message, help): (String, String)) -> Self {
        Self { feature: Some(feature.name.span), span, message, help, only: None }
    }

    /// In the server as a whole.
    pub(super) fn of_server(span: Span, (message, help): (String, String)) -> Self {
        Self { feature: None, span, message, help, only: None }
    }

    pub(super) fn only(mut self, targets: &[Target]) -> Self {
        self.only = Some(targets.to_vec());
        self
    }

    /// Whether it hurts this client, and somebody asked about it.
    pub(super) fn hurts(&self, client: &Client, targets: &BTreeSet<Target>) -> bool {
        let Some(target) = client.target else { return true };
        targets.contains(&target) && self.only.as_ref().is_none_or(|only| only.contains(&target))
    }

    pub(super) fn diagnostic(self, rule: &Rule, clients: &[&Client]) -> Diagnostic {
        // The order of severities is from the worst on.
        let severity = clients.iter().map(|client| client.severity).min().unwrap_or(Severity::Note);
        let mut says: Vec<&str> = Vec::new();
        for client in clients {
            if !says.contains(&client.says) {
                says.push(client.says);
            }
        }
        let code = Code::named(rule.id, rule.title);
        let place = self.feature.filter(|feature| *feature != self.span);
        let finding = Diagnostic::new(code, severity, self.span, self.message).label(says.join("; ")).help(self.help);
        match place {
            Some(place) if place.file == self.span.file => finding.also(place, ""),
            Some(_) | None => finding,
        }
    }
}
