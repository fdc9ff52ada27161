//! `unevaluatedProperties` and `unevaluatedItems`: what no keyword beside or below has looked at.

use super::super::check::Checker;
use super::super::fault::Report;
use super::super::spot::Spot;
use super::object::unknown;
use super::{branches, item_schema, named};
use crate::json::{Object, Tree};

impl<'s> Checker<'s, '_> {
    pub(in crate::validate) fn check_unevaluated(
        &mut self,
        keywords: &'s Object<'s>,
        spot: &Spot<'_>,
        report: &mut Report,
    ) {
        let Some(schema) = unevaluated(keywords, spot) else { return };
        let mut seen = vec![false; spot.parts().count()];
        self.mark_below(keywords, spot, &mut seen);
        for (part, _) in spot.parts().zip(seen).filter(|(_, seen)| !seen) {
            match part.key() {
                Some(key) if schema == &Tree::Bool(false) => report.add(|| unknown(keywords, key, spot)),
                _ => self.check(schema, &part, report),
            }
        }
    }

    /// Marks the members or items that a schema looks at.
    fn mark(&mut self, schema: &'s Tree<'s>, spot: &Spot<'_>, seen: &mut [bool]) {
        let Tree::Object(keywords) = schema else { return };
        if self.is_exhausted() {
            return;
        }
        if unevaluated(keywords, spot).is_some() {
            seen.fill(true);
        }
        self.mark_below(keywords, spot, seen);
    }

    fn mark_below(&mut self, keywords: &'s Object<'s>, spot: &Spot<'_>, seen: &mut [bool]) {
        self.mark_parts(keywords, spot, seen);
        for schema in self.in_place(keywords, spot) {
            self.mark(schema, spot, seen);
        }
    }

    fn mark_parts(&mut self, keywords: &'s Object<'s>, spot: &Spot<'_>, seen: &mut [bool]) {
        for (index, (part, seen)) in spot.parts().zip(seen).enumerate() {
            *seen |= match part.key() {
                Some(key) => !self.member_schemas(keywords, key).is_empty(),
                None => {
                    item_schema(keywords, index).is_some()
                        || keywords.get("contains").is_some_and(|schema| self.accepts(schema, &part))
                }
            };
        }
    }

    /// The schemas that a schema applies to the same value, as far as they accept it.
    fn in_place(&mut self, keywords: &'s Object<'s>, spot: &Spot<'_>) -> Vec<&'s Tree<'s>> {
        let mut schemas: Vec<&'s Tree<'s>> = branches(keywords, "allOf").iter().collect();
        schemas.extend(self.schemas.reference(keywords));
        if let Some(condition) = keywords.get("if") {
            let accepts = self.accepts(condition, spot);
            schemas.extend(Some(condition).filter(|_| accepts));
            schemas.extend(keywords.get(if accepts { "then" } else { "else" }));
        }
        if let Tree::Object(members) = spot.value {
            let dependent = named(keywords, "dependentSchemas").filter(|(key, _)| members.get(key).is_some());
            schemas.extend(dependent.map(|(_, schema)| schema));
        }
        for keyword in ["anyOf", "oneOf"] {
            schemas.extend(branches(keywords, keyword).iter().filter(|branch| self.accepts(branch, spot)));
        }
        schemas
    }
}

/// The keyword's schema, for objects and arrays.
fn unevaluated<'s>(keywords: &'s Object<'s>, spot: &Spot<'_>) -> Option<&'s Tree<'s>> {
    match spot.value {
        Tree::Object(_) => keywords.get("unevaluatedProperties"),
        Tree::Array(_) => keywords.get("unevaluatedItems"),
        Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::String(_) => None,
    }
}
