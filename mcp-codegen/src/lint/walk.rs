//! The schemas inside a schema, with their way and their place.

use crate::document::Node;
use crate::lint::cx::member;
use crate::schema::subschemas;
use crate::source::Span;

/// One schema of a tool.
#[derive(Clone, Debug)]
pub(super) struct Spot<'n> {
    pub(super) schema: &'n Node,
    /// The JSON Pointer that leads to it.
    pub(super) pointer: String,
    /// Objects and arrays around it.
    pub(super) depth: usize,
}

/// The schema and all in it, from the outside in.
pub(super) fn spots(root: &Node) -> Vec<Spot<'_>> {
    let mut spots = vec![Spot { schema: root, pointer: String::new(), depth: 1 }];
    let mut next = 0;
    while let Some(Spot { schema, pointer, depth }) = spots.get(next).cloned() {
        spots.extend(subschemas(schema).into_iter().map(|(step, inside)| {
            let is_deeper = ["/properties/", "/items", "/prefixItems/", "/additionalProperties"];
            let deeper = usize::from(is_deeper.iter().any(|way| step.starts_with(way)));
            Spot { schema: inside, pointer: format!("{pointer}{step}"), depth: depth + deeper }
        }));
        next += 1;
    }
    spots
}

/// Which of these keywords stand anywhere in a schema, each with its first place.
pub(super) fn present<'k>(root: &Node, keywords: &[&'k str]) -> Vec<(&'k str, Span)> {
    let spots = spots(root);
    let place = |keyword| spots.iter().find_map(|spot| Some(member(spot.schema, keyword)?.0.span));
    keywords.iter().filter_map(|keyword| Some((*keyword, place(keyword)?))).collect()
}

impl Spot<'_> {
    /// A short place to underline: of a whole schema its type, or else its first keyword.
    pub(super) fn mark(&self) -> Span {
        let first = self.schema.members().and_then(<[_]>::first).map(|(key, _)| key.span);
        self.schema.get("type").map(|ty| ty.span).or(first).unwrap_or(self.schema.span)
    }

    /// How people call it.
    pub(super) fn shown(&self) -> String {
        let name = self.pointer.rsplit_once("/properties/").map(|(_, name)| name.replace("~1", "/").replace("~0", "~"));
        match name {
            Some(name) if !name.contains('/') => format!("`{name}`"),
            _ if self.pointer.is_empty() => "the schema".to_owned(),
            _ => format!("`{}`", self.pointer),
        }
    }

    /// Whether `type` is that word, or a list with it.
    pub(super) fn is(&self, ty: &str) -> bool {
        let Some(types) = self.schema.get("type") else { return false };
        let list = types.items().unwrap_or(std::slice::from_ref(types));
        list.iter().any(|name| name.as_str() == Some(ty))
    }
}
