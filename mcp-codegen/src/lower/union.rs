//! `anyOf`, `oneOf`, `allOf` and lists of types: a Rust enum where the branches can be told apart for certain.
//!
//! For certain means: by their JSON type, or by a required property that holds a different constant string in each.
//! Branches that may overlap are any value (or, all scalars of one type, that scalar), and validation decides.

use std::borrow::Cow;

use crate::diagnostic::Diagnostics;
use crate::document::Node;
use crate::ir::{TypeId, TypeKind, Union, UnionTag, Variant};
use crate::lower::asserts::has_combinators;
use crate::lower::naming::{self, Scope};
use crate::lower::object;
use crate::lower::scalar;
use crate::lower::schema::{Lowering, Place, about};
use crate::schema::{self, JsonType, Schema, SchemaKind, SchemaObject};

/// A branch with what is behind its reference.
struct Branch<'s> {
    schema: &'s Schema,
    pointer: String,
    target: Cow<'s, Schema>,
}

/// What tells branches apart, and for each its wire name and the tags that choose it.
struct Choice {
    tag: UnionTag,
    variants: Vec<(String, Vec<String>)>,
}

impl Lowering<'_> {
    /// A schema without a type of its own.
    pub(crate) fn combined(&mut self, place: Place<'_>, schema: &SchemaObject) -> TypeId {
        let (keyword, branches) = match (&*schema.any_of, &*schema.one_of, &*schema.all_of) {
            (branches @ [_, ..], [], []) => ("anyOf", branches),
            ([], branches @ [_, ..], []) => ("oneOf", branches),
            ([], [], [only]) => {
                let pointer = format!("{}/allOf/0", place.pointer);
                return self.lower(Place { schema: only, pointer: &pointer, name: place.name });
            }
            ([], [], [_, ..]) => return self.merged(place, schema),
            _ => return self.any(place),
        };
        let mut nullable = false;
        let mut values = Vec::new();
        for (index, schema) in branches.iter().enumerate() {
            let target = self.target(schema);
            if is_null(&target) {
                nullable = true;
            } else {
                values.push(Branch { schema, pointer: format!("{}/{keyword}/{index}", place.pointer), target });
            }
        }
        let name = if nullable { self.name_of_value(place) } else { place.name.to_owned() };
        let place = Place { name: &name, ..place };
        let ty = match values.as_slice() {
            [] => return self.types.add(TypeKind::Null),
            [only] => self.lower(Place { schema: only.schema, pointer: &only.pointer, name: place.name }),
            several => self.union(place, several),
        };
        if nullable { self.nullable(ty) } else { ty }
    }

    /// `type: ["string", "integer"]`.
    pub(crate) fn of_several_types(&mut self, place: Place<'_>, schema: &SchemaObject, types: &[JsonType]) -> TypeId {
        let reserved = self.types.reserve();
        let name = self.define(place);
        self.file.defined.push(reserved);
        let mut variants = Vec::new();
        for &ty in types {
            let variant = type_variant(ty);
            let nested = format!("{}{variant}", place.name);
            let ty_id = self.of_type(Place { name: &nested, ..place }, schema, ty);
            let ty_id = self.formatted(place, ty_id);
            variants.push(Variant { name: naming::pascal(variant, 1), tags: first_bytes(ty), ty: ty_id });
        }
        let union = Union {
            name,
            docs: schema.description.as_ref().map(|docs| docs.value.clone()).or_else(|| about(place.pointer)),
            derives: self.derives(place),
            tag: UnionTag::JsonType,
            variants,
        };
        self.types.set(reserved, TypeKind::Union(union));
        reserved
    }

    fn union(&mut self, place: Place<'_>, branches: &[Branch<'_>]) -> TypeId {
        if let Some(values) = constants(branches) {
            let no_more = SchemaObject { description: described(place), ..SchemaObject::default() };
            return self.enumeration(place, &no_more, &values);
        }
        if let Some(types) = distinct_types(branches) {
            let variants = types.iter().map(|ty| (type_variant(*ty).to_owned(), first_bytes(*ty))).collect();
            return self.union_of(place, branches, Choice { tag: UnionTag::JsonType, variants });
        }
        if let Some((property, tags)) = tag_property(branches) {
            let variants = tags.into_iter().map(|tags| (tags[0].clone(), tags)).collect();
            return self.union_of(place, branches, Choice { tag: UnionTag::Property(property), variants });
        }
        match common_scalar(branches) {
            Some(kind) => self.types.add(kind),
            None => self.any(place),
        }
    }

    fn union_of(&mut self, place: Place<'_>, branches: &[Branch<'_>], choice: Choice) -> TypeId {
        let Choice { tag, variants: tags } = choice;
        let reserved = self.types.reserve();
        let name = self.define(place);
        self.file.defined.push(reserved);
        let mut names = Scope::default();
        let mut variants = Vec::new();
        for (index, (branch, (wire, tags))) in branches.iter().zip(tags).enumerate() {
            let variant = names.take(&naming::pascal(&wire, index + 1));
            let nested = format!("{}{}", place.name, variant.plain());
            let ty = self.lower(Place { schema: branch.schema, pointer: &branch.pointer, name: &nested });
            variants.push(Variant { name: variant, tags, ty });
        }
        let union = Union {
            name,
            docs: described(place).map(|docs| docs.value).or_else(|| about(place.pointer)),
            derives: self.derives(place),
            tag,
            variants,
        };
        self.types.set(reserved, TypeKind::Union(union));
        reserved
    }

    /// `allOf` of plain objects is one object with all their properties.
    fn merged(&mut self, place: Place<'_>, schema: &SchemaObject) -> TypeId {
        // What is said about the properties of a shared type would be forgotten.
        let is_shared = |part: &Schema| {
            let reference = part.object().and_then(|part| part.reference.as_ref());
            reference.is_some_and(|reference| self.source.defs.contains_key(&reference.value))
        };
        if schema.all_of.iter().any(is_shared) {
            return self.any(place);
        }
        let parts: Vec<Cow<'_, Schema>> = schema.all_of.iter().map(|part| self.target(part)).collect();
        let objects: Option<Vec<&SchemaObject>> =
            parts.iter().map(|part| part.object().filter(|part| is_plain_object(part))).collect();
        let Some(objects) = objects else { return self.any(place) };
        let mut all = SchemaObject { description: described(place), ..SchemaObject::default() };
        for part in objects {
            for (key, property) in &part.properties {
                // One property under two schemas: both count, and no single type says so.
                if all.properties.iter().any(|(known, _)| known.value == key.value) {
                    return self.any(place);
                }
                all.properties.push((key.clone(), property.clone()));
            }
            all.required.extend(part.required.iter().cloned());
        }
        self.object(place, &all)
    }

    /// The schema behind a reference, or the schema itself.
    pub(crate) fn target<'t>(&self, schema: &'t Schema) -> Cow<'t, Schema> {
        let mut schema = Cow::Borrowed(schema);
        // A circle of nothing but references ends here, too.
        for _ in 0..16 {
            let reference = schema.object().and_then(|schema| schema.reference.clone());
            let Some(reference) = reference.map(|reference| reference.value) else { break };
            let shared = self.source.defs.get(&reference).map(|shared| shared.schema);
            let Some(node) = shared.or_else(|| schema::resolve(self.source.root, &reference)) else { break };
            schema = Cow::Owned(schema::read(node, &mut Diagnostics::default()));
        }
        schema
    }
}

