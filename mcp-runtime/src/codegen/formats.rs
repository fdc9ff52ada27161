//! What `format` asks of a string, where a contract asserts it: one matcher for each name.
//!
//! Those that a few lines decide are decided here. The others belong to libraries that the validator brings along
//! (feature `schema`), which is asked. Both give the verdicts of that validator. Three are ours, and no formats of JSON
//! Schema: short forms assert them.

#[cfg(feature = "schema")]
mod library;
mod pointer;
mod time;
mod uuid;

use std::net::{Ipv4Addr, Ipv6Addr};

#[cfg(feature = "schema")]
pub use self::library::{EMAIL, HOSTNAME, IRI, IRI_REFERENCE, LibraryFormat, REGEX, URI, URI_REFERENCE, URI_TEMPLATE};
use crate::checked::{command_arg, path, url};
use crate::json::Matcher;

/// A format that needs no library.
#[derive(Debug)]
pub struct Format {
    name: &'static str,
    accepts: fn(&str) -> bool,
}

impl Matcher for Format {
    fn keyword(&self) -> &'static str {
        "format"
    }

    fn source(&self) -> &'static str {
        self.name
    }

    fn is_match(&self, text: &str) -> bool {
        (self.accepts)(text)
    }
}

/// Of ours: an argument for a command, as [`CommandArg`](crate::CommandArg) has it.
pub static COMMAND_ARG: Format = Format { name: "command-arg", accepts: command_arg::accepts };

/// `full-date` of RFC 3339: `2026-12-01`.
pub static DATE: Format = Format { name: "date", accepts: time::is_date };

/// `date-time` of RFC 3339: `2026-12-01T08:30:00Z`.
pub static DATE_TIME: Format = Format { name: "date-time", accepts: time::is_date_time };

/// A duration of RFC 3339, appendix A: `P3DT12H`.
pub static DURATION: Format = Format { name: "duration", accepts: time::is_duration };

/// An IPv4 address in dotted decimal.
pub static IPV4: Format = Format { name: "ipv4", accepts: |text| text.parse::<Ipv4Addr>().is_ok() };

/// An IPv6 address, without a zone.
pub static IPV6: Format = Format { name: "ipv6", accepts: |text| text.parse::<Ipv6Addr>().is_ok() };

/// A JSON Pointer of RFC 6901: `/a/0`.
pub static JSON_POINTER: Format = Format { name: "json-pointer", accepts: pointer::is_pointer };

/// Of ours: a path that leads down, as [`RelativePath`](crate::RelativePath) has it.
pub static PATH: Format = Format { name: "path", accepts: path::accepts };

/// A relative JSON Pointer: `1/a`.
pub static RELATIVE_JSON_POINTER: Format =
    Format { name: "relative-json-pointer", accepts: pointer::is_relative_pointer };

/// `full-time` of RFC 3339: `08:30:00Z`.
pub static TIME: Format = Format { name: "time", accepts: time::is_time };

/// Of ours: an address of the web, as [`HttpUrl`](crate::HttpUrl) has it.
pub static URL: Format = Format { name: "url", accepts: url::accepts };

/// A UUID of RFC 9562: hexadecimal digits in five groups.
pub static UUID: Format = Format { name: "uuid", accepts: uuid::is_uuid };

#[cfg(all(test, feature = "schema"))]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    const OURS: [&Format; 9] =
        [&DATE, &DATE_TIME, &DURATION, &IPV4, &IPV6, &JSON_POINTER, &RELATIVE_JSON_POINTER, &TIME, &UUID];

    fn validator(format: &str) -> jsonschema::Validator {
        let options = jsonschema::options().should_validate_formats(true);
        options.build(&json!({ "format": format })).expect("a schema")
    }

    /// Texts that are of a format, or nearly.
    fn near() -> impl Strategy<Value = String> {
        let whole = prop_oneof![
            "[0-9]{4}-(0[0-9]|1[0-3])-[0-3][0-9]",
            "[0-2][0-9]:[0-6][0-9]:(60|[0-5][0-9])(\\.[0-9]{0,3})?([Zz]|[+-][0-2][0-9]:[0-6][0-9])",
            "[0-9]{4}-(0[1-9]|1[0-2])-[0-3][0-9][Tt ](23|[0-2][0-9]):(59|[0-5][0-9]):(60|[0-5][0-9])([Zz]|[+-]0[0-9]:00)",
            "P([0-9]{1,2}[YMWD]){0,4}(T([0-9]{1,2}[HMS]){0,3})?",
            "[0-2]?[0-9]{1,2}(\\.[0-2]?[0-9]{1,2}){3,4}",
            "([0-9a-f]{0,4}:){2,8}[0-9a-f]{0,4}",
            "[0-9]{0,2}#?(/([a-c]|~[01 ]|é){0,3}){0,3}",
            "[0-9a-fA-F]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-g]{12}",
        ];
        (whole, any::<prop::sample::Index>(), prop::option::of("[0-9a-zA-Z:./~#+é-]?")).prop_map(
            |(text, place, change)| {
                let Some(change) = change else { return text };
                let mut letters: Vec<char> = text.chars().collect();
                if !letters.is_empty() {
                    let place = place.index(letters.len());
                    letters.splice(place..=place, change.chars());
                }
                letters.into_iter().collect()
            },
        )
    }

    #[test]
    fn every_verdict_is_that_of_the_validator() {
        let validators = OURS.map(|format| (format, validator(format.name)));
        proptest!(ProptestConfig::with_cases(4_000), |(text in near())| {
            for (format, validator) in &validators {
                let wanted = validator.is_valid(&Value::String(text.clone()));
                prop_assert_eq!(format.is_match(&text), wanted, "{} {:?}", format.name, text);
            }
        });
    }

    #[test]
    fn libraries_decide_the_others() {
        for (format, good, bad) in [
            (&EMAIL, "ada@example.org", "ada@"),
            (&HOSTNAME, "example.org", "-example"),
            (&IRI, "http://ƒøø.ßår/", "//ƒøø.ßår/"),
            (&IRI_REFERENCE, "/âππ", "\\\\WINDOWS\\filëßåré"),
            (&REGEX, "^a+$", "^(a"),
            (&URI, "https://example.org/a?b", "/a"),
            (&URI_REFERENCE, "/a", "\\a"),
            (&URI_TEMPLATE, "http://example.org/{a}", "http://example.org/{a"),
        ] {
            assert!(format.is_match(good) && !format.is_match(bad), "{}", format.source());
        }
    }
}
