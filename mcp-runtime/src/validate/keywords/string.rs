//! Keywords about strings.

use super::super::check::Checker;
use super::super::fault::Report;
use super::super::spot::Spot;
use super::super::{format, pattern};
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
        let patterns = self.options.patterns;
        if let Some(Tree::String(regex)) = keywords.get("pattern")
            && pattern::is_match(patterns, regex, text) == Some(false)
        {
            report.add(|| spot.mismatch(format!("a string that matches the pattern {regex}")));
        }
        if let Some(Tree::String(name)) = keywords.get("format")
            && patterns.and_then(|known| known.is_of_format(name, text)) == Some(false)
        {
            report.add(|| spot.mismatch(format::expected(name)));
        }
    }
}

fn characters(count: usize) -> String {
    format!("{count} character{}", if count == 1 { "" } else { "s" })
}