fn described(place: Place<'_>) -> Option<crate::source::Spanned<String>> {
    place.schema.object().and_then(|schema| schema.description.clone())
}

fn is_null(schema: &Schema) -> bool {
    let Some(schema) = schema.object() else { return false };
    let null_only = |nodes: &[Node]| !nodes.is_empty() && nodes.iter().all(Node::is_null);
    schema.types.as_ref().is_some_and(|types| types.value == [JsonType::Null])
        || schema.constant.as_ref().is_some_and(Node::is_null)
        || schema.enumeration.as_ref().is_some_and(|values| null_only(&values.value))
}

/// All values, where each branch lists its own scalars of one kind.
fn constants(branches: &[Branch<'_>]) -> Option<Vec<Node>> {
    let mut values = Vec::new();
    for branch in branches {
        let schema = branch.target.object()?;
        match (&schema.constant, &schema.enumeration) {
            (Some(constant), None) => values.push(constant.clone()),
            (None, Some(listed)) => values.extend(listed.value.iter().cloned()),
            (Some(_), Some(_)) | (None, None) => return None,
        }
    }
    Some(values)
}

/// The JSON type of each branch, where all differ and each has one.
fn distinct_types(branches: &[Branch<'_>]) -> Option<Vec<JsonType>> {
    let mut types = Vec::new();
    for branch in branches {
        let ty = one_type(branch.target.object()?)?;
        let overlaps = |known: &JsonType| *known == ty || is_numeric(*known) && is_numeric(ty);
        if types.iter().any(overlaps) {
            return None;
        }
        types.push(ty);
    }
    Some(types)
}

fn one_type(schema: &SchemaObject) -> Option<JsonType> {
    if let Some(types) = &schema.types {
        return <[JsonType; 1]>::try_from(types.value.clone()).ok().map(|[ty]| ty);
    }
    let values = schema.enumeration.as_ref().map(|values| values.value.as_slice());
    let values = values.or(schema.constant.as_ref().map(std::slice::from_ref))?;
    values.iter().all(|value| value.as_str().is_some()).then_some(JsonType::String)
}

fn is_numeric(ty: JsonType) -> bool {
    matches!(ty, JsonType::Integer | JsonType::Number)
}

/// The property that tells objects apart, with the strings that choose each branch.
fn tag_property(branches: &[Branch<'_>]) -> Option<(String, Vec<Vec<String>>)> {
    let objects: Option<Vec<&SchemaObject>> = branches.iter().map(|branch| branch.target.object()).collect();
    let objects = objects?;
    if !objects.iter().all(|schema| one_type(schema) == Some(JsonType::Object)) {
        return None;
    }
    objects[0].properties.iter().find_map(|(key, _)| {
        let tags: Option<Vec<Vec<String>>> = objects.iter().map(|schema| tags_of(schema, &key.value)).collect();
        let tags = tags?;
        let mut all: Vec<&String> = tags.iter().flatten().collect();
        let count = all.len();
        all.sort();
        all.dedup();
        (all.len() == count).then(|| (key.value.clone(), tags.clone()))
    })
}

/// The strings that a required property may hold.
fn tags_of(schema: &SchemaObject, key: &str) -> Option<Vec<String>> {
    let required = schema.required.iter().any(|name| name.value == key);
    let (_, property) = schema.properties.iter().find(|(name, _)| required && name.value == key)?;
    let property = property.object()?;
    let values = property.constant.as_ref().map(std::slice::from_ref);
    let values = values.or(property.enumeration.as_ref().map(|values| values.value.as_slice()))?;
    let tags: Option<Vec<String>> = values.iter().map(|value| value.as_str().map(str::to_owned)).collect();
    tags.filter(|tags| !tags.is_empty())
}

/// The scalar that all branches are, without their rules.
fn common_scalar(branches: &[Branch<'_>]) -> Option<TypeKind> {
    let types: Option<Vec<JsonType>> = branches.iter().map(|branch| one_type(branch.target.object()?)).collect();
    let types = types?;
    let all = |ty: JsonType| types.iter().all(|known| *known == ty);
    let plain = SchemaObject::default();
    if all(JsonType::String) {
        Some(TypeKind::String(scalar::string_rules(&plain)))
    } else if all(JsonType::Integer) {
        Some(scalar::integer(&plain, false))
    } else if types.iter().all(|ty| is_numeric(*ty)) {
        Some(TypeKind::Number(scalar::number_rules(&plain)))
    } else {
        None
    }
}

fn is_plain_object(schema: &SchemaObject) -> bool {
    let additional = schema.additional_properties.as_ref();
    one_type(schema) == Some(JsonType::Object)
        && schema.reference.is_none()
        && !has_combinators(schema)
        && additional.is_none_or(|schema| matches!(schema.kind, SchemaKind::Bool(true)))
        && schema.pattern_properties.is_empty()
        && schema.property_names.is_none()
        && schema.min_properties.is_none()
        && schema.max_properties.is_none()
        && schema.beyond_types.is_empty()
        && object::constant(schema).is_none()
}

/// What a branch of that JSON type is called.
fn type_variant(ty: JsonType) -> &'static str {
    match ty {
        JsonType::Array => "Array",
        JsonType::Boolean => "Boolean",
        JsonType::Integer => "Integer",
        JsonType::Null => "Null",
        JsonType::Number => "Number",
        JsonType::Object => "Object",
        JsonType::String => "String",
    }
}

/// The bytes that a value of that JSON type can begin with.
fn first_bytes(ty: JsonType) -> Vec<String> {
    let bytes: &[&str] = match ty {
        JsonType::Array => &["["],
        JsonType::Boolean => &["t", "f"],
        JsonType::Integer | JsonType::Number => &["-", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"],
        JsonType::Null => &["n"],
        JsonType::Object => &["{"],
        JsonType::String => &["\""],
    };
    bytes.iter().map(|byte| (*byte).to_owned()).collect()
}
