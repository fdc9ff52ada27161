//! The keywords of JSON Schema, of every dialect, and what each takes: the one table that reading, walking and
//! spelling go by.

/// What stands behind a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Whatever the author likes.
    Any,
    Bool,
    /// A boolean, or in draft-04 style beside a bound, a number.
    BoolOrNumber,
    /// An integer from zero.
    Count,
    /// An array of any values.
    List,
    /// Names → lists of names, or schemas (`dependencies` of older dialects).
    Needs,
    Number,
    /// Names → schemas.
    SchemaMap,
    Schema,
    /// A schema, or an array of them (`items` of older dialects).
    SchemaOrList,
    SchemaList,
    Text,
    /// An array of strings.
    Texts,
    /// `type`: a name, or an array of names.
    Type,
}

/// Every keyword that has a meaning in some supported dialect.
pub(crate) const KEYWORDS: &[(&str, Takes)] = &[
    ("$anchor", Takes::Text),
    ("$comment", Takes::Text),
    ("$defs", Takes::SchemaMap),
    ("$dynamicAnchor", Takes::Text),
    ("$dynamicRef", Takes::Text),
    ("$id", Takes::Text),
    ("$recursiveAnchor", Takes::Bool),
    ("$recursiveRef", Takes::Text),
    ("$ref", Takes::Text),
    ("$schema", Takes::Text),
    ("$vocabulary", Takes::Any),
    ("additionalItems", Takes::Schema),
    ("additionalProperties", Takes::Schema),
    ("allOf", Takes::SchemaList),
    ("anyOf", Takes::SchemaList),
    ("const", Takes::Any),
    ("contains", Takes::Schema),
    ("contentEncoding", Takes::Text),
    ("contentMediaType", Takes::Text),
    ("contentSchema", Takes::Schema),
    ("default", Takes::Any),
    ("definitions", Takes::SchemaMap),
    ("dependencies", Takes::Needs),
    ("dependentRequired", Takes::Needs),
    ("dependentSchemas", Takes::SchemaMap),
    ("deprecated", Takes::Bool),
    ("description", Takes::Text),
    ("else", Takes::Schema),
    ("enum", Takes::List),
    ("examples", Takes::Any),
    ("exclusiveMaximum", Takes::BoolOrNumber),
    ("exclusiveMinimum", Takes::BoolOrNumber),
    ("format", Takes::Text),
    ("if", Takes::Schema),
    ("items", Takes::SchemaOrList),
    ("maxContains", Takes::Count),
    ("maxItems", Takes::Count),
    ("maxLength", Takes::Count),
    ("maxProperties", Takes::Count),
    ("maximum", Takes::Number),
    ("minContains", Takes::Count),
    ("minItems", Takes::Count),
    ("minLength", Takes::Count),
    ("minProperties", Takes::Count),
    ("minimum", Takes::Number),
    ("multipleOf", Takes::Number),
    ("not", Takes::Schema),
    ("oneOf", Takes::SchemaList),
    ("pattern", Takes::Text),
    ("patternProperties", Takes::SchemaMap),
    ("prefixItems", Takes::SchemaList),
    ("properties", Takes::SchemaMap),
    ("propertyNames", Takes::Schema),
    ("readOnly", Takes::Bool),
    ("required", Takes::Texts),
    ("then", Takes::Schema),
    ("title", Takes::Text),
    ("type", Takes::Type),
    ("unevaluatedItems", Takes::Schema),
    ("unevaluatedProperties", Takes::Schema),
    ("uniqueItems", Takes::Bool),
    ("writeOnly", Takes::Bool),
];

/// Keywords of dialects before 2020-12, whose meaning others have taken over.
pub(crate) const OLDER: [&str; 3] = ["additionalItems", "definitions", "dependencies"];

/// What a keyword takes; nothing for a word that JSON Schema does not know, and that therefore says nothing.
pub(crate) fn takes(keyword: &str) -> Option<Takes> {
    KEYWORDS.binary_search_by_key(&keyword, |(name, _)| name).ok().map(|index| KEYWORDS[index].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(KEYWORDS.is_sorted_by_key(|(name, _)| name));
    }
}
