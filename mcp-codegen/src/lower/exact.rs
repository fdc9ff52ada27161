//! Whether decoding alone decides what a schema accepts.
//!
//! Schema and types are walked together. An assertion counts as kept only where the decoder of the type that stands
//! there is known to keep it; everything else, also what nobody thought of, leaves the decision to a validator.

mod asserted;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use crate::contract::Def;
use crate::diagnostic::Diagnostics;
use crate::document::{Node, NodeKind};
use crate::formats::Formats;
use crate::ir::{NumberRules, Rest, StringRules, Struct, TypeArena, TypeId, TypeKind, Union, UnionTag};
use crate::lower::exact::asserted::{Asserted, Keyword, accepts_all, bounds, only_type, only_types};
use crate::lower::scalar;
use crate::schema::{self, DEFS, JsonType, Schema, SchemaKind, SchemaObject};
use crate::source::Spanned;

/// What is the same for all schemas of a contract.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) types: &'a TypeArena,
    pub(super) defs: &'a [Def],
    pub(super) formats: &'a Formats,
}

/// Whether the decoder of `ty` refuses everything that the schema at `root` refuses.
pub(super) fn is_exact(known: Known<'_>, root: &Node, ty: TypeId) -> bool {
    let Known { types, defs, formats } = known;
    let mut walk = Walk { types, defs, formats, root, seen: BTreeSet::new() };
    walk.keeps(&read(root), ty)
}

struct Walk<'a> {
    types: &'a TypeArena,
    defs: &'a [Def],
    formats: &'a Formats,
    root: &'a Node,
    /// References that were followed, each with the type it was followed to. A circle ends here.
    seen: BTreeSet<(String, TypeId)>,
}

impl<'a> Walk<'a> {
    fn keeps(&mut self, schema: &Schema, ty: TypeId) -> bool {
        let schema = match &schema.kind {
            SchemaKind::Bool(accepts) => return *accepts,
            SchemaKind::Object(schema) => schema,
        };
        if self.asserted(schema).is_nothing() {
            return true;
        }
        if let Some(reference) = &schema.reference {
            return self.asserted(schema).is_only(&[Keyword::Reference]) && self.keeps_reference(reference, ty);
        }
        match self.types.kind(ty) {
            TypeKind::Boxed(inner) | TypeKind::Foreign { wire: inner, .. } => self.keeps_object(schema, *inner),
            TypeKind::Nullable(inner) => self.keeps_nullable(schema, *inner),
            _ => self.keeps_object(schema, ty),
        }
    }

