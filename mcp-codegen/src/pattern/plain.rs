//! Patterns that need no engine: one set of characters after the other, each a number of times.

use crate::pattern::ranges::{inverted, merged};
use crate::pattern::{Class, Node, Part};

/// A set of characters, and how often it comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// Sorted, and apart from each other.
    pub(crate) ranges: Vec<(char, char)>,
    pub(crate) min: u32,
    pub(crate) max: Option<u32>,
}

impl Step {
    /// The character, where it is one and comes once.
    pub(crate) fn character(&self) -> Option<char> {
        match *self.ranges {
            [(first, last)] if first == last && self.min == 1 && self.max == Some(1) => Some(first),
            _ => None,
        }
    }
}

/// What is tried one after the other, at the start of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Steps {
    pub(crate) alternatives: Vec<Vec<Step>>,
    /// Whether the text must end there.
    pub(crate) at_end: bool,
}

/// More alternatives than this are the business of an engine.
const MANY: usize = 64;

/// A pattern as steps from the start of a text, if going as far as each step can is always right: what follows a step
/// of uncertain length must begin with a character outside its set.
pub(crate) fn steps(node: &Node) -> Option<Steps> {
    let Node::Sequence(nodes) = node else { return None };
    let (first, rest) = nodes.split_first()?;
    if *first != Node::Start {
        return None;
    }
    let (inner, at_end) = match rest.split_last() {
        Some((Node::End, inner)) => (inner, true),
        Some(_) | None => (rest, false),
    };
    let alternatives = match inner {
        [Node::Group { inner, .. }] => match &**inner {
            Node::Alternatives(nodes) if nodes.len() <= MANY => {
                nodes.iter().map(sequence).collect::<Option<Vec<_>>>()?
            }
            one => vec![sequence(one)?],
        },
        nodes => vec![nodes.iter().map(step).collect::<Option<Vec<_>>>()?],
    };
    alternatives.iter().all(|steps| is_certain(steps)).then_some(Steps { alternatives, at_end })
}

fn sequence(node: &Node) -> Option<Vec<Step>> {
    let Node::Sequence(nodes) = node else { return None };
    nodes.iter().map(step).collect()
}

fn step(node: &Node) -> Option<Step> {
    let (node, min, max) = match node {
        Node::Repeat { inner, min, max, .. } => (&**inner, *min, *max),
        one => (one, 1, Some(1)),
    };
    let Node::Class(class) = node else { return None };
    Some(Step { ranges: ranges(class)?, min, max })
}

/// The set as ranges, if it is made of nothing else.
fn ranges(class: &Class) -> Option<Vec<(char, char)>> {
    let ranges: Option<Vec<(char, char)>> = class.parts.iter().map(Part::range).collect();
    let merged = merged(ranges?);
    Some(if class.negated { inverted(&merged) } else { merged })
}

fn is_certain(steps: &[Step]) -> bool {
    steps.iter().enumerate().all(|(index, step)| {
        if Some(step.min) == step.max {
            return true;
        }
        for next in &steps[index + 1..] {
            if overlap(&step.ranges, &next.ranges) {
                return false;
            }
            if next.min > 0 {
                return true;
            }
        }
        true
    })
}

fn overlap(some: &[(char, char)], others: &[(char, char)]) -> bool {
    some.iter().any(|(first, last)| others.iter().any(|(start, end)| first <= end && start <= last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::parse;

    fn is_plain(text: &str) -> bool {
        steps(&parse(text).unwrap()).is_some()
    }

    #[test]
    fn certain_steps_are_plain() {
        for plain in [
            "^[a-z0-9_-]+$",
            "^arn:",
            r"^\d{4}-\d{2}$",
            "^(asc|desc)$",
            "^#[0-9a-f]{6}$",
            "^[^,]+$",
            "^a?b*c",
            "^",
            "^x(?:yz)",
        ] {
            assert_eq!(is_plain(plain), plain != "^x(?:yz)", "{plain}");
        }
    }

    #[test]
    fn steps_that_could_go_too_far_are_not_plain() {
        for engine in ["^[a-z]+[a-z]$", "^a*b?a$", "abc", r"^\p{L}+$", "^(a|b)c$", "^(?=a)", "^a|b$", "^(a+)+$"] {
            assert!(!is_plain(engine), "{engine}");
        }
    }

    #[test]
    fn a_negated_set_is_what_lies_outside() {
        let steps = steps(&parse("^[^b-y]$").unwrap()).unwrap();
        assert_eq!(steps.alternatives[0][0].ranges, [('\0', 'a'), ('z', char::MAX)]);
    }
}
