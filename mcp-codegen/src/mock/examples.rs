//! Which example answers a call.

use crate::diagnostic::Diagnostics;
use crate::document::json::{self, Place};
use crate::document::{Node, NodeKind};
use crate::schema::same;
use crate::source::Span;

/// One of `examples`, as far as it has an output.
#[derive(Debug)]
pub(super) struct Example<T> {
    args: Node,
    pub(super) output: T,
    /// `example 2`, or its name.
    label: String,
}

/// Takes up the examples that have an output of which something can be made.
pub(super) fn read<T>(examples: &[Node], make: impl Fn(&Node) -> Option<T>) -> Vec<Example<T>> {
    let example = |(index, example): (usize, &Node)| {
        let output = make(example.get("output")?)?;
        let label = match example.get("name").and_then(Node::as_str) {
            Some(name) => format!("example `{name}`"),
            None => format!("example {}", index + 1),
        };
        let args = example.get("args").cloned().unwrap_or_else(|| Node::object(Span::default()));
        Some(Example { args, output, label })
    };
    examples.iter().enumerate().filter_map(example).collect()
}

/// The example that is nearest to these arguments, and how to call it: they differ in the least, and of several it is the
/// first. An absent argument counts as its default.
pub(super) fn nearest<'e, T>(
    examples: &'e [Example<T>],
    args: &Node,
    defaults: &[(String, Node)],
) -> Option<(&'e T, String)> {
    let distance = |example: &Example<T>| differing(&example.args, args, defaults);
    let nearest = examples.iter().min_by_key(|example| distance(example))?;
    let label = match distance(nearest) {
        0 => nearest.label.clone(),
        _ => format!("nearest {}", nearest.label),
    };
    Some((&nearest.output, label))
}

/// How much the arguments differ.
fn differing(one: &Node, other: &Node, defaults: &[(String, Node)]) -> usize {
    let names = |args: &Node| -> Vec<String> {
        args.members().unwrap_or_default().iter().map(|(key, _)| key.name.clone()).collect()
    };
    let mut all = names(one);
    all.extend(names(other));
    all.sort();
    all.dedup();
    let value = |args: &Node, name: &str| {
        let default = || defaults.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        args.get(name).cloned().or_else(default)
    };
    // Another value says more against an example than none.
    let differs = |name: &String| match (value(one, name), value(other, name)) {
        (Some(one), Some(other)) => {
            if same(&one, &other) {
                0
            } else {
                2
            }
        }
        (one, other) => usize::from(one.is_some() || other.is_some()),
    };
    all.iter().map(differs).sum()
}

/// The defaults that an object's schema states for its properties.
pub(super) fn defaults(schema: &Node) -> Vec<(String, Node)> {
    let properties = schema.get("properties").and_then(Node::members).unwrap_or_default();
    let stated =
        properties.iter().filter_map(|(key, property)| Some((key.name.clone(), property.get("default")?.clone())));
    stated.filter(|(_, value)| !value.is_null()).collect()
}

/// Arguments that have been read before.
pub(super) fn parsed(json: &str) -> Node {
    let read = json::read(json, Place::At(Span::default()), &mut Diagnostics::default());
    read.unwrap_or_else(|| Node::object(Span::default()))
}

/// An object of texts.
pub(super) fn object<'t>(members: impl IntoIterator<Item = (&'t str, &'t str)>) -> Node {
    let mut object = Node::object(Span::default());
    for (name, value) in members {
        object.push(name, Node::string(value, Span::default()));
    }
    object
}

/// A value as text: a string as it is, anything else as JSON.
pub(super) fn as_text(value: &Node) -> String {
    match &value.kind {
        NodeKind::String(text) => text.clone(),
        _ => value.to_json(),
    }
}

/// The values of an argument in all examples, each once.
pub(super) fn values<T>(examples: &[Example<T>], argument: &str) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for value in examples.iter().filter_map(|example| example.args.get(argument)) {
        let items = value.items().unwrap_or(std::slice::from_ref(value));
        for text in items.iter().map(as_text) {
            if !values.contains(&text) {
                values.push(text);
            }
        }
    }
    values
}
