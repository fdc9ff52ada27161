//! Keywords about objects.

use super::super::check::Checker;
use super::super::fault::{Fault, Report};
use super::super::pattern;
use super::super::spot::Spot;
use super::super::suggest::nearest_name;
use super::{count, named};
use crate::json::{Object, Tree};

impl<'s> Checker<'s, '_> {
    pub(in crate::validate) fn check_object(&mut self, keywords: &'s Object<'s>, spot: &Spot<'_>, report: &mut Report) {
        let Tree::Object(members) = spot.value else { return };
        for (key, value) in members.iter() {
            let schemas = self.member_schemas(keywords, key);
            let member = spot.member(key, value);
            if schemas == [&Tree::Bool(false)] {
                report.add(|| unknown(keywords, key, spot));
            } else {
                for schema in schemas {
                    self.check(schema, &member, report);
                }
            }
        }
        if let Some(names) = keywords.get("required") {
            report.absorb(self.missing(keywords, (names, None), spot));
        }
        check_size(keywords, spot, report);
        self.check_names(keywords, spot, report);
        self.check_dependents(keywords, spot, report);
    }

    /// The schemas of a member: those that name its key, else that of all others.
    pub(in crate::validate) fn member_schemas(&self, keywords: &'s Object<'s>, key: &str) -> Vec<&'s Tree<'s>> {
        let mut schemas = self.declared_schemas(keywords, key);
        if schemas.is_empty() && !self.may_match_pattern(keywords, key) {
            schemas.extend(keywords.get("additionalProperties"));
        }
        schemas
    }

    /// The schemas that `properties` and `patternProperties` give to a key.
    pub(in crate::validate) fn declared_schemas(&self, keywords: &'s Object<'s>, key: &str) -> Vec<&'s Tree<'s>> {
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

    /// The names that are missing, each as a fault. `because` is the name that wants them there.
    fn missing(
        &self,
        keywords: &'s Object<'s>,
        (names, because): (&Tree<'_>, Option<&str>),
        spot: &Spot<'_>,
    ) -> Report {
        let mut report = Report::default();
        let (Tree::Array(names), Tree::Object(members)) = (names, spot.value) else { return report };
        for name in names {
            let Tree::String(name) = name else { continue };
            if members.get(name).is_some() {
                continue;
            }
            report.add(|| {
                let fault = Fault::problem(spot.pointer_to(name), "missing");
                let wanted = self.declared_schemas(keywords, name).first().map(|schema| self.describe(schema));
                match (wanted, because) {
                    (Some(wanted), None) => fault.expecting(format!("send {wanted}")),
                    (Some(wanted), Some(other)) => fault.expecting(format!("send {wanted}, as `{other}` is there")),
                    (None, Some(other)) => fault.expecting(format!("it is needed, as `{other}` is there")),
                    (None, None) => fault,
                }
            });
        }
        report
    }

    fn check_names(&mut self, keywords: &'s Object<'s>, spot: &Spot<'_>, report: &mut Report) {
        let (Some(schema), Tree::Object(members)) = (keywords.get("propertyNames"), spot.value) else { return };
        for (key, value) in members.iter() {
            let name = Tree::String(key.into());
            if !self.accepts(schema, &Spot::root(&name)) {
                let expected = format!("rename it: a key here is {}", self.describe(schema));
                let pointer = spot.member(key, value).pointer();
                report.add(|| Fault::problem(pointer, "this key is not allowed").expecting(expected));
            }
        }
    }

    fn check_dependents(&mut self, keywords: &'s Object<'s>, spot: &Spot<'_>, report: &mut Report) {
        let Tree::Object(members) = spot.value else { return };
        let old = self.schemas.has_dependencies().then_some("dependencies");
        let dependents = ["dependentRequired", "dependentSchemas"].into_iter().chain(old);
        for (key, dependent) in dependents.flat_map(|keyword| named(keywords, keyword)) {
            if members.get(key).is_none() {
                continue;
            }
            match dependent {
                Tree::Array(_) => report.absorb(self.missing(keywords, (dependent, Some(key)), spot)),
                schema => self.check(schema, spot, report),
            }
        }
    }
}

fn check_size(keywords: &Object<'_>, spot: &Spot<'_>, report: &mut Report) {
    let Tree::Object(members) = spot.value else { return };
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

/// The fault that an object, which stands at `spot`, may not have a key.
pub(super) fn unknown(keywords: &Object<'_>, key: &str, spot: &Spot<'_>) -> Fault {
    let names: Vec<&str> = match keywords.get("properties") {
        Some(Tree::Object(properties)) => properties.iter().map(|(name, _)| name).collect(),
        _ => Vec::new(),
    };
    let fault = Fault::problem(spot.pointer_to(key), "unknown argument");
    let is_free = |name: &&str| matches!(spot.value, Tree::Object(members) if members.get(name).is_none());
    let free = names.iter().copied().filter(is_free);
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
