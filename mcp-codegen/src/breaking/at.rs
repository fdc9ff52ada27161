//! A schema in its document, and what can be asked of it without knowing a value.

use std::ptr;

use crate::document::{Key, Node, NodeKind};
use crate::schema::{JsonType, resolve};

use super::budget::Fuel;
use super::number::Decimal;

/// A settled schema, the root that its references start from, and what its comparison may still cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct At<'n> {
    pub(super) node: &'n Node,
    pub(super) root: &'n Node,
    pub(super) fuel: &'n Fuel,
}

impl<'n> At<'n> {
    pub(super) const fn root(node: &'n Node, fuel: &'n Fuel) -> Self {
        Self { node, root: node, fuel }
    }

    /// Another schema of the same document.
    pub(super) const fn of(self, node: &'n Node) -> Self {
        Self { node, root: self.root, fuel: self.fuel }
    }

    /// Which schema it is, for walks that may come back to it.
    pub(super) fn id(self) -> usize {
        ptr::from_ref(self.node).addr()
    }

    pub(super) fn get(self, keyword: &str) -> Option<Self> {
        self.node.get(keyword).map(|node| self.of(node))
    }

    /// The schemas in a list of them.
    pub(super) fn list(self, keyword: &str) -> Vec<Self> {
        let items = self.node.get(keyword).and_then(Node::items).unwrap_or_default();
        items.iter().map(|node| self.of(node)).collect()
    }

    /// Names and schemas.
    pub(super) fn map(self, keyword: &str) -> &'n [(Key, Node)] {
        self.node.get(keyword).and_then(Node::members).unwrap_or_default()
    }

    /// What `$ref` leads to.
    pub(super) fn target(self) -> Option<Self> {
        let reference = self.node.get("$ref")?.as_str()?;
        Some(self.of(resolve(self.root, reference)?))
    }

    pub(super) fn number(self, keyword: &str) -> Option<Decimal> {
        Decimal::parse(self.node.get(keyword)?.as_number()?)
    }

    pub(super) fn count(self, keyword: &str) -> Option<u64> {
        let count = self.number(keyword)?.to_integer()?;
        u64::try_from(count).ok()
    }

    pub(super) fn text(self, keyword: &str) -> Option<&'n str> {
        self.node.get(keyword)?.as_str()
    }

    /// The lower bound, and whether the bound itself is outside.
    pub(super) fn lower(self) -> Option<(Decimal, bool)> {
        self.bound("minimum", "exclusiveMinimum", |a, b| a > b)
    }

    /// The upper bound, and whether the bound itself is outside.
    pub(super) fn upper(self) -> Option<(Decimal, bool)> {
        self.bound("maximum", "exclusiveMaximum", |a, b| a < b)
    }

    fn bound(
        self,
        including: &str,
        excluding: &str,
        is_tighter: fn(&Decimal, &Decimal) -> bool,
    ) -> Option<(Decimal, bool)> {
        let within = self.number(including);
        // In draft-04 the exclusive one says how the other is meant.
        if self.node.get(excluding).and_then(Node::as_bool) == Some(true) {
            return within.map(|bound| (bound, true));
        }
        match (within, self.number(excluding)) {
            (Some(within), Some(beyond)) if is_tighter(&within, &beyond) => Some((within, false)),
            (_, Some(beyond)) => Some((beyond, true)),
            (within, None) => within.map(|bound| (bound, false)),
        }
    }

    /// What `type` allows; nothing where it says nothing.
    pub(super) fn types(self) -> Option<Vec<JsonType>> {
        let ty = self.node.get("type")?;
        let names = ty.items().unwrap_or(std::slice::from_ref(ty));
        Some(names.iter().filter_map(|name| JsonType::named(name.as_str()?)).collect())
    }

    /// The values of `enum` and `const`.
    pub(super) fn values(self) -> Option<Vec<&'n Node>> {
        let constant = self.node.get("const").map(|value| vec![value]);
        let listed = self.node.get("enum").and_then(Node::items).map(|values| values.iter().collect::<Vec<_>>());
        match (constant, listed) {
            (Some(constant), Some(listed)) => {
                Some(constant.into_iter().filter(|value| listed.iter().any(|other| equal(value, other))).collect())
            }
            (constant, listed) => constant.or(listed),
        }
    }

    /// The schemas of the first items of an array, in every dialect's spelling.
    pub(super) fn prefix(self) -> Vec<Self> {
        let listed = self.list("prefixItems");
        if listed.is_empty() { self.list("items") } else { listed }
    }

    /// The schema of the items after those.
    pub(super) fn rest(self) -> Option<Self> {
        match self.get("items") {
            Some(items) if items.node.items().is_none() => Some(items),
            Some(_) => self.get("additionalItems"),
            None => None,
        }
    }

    pub(super) fn required(self) -> impl Iterator<Item = &'n str> {
        self.node.get("required").and_then(Node::items).unwrap_or_default().iter().filter_map(Node::as_str)
    }

    /// Whether it refuses every property that it does not name, and names all by name.
    pub(super) fn is_closed(self) -> bool {
        let additional = self.node.get("additionalProperties").and_then(Node::as_bool);
        additional == Some(false) && self.map("patternProperties").is_empty()
    }
}

/// Equality as JSON Schema has it: `1` is `1.0`, and the order of keys says nothing.
pub(super) fn equal(a: &Node, b: &Node) -> bool {
    match (&a.kind, &b.kind) {
        (NodeKind::Number(a), NodeKind::Number(b)) => a == b || Decimal::parse(a) == Decimal::parse(b),
        (NodeKind::Array(a), NodeKind::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (NodeKind::Object(a), NodeKind::Object(others)) => {
            a.len() == others.len()
                && a.iter().all(|(key, value)| b.get(&key.name).is_some_and(|other| equal(value, other)))
        }
        (NodeKind::String(a), NodeKind::String(b)) => a == b,
        (NodeKind::Bool(a), NodeKind::Bool(b)) => a == b,
        (NodeKind::Null, NodeKind::Null) => true,
        _ => false,
    }
}

/// Keywords that refuse nothing.
pub(super) fn is_annotation(keyword: &str) -> bool {
    const SAY: [&str; 19] = [
        "$recursiveAnchor",
        "$anchor",
        "$comment",
        "$defs",
        "$dynamicAnchor",
        "$id",
        "$schema",
        "$vocabulary",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
        "default",
        "definitions",
        "deprecated",
        "description",
        "examples",
        "readOnly",
        "title",
        "writeOnly",
    ];
    SAY.contains(&keyword) || crate::schema::takes(keyword).is_none()
}

/// The type of a value; a number without a fraction is an integer.
pub(super) fn type_of(value: &Node) -> JsonType {
    match &value.kind {
        NodeKind::Array(_) => JsonType::Array,
        NodeKind::Bool(_) => JsonType::Boolean,
        NodeKind::Null => JsonType::Null,
        NodeKind::Number(text) if Decimal::parse(text).is_some_and(|number| number.is_integer()) => JsonType::Integer,
        NodeKind::Number(_) => JsonType::Number,
        NodeKind::Object(_) => JsonType::Object,
        NodeKind::String(_) => JsonType::String,
    }
}
