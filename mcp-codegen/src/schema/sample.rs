//! Values of a schema as a person might write them, for where a contract shows none.
//!
//! The same schema gives the same values everywhere. A value is a proposal: keywords that depend on each other (`not`,
//! `if`, `unevaluated…`) are not looked at, so who wants to be sure judges it.

mod merge;
mod scalar;

use std::cell::Cell;

pub(crate) use self::merge::merged;
use super::{JsonType, refusal, same};
use crate::document::{Node, NodeKind};
use crate::source::Span;

/// Schemas inside each other; what must be there ends here, too.
const MAX_DEPTH: usize = 24;

/// So deep are properties written that need not be there, and items of arrays that may be empty.
const MAX_OPTIONAL_DEPTH: usize = 4;

/// Longer arrays are not made.
const MAX_ITEMS: usize = 256;

/// Schemas that are looked at for one value.
const MAX_STEPS: usize = 4_000;

/// Proposals, the one that says most first. References are followed from the root, and must be pointers.
pub(crate) fn samples(root: &Node) -> Vec<Node> {
    let proposal = |most_optional| {
        let sampler = Sampler { root, most_optional, left: Cell::new(MAX_STEPS) };
        sampler.value(root, Place { depth: 0, index: 0 })
    };
    [MAX_OPTIONAL_DEPTH, 1, 0].into_iter().filter_map(proposal).collect()
}

struct Sampler<'n> {
    root: &'n Node,
    /// So deep is written what need not be there.
    most_optional: usize,
    left: Cell<usize>,
}

/// Where a value is to stand: how deep, and as which of several that should differ.
#[derive(Clone, Copy)]
struct Place {
    depth: usize,
    index: usize,
}

impl Place {
    const fn inside(self, index: usize) -> Self {
        Self { depth: self.depth + 1, index }
    }
}

