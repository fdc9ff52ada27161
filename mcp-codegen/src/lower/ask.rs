//! Asks: the struct that a form is filled into, named after its ask.

use std::collections::BTreeMap;

use crate::contract::{self, SchemaPair, Side};
use crate::diagnostic::Diagnostics;
use crate::ir::{self, Form, Named, RustIdent};
use crate::lower::Cx;
use crate::lower::naming::{self, Scope};
use crate::lower::schema::{FileScope, Lowering, Place, SchemaSource};
use crate::schema::{self, SchemaObject};

/// All asks; they share a file. Their own names come first, before any type that one of them nests.
pub(super) fn lower_all(cx: &mut Cx<'_>, asks: &[contract::Ask]) -> Vec<ir::Ask> {
    let names = Scope::with(cx.def_names.iter().map(|name| name.plain().to_owned()));
    let mut file = FileScope { names, ..FileScope::default() };
    let mut all = Vec::new();
    for (index, ask) in asks.iter().enumerate() {
        let name = naming::type_name(&naming::pascal_text(&ask.name.value, index + 1));
        all.push((ask, file.names.take(&name)));
    }
    all.into_iter().map(|(ask, name)| lower(cx, &mut file, (ask, name))).collect()
}

fn lower(cx: &mut Cx<'_>, file: &mut FileScope, (ask, name): (&contract::Ask, RustIdent)) -> ir::Ask {
    let form = ask.fields.as_ref().map(|fields| form(cx, file, (ask, fields, &name)));
    ir::Ask { name: Named { wire: ask.name.value.clone(), rust: name }, message: ask.message.clone(), form }
}

fn form(cx: &mut Cx<'_>, file: &mut FileScope, (ask, fields, name): (&contract::Ask, &SchemaPair, &RustIdent)) -> Form {
    // Its faults were reported when the contract was read.
    let schema = schema::read(&fields.typed, &mut Diagnostics::default());
    let content = cx.types.reserve();
    let source = SchemaSource {
        root: &fields.typed,
        side: Side::Input,
        portable: fields.portable,
        hints: &ask.hints,
        defs: &cx.defs,
        formats: cx.formats.of(fields.portable),
        name,
    };
    let references = BTreeMap::new();
    let mut lowering = Lowering { types: &mut cx.types, found: &mut *cx.found, file: &mut *file, source, references };
    let empty = SchemaObject::default();
    let object = schema.object().unwrap_or(&empty);
    lowering.structure(Place { schema: &schema, pointer: "", name: name.plain() }, object, content);
    Form { schema: fields.wire.to_json(), content, types: std::mem::take(&mut file.defined) }
}