    /// The definition that a reference names.
    fn def(&self, reference: &str) -> Option<&'a Def> {
        let name = reference.strip_prefix(DEFS)?;
        self.defs.iter().find(|def| def.name.value == name)
    }

    fn keeps_reference(&mut self, reference: &Spanned<String>, ty: TypeId) -> bool {
        if !self.seen.insert((reference.value.clone(), ty)) {
            return true;
        }
        if let Some(def) = self.def(&reference.value) {
            let outer = std::mem::replace(&mut self.root, &def.schema.typed);
            let keeps = self.keeps(&read(self.root), ty);
            self.root = outer;
            return keeps;
        }
        schema::resolve(self.root, &reference.value).is_some_and(|target| self.keeps(&read(target), ty))
    }

    /// A schema of keywords by a type that null is no value of.
    fn keeps_object(&mut self, schema: &SchemaObject, ty: TypeId) -> bool {
        let asserted = self.asserted(schema);
        if asserted.is_only(&[Keyword::AllOf])
            && let [only] = &*schema.all_of
        {
            return self.keeps(only, ty);
        }
        if let Some(branches) = self.choice(schema) {
            return self.keeps_choice(&branches, ty);
        }
        match self.types.kind(ty) {
            TypeKind::Any(_) => false,
            TypeKind::Boxed(inner) | TypeKind::Foreign { wire: inner, .. } => self.keeps_object(schema, *inner),
            TypeKind::Nullable(inner) => self.keeps_nullable(schema, *inner),
            // The variants are the values of the right type.
            TypeKind::Constant(_) | TypeKind::Enum(_) => {
                asserted.is_only(&[Keyword::Type, Keyword::Enum]) || asserted.is_only(&[Keyword::Type, Keyword::Const])
            }
            TypeKind::Null => {
                asserted.is_only(&[Keyword::Type]) && only_type(schema).is_some()
                    || asserted.is_only(&[Keyword::Const])
                    || asserted.is_only(&[Keyword::Enum])
            }
            TypeKind::Struct(definition) if asserted.is_only(&[Keyword::AllOf]) => {
                self.keeps_merged(schema, definition)
            }
            TypeKind::Union(union) => self.keeps_types(schema, union),
            _ => only_type(schema).is_some_and(|json_type| self.keeps_typed(schema, json_type, ty)),
        }
    }

    /// The same where null is a value, too. The type that is left is that of the other values.
    fn keeps_nullable(&mut self, schema: &SchemaObject, inner: TypeId) -> bool {
        if let Some(branches) = self.choice(schema) {
            return self.keeps_choice(&branches, inner);
        }
        self.keeps_object(schema, inner)
    }

    /// `anyOf` or `oneOf`; a branch of nothing but null is the business of whoever made the type nullable.
    fn keeps_choice(&mut self, choice: &Choice<'_>, ty: TypeId) -> bool {
        let targets: Vec<Cow<'_, Schema>> = choice.branches.iter().map(|branch| self.target(branch)).collect();
        let is_null = |schema: &Schema| schema.object().is_some_and(|schema| only_types(schema) == [JsonType::Null]);
        let nulls = targets.iter().filter(|target| is_null(target)).count();
        let others = || choice.branches.iter().zip(&targets).filter(|(_, target)| !is_null(target));
        // Of `oneOf`, exactly one may take null.
        if choice.exclusive && nulls > 0 && (nulls > 1 || others().any(|(_, target)| takes_null(target))) {
            return false;
        }
        let branches: Vec<&Schema> = others().map(|(branch, _)| branch).collect();
        match self.types.kind(ty) {
            TypeKind::Boxed(inner) | TypeKind::Nullable(inner) => self.keeps_choice(choice, *inner),
            TypeKind::Enum(_) => {
                let targets: Vec<&Schema> = others().map(|(_, target)| &**target).collect();
                self.keeps_values(&targets, choice.exclusive)
            }
            TypeKind::Union(union) if branches.len() > 1 => {
                branches.len() == union.variants.len()
                    && branches.iter().zip(&union.variants).all(|(branch, variant)| self.keeps(branch, variant.ty))
            }
            TypeKind::Null => branches.is_empty(),
            _ => branches.len() == 1 && self.keeps(branches[0], ty),
        }
    }

    /// `type: ["string", "integer"]`
    fn keeps_types(&mut self, schema: &SchemaObject, union: &Union) -> bool {
        let others = scalar::value_types(only_types(schema));
        union.tag == UnionTag::JsonType
            && others.len() == union.variants.len()
            && others.iter().zip(&union.variants).all(|(ty, variant)| self.keeps_typed(schema, *ty, variant.ty))
    }

    /// The keywords that say something about values of one JSON type; others do not concern them.
    fn keeps_typed(&mut self, schema: &SchemaObject, json_type: JsonType, ty: TypeId) -> bool {
        let asserted = self.asserted(schema).about(json_type);
        match (json_type, self.types.kind(ty)) {
            (_, TypeKind::Boxed(inner)) => self.keeps_typed(schema, json_type, *inner),
            (JsonType::Array, TypeKind::Array { item, .. }) => {
                asserted.is_only(&[Keyword::Items, Keyword::ItemCount, Keyword::UniqueItems])
                    && schema.items.as_ref().is_none_or(|items| self.keeps(items, *item))
            }
            (JsonType::Boolean, TypeKind::Bool) | (JsonType::Null, TypeKind::Null) => asserted.is_nothing(),
            (JsonType::Integer, TypeKind::Integer { .. }) => {
                !self.is_draft_4()
                    && asserted.is_only(&[Keyword::Bounds, Keyword::MultipleOf])
                    && schema.multiple_of.as_ref().is_none_or(|step| schema::as_integer(&step.value).is_some())
                    && bounds(schema).all(|bound| schema::as_integer(bound).is_some() || scalar::is_nearest(bound))
            }
            (JsonType::Integer | JsonType::Number, TypeKind::Number(NumberRules { multiple_of, .. })) => {
                let divisors = schema.multiple_of.iter().map(|step| step.value.as_str());
                let whole = json_type == JsonType::Number || multiple_of.is_some_and(|step| step.fract() == 0.0);
                asserted.is_only(&[Keyword::Bounds, Keyword::MultipleOf])
                    && whole
                    && bounds(schema).chain(divisors).all(scalar::is_nearest)
            }
            (JsonType::Object, TypeKind::Map { value, .. }) => {
                asserted.is_only(&[Keyword::AdditionalProperties, Keyword::PropertyCount])
                    && schema.additional_properties.as_ref().is_none_or(|additional| self.keeps(additional, *value))
            }
            (JsonType::Object, TypeKind::Struct(definition)) => {
                asserted.is_only(&[Keyword::AdditionalProperties, Keyword::Properties, Keyword::Required])
                    && self.keeps_members(&[schema], definition)
            }
            (JsonType::String, TypeKind::String(StringRules { pattern, format, .. })) => {
                asserted.is_only(&[Keyword::Format, Keyword::Length, Keyword::Pattern])
                    && pattern.is_some() == schema.pattern.is_some()
                    && *format == self.formats.asserted_by(schema)
            }
            _ => false,
        }
    }

    /// `allOf` of objects that one struct holds.
    fn keeps_merged(&mut self, schema: &SchemaObject, definition: &Struct) -> bool {
        let parts: Vec<Cow<'_, Schema>> = schema.all_of.iter().map(|part| self.target(part)).collect();
        let objects: Option<Vec<&SchemaObject>> = parts.iter().map(|part| part.object()).collect();
        objects.is_some_and(|objects| {
            objects.iter().all(|part| {
                let asserted = self.asserted(part).about(JsonType::Object);
                only_type(part) == Some(JsonType::Object)
                    && asserted.is_only(&[Keyword::AdditionalProperties, Keyword::Properties, Keyword::Required])
                    && part.additional_properties.as_ref().is_none_or(|additional| self.accepts_all(additional))
            }) && self.keeps_members(&objects, definition)
        })
    }

    /// The members of an object, by all the schemas that say something about them.
    fn keeps_members(&mut self, schemas: &[&SchemaObject], definition: &Struct) -> bool {
        let field = |name: &str| definition.fields.iter().find(|field| field.name.wire == name);
        let is_required =
            |name: &str| schemas.iter().flat_map(|schema| &schema.required).any(|known| known.value == name);
        let required = schemas.iter().flat_map(|schema| &schema.required);
        if !required.map(|name| field(&name.value)).all(|field| field.is_some()) {
            return false;
        }
        for (name, property) in schemas.iter().flat_map(|schema| &schema.properties) {
            let Some(field) = field(&name.value) else { return false };
            let is_kept = field.presence == crate::ir::Presence::Required || !is_required(&name.value);
            if !is_kept || !self.keeps(property, field.ty) {
                return false;
            }
        }
        schemas.iter().filter_map(|schema| schema.additional_properties.as_ref()).all(|additional| {
            match definition.rest {
                Rest::Closed => true,
                Rest::Open(_) => self.accepts_all(additional),
                Rest::Typed(_, value) => self.keeps(additional, value),
            }
        })
    }

    fn asserted(&self, schema: &SchemaObject) -> Asserted {
        Asserted::of(schema, self.formats)
    }

    fn accepts_all(&self, schema: &Schema) -> bool {
        accepts_all(schema, self.formats)
    }

    /// The branches of an `anyOf` or a `oneOf` that says everything there is to say.
    fn choice<'s>(&self, schema: &'s SchemaObject) -> Option<Choice<'s>> {
        let asserted = self.asserted(schema);
        if asserted.is_only(&[Keyword::AnyOf]) {
            return Some(Choice { branches: &schema.any_of, exclusive: false });
        }
        asserted.is_only(&[Keyword::OneOf]).then_some(Choice { branches: &schema.one_of, exclusive: true })
    }

    /// Branches that only list values. Where only one branch may accept a value, no value may stand in two.
    fn keeps_values(&self, branches: &[&Schema], exclusive: bool) -> bool {
        let mut values: Vec<&Node> = Vec::new();
        for branch in branches {
            let Some(schema) = branch.object() else { return false };
            let asserted = self.asserted(schema);
            let listed = match (&schema.constant, &schema.enumeration) {
                (Some(constant), None) => std::slice::from_ref(constant),
                (None, Some(listed)) => &listed.value,
                (Some(_), Some(_)) | (None, None) => return false,
            };
            let is_list = asserted.is_only(&[Keyword::Type, Keyword::Const, Keyword::Enum]);
            if !is_list || !listed.iter().all(|value| scalar::has_type(value, schema)) {
                return false;
            }
            values.extend(listed);
        }
        // Two numbers may be one, however they are written.
        let shown = |value: &Node| (!matches!(value.kind, NodeKind::Number(_))).then(|| value.to_json());
        let mut known = HashSet::new();
        !exclusive || values.into_iter().all(|value| known.insert(shown(value)))
    }

    /// In draft-04 alone, `1.0` is no integer.
    fn is_draft_4(&self) -> bool {
        self.root.get("$schema").and_then(Node::as_str).is_some_and(|dialect| dialect.contains("draft-04"))
    }

    /// The schema behind a reference that stands alone, or the schema itself.
    fn target<'t>(&self, schema: &'t Schema) -> Cow<'t, Schema> {
        let mut schema = Cow::Borrowed(schema);
        // A circle of nothing but references ends here, too.
        for _ in 0..16 {
            let Some(object) = schema.object() else { break };
            let Some(reference) = &object.reference else { break };
            if !self.asserted(object).is_only(&[Keyword::Reference]) {
                break;
            }
            let shared = self.def(&reference.value).map(|def| &def.schema.typed);
            let Some(node) = shared.or_else(|| schema::resolve(self.root, &reference.value)) else { break };
            schema = Cow::Owned(read(node));
        }
        schema
    }
}

/// The branches of an `anyOf` or a `oneOf` that says everything there is to say.
struct Choice<'s> {
    branches: &'s [Schema],
    exclusive: bool,
}

fn takes_null(schema: &Schema) -> bool {
    let Some(schema) = schema.object() else { return true };
    let listed = schema.enumeration.as_ref().map(|values| values.value.as_slice());
    let listed = listed.or(schema.constant.as_ref().map(std::slice::from_ref));
    let types = only_types(schema);
    (types.is_empty() || types.contains(&JsonType::Null))
        && listed.is_none_or(|values| values.iter().any(Node::is_null))
}

fn read(node: &Node) -> Schema {
    // Its faults were reported when the contract was read.
    schema::read(node, &mut Diagnostics::default())
}