impl Sampler<'_> {
    fn value(&self, schema: &Node, place: Place) -> Option<Node> {
        if place.depth > MAX_DEPTH || self.left.get() == 0 {
            return None;
        }
        self.left.set(self.left.get() - 1);
        let schema = match &schema.kind {
            NodeKind::Bool(false) => return None,
            _ => merged(self.root, schema)?,
        };
        self.stated(&schema, place).or_else(|| self.branch(&schema, place)).or_else(|| self.made(&schema, place))
    }

    /// A value that the schema itself names.
    fn stated(&self, schema: &Node, place: Place) -> Option<Node> {
        let list = |keyword: &str| schema.get(keyword).and_then(Node::items).unwrap_or_default();
        let fits = |value: &&Node| refusal(schema, value, self.root).is_none();
        if let Some(value) = schema.get("const") {
            return Some(value.clone()).filter(|value| fits(&value));
        }
        let listed: Vec<&Node> = list("enum").iter().filter(fits).collect();
        if !listed.is_empty() {
            return listed.get(place.index % listed.len()).map(|value| (*value).clone());
        }
        // A default of null stands for none.
        let shown = list("examples").iter().chain(schema.get("default").filter(|value| !value.is_null()));
        shown.filter(fits).nth(place.index).cloned()
    }

    /// A value of the first branch that has one; null only if there is nothing else.
    fn branch(&self, schema: &Node, place: Place) -> Option<Node> {
        let listed = |keyword: &'static str| Some((vec![keyword], schema.get(keyword)?.items()?.to_vec()));
        let (keywords, branches) = listed("anyOf").or_else(|| listed("oneOf")).or_else(|| conditional(schema))?;
        let mut rest = schema.clone();
        if let NodeKind::Object(members) = &mut rest.kind {
            members.retain(|(key, _)| !keywords.contains(&key.name.as_str()));
        }
        let is_null = |branch: &&Node| branch.get("type").and_then(Node::as_str) == Some("null");
        let (nulls, others): (Vec<&Node>, Vec<&Node>) = branches.iter().partition(is_null);
        others
            .into_iter()
            .chain(nulls)
            .find_map(|branch| self.value(&all_of(vec![branch.clone(), rest.clone()]), place.inside(place.index)))
    }

    fn made(&self, schema: &Node, place: Place) -> Option<Node> {
        match type_of(schema) {
            JsonType::Array => self.array(schema, place),
            JsonType::Boolean => Some(node(NodeKind::Bool(place.index.is_multiple_of(2)))),
            JsonType::Integer | JsonType::Number => scalar::number(schema, self.root, place.index),
            JsonType::Null => Some(node(NodeKind::Null)),
            JsonType::Object => self.object(schema, place),
            JsonType::String => scalar::string(schema, self.root, place.index),
        }
    }

    fn array(&self, schema: &Node, place: Place) -> Option<Node> {
        let first = schema.get("prefixItems").and_then(Node::items).unwrap_or_default();
        let least = count(schema, "minItems").unwrap_or(0);
        let most = count(schema, "maxItems").unwrap_or(usize::MAX);
        let wanted = if place.depth < self.most_optional { first.len().max(1) } else { 0 };
        let length = wanted.max(least).min(most);
        let is_set = schema.get("uniqueItems").and_then(Node::as_bool) == Some(true);
        let (anything, contained) = (node(NodeKind::Bool(true)), schema.get("contains"));
        let mut items: Vec<Node> = Vec::new();
        // Of several proposals for an item some can be alike.
        for index in 0..length.saturating_mul(2).min(MAX_ITEMS) {
            if items.len() == length {
                break;
            }
            let rest = contained.filter(|_| items.len() == first.len()).or(schema.get("items"));
            let item = first.get(items.len()).or(rest).unwrap_or(&anything);
            match self.value(item, place.inside(if is_set { index } else { 0 })) {
                Some(item) if is_set && items.iter().any(|known| same(known, &item)) => {}
                Some(item) => items.push(item),
                None => break,
            }
        }
        (items.len() >= least).then(|| node(NodeKind::Array(items)))
    }

    fn object(&self, schema: &Node, place: Place) -> Option<Node> {
        let required: Vec<&str> = texts(schema, "required");
        let properties = schema.get("properties").and_then(Node::members).unwrap_or_default();
        let most = count(schema, "maxProperties").unwrap_or(usize::MAX);
        let mut object = Node::object(Span::default());
        let mut length = 0;
        for (key, property) in properties {
            let is_required = required.contains(&key.name.as_str());
            let others = required.iter().filter(|name| object.get(name).is_none()).count();
            if !is_required && (place.depth >= self.most_optional || length + others >= most) {
                continue;
            }
            match self.value(property, place.inside(place.index)) {
                Some(value) => object.push(&key.name, value),
                None if is_required => return None,
                None => continue,
            }
            length += 1;
        }
        let undeclared: Vec<String> = required.iter().map(|name| (*name).to_owned()).collect();
        let extra = (1..=MAX_ITEMS).map(|index| format!("key{index}"));
        let least = count(schema, "minProperties").unwrap_or(0).min(MAX_ITEMS);
        for (index, name) in undeclared.into_iter().chain(extra).enumerate() {
            if index >= required.len() && length >= least {
                break;
            }
            if object.get(&name).is_none() {
                object.push(&name, self.value(&other_property(schema, &name), place.inside(index))?);
                length += 1;
            }
        }
        Some(object)
    }
}

/// The ways through `if`: it holds, or it does not.
fn conditional(schema: &Node) -> Option<(Vec<&'static str>, Vec<Node>)> {
    let condition = schema.get("if")?;
    let branch = |keyword: &str| schema.get(keyword).cloned().unwrap_or(node(NodeKind::Bool(true)));
    let branches = vec![all_of(vec![condition.clone(), branch("then")]), branch("else")];
    Some((vec!["if", "then", "else"], branches))
}

fn all_of(schemas: Vec<Node>) -> Node {
    let mut all = Node::object(Span::default());
    all.push("allOf", node(NodeKind::Array(schemas)));
    all
}

/// The schema of a property that is not declared.
fn other_property(schema: &Node, name: &str) -> Node {
    let declared = schema.get("properties").and_then(|properties| properties.get(name));
    let matching = |(pattern, _): &&(crate::document::Key, Node)| pattern.name.trim_matches(['^', '$']) == name;
    let patterns = schema.get("patternProperties").and_then(Node::members).unwrap_or_default();
    let by_pattern = patterns.iter().find(matching).map(|(_, schema)| schema);
    let found = declared.or(by_pattern).or(schema.get("additionalProperties"));
    found.cloned().unwrap_or(node(NodeKind::Bool(true)))
}

