//! Sets of characters as ranges, both ends within.

/// The same set, sorted and without overlaps.
pub(super) fn merged(mut ranges: Vec<(char, char)>) -> Vec<(char, char)> {
    ranges.sort_unstable();
    let mut merged: Vec<(char, char)> = Vec::new();
    for (first, last) in ranges {
        match merged.last_mut() {
            Some((_, end)) if after(*end).is_none_or(|next| first <= next) => *end = last.max(*end),
            Some(_) | None => merged.push((first, last)),
        }
    }
    merged
}

/// What lies between and around merged ranges.
pub(super) fn inverted(ranges: &[(char, char)]) -> Vec<(char, char)> {
    let mut outside = Vec::new();
    let mut next = Some('\0');
    for &(first, last) in ranges {
        if let (Some(start), Some(end)) = (next, before(first))
            && start <= end
        {
            outside.push((start, end));
        }
        next = after(last);
    }
    outside.extend(next.map(|start| (start, char::MAX)));
    outside
}

fn after(character: char) -> Option<char> {
    (character..=char::MAX).nth(1)
}

fn before(character: char) -> Option<char> {
    ('\0'..=character).nth_back(1)
}
