//! Keywords about values of any kind: `type`, `enum`, `const`.

use super::super::describe::one_of;
use super::super::fault::Report;
use super::super::spot::{Spot, show};
use super::super::suggest::nearest_value;
use super::super::types::TypeSet;
use crate::json::{Object, Tree};

/// Checks `enum` and `const`, and says whether the value is one of theirs.
pub(in crate::validate) fn check(keywords: &Object<'_>, spot: &Spot<'_>, report: &mut Report) -> bool {
    let mut is_one = true;
    if let Some(constant) = keywords.get("const").filter(|&constant| constant != spot.value) {
        is_one = false;
        report.add(|| spot.mismatch(show(constant)));
    }
    if let Some(Tree::Array(values)) = keywords.get("enum")
        && !values.contains(spot.value)
    {
        is_one = false;
        report.add(|| spot.mismatch(one_of(values)).suggesting(nearest_value(spot.value, values)));
    }
    is_one
}

/// Checks `type`.
pub(in crate::validate) fn check_type(keywords: &Object<'_>, (spot, ty): (&Spot<'_>, TypeSet), report: &mut Report) {
    let Some(names) = keywords.get("type") else { return };
    let types = TypeSet::named(names);
    if !types.meets(ty) {
        report.add(|| spot.mismatch(types.describe()));
    }
}
