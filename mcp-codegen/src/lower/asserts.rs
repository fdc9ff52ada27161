//! What a schema object asserts, keyword by keyword: whether it says anything, or more than some type does.

use crate::schema::{Schema, SchemaObject};

/// Whether a schema object says anything about values at all.
pub(super) fn asserts(schema: &SchemaObject) -> bool {
    schema.reference.is_some()
        || schema.dynamic_reference.is_some()
        || schema.types.is_some()
        || asserts_beside_reference(schema)
}

/// Whether there is an assertion other than a reference and a `type`.
pub(super) fn asserts_beside_reference(schema: &SchemaObject) -> bool {
    schema.enumeration.is_some()
        || schema.constant.is_some()
        || asserts_about_objects(schema)
        || asserts_about_arrays(schema)
        || asserts_about_scalars(schema)
        || has_combinators(schema)
        || !schema.beyond_types.is_empty()
}

fn asserts_about_objects(schema: &SchemaObject) -> bool {
    !schema.properties.is_empty()
        || !schema.required.is_empty()
        || schema.additional_properties.is_some()
        || !schema.pattern_properties.is_empty()
        || schema.property_names.is_some()
        || schema.min_properties.is_some()
        || schema.max_properties.is_some()
}

fn asserts_about_arrays(schema: &SchemaObject) -> bool {
    schema.items.is_some()
        || !schema.prefix_items.is_empty()
        || schema.min_items.is_some()
        || schema.max_items.is_some()
        || schema.unique_items
}

fn asserts_about_scalars(schema: &SchemaObject) -> bool {
    schema.minimum.is_some()
        || schema.maximum.is_some()
        || schema.exclusive_minimum.is_some()
        || schema.exclusive_maximum.is_some()
        || schema.multiple_of.is_some()
        || schema.min_length.is_some()
        || schema.max_length.is_some()
        || schema.pattern.is_some()
}

/// Whether there is an `allOf`, `anyOf` or `oneOf`.
pub(super) fn has_combinators(schema: &SchemaObject) -> bool {
    !schema.all_of.is_empty() || !schema.any_of.is_empty() || !schema.one_of.is_empty()
}

/// Whether a schema says what the type made from its other keywords does not.
pub(super) fn says_more(schema: &SchemaObject) -> bool {
    let chosen = schema.constant.is_some() || schema.enumeration.is_some();
    let typed = schema.types.is_some();
    let beside_choice = asserts_about_objects(schema) || asserts_about_arrays(schema) || asserts_about_scalars(schema);
    let names = schema.property_names.as_ref().and_then(Schema::object);
    !schema.beyond_types.is_empty()
        || !schema.pattern_properties.is_empty()
        || names.is_some_and(asserts_beside_reference)
        || names.is_some_and(|names| names.reference.is_some())
        || chosen && (beside_choice || schema.constant.is_some() && schema.enumeration.is_some())
        || has_combinators(schema) && (chosen || typed || beside_choice)
}
