//! Keywords that combine schemas.

use super::super::check::Checker;
use super::super::fault::{Fault, Report};
use super::super::spot::Spot;
use super::branches;
use crate::json::Object;

impl<'s> Checker<'s, '_> {
    pub(in crate::validate) fn check_combinators(
        &mut self,
        keywords: &'s Object<'s>,
        spot: &Spot<'_>,
        report: &mut Report,
    ) {
        for branch in branches(keywords, "allOf") {
            self.check(branch, spot, report);
        }
        for keyword in ["anyOf", "oneOf"] {
            self.check_union(keywords, keyword, (spot, report));
        }
        if let Some(condition) = keywords.get("if") {
            let branch = if self.accepts(condition, spot) { "then" } else { "else" };
            if let Some(branch) = keywords.get(branch) {
                self.check(branch, spot, report);
            }
        }
        if let Some(refused) = keywords.get("not") {
            if self.accepts(refused, spot) && !self.is_exhausted() {
                let what = self.describe(refused);
                report.add(|| spot.mismatch(format!("something other than {what}")));
            }
        }
    }

    fn check_union(&mut self, keywords: &'s Object<'s>, keyword: &str, (spot, report): (&Spot<'_>, &mut Report)) {
        let branches = branches(keywords, keyword);
        if branches.is_empty() {
            return;
        }
        let mut refusals = Vec::new();
        let mut accepted = 0;
        for branch in branches {
            let refusal = self.try_check(branch, spot);
            if refusal.is_empty() {
                accepted += 1;
            }
            refusals.push((branch, refusal));
        }
        if self.is_exhausted() {
            return;
        }
        if accepted == 0 {
            return report.absorb(self.closest(refusals, spot));
        }
        if keyword == "oneOf" && accepted > 1 {
            let problem = "fits several alternatives of which it must fit exactly one";
            report.add(|| Fault::problem(spot.pointer(), problem));
        }
    }
}
