//! Schemas that say only which members are there: in words, they are rules about names.

use super::super::fault::{Fault, Report};
use super::super::spot::Spot;
use crate::json::{Object, Tree};

/// The names that a schema asks for, if it says nothing else.
pub(super) fn names<'s>(schema: &'s Tree<'_>) -> Option<Vec<&'s str>> {
    let Tree::Object(keywords) = schema else { return None };
    let Some(Tree::Array(names)) = keywords.get("required").filter(|_| keywords.len() == 1) else { return None };
    let text = |name: &'s Tree<'_>| match name {
        Tree::String(name) => Some(name.as_ref()),
        _ => None,
    };
    names.iter().map(text).collect::<Option<Vec<_>>>().filter(|names| !names.is_empty())
}

/// The names that each of several alternatives asks for, if an object is looked at and they say nothing else.
pub(super) fn groups<'s>(branches: &'s [Tree<'_>], spot: &Spot<'_>) -> Option<Vec<Vec<&'s str>>> {
    let is_object = matches!(spot.value, Tree::Object(_));
    branches.iter().map(names).collect::<Option<Vec<_>>>().filter(|groups| is_object && !groups.is_empty())
}

/// What is wrong with the names of an object by `anyOf` or `oneOf`.
pub(super) fn choice(keyword: &str, groups: &[Vec<&str>], spot: &Spot<'_>) -> Report {
    let Tree::Object(members) = spot.value else { return Report::default() };
    let is_there = |group: &&Vec<&str>| has_all(members, group);
    let given: Vec<String> = groups.iter().filter(is_there).map(|group| listed(group, "with")).collect();
    let several = groups.iter().map(|group| listed(group, "with")).collect::<Vec<_>>().join(", ");
    match (keyword, given.len()) {
        (_, 1) => Report::default(),
        ("oneOf", 0) => Fault::demand(spot.pointer(), format!("give exactly one of {several}")).into(),
        (_, 0) => Fault::demand(spot.pointer(), format!("give at least one of {several}")).into(),
        ("oneOf", _) => {
            let demand = format!("give exactly one of {several}; there are {}", given.join(" and "));
            Fault::demand(spot.pointer(), demand).into()
        }
        _ => Report::default(),
    }
}

/// The fault that names stand together that must not.
pub(super) fn together(names: &[&str], spot: &Spot<'_>) -> Fault {
    let demand = match names {
        [one] => format!("leave `{one}` out"),
        several => format!("{} exclude each other; leave one out", listed(several, "and")),
    };
    Fault::demand(spot.pointer(), demand)
}

fn has_all(members: &Object<'_>, names: &[&str]) -> bool {
    names.iter().all(|name| members.get(name).is_some())
}

/// Names in a row: `a` and `b`.
fn listed(names: &[&str], word: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(&format!(" {word} "))
}
