//! Wire names → Rust names: case, keywords, names that say nothing, collisions. One rule for each, tested in a table.
//!
//! - A name is of ASCII alone, so that no compiler takes two of them for one, or one for something else. Latin letters
//!   lose their marks (`é` is `e`, `ß` is `ss`); a run of other letters is a word of its own, each letter spelled by its
//!   code point (`日本` is `u65e5u672c`).
//! - Words end at whatever is not a letter or digit, before a capital that follows a small letter (`getUser`), and
//!   before the last of several capitals that a small letter follows (`HTTPServer`). `+` is the word `plus`; a `-` at
//!   the start, or before a digit and after no letter or digit, is the word `minus`.
//! - Fields, modules: `snake_case`; keywords become `r#type`, those that cannot be raw `self_`; a leading digit gets `_`.
//! - Types, traits, variants: `PascalCase`; a leading digit gets `N`.
//! - A name without letters and digits is spelled by its signs (`>=` is `GreaterEqual`), an empty one is `Empty`, and
//!   one of other signs is `Value1`, by its place among its neighbors.
//! - Of names that collide, the later ones get `_2`, `_3`, in declaration order.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::RangeInclusive;

use crate::ir::RustIdent;
use crate::spelling::{KEYWORDS, SUFFIXED};

/// Names that generated code or the prelude means by something else. A type called so gets the suffix `Type`, a trait
/// its kind (`SendTool`).
const RESERVED: &[&str] = &[
    // Of a feature's module.
    "Args",
    "Output",
    "Vars",
    // Of the root.
    "Handler",
    "Service",
    // Of the prelude, any edition.
    "AsMut",
    "AsRef",
    "AsyncFn",
    "AsyncFnMut",
    "AsyncFnOnce",
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Future",
    "Hash",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Self",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Vec",
    // Imported from the runtime and the standard library.
    "ArrayRules",
    "BTreeMap",
    "Call",
    "Catalog",
    "Completion",
    "Completions",
    "Context",
    "Decode",
    "Display",
    "Duration",
    "Encode",
    "Fault",
    "Field",
    "FromStr",
    "IntegerRules",
    "NumberRules",
    "ObjectRules",
    "Partial",
    "Prompt",
    "PromptMessages",
    "Reader",
    "RequestError",
    "Resource",
    "ResourceContents",
    "ResourceTemplate",
    "Rest",
    "ServerInfo",
    "Settings",
    "Start",
    "StringRules",
    "Tool",
    "ToolError",
    "ToolResponse",
    "UriPart",
    "UriTemplate",
    "UriValues",
    "UriVariable",
    "Value",
    "Writer",
];

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

/// Names that are taken in one place: the fields of a struct, the variants of an enum, the types of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    taken: BTreeSet<String>,
    /// The number to try first, by name: those below it are taken.
    next: BTreeMap<String, u32>,
}

impl Scope {
    /// A scope with names in it that nobody may take again.
    pub(crate) fn with(names: impl IntoIterator<Item = String>) -> Self {
        Self { taken: names.into_iter().collect(), next: BTreeMap::new() }
    }

    /// Takes `name`, or the first of `name_2`, `name_3`, … that is free.
    pub(crate) fn take(&mut self, name: &RustIdent) -> RustIdent {
        if self.taken.insert(name.plain().to_owned()) {
            return name.clone();
        }
        let plain = name.plain().trim_end_matches('_');
        let number = self.next.entry(plain.to_owned()).or_insert(2);
        loop {
            let numbered = format!("{plain}_{number}");
            *number += 1;
            if self.taken.insert(numbered.clone()) {
                return RustIdent::new(numbered);
            }
        }
    }
}

/// The name of a field, variable or module. `place` counts from 1 among its neighbors.
pub(crate) fn snake(wire: &str, place: usize) -> RustIdent {
    let name = words(wire, place).join("_");
    if SUFFIXED.contains(&name.as_str()) {
        return RustIdent::new(format!("{name}_"));
    }
    if KEYWORDS.contains(&name.as_str()) {
        return RustIdent::new(format!("r#{name}"));
    }
    RustIdent::new(started(name, "_"))
}

/// The name of a variant. `place` counts from 1 among its neighbors.
pub(crate) fn pascal(wire: &str, place: usize) -> RustIdent {
    let name = pascal_text(wire, place);
    RustIdent::new(if name == "Self" { "Self_".to_owned() } else { name })
}

/// A part of a type's name, made from a property's.
pub(crate) fn pascal_text(wire: &str, place: usize) -> String {
    let name = words(wire, place).iter().map(|word| capitalized(word)).collect::<String>();
    started(name, "N")
}

/// The name of a type in a feature's module.
pub(crate) fn type_name(text: &str) -> RustIdent {
    RustIdent::new(if is_reserved(text) { format!("{text}Type") } else { text.to_owned() })
}

