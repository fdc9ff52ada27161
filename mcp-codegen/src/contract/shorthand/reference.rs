//! `ref`: definitions where they are named, and those that the wire has to carry along.

use super::expander::{Expander, For, Spot};
use crate::contract::portable;
use crate::document::{Key, Node, NodeKind};
use crate::schema;
use crate::source::{Span, Spanned};

impl Expander<'_, '_> {
    /// `ref = "Name"`, with words of its own beside it.
    pub(super) fn reference(&mut self, members: &[(Key, Node)], name: &Spanned<String>, spot: &Spot) -> Node {
        let mut beside = Node::object(name.span);
        for (key, value) in members.iter().filter(|(key, _)| key.name != "ref") {
            match key.name.as_str() {
                "title" | "description" | "default" | "deprecated" | "examples" => beside.put(key, value.clone()),
                _ if self.own(key, value, spot) => {}
                name => self.refuse_key(key, &format!("`{name}` stands beside `ref`"), "say it in the definition"),
            }
        }
        // What holds a value of a secret type hides it; the type itself has no name to hide.
        if self.side == For::Types && self.defs.is_secret(&name.value) {
            let index = self.hint_at(spot, name.span);
            self.hints[index].secret = true;
        }
        let mut schema = self.target(name, spot);
        let NodeKind::Object(beside) = beside.kind else { return schema };
        for (key, value) in beside {
            schema.put(&key, value);
        }
        if self.side == For::Wire {
            portable::say_format(&mut schema);
        }
        schema
    }

    /// The definition, or a reference to it.
    fn target(&mut self, name: &Spanned<String>, spot: &Spot) -> Node {
        let refer = |to: String| {
            let mut node = Node::object(name.span);
            node.push("$ref", Node::string(&to, name.span));
            node
        };
        let Some(def) = self.defs.get(&name.value) else {
            if let Some(finding) = self.defs.undefined(name) {
                self.found.push(finding);
            }
            return Node::object(name.span);
        };
        match self.side {
            For::Types => refer(format!("{}{}", schema::DEFS, name.value)),
            For::Wire if def.is_recursive => {
                if !self.carried.contains(&name.value) {
                    self.carried.push(name.value.clone());
                }
                refer(format!("#/$defs/{}", name.value))
            }
            For::Wire => self.definition(&name.value, spot),
        }
    }

    /// A definition as it stands on the wire at a place.
    fn definition(&mut self, name: &str, spot: &Spot) -> Node {
        let Some(def) = self.defs.get(name) else { return Node::object(Span::default()) };
        if def.is_table { self.object(&def.body, None, spot) } else { self.schema(&def.body, spot) }
    }

    /// Adds `$defs` for what the wire refers to, and for what that refers to.
    pub(super) fn define(&mut self, wire: &mut Node) {
        let mut definitions = Vec::new();
        while let Some(name) = self.carried.get(definitions.len()).cloned() {
            let span = self.defs.get(&name).map_or(wire.span, |def| def.name.span);
            let definition = self.definition(&name, &Spot::root().inside("$defs").inside(&name));
            definitions.push((Key { name, span }, definition));
        }
        if !definitions.is_empty() {
            wire.push("$defs", Node::new(NodeKind::Object(definitions), wire.span));
        }
    }
}
