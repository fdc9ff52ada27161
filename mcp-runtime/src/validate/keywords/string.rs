//! Keywords about strings.

use super::super::check::Checker;
use super::super::fault::Report;
use super::super::pattern;
use super::super::spot::Spot;
use super::count;
use crate::json::{Object, Tree};

impl<'s> Checker<'s, '_> {
    pub(in crate::validate) fn check_string(
        &mut self,
        keywords: &'s Object<'s>,
        (text, spot): (&str, &Spot<'_>),
        report: &mut Report,
    ) {
        let length = || text.chars().count();
        if let Some(least) = count(keywords, "minLength").filter(|&least| length() < least) {
            report.add(|| spot.mismatch(format!("a string of at least {}", characters(least))));
        }
        if let Some(most) = count(keywords, "maxLength").filter(|&most| length() > most) {
            let expected = format!("a string of at most {} (it has {})", characters(most), length());
            report.add(|| spot.mismatch(expected));
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
