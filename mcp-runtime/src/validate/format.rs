//! A `format` in words that a model can follow.

use crate::checked;

/// What to send instead of a string that is not of its format.
pub(super) fn expected(format: &str) -> String {
    if let Some((expected, example)) = checked::expected(format) {
        return format!("{expected}, such as {example}");
    }
    match example(format) {
        Some(example) => format!("a string of the format {format}, such as {example}"),
        None => format!("a string of the format {format}"),
    }
}

fn example(format: &str) -> Option<&'static str> {
    Some(match format {
        "date" => "2026-12-01",
        "date-time" => "2026-12-01T08:30:00Z",
        "duration" => "P1DT12H",
        "email" => "ada@example.org",
        "hostname" => "example.org",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "iri" | "uri" => "https://example.org/a",
        "json-pointer" => "/a/0",
        "relative-json-pointer" => "1/a",
        "time" => "08:30:00Z",
        "uuid" => "67e55044-10b1-426f-9247-bb680e5fe0c8",
        _ => return None,
    })
}
