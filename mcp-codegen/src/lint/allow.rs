//! Rules that an author silenced: each with a reason, and none that silences nothing.

use std::collections::BTreeSet;

use crate::contract::{Allow, Contract};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity};
use crate::document::cursor::with_suggestion;
use crate::lint::Target;
use crate::lint::cx::Cx;
use crate::lint::rule::{Client, Does, Finding, Rule};
use crate::lint::rules;
use crate::source::Span;

const IDLE: &str = "unused-allowance";
const UNKNOWN: &str = "unknown-rule";
const BARE: &str = "allowance-without-reason";

pub(super) const RULES: &[Rule] = &[
    Rule {
        id: IDLE,
        title: "an `allow` that silences nothing",
        clients: &[Client::every(
            Severity::Warning,
            Does::Misreads,
            "the next reader looks for what is no longer there",
        )],
        wrong: r#"[[tools]]
name = "sync"
description = "Bring the local copy up to date"
allow = { "missing-description" = "the name says it all" }"#,
        right: r#"[[tools]]
name = "sync"
allow = { "missing-description" = "the name says it all" }"#,
        find: nothing,
    },
    Rule {
        id: UNKNOWN,
        title: "an `allow` of a rule that does not exist",
        clients: &[Client::every(Severity::Error, Does::Misreads, "it silences nothing")],
        wrong: r#"[[tools]]
name = "sync"
description = "Bring the local copy up to date"
allow = { "mising-description" = "the name says it all" }"#,
        right: r#"[[tools]]
name = "sync"
allow = { "missing-description" = "the name says it all" }"#,
        find: nothing,
    },
    Rule {
        id: BARE,
        title: "an `allow` without a reason",
        clients: &[Client::every(Severity::Warning, Does::Misreads, "nobody can tell later whether it is still right")],
        wrong: r#"[[tools]]
name = "sync"
allow = ["missing-description"]"#,
        right: r#"[[tools]]
name = "sync"
allow = { "missing-description" = "the name says it all" }"#,
        find: nothing,
    },
];

/// These are found when all other rules have run.
fn nothing(_: &Cx<'_>) -> Vec<Finding> {
    Vec::new()
}

/// All allowances of a contract, and which of them were needed.
pub(super) struct Allowances<'c> {
    list: Vec<Allowance<'c>>,
    /// Allowed on the command line: nobody is told whether they were needed.
    everywhere: &'c [String],
}

struct Allowance<'c> {
    /// The feature it stands on; nothing for the server, whose allowances hold everywhere.
    feature: Option<Span>,
    allow: &'c Allow,
    used: bool,
}

impl<'c> Allowances<'c> {
    pub(super) fn of(contract: &'c Contract, everywhere: &'c [String]) -> Self {
        let tools = contract.tools.iter().map(|tool| &tool.common);
        let resources = contract.resources.iter().map(|resource| &resource.common);
        let templates = contract.templates.iter().map(|template| &template.common);
        let prompts = contract.prompts.iter().map(|prompt| &prompt.common);
        let features = tools.chain(resources).chain(templates).chain(prompts);
        let on_features = features.flat_map(|common| common.allow.iter().map(|allow| (Some(common.name.span), allow)));
        let on_server = contract.server.allow.iter().map(|allow| (None, allow));
        let allowance = |(feature, allow)| Allowance { feature, allow, used: false };
        Self { list: on_features.chain(on_server).map(allowance).collect(), everywhere }
    }

    /// Whether a finding is silenced.
    pub(super) fn cover(&mut self, rule: &Rule, finding: &Finding) -> bool {
        let covers = |allowance: &&mut Allowance<'_>| {
            let here = allowance.feature.is_none() || allowance.feature == finding.feature;
            here && allowance.allow.rule.value == rule.id
        };
        let mut covered = self.everywhere.iter().any(|id| id == rule.id);
        for allowance in self.list.iter_mut().filter(covers) {
            allowance.used = true;
            covered = true;
        }
        covered
    }

    /// What is wrong with the allowances themselves. One whose rule nobody asked about may be needed elsewhere.
    pub(super) fn idle(self, targets: &BTreeSet<Target>) -> Diagnostics {
        let mut found = Diagnostics::default();
        let ids: Vec<&str> = rules().map(|rule| rule.id).collect();
        for allowance in self.list {
            let Allow { rule: name, reason } = allowance.allow;
            let Some(rule) = rules().find(|rule| rule.id == name.value) else {
                let finding = about(UNKNOWN, name.span, format!("there is no rule `{}`", name.value));
                found.push(with_suggestion(finding, &name.value, &ids));
                continue;
            };
            if reason.as_ref().is_none_or(|reason| reason.value.trim().is_empty()) {
                let finding = about(BARE, name.span, format!("`{}` is allowed without a reason", rule.id));
                found.push(finding.help(format!("write `allow = {{ \"{}\" = \"why\" }}`", rule.id)));
            }
            let asked = rule.clients.iter().any(|client| client.target.is_none_or(|target| targets.contains(&target)));
            if asked && !allowance.used {
                let finding = about(IDLE, name.span, format!("nothing here breaks the rule `{}`", rule.id));
                found.push(finding.help("take the allowance out"));
            }
        }
        found
    }
}

fn about(id: &'static str, span: Span, message: String) -> Diagnostic {
    let rule = RULES.iter().find(|rule| rule.id == id);
    let (title, client) = rule.map_or(("", None), |rule| (rule.title, rule.clients.first()));
    let severity = client.map_or(Severity::Warning, |client| client.severity);
    let says = client.map_or("", |client| client.says);
    Diagnostic::new(Code::named(id, title), severity, span, message).label(says)
}