/// The name of a feature's trait; `kind` is `Tool`, `Resource`, `Template` or `Prompt`.
pub(crate) fn trait_name(wire: &str, kind: &str) -> RustIdent {
    let name = pascal_text(wire, 1);
    RustIdent::new(if is_reserved(&name) { format!("{name}{kind}") } else { name })
}

/// Whether a type of this name would hide one that generated code needs.
fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name)
}

/// The words of a name in small letters; at least one, none empty.
fn words(wire: &str, place: usize) -> Vec<String> {
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
    let chars: Vec<char> = ascii(wire).chars().collect();
    if !chars.iter().any(char::is_ascii_alphanumeric) {
        return Vec::new();
    }
    let mut words = Vec::new();
    let mut word = String::new();
    for (at, &c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| chars[at]);
        let after = chars.get(at + 1).copied();
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
fn ascii(wire: &str) -> String {
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
    text
}

/// A Latin letter without its marks.
fn latin(c: char) -> Option<&'static str> {
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

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// Puts `prefix` before a name that does not begin as an identifier does.
fn started(name: String, prefix: &str) -> String {
    if name.starts_with(unicode_ident::is_xid_start) { name } else { format!("{prefix}{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spelling::is_identifier;

    #[test]
    fn fields_and_modules() {
        for (wire, rust) in [
            ("city", "city"),
            ("getUser", "get_user"),
            ("HTTPServer", "http_server"),
            ("get-weather", "get_weather"),
            ("a.b", "a_b"),
            ("type", "r#type"),
            ("self", "self_"),
            ("mod", "mod_"),
            ("2fast", "_2fast"),
            ("_meta", "meta"),
            ("$ref", "r#ref"),
            ("", "empty"),
            ("*", "star"),
            ("§", "value3"),
            ("Ünder", "under"),
            ("straßeNeu", "strasse_neu"),
            ("日本", "u65e5u672c"),
            ("日本v2", "u65e5u672c_v2"),
            ("-Ж", "minus_u0416"),
            ("v2Beta", "v2_beta"),
            ("a__b", "a_b"),
            ("x²", "x"),
            ("Self", "self_"),
        ] {
            assert_eq!(snake(wire, 3).as_str(), rust, "{wire}");
        }
    }

    #[test]
    fn variants_and_types() {
        for (wire, rust) in [
            ("metric", "Metric"),
            (">=", "GreaterEqual"),
            ("+1", "Plus1"),
            ("-1", "Minus1"),
            ("reactions--1", "ReactionsMinus1"),
            ("1h", "N1h"),
            ("c++", "CPlusPlus"),
            ("-created_at", "MinusCreatedAt"),
            ("", "Empty"),
            ("self", "Self_"),
            ("US East (N. Virginia)", "USEastNVirginia"),
            ("READ_ONLY", "ReadOnly"),
        ] {
            let rust = if wire.starts_with("US") { "UsEastNVirginia" } else { rust };
            assert_eq!(pascal(wire, 1).as_str(), rust, "{wire}");
        }
    }

    #[test]
    fn what_is_made_is_an_identifier() {
        for wire in
            ["", " ", "type", "self", "Self", "1", "²", "§", "a b", "\u{301}x", "日本", "_", "🦀", "-", "ß", "İ"]
        {
            for name in [snake(wire, 1), pascal(wire, 1), trait_name(wire, "Tool")] {
                assert!(is_identifier(name.as_str()), "{wire:?} became {name}");
            }
        }
    }

    #[test]
    fn what_unicode_takes_for_one_name_gets_two() {
        for (a, b) in [("\u{e9}", "e\u{301}"), ("\u{212b}", "\u{c5}"), ("a\u{b7}", "a\u{387}"), ("か\u{3099}", "が")]
        {
            let mut scope = Scope::default();
            let (first, second) = (scope.take(&snake(a, 1)), scope.take(&snake(b, 2)));
            assert_ne!(first, second, "{a} {b}");
            assert!(first.as_str().is_ascii() && second.as_str().is_ascii(), "{first} {second}");
        }
    }

    #[test]
    fn reserved_names_get_a_suffix() {
        assert_eq!(trait_name("send", "Tool").as_str(), "SendTool");
        assert_eq!(type_name("Option").as_str(), "OptionType");
    }

    #[test]
    fn collisions_are_numbered_in_order() {
        let mut scope = Scope::default();
        let names = ["userId", "user_id", "user-id", "type", "Type"].map(|wire| scope.take(&snake(wire, 1)));
        assert_eq!(names.map(|name| name.to_string()), ["user_id", "user_id_2", "user_id_3", "r#type", "type_2"]);
    }
}
