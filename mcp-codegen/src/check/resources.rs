//! Templates that get in each other's way: of two that match a URI, the one that is declared first is asked.

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::ir::{ArrayRules, Ir, ResourceTemplate, StringRules, TypeKind};
use crate::uri_template::UriPart;

/// Warns of two templates that match the same URIs, unless the first is the narrower one: that is how a special case is
/// written.
pub(super) fn no_overlapping_templates(ir: &Ir, found: &mut Diagnostics) {
    for (index, template) in ir.templates.iter().enumerate() {
        let mut before = ir.templates[..index].iter();
        let Some((other, covers)) = before.find_map(|other| Some((other, overlap(ir, other, template)?))) else {
            continue;
        };
        let (verb, label) = match covers {
            Covers::All => ("matches all the URIs of", "never asked"),
            Covers::Some => ("matches some of the URIs of", "asked second"),
        };
        let message = format!("`{}` {verb} `{}`", other.uri_template, template.uri_template);
        let finding = Diagnostic::warning(Code::TEMPLATE_OVERLAP, template.feature.span, message).label(label);
        found.push(finding.also(other.feature.span, "asked first").help(HELP));
    }
}

/// What the first of two templates takes from the second.
enum Covers {
    All,
    Some,
}

fn overlap(ir: &Ir, first: &ResourceTemplate, second: &ResourceTemplate) -> Option<Covers> {
    let (one, two) = (steps(&first.template.parts), steps(&second.template.parts));
    if !meet(&one, &two) {
        return None;
    }
    let (first_covers, second_covers) = (covers(&one, &two), covers(&two, &one));
    let is_narrow = is_narrow(ir, first);
    if second_covers && (is_narrow || !first_covers) {
        return None;
    }
    Some(if first_covers && !is_narrow { Covers::All } else { Covers::Some })
}

/// Whether the types of its variables refuse some texts.
fn is_narrow(ir: &Ir, template: &ResourceTemplate) -> bool {
    let is_any_text = |kind: &TypeKind| matches!(kind, TypeKind::String(rules) if *rules == StringRules::default());
    ir.types.kind(template.vars).fields().iter().any(|field| match ir.types.kind(field.ty) {
        TypeKind::Array { item, rules } => *rules != ArrayRules::default() || !is_any_text(ir.types.kind(*item)),
        kind => !is_any_text(kind),
    })
}

/// What a template takes, as a machine walks it: a state stands before each step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    /// This character.
    One(char),
    /// One or more characters of a value: all but these.
    Many(&'static str),
    /// What stands between here and that state may be absent.
    MayLeapTo(usize),
}

const HELP: &str = "declare the narrower one first, or tell them apart by a word";

/// What stands for any value, where a machine walks through a template instead of a URI.
const VALUE: char = '\u{0}';

fn steps(parts: &[UriPart]) -> Vec<Step> {
    let mut steps = Vec::new();
    for part in parts {
        match part {
            UriPart::Literal(text) => steps.extend(text.chars().map(Step::One)),
            UriPart::Segment(_) => steps.push(Step::Many("/?#")),
            UriPart::Any(_) => steps.push(Step::Many("")),
            UriPart::List { sign, .. } => {
                let class = if *sign == Some('/') { "?#" } else { "/?#" };
                leap(&mut steps, *sign, class);
            }
            UriPart::Pairs { sign: ';', .. } => leap(&mut steps, Some(';'), "/?#"),
            UriPart::Pairs { sign, .. } => leap(&mut steps, Some(*sign), "#"),
        }
    }
    steps
}

fn leap(steps: &mut Vec<Step>, sign: Option<char>, class: &'static str) {
    let end = steps.len() + 2 + usize::from(sign.is_some());
    steps.push(Step::MayLeapTo(end));
    steps.extend(sign.map(Step::One));
    steps.push(Step::Many(class));
}

/// Whether some URI matches both.
fn meet(one: &[Step], two: &[Step]) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![(0, 0)];
    while let Some(states) = open.pop() {
        if !seen.insert(states) {
            continue;
        }
        if states == (one.len(), two.len()) {
            return true;
        }
        let (left, right) = states;
        match (one.get(left), two.get(right)) {
            (Some(Step::MayLeapTo(end)), _) => open.extend([(left + 1, right), (*end, right)]),
            (_, Some(Step::MayLeapTo(end))) => open.extend([(left, right + 1), (left, *end)]),
            (Some(here), Some(there)) if can_be_equal(*here, *there) => {
                let after = |at: usize, step: &Step| match step {
                    Step::Many(_) => vec![at, at + 1],
                    Step::One(_) | Step::MayLeapTo(_) => vec![at + 1],
                };
                for left in after(left, here) {
                    open.extend(after(right, there).into_iter().map(|right| (left, right)));
                }
            }
            (Some(_) | None, Some(_) | None) => {}
        }
    }
    false
}

fn can_be_equal(one: Step, other: Step) -> bool {
    match (one, other) {
        (Step::One(one), Step::One(other)) => one == other,
        (Step::One(c), Step::Many(stops)) | (Step::Many(stops), Step::One(c)) => !stops.contains(c),
        (Step::Many(_), Step::Many(_)) => true,
        (Step::MayLeapTo(_), _) | (_, Step::MayLeapTo(_)) => false,
    }
}

/// Whether a template matches whatever the other does. Asked of the longest URI that the other has: its values are one
/// sign that only values match, between signs of which each may stand in them.
fn covers(wide: &[Step], narrow: &[Step]) -> bool {
    let shown = narrow.iter().flat_map(|step| match step {
        Step::One(c) => vec![*c],
        Step::Many(stops) => {
            let inside = "/?#".chars().filter(|c| !stops.contains(*c)).flat_map(|c| [c, VALUE]);
            std::iter::once(VALUE).chain(inside).collect()
        }
        Step::MayLeapTo(_) => Vec::new(),
    });
    let shown: Vec<Step> = shown.map(Step::One).collect();
    let least = least(narrow);
    meet(wide, &shown) && meet(wide, &least)
}

/// The shortest URI of a template: what may be absent is.
fn least(steps: &[Step]) -> Vec<Step> {
    let (mut at, mut least) = (0, Vec::new());
    while let Some(step) = steps.get(at) {
        match step {
            Step::MayLeapTo(end) => at = *end,
            Step::One(c) => {
                least.push(Step::One(*c));
                at += 1;
            }
            Step::Many(_) => {
                least.push(Step::One(VALUE));
                at += 1;
            }
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uri_template::parse;

    fn relation(one: &str, other: &str) -> (bool, bool, bool) {
        let [one, other] = [one, other].map(|text| steps(&parse(text).unwrap().parts));
        (meet(&one, &other), covers(&one, &other), covers(&other, &one))
    }

    #[test]
    fn templates_meet_and_cover_each_other() {
        for (one, other, expected) in [
            ("x:{a}", "x:{b}", (true, true, true)),
            ("x:{a}", "y:{a}", (false, false, false)),
            ("x:{a}", "x:{a}/{b}", (false, false, false)),
            ("x:{+a}", "x:{a}/{b}", (true, true, false)),
            ("x:me/{a}", "x:{a}/{b}", (true, false, true)),
            ("x:{a}/me", "x:you/{b}", (true, false, false)),
            ("x:{a}{?q}", "x:{a}", (true, true, false)),
            ("x:y{/a*}", "x:y/{a}", (true, true, false)),
            ("x:{a}.txt", "x:{a}.md", (false, false, false)),
            ("x:{a}-{b}", "x:{a}", (true, false, true)),
        ] {
            assert_eq!(relation(one, other), expected, "{one} {other}");
        }
    }
}
