//! Formats that the validator's libraries know.

use std::fmt;
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::json::Matcher;

/// A format that is asked of the validator. What cannot be asked for is refused.
pub struct LibraryFormat {
    name: &'static str,
    compiled: OnceLock<Option<jsonschema::Validator>>,
}

impl LibraryFormat {
    const fn new(name: &'static str) -> Self {
        Self { name, compiled: OnceLock::new() }
    }

    fn compile(&self) -> Option<jsonschema::Validator> {
        jsonschema::options().offline().should_validate_formats(true).build(&json!({ "format": self.name })).ok()
    }
}

impl Matcher for LibraryFormat {
    fn keyword(&self) -> &'static str {
        "format"
    }

    fn source(&self) -> &'static str {
        self.name
    }

    fn is_match(&self, text: &str) -> bool {
        let validator = self.compiled.get_or_init(|| self.compile());
        validator.as_ref().is_some_and(|validator| validator.is_valid(&Value::String(text.to_owned())))
    }
}

impl fmt::Debug for LibraryFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LibraryFormat").field("name", &self.name).finish_non_exhaustive()
    }
}

/// An address of RFC 5321.
pub static EMAIL: LibraryFormat = LibraryFormat::new("email");

/// A host name of RFC 1123.
pub static HOSTNAME: LibraryFormat = LibraryFormat::new("hostname");

/// An IRI of RFC 3987.
pub static IRI: LibraryFormat = LibraryFormat::new("iri");

/// An IRI or a relative reference.
pub static IRI_REFERENCE: LibraryFormat = LibraryFormat::new("iri-reference");

/// A regular expression of ECMA-262.
pub static REGEX: LibraryFormat = LibraryFormat::new("regex");

/// A URI of RFC 3986.
pub static URI: LibraryFormat = LibraryFormat::new("uri");

/// A URI or a relative reference.
pub static URI_REFERENCE: LibraryFormat = LibraryFormat::new("uri-reference");

/// A URI template of RFC 6570.
pub static URI_TEMPLATE: LibraryFormat = LibraryFormat::new("uri-template");
