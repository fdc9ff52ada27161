//! Keywords about numbers, exact on their digits.

use super::super::check::Checker;
use super::super::fault::Report;
use super::super::spot::Spot;
use super::super::types::TypeSet;
use crate::json::{Decimal, Object, Tree};

/// A keyword, when it accepts, and how to say it.
type Rule = (&'static str, fn(&Decimal<'_>, &Decimal<'_>) -> bool, &'static str);

const RULES: [Rule; 5] = [
    ("minimum", |value, bound| value >= bound, "at least"),
    ("maximum", |value, bound| value <= bound, "at most"),
    ("exclusiveMinimum", |value, bound| value > bound, "greater than"),
    ("exclusiveMaximum", |value, bound| value < bound, "less than"),
    ("multipleOf", |value, divisor| value.is_multiple_of(divisor), "a multiple of"),
];

impl<'s> Checker<'s, '_> {
    pub(in crate::validate) fn check_number(&mut self, keywords: &'s Object<'s>, spot: &Spot<'_>, report: &mut Report) {
        let Tree::Number(text) = spot.value else { return };
        let value = Decimal::new(text);
        for (keyword, accepts, words) in RULES {
            let Some(Tree::Number(bound)) = keywords.get(keyword) else { continue };
            let (accepts, words) = match exclusive(keywords, keyword) {
                Some((_, accepts, words)) => (accepts, words),
                None => (accepts, words),
            };
            if !accepts(&value, &Decimal::new(bound)) {
                report.add(|| spot.mismatch(format!("a number that is {words} {bound}")));
            }
        }
        if self.fits {
            check_size(keywords, spot, report);
        }
    }
}

/// The rule that a bound stands for in draft-04, where a boolean beside it says that it is exclusive.
fn exclusive(keywords: &Object<'_>, keyword: &str) -> Option<Rule> {
    let beside = match keyword {
        "minimum" => "exclusiveMinimum",
        "maximum" => "exclusiveMaximum",
        _ => return None,
    };
    let is_exclusive = keywords.get(beside) == Some(&Tree::Bool(true));
    RULES.into_iter().find(|(name, ..)| is_exclusive && *name == beside)
}

/// Refuses what no 64 bits hold. Integers are signed unless the schema's bound shows that they are not.
fn check_size(keywords: &Object<'_>, spot: &Spot<'_>, report: &mut Report) {
    let Tree::Number(text) = spot.value else { return };
    let Some(types) = keywords.get("type").map(TypeSet::named) else { return };
    if types.meets(TypeSet::FRACTION) {
        if text.parse().is_ok_and(f64::is_infinite) {
            report.add(|| spot.mismatch("a number within the range of 64-bit floating point"));
        }
        return;
    }
    if !types.meets(TypeSet::NUMBER) {
        return;
    }
    let is_large = |bound: i128| bound > i64::MAX.into();
    let integer = |text: &str| Decimal::new(text).to_i128();
    let is_unsigned = ["maximum", "exclusiveMaximum"].iter().any(
        |keyword| matches!(keywords.get(keyword), Some(Tree::Number(bound)) if integer(bound).is_none_or(is_large)),
    );
    let most = if is_unsigned { i128::from(u64::MAX) } else { i64::MAX.into() };
    if !integer(text).is_some_and(|value| (i64::MIN.into()..=most).contains(&value)) {
        report.add(|| spot.mismatch("an integer of 64 bits (this one is out of range)"));
    }
}
