//! Wire names → words of small ASCII letters and digits.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::RangeInclusive;

/// Signs that have a name of their own.
const SIGNS: &[(char, &str)] = &[
    ('!', "not"),
    ('#', "hash"),
    ('$', "dollar"),
    ('%', "percent"),
    ('&', "and"),
    ('*', "star"),
    ('+', "plus"),
    (',', "comma"),
    ('-', "minus"),
    ('.', "dot"),
    ('/', "slash"),
    (':', "colon"),
    (';', "semicolon"),
    ('<', "less"),
    ('=', "equal"),
    ('>', "greater"),
    ('?', "question"),
    ('@', "at"),
    ('\\', "backslash"),
    ('^', "caret"),
    ('_', "underscore"),
    ('|', "pipe"),
    ('~', "tilde"),
];

/// The Latin letters with marks from U+00C0 to U+017F, by what stands for them.
const LATIN: &[(&str, &str)] = &[
    ("A", "ÀÁÂÃÄÅĀĂĄ"),
    ("Ae", "Æ"),
    ("C", "ÇĆĈĊČ"),
    ("D", "ÐĎĐ"),
    ("E", "ÈÉÊËĒĔĖĘĚ"),
    ("G", "ĜĞĠĢ"),
    ("H", "ĤĦ"),
    ("I", "ÌÍÎÏĨĪĬĮİ"),
    ("Ij", "Ĳ"),
    ("J", "Ĵ"),
    ("K", "Ķ"),
    ("L", "ĹĻĽĿŁ"),
    ("N", "ÑŃŅŇŊ"),
    ("O", "ÒÓÔÕÖØŌŎŐ"),
    ("Oe", "Œ"),
    ("R", "ŔŖŘ"),
    ("S", "ŚŜŞŠ"),
    ("T", "ŢŤŦ"),
    ("Th", "Þ"),
    ("U", "ÙÚÛÜŨŪŬŮŰŲ"),
    ("W", "Ŵ"),
    ("Y", "ÝŶŸ"),
    ("Z", "ŹŻŽ"),
    ("a", "àáâãäåāăą"),
    ("ae", "æ"),
    ("c", "çćĉċč"),
    ("d", "ðďđ"),
    ("e", "èéêëēĕėęě"),
    ("g", "ĝğġģ"),
    ("h", "ĥħ"),
    ("i", "ìíîïĩīĭįı"),
    ("ij", "ĳ"),
    ("j", "ĵ"),
    ("k", "ķĸ"),
    ("l", "ĺļľŀł"),
    ("n", "ñńņňŉŋ"),
    ("o", "òóôõöøōŏő"),
    ("oe", "œ"),
    ("r", "ŕŗř"),
    ("s", "śŝşšſ"),
    ("ss", "ß"),
    ("t", "ţťŧ"),
    ("th", "þ"),
    ("u", "ùúûüũūŭůűų"),
    ("w", "ŵ"),
    ("y", "ýÿŷ"),
    ("z", "źżž"),
];

/// What a letter wears that is written in parts; dropped.
const COMBINING_MARKS: RangeInclusive<char> = '\u{300}'..='\u{36f}';

/// The words of a name in small letters; at least one, none empty.
pub(super) fn words(wire: &str, place: usize) -> Vec<String> {
    let mut words = split(wire);
    if words.is_empty() {
        words = wire.chars().filter(|c| !c.is_whitespace()).filter_map(sign).map(str::to_owned).collect();
    }
    if words.is_empty() && wire.trim().is_empty() {
        words.push("empty".to_owned());
    }
    if words.is_empty() {
        words.push(format!("value{place}"));
    }
    words
}

/// Splits at signs and changes of case.
fn split(wire: &str) -> Vec<String> {
    let text = ascii(wire);
    if !text.contains(|c: char| c.is_ascii_alphanumeric()) {
        return Vec::new();
    }
    let mut words = Vec::new();
    let mut word = String::new();
    let (mut before, mut chars) = (None, text.chars().peekable());
    while let Some(c) = chars.next() {
        let (before, after) = (before.replace(c), chars.peek().copied());
        if !c.is_ascii_alphanumeric() {
            words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
            words.extend(sign_word(c, before, after).map(str::to_owned));
            continue;
        }
        if starts_word(c, before, after) {
            words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
        }
        word.push(c.to_ascii_lowercase());
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

/// The name in ASCII letters, digits and signs. A blank parts what is spelled by code points from what is not.
fn ascii(wire: &str) -> Cow<'_, str> {
    if wire.is_ascii() {
        return Cow::Borrowed(wire);
    }
    let mut text = String::with_capacity(wire.len());
    let mut spelling = false;
    for c in wire.chars().filter(|c| !COMBINING_MARKS.contains(c)) {
        let latin = latin(c);
        let spells = !c.is_ascii() && latin.is_none() && unicode_ident::is_xid_continue(c);
        let touches = text.ends_with(|c: char| c.is_ascii_alphanumeric());
        if spells != spelling && touches {
            text.push(' ');
        }
        spelling = spells;
        match latin {
            Some(latin) => text.push_str(latin),
            // Writing to a `String` cannot fail.
            None if spells => write!(text, "u{:04x}", u32::from(c)).unwrap_or_default(),
            None if c.is_ascii() => text.push(c),
            None => text.push(' '),
        }
    }
    Cow::Owned(text)
}

/// A Latin letter without its marks.
fn latin(c: char) -> Option<&'static str> {
    if c.is_ascii() {
        return None;
    }
    LATIN.iter().find(|(_, marked)| marked.contains(c)).map(|(plain, _)| *plain)
}

/// Whether a capital begins a new word: `getUser`, `HTTPServer`.
fn starts_word(c: char, before: Option<char>, after: Option<char>) -> bool {
    let small = |c: char| c.is_ascii_lowercase();
    let Some(before) = before else { return false };
    let after_capital = before.is_ascii_uppercase() && after.is_some_and(small);
    c.is_ascii_uppercase() && (small(before) || before.is_ascii_digit() || after_capital)
}

/// The word that a sign beside letters stands for, if it stands for one.
fn sign_word(c: char, before: Option<char>, after: Option<char>) -> Option<&'static str> {
    let joined = before.is_some_and(|c| c.is_ascii_alphanumeric());
    let before_name = after.is_some_and(|c| c.is_ascii_alphanumeric());
    let before_digit = after.is_some_and(|c| c.is_ascii_digit());
    match c {
        '+' => Some("plus"),
        '-' if !joined && (before_digit || before.is_none() && before_name) => Some("minus"),
        _ => None,
    }
}

fn sign(c: char) -> Option<&'static str> {
    SIGNS.iter().find(|(sign, _)| *sign == c).map(|(_, name)| *name)
}
