//! Resources and resource templates.

use std::collections::BTreeMap;

use crate::contract::{self, Side, StaticContent};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::ir::{
    self, Completion, Field, Named, Presence, Rest, RustIdent, StringRules, Struct, TypeId, TypeKind, UriPart,
};
use crate::lower::naming::{self, Scope};
use crate::lower::schema::{FileScope, Lowering, Place, SchemaSource};
use crate::lower::{Cx, feature, file_scope, uri};
use crate::schema;

pub(super) fn lower(cx: &mut Cx<'_>, resource: &contract::Resource) -> ir::Resource {
    let text = resource.content.as_ref().map(|content| match content {
        StaticContent::Text(text) => text.value.clone(),
        StaticContent::File(file) => cx.sources.file(*file).text.clone(),
    });
    ir::Resource {
        feature: feature::lower(cx, &resource.common, "Resource"),
        uri: resource.uri.value.clone(),
        mime_type: resource.mime_type.as_ref().map(|mime_type| mime_type.value.clone()),
        text,
        updates: resource.updates,
    }
}

pub(super) fn lower_template(cx: &mut Cx<'_>, template: &contract::ResourceTemplate) -> ir::ResourceTemplate {
    let uri = &template.uri_template;
    let parts = uri::parse(&uri.value).unwrap_or_else(|fault| {
        if !cx.found.has(Code::URI_TEMPLATE, uri.span) {
            let finding = Diagnostic::error(Code::URI_TEMPLATE, uri.span, format!("in `{}`: {fault}", uri.value));
            cx.found.push(finding.help("write each variable as `{name}`, with text between two of them"));
        }
        Vec::new()
    });
    let mut feature = feature::lower(cx, &template.common, "Template");
    let mut file = file_scope(cx, &feature.trait_name);
    let vars = vars(cx, &mut file, template, &parts);
    feature.types = file.defined;
    feature.patterns = file.patterns;
    let completions = completions(cx, vars, template);
    let mime_type = template.mime_type.as_ref().map(|mime_type| mime_type.value.clone());
    ir::ResourceTemplate {
        feature,
        uri_template: uri.value.clone(),
        mime_type,
        parts,
        vars,
        updates: template.updates,
        completions,
        examples: feature::examples(&template.examples),
    }
}

/// A variable is completed by a method where the author says so, else from its enumeration.
fn completions(cx: &Cx<'_>, vars: TypeId, template: &contract::ResourceTemplate) -> Vec<Completion> {
    let completion = |field: &Field| {
        let argument = field.name.clone();
        if template.complete.iter().any(|name| name.value == argument.wire) {
            return Some(Completion { argument, values: None });
        }
        let TypeKind::Enum(definition) = cx.types.kind(field.ty) else { return None };
        let values = definition.variants.iter().map(|variant| variant.wire.clone()).collect();
        definition.strings.then_some(Completion { argument, values: Some(values) })
    };
    cx.types.kind(vars).fields().iter().filter_map(completion).collect()
}

/// The variables as a struct, in the template's order.
fn vars(cx: &mut Cx<'_>, file: &mut FileScope, template: &contract::ResourceTemplate, parts: &[UriPart]) -> TypeId {
    let reserved = cx.types.reserve();
    file.defined.push(reserved);
    let mut names = Scope::default();
    let mut fields = Vec::new();
    for part in parts {
        let UriPart::Variable(wire) = part else { continue };
        let pointer = variable_pointer(wire);
        let hinted = template.common.hints.iter().find(|hint| hint.pointer.value == pointer);
        let rust = match hinted.and_then(|hint| hint.rust.name.as_ref()) {
            Some(name) => RustIdent::new(name.value.clone()),
            None => naming::snake(wire, fields.len() + 1),
        };
        let rust = names.take(&rust);
        let (ty, docs) = variable(cx, file, template, wire);
        let name = Named { wire: wire.clone(), rust };
        let secret = hinted.is_some_and(|hint| hint.secret);
        fields.push(Field { name, docs, presence: Presence::Required, secret, ty });
    }
    let name = RustIdent::new("Vars");
    let definition = Struct { name, docs: None, derives: Vec::new(), fields, rest: Rest::Closed, secret_rest: false };
    cx.types.set(reserved, TypeKind::Struct(definition));
    reserved
}

fn variable(
    cx: &mut Cx<'_>,
    file: &mut FileScope,
    template: &contract::ResourceTemplate,
    wire: &str,
) -> (TypeId, Option<String>) {
    let Some((_, pair)) = template.args.iter().find(|(name, _)| name.value == wire) else {
        return (cx.types.add(TypeKind::String(StringRules::default())), None);
    };
    let schema = schema::read(&pair.typed, &mut Diagnostics::default());
    let name = naming::pascal(wire, 1);
    let source = SchemaSource {
        root: &pair.typed,
        side: Side::Input,
        portable: pair.portable,
        hints: &template.common.hints,
        defs: &cx.defs,
        name: &name,
    };
    let mut lowering =
        Lowering { types: &mut cx.types, found: &mut *cx.found, file, source, references: BTreeMap::new() };
    let ty = lowering.lower(Place { schema: &schema, pointer: &variable_pointer(wire), name: name.plain() });
    let docs = schema.object().and_then(|schema| schema.description.as_ref()).map(|docs| docs.value.clone());
    (ty, docs)
}

/// Where the author's hints find a variable.
fn variable_pointer(wire: &str) -> String {
    format!("/properties/{}", schema::escape(wire))
}
