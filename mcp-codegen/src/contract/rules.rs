//! Reading `rules`: what a short form says about several arguments at once.

use crate::contract::{SchemaPair, keys};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::Node;
use crate::document::cursor::{TableCursor, strings, with_suggestion, wrong_type};
use crate::source::Spanned;

/// Checks the rules, and says each as a sentence for the tool's description: no keyword says them to every client.
pub(super) fn read(rules: Option<&Node>, input: &SchemaPair, found: &mut Diagnostics) -> Vec<String> {
    let Some(mut table) = rules.and_then(|rules| TableCursor::open(rules, &keys::RULES, found)) else {
        return Vec::new();
    };
    let mut sentences = Vec::new();
    // The reader of `args` has seen to it.
    table.node("additional");
    for group in table.array("one_of") {
        let names = names(group, input, table.found);
        sentences.extend(sentence(&names, |names| format!("Give exactly one of {names}."), "and"));
    }
    if let Some(requires) = table.object("requires") {
        for (key, needed) in requires.members().unwrap_or_default() {
            let name = Spanned::new(key.name.clone(), key.span);
            known(&name, input, table.found);
            let needed = names(needed, input, table.found);
            let say = |needed: &str| format!("`{}` needs {needed}.", name.value);
            sentences.extend((!needed.is_empty()).then(|| say(&list(&needed, "and"))));
        }
    }
    for group in table.array("conflicts") {
        let names = names(group, input, table.found);
        sentences.extend(sentence(&names, |names| format!("Give at most one of {names}."), "and"));
    }
    table.finish("`rules`");
    sentences
}

/// A rule about fewer than two arguments says nothing.
fn sentence(names: &[String], say: impl FnOnce(&str) -> String, last: &str) -> Option<String> {
    (names.len() > 1).then(|| say(&list(names, last)))
}

/// `a`, `b` and `c`
fn list(names: &[String], last: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((end, [])) => end.clone(),
        Some((end, start)) => format!("{} {last} {end}", start.join(", ")),
        None => String::new(),
    }
}

/// A group of names, each of which must be an argument.
fn names(group: &Node, input: &SchemaPair, found: &mut Diagnostics) -> Vec<String> {
    let Some(items) = group.items() else {
        found.push(wrong_type(group, "an array of names"));
        return Vec::new();
    };
    let names = strings(items, found);
    for name in &names {
        known(name, input, found);
    }
    names.into_iter().map(|name| name.value).collect()
}

fn known(name: &Spanned<String>, input: &SchemaPair, found: &mut Diagnostics) {
    let properties = input.typed.get("properties").and_then(Node::members).unwrap_or_default();
    let known: Vec<&str> = properties.iter().map(|(key, _)| key.name.as_str()).collect();
    if !known.contains(&name.value.as_str()) {
        let finding = Diagnostic::error(Code::RULES, name.span, format!("`{}` is no argument of the tool", name.value));
        found.push(with_suggestion(finding, &name.value, &known));
    }
}
