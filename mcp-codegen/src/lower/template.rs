//! Resource templates, and their variables as a struct.

use std::collections::BTreeMap;

use crate::config::Via;
use crate::contract::{self, SchemaPair, Side};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::ir::{
    self, ArrayRules, Completion, Field, Named, Presence, Rest, RustIdent, StringRules, Struct, TypeId, TypeKind,
};
use crate::lower::naming::{self, Scope};
use crate::lower::schema::{FileScope, Lowering, Place, SchemaSource};
use crate::lower::{Cx, default, feature, file_scope};
use crate::schema;
use crate::source::Spanned;
use crate::uri_template::Variable;

pub(super) fn lower(cx: &mut Cx<'_>, template: &contract::ResourceTemplate) -> ir::ResourceTemplate {
    let mut feature = feature::lower(cx, &template.common, "Template");
    let mut file = file_scope(cx, &feature.trait_name);
    let vars = vars(cx, &mut file, template);
    feature.types = file.defined;
    feature.patterns = file.patterns;
    let completions = completions(cx, vars, template);
    let mime_type = template.mime_type.as_ref().map(|mime_type| mime_type.value.clone());
    ir::ResourceTemplate {
        feature,
        uri_template: template.uri_template.value.clone(),
        mime_type,
        template: template.template.clone(),
        vars,
        updates: template.updates,
        secret: cx.types.kind(vars).fields().iter().any(|field| field.secret),
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
        let TypeKind::Enum(definition) = cx.types.kind(cx.types.item(field.ty)) else { return None };
        let values = definition.variants.iter().map(|variant| variant.wire.clone()).collect();
        definition.strings.then_some(Completion { argument, values: Some(values) })
    };
    cx.types.kind(vars).fields().iter().filter_map(completion).collect()
}

/// The variables as a struct, in the template's order.
fn vars(cx: &mut Cx<'_>, file: &mut FileScope, template: &contract::ResourceTemplate) -> TypeId {
    let reserved = cx.types.reserve();
    file.defined.push(reserved);
    let mut names = Scope::default();
    let mut fields = Vec::new();
    for variable in template.template.variables() {
        let wire = &variable.name;
        let hinted = hint(template, wire);
        let rust = match hinted.and_then(|hint| hint.rust.name.as_ref()) {
            Some(name) => RustIdent::new(name.value.clone()),
            None => naming::snake(wire, fields.len() + 1),
        };
        let rust = names.take(&rust);
        let (ty, docs) = type_and_docs(cx, file, (template, variable));
        let name = Named { wire: wire.clone(), rust };
        let secret = hinted.is_some_and(|hint| hint.secret);
        let presence = presence(cx, (template, variable), ty);
        fields.push(Field { name, docs, presence, secret, ty });
    }
    let name = RustIdent::new("Vars");
    let definition = Struct { name, docs: None, derives: Vec::new(), fields, rest: Rest::Closed, secret_rest: false };
    cx.types.set(reserved, TypeKind::Struct(definition));
    reserved
}

/// A template and one of its variables.
type Of<'a> = (&'a contract::ResourceTemplate, &'a Variable);

fn type_and_docs(cx: &mut Cx<'_>, file: &mut FileScope, (template, variable): Of<'_>) -> (TypeId, Option<String>) {
    let wire = &variable.name;
    let Some((key, pair)) = argument((template, variable)) else { return (any_text(cx, variable), None) };
    let schema = schema::read(&pair.typed, &mut Diagnostics::default());
    let name = naming::pascal(wire, 1);
    let source = SchemaSource {
        root: &pair.typed,
        side: Side::Input,
        portable: pair.portable,
        hints: &template.common.hints,
        defs: &cx.defs,
        formats: cx.formats.of(pair.portable),
        name: &name,
    };
    let mut lowering =
        Lowering { types: &mut cx.types, found: &mut *cx.found, file, source, references: BTreeMap::new() };
    let ty = lowering.lower(Place { schema: &schema, pointer: &variable_pointer(wire), name: name.plain() });
    let docs = schema.object().and_then(|schema| schema.description.as_ref()).map(|docs| docs.value.clone());
    let ty = by_display(cx, ty, hint(template, wire));
    // A schema without a type says nothing about what stands in the URI.
    let ty = if matches!(cx.types.kind(ty), TypeKind::Any(None)) { any_text(cx, variable) } else { ty };
    if !fits_into_uri(cx, variable, ty) {
        let what =
            if variable.is_list { "a list of texts, numbers or booleans" } else { "a text, a number or a boolean" };
        let message = format!("the variable `{wire}` is not {what}");
        let help = match cx.types.kind(ty) {
            TypeKind::Array { .. } => format!("write `{{{wire}*}}` in the template for a list"),
            _ if variable.is_list => format!("write `{{{wire}}}` in the template, or give it the type `array`"),
            _ => "give it another type: a URI holds nothing else".to_owned(),
        };
        cx.found.push(Diagnostic::error(Code::VARIABLE_TYPE, key.span, message).help(help));
    }
    (ty, docs)
}

