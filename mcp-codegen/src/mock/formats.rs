//! The runtime's matchers of formats that a contract asserts, by the names that generated code uses.

use mcp_runtime::codegen::formats as runtime;
use mcp_runtime::json::Matcher;

use crate::formats::StringFormat;

/// The matcher of a format.
pub(crate) fn matcher(format: StringFormat) -> Option<&'static dyn Matcher> {
    let known: [(&str, &'static dyn Matcher); 20] = [
        ("COMMAND_ARG", &runtime::COMMAND_ARG),
        ("DATE", &runtime::DATE),
        ("DATE_TIME", &runtime::DATE_TIME),
        ("DURATION", &runtime::DURATION),
        ("EMAIL", &runtime::EMAIL),
        ("HOSTNAME", &runtime::HOSTNAME),
        ("IPV4", &runtime::IPV4),
        ("IPV6", &runtime::IPV6),
        ("IRI", &runtime::IRI),
        ("IRI_REFERENCE", &runtime::IRI_REFERENCE),
        ("JSON_POINTER", &runtime::JSON_POINTER),
        ("PATH", &runtime::PATH),
        ("REGEX", &runtime::REGEX),
        ("RELATIVE_JSON_POINTER", &runtime::RELATIVE_JSON_POINTER),
        ("TIME", &runtime::TIME),
        ("URI", &runtime::URI),
        ("URI_REFERENCE", &runtime::URI_REFERENCE),
        ("URI_TEMPLATE", &runtime::URI_TEMPLATE),
        ("URL", &runtime::URL),
        ("UUID", &runtime::UUID),
    ];
    known.iter().find(|(name, _)| *name == format.matcher()).map(|(_, matcher)| *matcher)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_the_matcher_of_its_name() {
        for name in crate::formats::NAMES {
            let format = StringFormat::named(name).unwrap();
            assert_eq!(matcher(format).map(Matcher::source), Some(name));
        }
    }
}
