//! Tools: `Args` and `Output`.

use std::collections::BTreeMap;

use crate::contract::{self, SchemaPair, Side};
use crate::diagnostic::Diagnostics;
use crate::ir::{self, RustIdent, TypeId, Validation};
use crate::lower::schema::{FileScope, Lowering, SchemaSource};
use crate::lower::{Cx, feature, file_scope, formats, validation};
use crate::schema;

pub(super) fn lower(cx: &mut Cx<'_>, tool: &contract::Tool) -> ir::Tool {
    let mut feature = feature::lower(cx, &tool.common, "Tool");
    let mut file = file_scope(cx, &feature.trait_name);
    let args = side(cx, &mut file, tool, (Side::Input, &tool.input));
    let output = tool.output.as_ref().map(|output| side(cx, &mut file, tool, (Side::Output, output)));
    let schemas = std::iter::once(&tool.input).chain(&tool.output);
    let formats = formats::asserted(schemas.clone(), cx.formats);
    let patterns = validation::patterns(schemas.map(|pair| &pair.wire));
    let patterns = patterns.iter().filter_map(|pattern| file.pattern(pattern)).collect();
    feature.types = file.defined;
    feature.patterns = file.patterns;
    let judged = |pair: &SchemaPair, rules| validation::judged(pair, rules, (&formats, cx.formats.of(pair.portable)));
    ir::Tool {
        feature,
        args,
        output,
        secrets: tool.secrets.clone(),
        headers: tool.headers.iter().map(header).collect(),
        schema: judged(&tool.input, tool.rules.as_ref()),
        output_schema: tool.output.as_ref().and_then(|output| judged(output, None)),
        patterns,
        formats,
        validation: Validation::Type,
        examples: feature::examples(&tool.examples),
    }
}

fn header(header: &contract::Header) -> ir::Header {
    let kind = match header.kind {
        contract::HeaderKind::Boolean => ir::HeaderKind::Boolean,
        contract::HeaderKind::Integer => ir::HeaderKind::Integer,
        contract::HeaderKind::String => ir::HeaderKind::String,
    };
    ir::Header { name: format!("Mcp-Param-{}", header.name), path: header.path.clone(), kind }
}

/// The type of a tool's arguments or result.
fn side(cx: &mut Cx<'_>, file: &mut FileScope, tool: &contract::Tool, (side, pair): (Side, &SchemaPair)) -> TypeId {
    let name = RustIdent::new(match side {
        Side::Input => "Args",
        Side::Output => "Output",
    });
    // Its faults were reported when the contract was read.
    let schema = schema::read(&pair.typed, &mut Diagnostics::default());
    let source = SchemaSource {
        root: &pair.typed,
        side,
        portable: pair.portable,
        hints: &tool.common.hints,
        defs: &cx.defs,
        formats: cx.formats.of(pair.portable),
        name: &name,
    };
    let mut lowering =
        Lowering { types: &mut cx.types, found: &mut *cx.found, file, source, references: BTreeMap::new() };
    let is_object = schema.object().is_some_and(|schema| {
        schema.types.as_ref().is_none_or(|types| types.value == [schema::JsonType::Object])
            && schema.reference.is_none()
    });
    match side {
        Side::Input => lowering.root_struct(&schema),
        Side::Output if is_object && has_properties(&schema) => lowering.root_struct(&schema),
        Side::Output => {
            let ty = lowering.root(&schema);
            cx.types.without_foreign(ty)
        }
    }
}

fn has_properties(schema: &schema::Schema) -> bool {
    schema.object().is_some_and(|schema| !schema.properties.is_empty())
}
