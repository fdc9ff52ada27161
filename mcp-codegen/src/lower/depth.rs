//! Ends types that nest deeper than the compiler follows: what is behind becomes any value.
//!
//! To prove that a type can be sent to another thread, rustc walks into all that it is made of, 128 steps at most. An
//! `Option` takes one of them, a `Vec` three.

use std::collections::HashSet;

use crate::ir::{Literal, Presence, TypeArena, TypeId, TypeKind};

/// The steps that a type may take. The rest is for values at its end, and for the futures that hold it.
const MAX_STEPS: usize = 80;

/// Cuts all that nests too deep below `roots`. Says which types are still reached, if any was cut.
pub(crate) fn limit(types: &mut TypeArena, roots: &[TypeId]) -> Option<Vec<bool>> {
    let cuts = too_deep(types, roots);
    if cuts.is_empty() {
        return None;
    }
    let docs = "Any JSON value: its schema nests deeper than types can.".to_owned();
    let any = types.add(TypeKind::Any(Some(docs)));
    for (parent, child) in cuts {
        let parent = types.kind_mut(parent);
        if let TypeKind::Struct(definition) = parent {
            for field in definition.fields.iter_mut().filter(|field| field.ty == child) {
                if let Presence::Defaulted(literal) = &mut field.presence {
                    *literal = as_json(literal);
                }
            }
        }
        parent.replace_child(child, any);
    }
    Some(Walk::new(types, roots).done)
}

/// The references, by the type that has them, behind which there would be more than [`MAX_STEPS`].
fn too_deep(types: &TypeArena, roots: &[TypeId]) -> Vec<(TypeId, TypeId)> {
    let walk = Walk::new(types, roots);
    let mut steps: Vec<Option<usize>> = vec![None; types.len()];
    for root in roots {
        steps[root.index()] = Some(0);
    }
    let mut cuts = Vec::new();
    // Whatever leads to a type comes before it, so that the longest way is known when it is its turn.
    for &id in walk.order.iter().rev() {
        let Some(before) = steps[id.index()] else { continue };
        let kind = types.kind(id);
        let behind = before + cost(kind);
        for child in kind.children() {
            if walk.circles.contains(&(id, child)) {
                continue;
            }
            // Elsewhere the parent needs a child of its kind.
            let can_end = matches!(kind, TypeKind::Array { .. } | TypeKind::Map { .. } | TypeKind::Struct(_));
            if can_end && behind + cost(types.kind(child)) > MAX_STEPS {
                cuts.push((id, child));
            } else {
                let known = &mut steps[child.index()];
                *known = Some(known.unwrap_or_default().max(behind));
            }
        }
    }
    cuts
}

/// The steps into what a type is made of; none where that is nothing of ours.
fn cost(kind: &TypeKind) -> usize {
    match kind {
        TypeKind::Array { .. } | TypeKind::Map { .. } => 3,
        // A field may be absent.
        TypeKind::Boxed(_) | TypeKind::Struct(_) => 2,
        TypeKind::Nullable(_) | TypeKind::Union(_) => 1,
        TypeKind::Any(_)
        | TypeKind::Bool
        | TypeKind::Constant(_)
        | TypeKind::Enum(_)
        | TypeKind::Foreign { .. }
        | TypeKind::Integer { .. }
        | TypeKind::Null
        | TypeKind::Number(_)
        | TypeKind::String(_) => 0,
    }
}

/// A default of what has become any value.
fn as_json(literal: &Literal) -> Literal {
    match literal {
        Literal::EmptyArray => Literal::Json("[]".to_owned()),
        Literal::Some(inner) => as_json(inner),
        scalar_or_json => scalar_or_json.clone(),
    }
}

/// A walk in depth through all that `roots` reach.
struct Walk {
    done: Vec<bool>,
    open: Vec<bool>,
    /// Children before parents.
    order: Vec<TypeId>,
    /// References that close a circle.
    circles: HashSet<(TypeId, TypeId)>,
}

impl Walk {
    fn new(types: &TypeArena, roots: &[TypeId]) -> Self {
        let none = vec![false; types.len()];
        let mut walk = Self { done: none.clone(), open: none, order: Vec::new(), circles: HashSet::new() };
        for &root in roots {
            walk.visit(types, root);
        }
        walk
    }

    fn visit(&mut self, types: &TypeArena, id: TypeId) {
        if std::mem::replace(&mut self.done[id.index()], true) {
            return;
        }
        self.open[id.index()] = true;
        for child in types.kind(id).children() {
            if self.open[child.index()] {
                self.circles.insert((id, child));
            } else {
                self.visit(types, child);
            }
        }
        self.open[id.index()] = false;
        self.order.push(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::ArrayRules;

    fn list(types: &mut TypeArena, item: TypeId) -> TypeId {
        types.add(TypeKind::Array { item, rules: ArrayRules::default() })
    }

    /// How many lists are in each other from here on.
    fn levels(types: &TypeArena, mut id: TypeId) -> usize {
        let mut levels = 0;
        while let TypeKind::Array { item, .. } = types.kind(id) {
            (id, levels) = (*item, levels + 1);
        }
        levels
    }

    #[test]
    fn lists_end_where_they_nest_too_deep() {
        let mut types = TypeArena::default();
        let mut root = types.add(TypeKind::Bool);
        let leaf = root;
        for _ in 0..MAX_STEPS / 3 {
            root = list(&mut types, root);
        }
        assert_eq!(limit(&mut types, &[root]), None);
        root = list(&mut types, root);
        let reached = limit(&mut types, &[root]).unwrap();
        assert_eq!(levels(&types, root), MAX_STEPS / 3);
        assert!(reached[root.index()] && !reached[leaf.index()]);
    }

    #[test]
    fn a_type_that_two_ways_lead_to_is_as_deep_as_the_longer() {
        let mut types = TypeArena::default();
        let leaf = types.add(TypeKind::Bool);
        let mut shared = leaf;
        for _ in 0..MAX_STEPS / 6 {
            shared = list(&mut types, shared);
        }
        let mut long = shared;
        for _ in 0..MAX_STEPS / 4 {
            long = list(&mut types, long);
        }
        limit(&mut types, &[shared, long]).unwrap();
        assert_eq!(levels(&types, long), MAX_STEPS / 3);
    }

    #[test]
    fn a_circle_has_no_depth() {
        let mut types = TypeArena::default();
        let id = types.reserve();
        let boxed = types.add(TypeKind::Boxed(id));
        let item = types.add(TypeKind::Nullable(boxed));
        types.set(id, TypeKind::Array { item, rules: ArrayRules::default() });
        assert_eq!(limit(&mut types, &[id]), None);
    }
}
