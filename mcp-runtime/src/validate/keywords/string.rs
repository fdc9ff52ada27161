//! Keywords about strings.

use super::super::check::Checker;
use super::super::fault::Report;
use super::super::pattern;
use super::super::spot::Spot;
use super::count;
use crate::json::{Object, Tree};

impl<'s> Checker<'s, '_> {
    pub(in crate::validate) fn check_string(&mut self, keywords: &'s Object<'s>, spot: &Spot<'_>, report: &mut Report) {
        let Tree::String(text) = spot.value else { return };
        let length = || text.chars().count();
        let found = |length| format!("{} ({})", spot.show(), characters(length));
        if let Some(least) = count(keywords, "minLength").filter(|&least| length() < least) {
            let expected = format!("a string of at least {}", characters(least));
            report.add(|| spot.mismatch(expected).found_as(found(length())));
        }
        if let Some(most) = count(keywords, "maxLength").filter(|&most| length() > most) {
            let expected = format!("a string of at most {}", characters(most));
            report.add(|| spot.mismatch(expected).found_as(found(length())));
        }
        let Some(Tree::String(regex)) = keywords.get("pattern") else { return };
        if pattern::is_match(self.options.patterns, regex, text) == Some(false) {
            report.add(|| spot.mismatch(format!("a string that matches the pattern {regex}")));
        }
    }
}

fn characters(count: usize) -> String {
    format!("{count} character{}", if count == 1 { "" } else { "s" })
}
