//! What a schema asserts, in groups.

use crate::formats::Formats;
use crate::lower::scalar;
use crate::schema::{JsonType, Schema, SchemaKind, SchemaObject};

/// Groups of assertions that are kept or not kept together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    AdditionalProperties,
    AllOf,
    AnyOf,
    /// What no decoder keeps.
    Beyond,
    Bounds,
    Const,
    Enum,
    Format,
    ItemCount,
    Items,
    Length,
    MultipleOf,
    OneOf,
    Pattern,
    Properties,
    PropertyCount,
    Reference,
    Required,
    Type,
    UniqueItems,
}

/// What a schema asserts.
pub(super) struct Asserted(Vec<Keyword>);

impl Asserted {
    pub(super) fn of(schema: &SchemaObject, formats: &Formats) -> Self {
        let bounds = bounds(schema).next().is_some();
        let beyond = !schema.beyond_types.is_empty()
            || schema.dynamic_reference.is_some()
            || !schema.pattern_properties.is_empty()
            || schema.property_names.as_ref().is_some_and(|names| !accepts_all_strings(names, formats))
            || !schema.prefix_items.is_empty();
        let asserted = [
            (Keyword::AdditionalProperties, schema.additional_properties.is_some()),
            (Keyword::AllOf, !schema.all_of.is_empty()),
            (Keyword::AnyOf, !schema.any_of.is_empty()),
            (Keyword::Beyond, beyond),
            (Keyword::Bounds, bounds),
            (Keyword::Const, schema.constant.is_some()),
            (Keyword::Enum, schema.enumeration.is_some()),
            (Keyword::Format, formats.asserted_by(schema).is_some()),
            (Keyword::ItemCount, schema.min_items.is_some() || schema.max_items.is_some()),
            (Keyword::Items, schema.items.is_some()),
            (Keyword::Length, schema.min_length.is_some() || schema.max_length.is_some()),
            (Keyword::MultipleOf, schema.multiple_of.is_some()),
            (Keyword::OneOf, !schema.one_of.is_empty()),
            (Keyword::Pattern, schema.pattern.is_some()),
            (Keyword::Properties, !schema.properties.is_empty()),
            (Keyword::PropertyCount, schema.min_properties.is_some() || schema.max_properties.is_some()),
            (Keyword::Reference, schema.reference.is_some()),
            (Keyword::Required, !schema.required.is_empty()),
            (Keyword::Type, schema.types.is_some()),
            (Keyword::UniqueItems, schema.unique_items),
        ];
        Self(asserted.into_iter().filter(|(_, is_there)| *is_there).map(|(keyword, _)| keyword).collect())
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn is_only(&self, kept: &[Keyword]) -> bool {
        self.0.iter().all(|keyword| kept.contains(keyword))
    }

    /// Without `type`, and without what values of this type are never refused by.
    pub(super) fn about(mut self, ty: JsonType) -> Self {
        let numeric = matches!(ty, JsonType::Integer | JsonType::Number);
        self.0.retain(|keyword| match keyword {
            Keyword::AdditionalProperties | Keyword::Properties | Keyword::PropertyCount | Keyword::Required => {
                ty == JsonType::Object
            }
            Keyword::ItemCount | Keyword::Items | Keyword::UniqueItems => ty == JsonType::Array,
            Keyword::Bounds | Keyword::MultipleOf => numeric,
            Keyword::Format | Keyword::Length | Keyword::Pattern => ty == JsonType::String,
            Keyword::Type => false,
            Keyword::AllOf
            | Keyword::AnyOf
            | Keyword::Beyond
            | Keyword::Const
            | Keyword::Enum
            | Keyword::OneOf
            | Keyword::Reference => true,
        });
        self
    }
}

pub(super) fn accepts_all(schema: &Schema, formats: &Formats) -> bool {
    match &schema.kind {
        SchemaKind::Bool(accepts) => *accepts,
        SchemaKind::Object(schema) => Asserted::of(schema, formats).is_nothing(),
    }
}

/// Whether a schema accepts every name: those are strings, whatever it says about other types.
fn accepts_all_strings(schema: &Schema, formats: &Formats) -> bool {
    match &schema.kind {
        SchemaKind::Bool(accepts) => *accepts,
        SchemaKind::Object(schema) => {
            let types = only_types(schema);
            (types.is_empty() || types.contains(&JsonType::String))
                && Asserted::of(schema, formats).about(JsonType::String).is_nothing()
        }
    }
}

pub(super) fn only_types(schema: &SchemaObject) -> &[JsonType] {
    schema.types.as_ref().map_or(&[], |types| types.value.as_slice())
}

/// The one type besides null, or null.
pub(super) fn only_type(schema: &SchemaObject) -> Option<JsonType> {
    match *scalar::value_types(only_types(schema)) {
        [] if only_types(schema).contains(&JsonType::Null) => Some(JsonType::Null),
        [ty] => Some(ty),
        _ => None,
    }
}

pub(super) fn bounds(schema: &SchemaObject) -> impl Iterator<Item = &str> {
    [&schema.minimum, &schema.maximum, &schema.exclusive_minimum, &schema.exclusive_maximum]
        .into_iter()
        .flatten()
        .map(|bound| bound.value.as_str())
}