/// Without a type that only serde writes: in a URI a value stands as its text.
fn by_display(cx: &mut Cx<'_>, ty: TypeId, hint: Option<&contract::Hint>) -> TypeId {
    let TypeKind::Foreign { via: Via::Serde, .. } = cx.types.kind(cx.types.item(ty)) else { return ty };
    if let Some(via) = hint.and_then(|hint| hint.rust.via.as_ref()) {
        let finding = Diagnostic::error(Code::RUST_TYPE, via.span, "a variable is written in a URI by `Display`");
        cx.found.push(finding.help("write `via = \"from_str\"`, or leave `via` out"));
    }
    cx.types.without_foreign(ty)
}

/// What the author says about a variable.
fn hint<'t>(template: &'t contract::ResourceTemplate, wire: &str) -> Option<&'t contract::Hint> {
    let pointer = variable_pointer(wire);
    template.common.hints.iter().find(|hint| hint.pointer.value == pointer)
}

/// The type of a variable about which nothing is said.
fn any_text(cx: &mut Cx<'_>, variable: &Variable) -> TypeId {
    let text = cx.types.add(TypeKind::String(StringRules::default()));
    if !variable.is_list {
        return text;
    }
    cx.types.add(TypeKind::Array { item: text, rules: ArrayRules::default() })
}

/// Whether each value is one text in a URI.
fn fits_into_uri(cx: &Cx<'_>, variable: &Variable, ty: TypeId) -> bool {
    let is_array = matches!(cx.types.kind(ty), TypeKind::Array { .. });
    let is_text = match cx.types.kind(cx.types.item(ty)) {
        TypeKind::Bool
        | TypeKind::Enum(_)
        | TypeKind::Foreign { .. }
        | TypeKind::Integer { .. }
        | TypeKind::Number(_)
        | TypeKind::String(_) => true,
        TypeKind::Any(_)
        | TypeKind::Array { .. }
        | TypeKind::Boxed(_)
        | TypeKind::Constant(_)
        | TypeKind::Map { .. }
        | TypeKind::Null
        | TypeKind::Nullable(_)
        | TypeKind::Struct(_)
        | TypeKind::Union(_) => false,
    };
    is_array == variable.is_list && is_text
}

/// What its absence from a URI means. A list may always be empty.
fn presence(cx: &mut Cx<'_>, (template, variable): Of<'_>, ty: TypeId) -> Presence {
    let is_required = variable.is_list || template.required.contains(&variable.name);
    if is_required || !template.template.is_optional(&variable.name) {
        return Presence::Required;
    }
    let default = argument((template, variable)).and_then(|(_, pair)| pair.typed.get("default"));
    let literal = default.and_then(|default| default::literal((&cx.types, cx.found), ty, default));
    literal.map_or(Presence::Optional, Presence::Defaulted)
}

/// What `args` says about a variable.
fn argument((template, variable): Of<'_>) -> Option<&(Spanned<String>, SchemaPair)> {
    template.args.iter().find(|(name, _)| name.value == variable.name)
}

/// Where the author's hints find a variable.
fn variable_pointer(wire: &str) -> String {
    format!("/properties/{}", schema::escape(wire))
}
