//! Objects: a struct where properties are declared, a map where they are not.

use crate::contract::Side;
use crate::diagnostic::Code;
use crate::ir::{Field, Literal, Named, Presence, Rest, RustIdent, Struct, TypeId, TypeKind};
use crate::lower::asserts::says_more;
use crate::lower::default;
use crate::lower::naming::{self, Scope};
use crate::lower::scalar;
use crate::lower::schema::{Lowering, Place, about};
use crate::schema::{Schema, SchemaKind, SchemaObject, escape};
use crate::source::Spanned;

impl Lowering<'_> {
    /// `type: object`.
    pub(crate) fn object(&mut self, place: Place<'_>, schema: &SchemaObject) -> TypeId {
        let additional = schema.additional_properties.as_ref();
        let closed = additional.is_some_and(|schema| matches!(schema.kind, SchemaKind::Bool(false)));
        if !schema.properties.is_empty() || closed {
            let reserved = self.types.reserve();
            return self.structure(place, schema, reserved);
        }
        let value = match additional {
            Some(value) => {
                let name = format!("{}Value", place.name);
                let pointer = format!("{}/additionalProperties", place.pointer);
                self.lower(Place { schema: value, pointer: &pointer, name: &name })
            }
            None => self.types.add(TypeKind::Any(None)),
        };
        let kind = TypeKind::Map { value, rules: scalar::object_rules(schema) };
        self.types.add(kind)
    }

    /// An object as a struct under `reserved`, also when it declares nothing.
    pub(crate) fn structure(&mut self, place: Place<'_>, schema: &SchemaObject, reserved: TypeId) -> TypeId {
        let name = self.define(place);
        self.file.defined.push(reserved);
        let mut names = Scope::default();
        let fields = self.fields(place, schema, &mut names);
        let rest = self.rest(place, schema, &mut names);
        let definition = Struct {
            name,
            docs: schema.description.as_ref().map(|docs| docs.value.clone()).or_else(|| about(place.pointer)),
            derives: self.derives(place),
            fields,
            rest,
            secret_rest: self.holds_secret(&format!("{}/additionalProperties", place.pointer))
                || self.holds_secret(&format!("{}/patternProperties", place.pointer)),
        };
        self.types.set(reserved, TypeKind::Struct(definition));
        reserved
    }

    fn fields(&mut self, place: Place<'_>, schema: &SchemaObject, names: &mut Scope) -> Vec<Field> {
        let mut fields = Vec::new();
        for (index, (key, property)) in schema.properties.iter().enumerate() {
            if refuses_all(property) {
                continue;
            }
            let pointer = format!("{}/properties/{}", place.pointer, escape(&key.value));
            let name = format!("{}{}", place.name, naming::pascal_text(&key.value, index + 1));
            let required = schema.required.iter().any(|name| name.value == key.value);
            let property = Place { schema: property, pointer: &pointer, name: &name };
            let rust = names.take(&self.field_name(key, property, index + 1));
            fields.push(self.field(Named { wire: key.value.clone(), rust }, property, required));
        }
        fields
    }

    fn field_name(&mut self, key: &Spanned<String>, property: Place<'_>, place: usize) -> RustIdent {
        let hinted = self.hint(property.pointer).and_then(|hint| hint.rust.name.as_ref());
        hinted.map_or_else(|| naming::snake(&key.value, place), |name| RustIdent::new(name.value.clone()))
    }

    fn field(&mut self, name: Named, property: Place<'_>, required: bool) -> Field {
        let schema = property.schema.object();
        // What the author says about a constant's form is for its type to answer.
        let is_told = self.hint(property.pointer).is_some_and(|hint| hint.wire_string);
        let constant = schema.filter(|schema| required && !is_told && !says_more(schema)).and_then(constant);
        let mut ty = match constant {
            Some(constant) => self.types.add(TypeKind::Constant(constant)),
            None => self.lower(property),
        };
        let presence = if required { Presence::Required } else { self.presence(property, ty) };
        if matches!(presence, Presence::Defaulted(Literal::Json(_))) {
            ty = self.types.without_foreign(ty);
        }
        Field {
            name,
            docs: schema.and_then(|schema| schema.description.as_ref()).map(|docs| docs.value.clone()),
            presence,
            secret: self.holds_secret(property.pointer),
            ty,
        }
    }

    /// Whether a value is secret, or holds a secret that no struct on the way hides: an item, a branch.
    fn holds_secret(&self, pointer: &str) -> bool {
        let source = self.source;
        let secrets = source.hints.iter().filter(|hint| hint.secret && hint.side == source.side);
        let mut inside = secrets.filter_map(|hint| hint.pointer.value.strip_prefix(pointer));
        inside.any(|rest| rest.is_empty() || rest.starts_with('/') && !rest.split('/').any(|step| step == "properties"))
    }

    /// What the absence of an optional property means. `default: null` is absence; on the way out nothing is filled in.
    fn presence(&mut self, property: Place<'_>, ty: TypeId) -> Presence {
        let default = property.schema.object().and_then(|schema| schema.default.as_ref());
        let Some(default) = default.filter(|default| !default.is_null()) else { return Presence::Optional };
        let Some(literal) = default::literal((self.types, self.found), ty, default) else {
            if !self.found.has_inside(Code::DEFAULT, default.span) {
                let message = format!("the default `{}` is refused by its own schema", shortened(&default.to_json()));
                let finding = self.finding(Code::DEFAULT, default.span, message).label("taken as absent");
                self.found.push(finding.help("write a default that the schema takes, or leave `default` out"));
            }
            return Presence::Optional;
        };
        match self.source.side {
            Side::Input => Presence::Defaulted(literal),
            Side::Output => Presence::Optional,
        }
    }

    fn rest(&mut self, place: Place<'_>, schema: &SchemaObject, names: &mut Scope) -> Rest {
        let field = RustIdent::new("rest");
        // A property that matches a pattern is undeclared here, whatever `additionalProperties` says.
        if !schema.pattern_properties.is_empty() {
            return Rest::Open(names.take(&field));
        }
        match &schema.additional_properties {
            None => Rest::Open(names.take(&field)),
            Some(additional) => match &additional.kind {
                SchemaKind::Bool(false) => Rest::Closed,
                SchemaKind::Bool(true) => Rest::Open(names.take(&field)),
                SchemaKind::Object(_) => {
                    let name = format!("{}Rest", place.name);
                    let pointer = format!("{}/additionalProperties", place.pointer);
                    let value = self.lower(Place { schema: additional, pointer: &pointer, name: &name });
                    match self.types.kind(value) {
                        TypeKind::Any(None) => Rest::Open(names.take(&field)),
                        _ => Rest::Typed(names.take(&field), value),
                    }
                }
            },
        }
    }
}

/// The one value that a schema admits, as JSON text.
pub(crate) fn constant(schema: &SchemaObject) -> Option<String> {
    let one = match (&schema.constant, &schema.enumeration) {
        (Some(constant), None) => constant,
        (None, Some(values)) if values.value.len() == 1 => &values.value[0],
        (Some(_), Some(_)) | (None, Some(_) | None) => return None,
    };
    scalar::has_type(one, schema).then(|| one.to_json())
}

fn refuses_all(schema: &Schema) -> bool {
    matches!(schema.kind, SchemaKind::Bool(false))
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
