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

mod reserved;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use self::reserved::is_reserved;
use self::words::words;
use crate::ir::RustIdent;
use crate::spelling::{KEYWORDS, SUFFIXED};

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
