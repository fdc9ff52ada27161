//! Which of several refused alternatives was meant.

use super::check::Checker;
use super::describe::one_of;
use super::fault::Report;
use super::spot::Spot;
use super::suggest::nearest_value;
use super::types::TypeSet;
use crate::json::Tree;

/// How near a value is to an alternative; the least is the nearest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    /// A member with a fixed value says that it is this one.
    Tagged,
    /// Nothing says that it is not.
    Possible,
    /// A member with a fixed value says that it is another one.
    TaggedOther,
    /// The value is of another type.
    OtherType,
}

impl<'s> Checker<'s, '_> {
    /// The faults of the alternative that comes closest, or one fault about all of them.
    pub(super) fn closest(&self, refusals: Vec<(&'s Tree<'s>, Report)>, spot: &Spot<'_>) -> Report {
        let branches: Vec<&'s Tree<'s>> = refusals.iter().map(|(branch, _)| *branch).collect();
        let ranked = refusals.into_iter().map(|(branch, report)| (self.nearness(branch, spot.value), report));
        let nearest = ranked.min_by_key(|(nearness, report)| (*nearness, report.total()));
        let Some((nearness, report)) = nearest else { return Report::default() };
        match nearness {
            Nearness::Tagged | Nearness::Possible => report,
            Nearness::TaggedOther => self.tag_fault(&branches, spot).unwrap_or(report),
            Nearness::OtherType => spot.mismatch(self.describe_union(&branches)).into(),
        }
    }

    fn nearness(&self, branch: &'s Tree<'s>, value: &Tree<'_>) -> Nearness {
        if !TypeSet::allowed(self.schemas, branch).meets(TypeSet::of(value)) {
            return Nearness::OtherType;
        }
        let Tree::Object(members) = value else { return Nearness::Possible };
        let tags = self.tags(branch);
        let mut given = tags.iter().filter_map(|(key, values)| Some(values.contains(&members.get(key)?)));
        match given.next() {
            None => Nearness::Possible,
            Some(first) if first && given.all(|is_tagged| is_tagged) => Nearness::Tagged,
            Some(_) => Nearness::TaggedOther,
        }
    }

    /// The members of an alternative that have fixed values.
    fn tags(&self, branch: &'s Tree<'s>) -> Vec<(&'s str, Vec<&'s Tree<'s>>)> {
        let Tree::Object(keywords) = self.schemas.target(branch) else { return Vec::new() };
        let Some(Tree::Object(properties)) = keywords.get("properties") else { return Vec::new() };
        properties.iter().filter_map(|(key, schema)| Some((key, fixed(self.schemas.target(schema))?))).collect()
    }

    /// The fault that a tag names none of the alternatives.
    fn tag_fault(&self, branches: &[&'s Tree<'s>], spot: &Spot<'_>) -> Option<Report> {
        let Tree::Object(members) = spot.value else { return None };
        let tags: Vec<_> = branches.iter().flat_map(|branch| self.tags(branch)).collect();
        let wrong = |key: &str| {
            let value = members.get(key)?;
            let values = tags.iter().filter(|(tag, _)| *tag == key).flat_map(|(_, values)| values.iter().copied());
            let values: Vec<&Tree<'_>> = values.collect();
            (!values.contains(&value)).then_some((value, values))
        };
        let (key, (value, values)) = tags.iter().find_map(|(key, _)| Some((*key, wrong(key)?)))?;
        let values: Vec<Tree<'_>> = values.into_iter().cloned().collect();
        let fault = spot.member(key, value).mismatch(one_of(&values));
        Some(fault.suggesting(nearest_value(value, &values)).into())
    }
}

fn fixed<'s>(schema: &'s Tree<'s>) -> Option<Vec<&'s Tree<'s>>> {
    let Tree::Object(keywords) = schema else { return None };
    match (keywords.get("const"), keywords.get("enum")) {
        (Some(value), _) => Some(vec![value]),
        (None, Some(Tree::Array(values))) => Some(values.iter().collect()),
        _ => None,
    }
}
