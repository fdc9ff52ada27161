//! A text that a pattern matches, as plain as can be.

use crate::pattern::{Class, Node, Part};

/// Longer texts are cut off, and match no more.
const MAX_LENGTH: usize = 8_192;

/// A text that the pattern matches, where lookaround and backreferences do not demand more. What may come any number of
/// times comes `times` times, if it may.
pub(crate) fn example(pattern: &Node, times: usize) -> String {
    let mut text = String::new();
    write(pattern, times, &mut text);
    text
}

fn write(node: &Node, times: usize, out: &mut String) {
    if out.len() > MAX_LENGTH {
        return;
    }
    match node {
        Node::Alternatives(nodes) => nodes.iter().take(1).for_each(|node| write(node, times, out)),
        Node::Class(class) => out.extend(character(class)),
        Node::Group { inner, .. } => write(inner, times, out),
        Node::Repeat { inner, min, max, .. } => {
            let (min, max) = (*min as usize, max.map_or(usize::MAX, |max| max as usize));
            for _ in 0..times.clamp(min, max.max(min)).min(MAX_LENGTH) {
                write(inner, times, out);
            }
        }
        Node::Sequence(nodes) => nodes.iter().for_each(|node| write(node, times, out)),
        Node::Backreference(_) | Node::Boundary { .. } | Node::End | Node::Look { .. } | Node::Start => {}
    }
}

/// A character of the set: a letter or digit that everybody can read, if there is one.
fn character(class: &Class) -> Option<char> {
    let holds = |c: &char| {
        let within = class.parts.iter().any(|part| match part {
            Part::Property { text, negated } => has_property(*c, text) != *negated,
            Part::Range(first, last) => (first..=last).contains(&c),
        });
        within != class.negated
    };
    let plain = ['a', 'A', '1', '0', '_', '-', '.', ' ', '/'];
    let first = class.parts.iter().find_map(|part| part.range().map(|(first, _)| first));
    plain.into_iter().chain('!'..='~').chain(first).find(holds)
}

/// The properties that a character of ASCII can have, by their usual names.
fn has_property(c: char, property: &str) -> bool {
    let name = property.rsplit('=').next().unwrap_or(property);
    match name {
        "L" | "Letter" | "Alphabetic" | "Alpha" | "Latin" | "Latn" => c.is_ascii_alphabetic(),
        "Ll" | "Lowercase_Letter" | "Lowercase" => c.is_ascii_lowercase(),
        "Lu" | "Uppercase_Letter" | "Uppercase" => c.is_ascii_uppercase(),
        "N" | "Nd" | "Number" | "Decimal_Number" => c.is_ascii_digit(),
        "P" | "Punctuation" => c == '-' || c == '.' || c == '_',
        "ASCII" | "Any" => true,
        _ => false,
    }
}
