//! Types of the author's instead of texts: on a place, or for all strings of a format.

use crate::config::Via;
use crate::diagnostic::{Code, Diagnostic};
use crate::formats::ForeignType;
use crate::ir::{TypeId, TypeKind};
use crate::lower::schema::{Lowering, Place};
use crate::source::Spanned;

impl Lowering<'_> {
    /// The author's own type instead of a text.
    pub(super) fn foreign(
        &mut self,
        place: Place<'_>,
        (ty, path, via): (TypeId, &Spanned<String>, Option<&Spanned<Via>>),
    ) -> TypeId {
        let via = via.map_or(Via::FromStr, |via| via.value);
        let fault = if place.pointer.is_empty() {
            "stands on a whole schema"
        } else {
            match self.foreign_type(ty, &ForeignType { path: path.value.clone(), via }) {
                Some(foreign) => return foreign,
                None => "stands on something that is no string",
            }
        };
        let message = format!("the Rust type `{}` {fault}", path.value);
        self.found.push(Diagnostic::error(Code::RUST_TYPE, path.span, message));
        ty
    }

    /// The type that the strings of a format have, if they have one.
    pub(crate) fn formatted(&mut self, place: Place<'_>, ty: TypeId) -> TypeId {
        let format = place.schema.object().and_then(|schema| schema.format.as_ref());
        let Some(foreign) = format.and_then(|format| self.source.formats.ty(&format.value)).cloned() else { return ty };
        self.foreign_type(ty, &foreign).unwrap_or(ty)
    }

    /// A type of the author's instead of a text; nothing instead of anything else.
    fn foreign_type(&mut self, ty: TypeId, ForeignType { path, via }: &ForeignType) -> Option<TypeId> {
        match self.types.kind(ty) {
            TypeKind::String(_) => {
                let foreign = TypeKind::Foreign { path: path.clone(), via: *via, wire: ty };
                Some(self.types.add(foreign))
            }
            TypeKind::Nullable(inner) => {
                let inner = *inner;
                let foreign = self.foreign_type(inner, &ForeignType { path: path.clone(), via: *via })?;
                Some(self.nullable(foreign))
            }
            _ => None,
        }
    }
}
