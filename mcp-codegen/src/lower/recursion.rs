//! Finds types that hold themselves by value, and puts a `Box` where the circle closes.

use crate::ir::{TypeArena, TypeId, TypeKind};

/// Breaks every circle among the types below `roots`.
pub(crate) fn break_circles(types: &mut TypeArena, roots: &[TypeId]) {
    let mut walk = Walk { done: vec![false; types.len()], open: Vec::new() };
    for &root in roots {
        walk.visit(types, root);
    }
}

/// A walk in depth: what is behind it, and the way from the root to where it stands.
struct Walk {
    done: Vec<bool>,
    open: Vec<TypeId>,
}

impl Walk {
    fn visit(&mut self, types: &mut TypeArena, id: TypeId) {
        if self.done[id.index()] {
            return;
        }
        self.open.push(id);
        for child in types.kind(id).children() {
            match self.open.iter().position(|open| *open == child) {
                Some(start) => close(types, &self.open[start..]),
                None => self.visit(types, child),
            }
        }
        self.open.pop();
        self.done[id.index()] = true;
    }
}

/// Breaks the circle that goes through `circle` and from its last type back to its first.
fn close(types: &mut TypeArena, circle: &[TypeId]) {
    let (Some(&first), Some(&last)) = (circle.first(), circle.last()) else { return };
    if circle.iter().all(|id| types.kind(*id).name().is_none()) {
        // A list of lists of itself: no finite Rust type can be written down.
        types.set(last, TypeKind::Any(None));
        return;
    }
    let indirect = |id: &TypeId| matches!(types.kind(*id), TypeKind::Array { .. } | TypeKind::Map { .. });
    if !circle.iter().any(indirect) {
        let boxed = types.add(TypeKind::Boxed(first));
        types.kind_mut(last).replace_child(first, boxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{ArrayRules, Field, Named, Presence, Rest, RustIdent, Struct};

    fn node(types: &mut TypeArena, id: TypeId, next: TypeId) {
        let name = Named { wire: "next".into(), rust: RustIdent::new("next") };
        let field = Field { name, docs: None, presence: Presence::Optional, secret: false, ty: next };
        let definition = Struct {
            name: RustIdent::new("Node"),
            docs: None,
            derives: Vec::new(),
            fields: vec![field],
            rest: Rest::Closed,
            secret_rest: false,
        };
        types.set(id, TypeKind::Struct(definition));
    }

    #[test]
    fn a_struct_in_itself_is_boxed() {
        let mut types = TypeArena::default();
        let id = types.reserve();
        let nullable = types.add(TypeKind::Nullable(id));
        node(&mut types, id, nullable);
        break_circles(&mut types, &[id]);
        let TypeKind::Nullable(inner) = *types.kind(nullable) else { panic!() };
        assert!(matches!(types.kind(inner), TypeKind::Boxed(to) if *to == id));
    }

    #[test]
    fn a_list_of_itself_needs_no_box() {
        let mut types = TypeArena::default();
        let id = types.reserve();
        let list = types.add(TypeKind::Array { item: id, rules: ArrayRules::default() });
        node(&mut types, id, list);
        break_circles(&mut types, &[id]);
        assert!(matches!(types.kind(list), TypeKind::Array { item, .. } if *item == id));
    }

    #[test]
    fn a_list_of_nothing_but_itself_is_any_value() {
        let mut types = TypeArena::default();
        let id = types.reserve();
        types.set(id, TypeKind::Array { item: id, rules: ArrayRules::default() });
        break_circles(&mut types, &[id]);
        assert!(matches!(types.kind(id), TypeKind::Any(_)));
    }
}
