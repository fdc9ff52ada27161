//! Keywords that combine schemas.

use super::super::check::Checker;
use super::super::fault::{Fault, Report};
use super::super::spot::Spot;
use super::{branches, presence};
use crate::json::Object;

impl<'s> Checker<'s, '_> {
    pub(in crate::validate) fn check_combinators(
        &mut self,
        keywords: &'s Object<'s>,
        spot: &Spot<'_>,
        report: &mut Report,
    ) {
        // most schemas have none of them: one walk tells that
        if !keywords.iter().any(|(key, _)| matches!(key, "allOf" | "anyOf" | "oneOf" | "if" | "not")) {
            return;
        }
        for branch in branches(keywords, "allOf") {
            self.check(branch, spot, report);
        }
        for keyword in ["anyOf", "oneOf"] {
            report.absorb(self.union(keywords, keyword, spot));
        }
        if let Some(condition) = keywords.get("if") {
            let branch = if self.accepts(condition, spot) { "then" } else { "else" };
            if let Some(branch) = keywords.get(branch) {
                self.check(branch, spot, report);
            }
        }
        if let Some(refused) = keywords.get("not")
            && self.accepts(refused, spot)
        {
            report.add(|| match presence::names(refused) {
                Some(names) => presence::together(&names, spot),
                None => spot.mismatch(format!("something other than {}", self.describe(refused))),
            });
        }
    }

    fn union(&mut self, keywords: &'s Object<'s>, keyword: &str, spot: &Spot<'_>) -> Report {
        let branches = branches(keywords, keyword);
        if let Some(groups) = presence::groups(branches, spot) {
            return presence::choice(keyword, &groups, spot);
        }
        let refusals: Vec<_> = branches.iter().map(|branch| (branch, self.try_check(branch, spot))).collect();
        let accepted = refusals.iter().filter(|(_, refusal)| refusal.is_empty()).count();
        if branches.is_empty() || self.is_exhausted() {
            return Report::default();
        }
        if accepted == 0 {
            return self.closest(refusals, spot);
        }
        if keyword == "oneOf" && accepted > 1 {
            let problem = "fits several alternatives of which it must fit exactly one";
            return Fault::problem(spot.pointer(), problem).into();
        }
        Report::default()
    }
}
