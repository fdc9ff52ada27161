//! `enum` and `const` → an enumeration.

use std::collections::HashSet;

use crate::document::{Node, NodeKind};
use crate::ir::{Enum, TypeId, TypeKind};
use crate::lower::naming::{self, Scope};
use crate::lower::scalar;
use crate::lower::schema::{Lowering, Place, about};
use crate::schema::SchemaObject;
use crate::source::Spanned;

impl Lowering<'_> {
    /// `enum` and `const`.
    pub(crate) fn enumeration(&mut self, place: Place<'_>, schema: &SchemaObject, values: &[Node]) -> TypeId {
        if values.is_empty() {
            self.unsatisfiable(place, "an empty `enum` accepts no value");
            return self.any(place);
        }
        let mut known = HashSet::new();
        let fitting = values.iter().filter(|value| scalar::has_type(value, schema));
        let mut scalars: Vec<&Node> = fitting.filter(|value| known.insert(value.to_json())).collect();
        let nullable = scalars.iter().any(|value| value.is_null());
        scalars.retain(|value| !value.is_null());
        if scalars.is_empty() && nullable {
            return self.types.add(TypeKind::Null);
        }
        if scalars.is_empty()
            || scalars.iter().any(|value| matches!(value.kind, NodeKind::Array(_) | NodeKind::Object(_)))
        {
            return self.any(place);
        }
        let name = if nullable { self.name_of_value(place) } else { place.name.to_owned() };
        let place = Place { name: &name, ..place };
        let ty = self.same_enum(place, &scalars).unwrap_or_else(|| {
            let kind = TypeKind::Enum(self.enum_of(place, schema.description.as_ref(), &scalars));
            let ty = self.types.add(kind);
            self.file.defined.push(ty);
            ty
        });
        if nullable { self.nullable(ty) } else { ty }
    }

    /// An enumeration of the same name and values, such as `units` among the arguments and again in the result: what
    /// came in can then go out as it is.
    fn same_enum(&self, place: Place<'_>, values: &[&Node]) -> Option<TypeId> {
        let name = self.wanted_name(place);
        let strings = values.iter().all(|value| value.as_str().is_some());
        let wires: Vec<String> = values.iter().map(|value| wire(value, strings)).collect();
        self.file.defined.iter().copied().find(|id| {
            let TypeKind::Enum(known) = self.types.kind(*id) else { return false };
            known.name == name
                && known.strings == strings
                && known.derives == self.derives(place)
                && known.variants.iter().map(|variant| &variant.wire).eq(&wires)
        })
    }

    fn enum_of(&mut self, place: Place<'_>, docs: Option<&Spanned<String>>, values: &[&Node]) -> Enum {
        let strings = values.iter().all(|value| value.as_str().is_some());
        let mut names = Scope::default();
        let variant = |(index, value): (usize, &&Node)| {
            let wire = wire(value, strings);
            let rust = names.take(&naming::pascal(value.as_str().unwrap_or(&wire), index + 1));
            crate::ir::Named { wire, rust }
        };
        let variants = values.iter().enumerate().map(variant).collect();
        Enum {
            name: self.define(place),
            docs: docs.map(|docs| docs.value.clone()).or_else(|| about(place.pointer)),
            derives: self.derives(place),
            strings,
            variants,
        }
    }
}

/// A value of an enumeration as it travels: the string itself where all are strings, else JSON text.
fn wire(value: &Node, strings: bool) -> String {
    value.as_str().filter(|_| strings).map_or_else(|| value.to_json(), str::to_owned)
}
