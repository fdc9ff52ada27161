//! What was probably meant: the nearest name or value.

use super::spot::show;
use crate::json::Tree;

/// The nearest of several names, if one is near.
pub(crate) fn nearest_name<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let ranked = names.filter_map(|candidate| Some((distance(name, candidate)?, candidate)));
    ranked.min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

/// The nearest of several values, if one is near.
pub(super) fn nearest_value(value: &Tree<'_>, values: &[Tree<'_>]) -> Option<String> {
    let Tree::String(text) = value else { return None };
    let texts = values.iter().filter_map(|value| match value {
        Tree::String(text) => Some(text.as_ref()),
        _ => None,
    });
    nearest_name(text, texts).map(|nearest| show(&Tree::String(nearest.into())))
}

/// Longer names are not compared: the work grows with the product of the lengths, and no contract has such.
const LONGEST: usize = 64;

/// How far two names are apart; `None` if one is hardly meant for the other.
fn distance(a: &str, b: &str) -> Option<usize> {
    if a.len() > LONGEST || b.len() > LONGEST {
        return None;
    }
    let (words, others) = (words(a), words(b));
    let (a, b) = (words.concat(), others.concat());
    if a == b {
        return Some(0);
    }
    let is_part = |some: &[String], all: &[String]| !some.is_empty() && some.iter().all(|word| all.contains(word));
    if is_part(&words, &others) || is_part(&others, &words) {
        return Some(1);
    }
    let edits = edits(&a, &b);
    // one letter in three, so that short names are not taken for each other
    (edits * 3 <= a.chars().count().max(b.chars().count())).then_some(edits)
}

/// The words of a name in any of the usual spellings, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for character in name.chars() {
        if !character.is_alphanumeric() || (after_lower && character.is_uppercase()) {
            words.push(String::new());
        }
        if let (true, Some(word)) = (character.is_alphanumeric(), words.last_mut()) {
            word.extend(character.to_lowercase());
        }
        after_lower = character.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Insertions, removals, replacements and swaps of neighbors that make one name out of the other.
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for (i, from) in a.iter().enumerate() {
        let above = &rows[i];
        let mut row = vec![i + 1];
        for (j, to) in b.iter().enumerate() {
            let mut least = (above[j] + usize::from(from != to)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *from == b[j - 1] && a[i - 1] == *to {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_several_kinds_are_recognized() {
        let names = ["max_depth", "city", "startDate", "limit"];
        for (name, nearest) in [
            ("depth", Some("max_depth")),
            ("maxDepth", Some("max_depth")),
            ("ctiy", Some("city")),
            ("start-date", Some("startDate")),
            ("limits", Some("limit")),
            ("town", None),
            ("x", None),
        ] {
            assert_eq!(nearest_name(name, names.into_iter()), nearest, "{name}");
        }
    }
}
