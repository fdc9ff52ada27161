//! One schema for several that must all accept: `$ref` followed, `allOf` taken in.

use crate::document::{Key, Node, NodeKind};
use crate::schema::{Decimal, resolve, same};
use crate::source::Span;

/// References and `allOf` inside each other.
const MAX_STEPS: usize = 64;

/// The keywords of the schema and of all that it refers to, as one object; nothing if one of them accepts nothing.
pub(crate) fn merged(root: &Node, schema: &Node) -> Option<Node> {
    let mut all = Node::object(Span::default());
    let mut open = vec![schema];
    let mut steps = 0;
    while let Some(schema) = open.pop() {
        steps += 1;
        let members = match &schema.kind {
            NodeKind::Object(members) if steps <= MAX_STEPS => members,
            NodeKind::Bool(false) | NodeKind::Object(_) => return None,
            _ => continue,
        };
        for (key, value) in members {
            match key.name.as_str() {
                "$ref" => open.extend(value.as_str().and_then(|reference| resolve(root, reference))),
                "allOf" => open.extend(value.items().unwrap_or_default().iter().rev()),
                _ => add(&mut all, key, value),
            }
        }
    }
    Some(all)
}

/// Adds a keyword; where there is one, both must hold.
fn add(all: &mut Node, key: &Key, value: &Node) {
    let Some(there) = all.get(&key.name).cloned() else {
        all.put(key, value.clone());
        return;
    };
    let both = match key.name.as_str() {
        "properties" | "patternProperties" => both_maps(there, value),
        "required" => {
            let mut names = there.items().unwrap_or_default().to_vec();
            let new =
                value.items().unwrap_or_default().iter().filter(|name| !names.iter().any(|known| same(known, name)));
            let new: Vec<Node> = new.cloned().collect();
            names.extend(new);
            list(names)
        }
        "enum" => {
            let others = value.items().unwrap_or_default();
            let kept =
                there.items().unwrap_or_default().iter().filter(|one| others.iter().any(|other| same(one, other)));
            list(kept.cloned().collect())
        }
        "type" => {
            let names = |ty: &Node| ty.items().map_or_else(|| vec![ty.clone()], <[Node]>::to_vec);
            let others = names(value);
            let has = |one: &Node| others.iter().any(|other| other.as_str() == one.as_str());
            let narrower = |one: &Node| match one.as_str() {
                _ if has(one) => Some(one.clone()),
                Some("number") => others.iter().find(|other| other.as_str() == Some("integer")).cloned(),
                Some("integer") if others.iter().any(|other| other.as_str() == Some("number")) => Some(one.clone()),
                _ => None,
            };
            let mut kept: Vec<Node> = names(&there).iter().filter_map(narrower).collect();
            if kept.len() == 1 { kept.remove(0) } else { list(kept) }
        }
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => tighter(there, value, true),
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => tighter(there, value, false),
        "items" | "additionalProperties" => together(there, value),
        // What is said first is as good as what is said later.
        _ => there,
    };
    all.put(key, both);
}

fn both_maps(mut there: Node, value: &Node) -> Node {
    for (key, schema) in value.members().unwrap_or_default() {
        let both = match there.get(&key.name).cloned() {
            Some(known) => together(known, schema),
            None => schema.clone(),
        };
        there.put(key, both);
    }
    there
}

/// `{"allOf": […]}`
fn together(one: Node, other: &Node) -> Node {
    let mut both = Node::object(Span::default());
    both.push("allOf", list(vec![one, other.clone()]));
    both
}

fn tighter(there: Node, value: &Node, is_lower: bool) -> Node {
    let number = |node: &Node| node.as_number().and_then(Decimal::parse);
    match (number(&there), number(value)) {
        (Some(known), Some(new)) if (new > known) == is_lower && new != known => value.clone(),
        (None, Some(_)) => value.clone(),
        _ => there,
    }
}

const fn list(items: Vec<Node>) -> Node {
    Node::new(NodeKind::Array(items), Span::NOWHERE)
}