/// The type to make, where several are allowed the first that is not null.
fn type_of(schema: &Node) -> JsonType {
    let stated = schema.get("type").map(|ty| ty.items().unwrap_or(std::slice::from_ref(ty))).unwrap_or_default();
    let known: Vec<JsonType> = stated.iter().filter_map(|name| JsonType::named(name.as_str()?)).collect();
    if let Some(ty) = known.iter().find(|ty| **ty != JsonType::Null).or(known.first()) {
        return *ty;
    }
    let spoken_of = [
        (JsonType::Object, &["properties", "required", "additionalProperties", "patternProperties"][..]),
        (JsonType::Array, &["items", "prefixItems", "contains", "minItems"]),
        (JsonType::Number, &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
    ];
    let is_meant = |keywords: &[&str]| keywords.iter().any(|keyword| schema.get(keyword).is_some());
    spoken_of.into_iter().find(|(_, keywords)| is_meant(keywords)).map_or(JsonType::String, |(ty, _)| ty)
}

fn texts<'n>(schema: &'n Node, keyword: &str) -> Vec<&'n str> {
    schema.get(keyword).and_then(Node::items).unwrap_or_default().iter().filter_map(Node::as_str).collect()
}

fn count(schema: &Node, keyword: &str) -> Option<usize> {
    super::as_integer(schema.get(keyword)?.as_number()?).and_then(|count| usize::try_from(count).ok())
}

const fn node(kind: NodeKind) -> Node {
    Node::new(kind, Span::NOWHERE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Diagnostics;
    use crate::document::json::{Place as JsonPlace, read};

    fn first(schema: &str) -> String {
        let schema = read(schema, JsonPlace::At(Span::default()), &mut Diagnostics::default()).unwrap();
        samples(&schema).first().map_or_else(|| "nothing".to_owned(), Node::to_json)
    }

    #[test]
    fn values_are_what_a_person_would_write() {
        for (schema, value) in [
            (r#"{"type":"integer"}"#, "1"),
            (r#"{"type":"integer","minimum":5}"#, "5"),
            (r#"{"type":"number","exclusiveMinimum":0,"maximum":0.5}"#, "0.5"),
            (r#"{"type":"integer","maximum":-3,"multipleOf":4}"#, "-4"),
            (r#"{"type":"string","minLength":6}"#, r#""texttt""#),
            (r#"{"type":"string","format":"date"}"#, r#""2026-01-31""#),
            (r#"{"type":"string","pattern":"^[A-Z]{2}-\\d+$"}"#, r#""AA-1""#),
            (r#"{"type":"string","pattern":"^(?!a$)a+$"}"#, r#""aa""#),
            (r#"{"type":"string","pattern":"^b+$","default":"a"}"#, r#""b""#),
            (r#"{"type":["null","boolean"]}"#, "true"),
            (r#"{"enum":[3,4]}"#, "3"),
            (r#"{"type":"string","default":"x","maxLength":0}"#, r#""""#),
            (r#"{"anyOf":[{"type":"null"},{"type":"integer"}]}"#, "1"),
            (r#"{"type":"array","items":{"enum":["a","b"]},"minItems":2,"uniqueItems":true}"#, r#"["a","b"]"#),
            (r#"{"type":"object","required":["b"],"additionalProperties":{"type":"integer"}}"#, r#"{"b":1}"#),
            (r#"{"allOf":[{"minimum":3},{"maximum":3,"type":"integer"}]}"#, "3"),
            ("false", "nothing"),
        ] {
            assert_eq!(first(schema), value, "{schema}");
        }
    }

    #[test]
    fn recursion_ends() {
        let list = r##"{"type":"object","properties":{"next":{"$ref":"#"}}}"##;
        assert_eq!(first(list), r#"{"next":{"next":{"next":{"next":{}}}}}"#);
        let endless = r##"{"type":"object","properties":{"next":{"$ref":"#"}},"required":["next"]}"##;
        assert_eq!(first(endless), "nothing");
        assert_eq!(first(r##"{"$ref":"#"}"##), "nothing");
    }
}
