//! The dialects of JSON Schema whose rules are followed.

/// What a `$schema` may name, without its scheme and trailing `#`.
const DIALECTS: [&str; 5] = [
    "json-schema.org/draft/2020-12/schema",
    "json-schema.org/draft/2019-09/schema",
    "json-schema.org/draft-07/schema",
    "json-schema.org/draft-06/schema",
    "json-schema.org/draft-04/schema",
];

/// Whether a URI is that of a supported dialect, which is also that of the schema of its schemas.
pub(crate) fn is_dialect(uri: &str) -> bool {
    let plain = uri.trim_start_matches("https://").trim_start_matches("http://").trim_end_matches('#');
    DIALECTS.contains(&plain)
}
