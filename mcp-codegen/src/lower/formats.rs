//! `format` in a contract's schemas: those that are asserted, and those that nobody can assert.

use std::collections::BTreeSet;

use crate::contract::{Contract, SchemaPair};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::cursor::with_suggestion;
use crate::document::{Node, NodeKind};
use crate::formats::{AllFormats, Formats, NAMES, StringFormat};
use crate::schema::{schemas_inside, subschemas_mut};

/// Warns of formats that are not known where all are to be asserted, each once. Those of numbers say nothing about strings.
pub(super) fn report_unknown(contract: &Contract, formats: &AllFormats, found: &mut Diagnostics) {
    let formats = formats.of(true);
    if !formats.all {
        return;
    }
    let mut told = BTreeSet::new();
    for schema in schemas(contract) {
        each(schema, &mut |schema, name, node| {
            let is_known = StringFormat::named(name).is_some() || formats.ty(name).is_some();
            if !is_known && takes_strings(schema) && told.insert(name.to_owned()) {
                let message = format!("the format `{name}` is not known: it describes, and is not asserted");
                let finding = Diagnostic::warning(Code::UNKNOWN_FORMAT, node.span, message);
                found.push(with_suggestion(finding, name, &NAMES));
            }
        });
    }
}

/// The formats of some schemas that are asserted, in order.
pub(super) fn asserted<'n>(schemas: impl Iterator<Item = &'n SchemaPair>, formats: &AllFormats) -> Vec<StringFormat> {
    let mut asserted = BTreeSet::new();
    for pair in schemas {
        let formats = formats.of(pair.portable);
        each(&pair.wire, &mut |_, name, _| asserted.extend(formats.asserted(name)));
    }
    asserted.into_iter().collect()
}

/// Leaves out every format that is not asserted: the validator would assert those that it knows.
pub(crate) fn leave_out_others(schema: &mut Node, formats: &Formats) {
    let is_asserted = |node: &Node| node.as_str().is_some_and(|name| formats.asserted(name).is_some());
    if let NodeKind::Object(members) = &mut schema.kind {
        members.retain(|(key, value)| key.name != "format" || is_asserted(value));
    }
    for inside in subschemas_mut(schema) {
        leave_out_others(inside, formats);
    }
}

/// Every schema that strings are held against.
fn schemas(contract: &Contract) -> impl Iterator<Item = &Node> {
    let tools = contract.tools.iter().flat_map(|tool| std::iter::once(&tool.input).chain(&tool.output));
    let variables = contract.templates.iter().flat_map(|template| template.args.iter().map(|(_, pair)| pair));
    let forms = contract.asks.iter().filter_map(|ask| ask.fields.as_ref());
    let defs = contract.defs.iter().map(|def| &def.schema);
    tools.chain(variables).chain(forms).chain(defs).map(|pair| &pair.typed)
}

/// Visits each schema that has a format, with its name and place.
fn each<'n>(root: &'n Node, visit: &mut dyn FnMut(&'n Node, &'n str, &'n Node)) {
    let mut open = vec![root];
    while let Some(schema) = open.pop() {
        if let Some((format, name)) = schema.get("format").and_then(|format| Some((format, format.as_str()?))) {
            visit(schema, name, format);
        }
        open.extend(schemas_inside(schema).into_iter().rev());
    }
}

fn takes_strings(schema: &Node) -> bool {
    schema
        .get("type")
        .is_none_or(|ty| ty.items().unwrap_or(std::slice::from_ref(ty)).iter().any(|ty| ty.as_str() == Some("string")))
}
