//! Keywords about arrays.

use super::super::check::Checker;
use super::super::fault::Report;
use super::super::spot::Spot;
use super::{branches, count};
use crate::json::{Object, Tree, any_equal};

impl<'s> Checker<'s, '_> {
    pub(in crate::validate) fn check_array(&mut self, keywords: &'s Object<'s>, spot: &Spot<'_>, report: &mut Report) {
        let Tree::Array(items) = spot.value else { return };
        let length = items.len();
        if let Some(least) = count(keywords, "minItems").filter(|&least| length < least) {
            report.add(|| spot.mismatch(format!("at least {}", counted(least))).found_as(counted(length)));
        }
        if let Some(most) = count(keywords, "maxItems").filter(|&most| length > most) {
            report.add(|| spot.mismatch(format!("at most {}", counted(most))).found_as(counted(length)));
        }
        if keywords.get("uniqueItems") == Some(&Tree::Bool(true)) && any_equal(items) {
            report.add(|| spot.mismatch("items that all differ").found_as("two that are equal".to_owned()));
        }
        for (index, item) in items.iter().enumerate() {
            if let Some(schema) = item_schema(keywords, index) {
                self.check(schema, &spot.item(index, item), report);
            }
        }
        if let Some(schema) = keywords.get("contains") {
            report.absorb(self.contains(keywords, schema, spot));
        }
    }

    fn contains(&mut self, keywords: &'s Object<'s>, schema: &'s Tree<'s>, spot: &Spot<'_>) -> Report {
        let Tree::Array(items) = spot.value else { return Report::default() };
        let items = items.iter().enumerate();
        let found = items.filter(|(index, item)| self.accepts(schema, &spot.item(*index, item))).count();
        let least = count(keywords, "minContains").unwrap_or(1);
        let most = count(keywords, "maxContains").unwrap_or(usize::MAX);
        if (least..=most).contains(&found) {
            return Report::default();
        }
        let bound = if found < least { format!("at least {least}") } else { format!("at most {most}") };
        let expected = format!("{bound} of the items to be {}", self.describe(schema));
        spot.mismatch(expected).found_as(counted(found)).into()
    }
}

/// The schema of an item by its place: `prefixItems` and `items`, or the older `items` and `additionalItems`.
pub(in crate::validate) fn item_schema<'s>(keywords: &'s Object<'s>, index: usize) -> Option<&'s Tree<'s>> {
    let (prefix, others) = match keywords.get("items") {
        Some(Tree::Array(prefix)) => (prefix.as_slice(), keywords.get("additionalItems")),
        others => (branches(keywords, "prefixItems"), others),
    };
    prefix.get(index).or(others)
}

fn counted(count: usize) -> String {
    format!("{count} item{}", if count == 1 { "" } else { "s" })
}
