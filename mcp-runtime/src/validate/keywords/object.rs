//! Keywords about objects.

use super::super::check::Checker;
use super::super::fault::{Fault, Report};
use super::super::pattern;
use super::super::spot::Spot;
use super::super::suggest::nearest_name;
use super::{count, named};
use crate::json::{Object, Tree};

impl<'s> Checker<'s, '_> {
    pub(in crate::validate) fn check_object(
        &mut self,
        keywords: &'s Object<'s>,
        (members, spot): (&Object<'_>, &Spot<'_>),
        report: &mut Report,
    ) {
        for (key, value) in members.iter() {
            self.check_member(keywords, (key, &spot.member(key, value)), (members, report));
        }
        if let Some(Tree::Array(names)) = keywords.get("required") {
            self.check_required((keywords, names), (members, spot), report);
        }
        check_size(keywords, (members, spot), report);
        self.check_names(keywords, (members, spot), report);
        self.check_dependents(keywords, (members, spot), report);
    }

    fn check_member(
        &mut self,
        keywords: &'s Object<'s>,
        (key, spot): (&str, &Spot<'_>),
        (siblings, report): (&Object<'_>, &mut Report),
    ) {
        let mut schemas = self.member_schemas(keywords, key);
        if schemas.is_empty() && !self.may_match_pattern(keywords, key) {
            schemas.extend(keywords.get("additionalProperties"));
            if schemas == [&Tree::Bool(false)] {
                return report.add(|| unknown(keywords, (key, spot), siblings));
            }
        }
        for schema in schemas {
            self.check(schema, spot, report);
        }
    }

    /// The schemas that `properties` and `patternProperties` give to a key.
    pub(in crate::validate) fn member_schemas(&self, keywords: &'s Object<'s>, key: &str) -> Vec<&'s Tree<'s>> {
        let mut schemas = Vec::new();
        if let Some(Tree::Object(properties)) = keywords.get("properties") {
            schemas.extend(properties.get(key));
        }
        let patterns = named(keywords, "patternProperties");
        let matching = patterns.filter(|(regex, _)| pattern::is_match(self.options.patterns, regex, key) == Some(true));
        schemas.extend(matching.map(|(_, schema)| schema));
        schemas
    }

    /// Whether a pattern that cannot be judged could be the key's.
    fn may_match_pattern(&self, keywords: &'s Object<'s>, key: &str) -> bool {
        named(keywords, "patternProperties")
            .any(|(regex, _)| pattern::is_match(self.options.patterns, regex, key).is_none())
    }

    fn check_required(
        &self,
        (keywords, names): (&'s Object<'s>, &[Tree<'s>]),
        (members, spot): (&Object<'_>, &Spot<'_>),
        report: &mut Report,
    ) {
        for name in names {
            let Tree::String(name) = name else { continue };
            if members.get(name).is_some() {
                continue;
            }
            let schema = self.member_schemas(keywords, name).first().copied();
            report.add(|| {
                let fault = Fault::problem(spot.pointer_to(name), "missing");
                match schema {
                    Some(schema) => fault.expecting(format!("send {}", self.describe(schema))),
                    None => fault,
                }
            });
        }
    }

    fn check_names(
        &mut self,
        keywords: &'s Object<'s>,
        (members, spot): (&Object<'_>, &Spot<'_>),
        report: &mut Report,
    ) {
        let Some(schema) = keywords.get("propertyNames") else { return };
        for (key, value) in members.iter() {
            let name = Tree::String(key.into());
            if !self.accepts(schema, &Spot::root(&name)) {
                let expected = format!("rename it: a key here is {}", self.describe(schema));
                let pointer = spot.member(key, value).pointer();
                report.add(|| Fault::problem(pointer, "this key is not allowed").expecting(expected));
            }
        }
    }

    fn check_dependents(
        &mut self,
        keywords: &'s Object<'s>,
        (members, spot): (&Object<'_>, &Spot<'_>),
        report: &mut Report,
    ) {
        let old = if self.schemas.has_dependencies() { "dependencies" } else { "dependentRequired" };
        let dependents = ["dependentRequired", "dependentSchemas", old];
        for (key, dependent) in dependents.iter().flat_map(|keyword| named(keywords, keyword)) {
            if members.get(key).is_none() {
                continue;
            }
            match dependent {
                Tree::Array(names) => self.check_required((keywords, names), (members, spot), report),
                schema => self.check(schema, spot, report),
            }
        }
    }
}

fn check_size(keywords: &Object<'_>, (members, spot): (&Object<'_>, &Spot<'_>), report: &mut Report) {
    let counted = |count: usize| format!("{count} propert{}", if count == 1 { "y" } else { "ies" });
    let length = members.len();
    if let Some(least) = count(keywords, "minProperties").filter(|&least| length < least) {
        report.add(|| spot.mismatch(format!("at least {}", counted(least))).found_as(counted(length)));
    }
    if let Some(most) = count(keywords, "maxProperties").filter(|&most| length > most) {
        report.add(|| spot.mismatch(format!("at most {}", counted(most))).found_as(counted(length)));
    }
}

/// The most names of a list of allowed ones.
const NAMES_SHOWN: usize = 12;

fn unknown(keywords: &Object<'_>, (key, spot): (&str, &Spot<'_>), siblings: &Object<'_>) -> Fault {
    let names: Vec<&str> = match keywords.get("properties") {
        Some(Tree::Object(properties)) => properties.iter().map(|(name, _)| name).collect(),
        _ => Vec::new(),
    };
    let fault = Fault::problem(spot.pointer(), "unknown argument");
    let free = names.iter().copied().filter(|name| siblings.get(name).is_none());
    if let Some(nearest) = nearest_name(key, free) {
        return fault.suggesting(Some(format!("`{nearest}`")));
    }
    if names.is_empty() {
        return fault.expecting("leave it out".to_owned());
    }
    let shown: Vec<String> = names.iter().take(NAMES_SHOWN).map(|name| format!("`{name}`")).collect();
    let more = if names.len() > NAMES_SHOWN { ", …" } else { "" };
    fault.expecting(format!("allowed: {}{more}", shown.join(", ")))
}
