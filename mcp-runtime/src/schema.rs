//! Schemas that no Rust type can hold exactly (feature `schema`).
//!
//! Generated code asks one before it decodes, and only for the tools that need it. The schema is compiled when it is
//! first asked, and once, by the dialect that its `$schema` names (2020-12 without). Nothing is ever fetched, `format` is
//! asserted only where the contract says so, and the `content…` keywords are annotations.

use std::fmt;
use std::sync::OnceLock;

use crate::json::{Fault, Matcher, Reader};

/// Decides what one schema accepts.
///
/// ```
/// use mcp_runtime::codegen::Validator;
/// use mcp_runtime::json::Reader;
///
/// static SCHEMA: Validator = Validator::new(r#"{"not": {"required": ["a", "b"]}}"#);
///
/// assert!(SCHEMA.check(&Reader::new(r#"{"a": 1}"#)).is_ok());
/// assert!(SCHEMA.check(&Reader::new(r#"{"a": 1, "b": 2}"#)).is_err());
/// ```
pub struct Validator {
    text: &'static str,
    /// The member of `text` that holds the schema; the whole text without.
    member: Option<&'static str>,
    /// Those that are asserted: all that the schema has, or none.
    formats: &'static [&'static dyn Matcher],
    compiled: OnceLock<Option<jsonschema::Validator>>,
}

impl Validator {
    /// Judges by a schema.
    #[must_use]
    pub const fn new(schema: &'static str) -> Self {
        Self { text: schema, member: None, formats: &[], compiled: OnceLock::new() }
    }

    /// Judges by the schema under a key of a tool's definition.
    #[must_use]
    pub const fn within(definition: &'static str, member: &'static str) -> Self {
        Self { text: definition, member: Some(member), formats: &[], compiled: OnceLock::new() }
    }

    /// Asserts these formats. The schema must have no others.
    #[must_use]
    pub const fn with_formats(mut self, formats: &'static [&'static dyn Matcher]) -> Self {
        self.formats = formats;
        self
    }

    /// Judges the next value, which stays where it is.
    ///
    /// # Errors
    ///
    /// If the schema refuses the value, or the text is not JSON. A schema that cannot be compiled refuses everything.
    pub fn check(&self, reader: &Reader<'_>) -> Result<(), Fault> {
        let value = reader.ahead().value()?;
        match self.compiled.get_or_init(|| self.compile()) {
            None => Err(Fault::new("the schema of the arguments cannot be compiled")),
            Some(validator) if validator.is_valid(&value) => Ok(()),
            Some(_) => Err(Fault::new("refused by the schema")),
        }
    }

    fn compile(&self) -> Option<jsonschema::Validator> {
        let schema = match self.member {
            None => self.text,
            Some(member) => Reader::new(self.text).member(member)?,
        };
        let schema = Reader::new(schema).value().ok()?;
        let mut options = jsonschema::options().offline().should_validate_formats(!self.formats.is_empty());
        for &format in self.formats {
            options = options.with_format(format.source(), move |text: &str| format.is_match(text));
        }
        options
            .without_content_encoding_support("base64")
            .without_content_media_type_support("application/json")
            .build(&schema)
            .ok()
    }
}

impl fmt::Debug for Validator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Validator").field("text", &self.text).field("member", &self.member).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_is_found_in_a_definition() {
        static SCHEMA: Validator =
            Validator::within(r#"{"name":"t","inputSchema":{"minProperties":1}}"#, "inputSchema");
        assert!(SCHEMA.check(&Reader::new("{}")).is_err());
        assert!(SCHEMA.check(&Reader::new(r#"{"a":1}"#)).is_ok());
    }

    #[test]
    fn nothing_is_fetched() {
        static SCHEMA: Validator = Validator::new(r#"{"$ref": "https://json-schema.invalid/x.json"}"#);
        assert!(SCHEMA.check(&Reader::new("{}")).is_err());
    }

    #[test]
    fn the_dialect_is_the_one_that_the_schema_names() {
        static SCHEMA: Validator = Validator::new(
            r##"{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"n":true},"$ref":"#/definitions/n","minProperties":1}"##,
        );
        assert!(SCHEMA.check(&Reader::new("{}")).is_ok());
    }

    #[test]
    fn formats_are_asserted_where_somebody_asks_for_them() {
        const TEXT: &str = r#"{"format":"uuid","$schema":"http://json-schema.org/draft-07/schema#"}"#;
        static SILENT: Validator = Validator::new(TEXT);
        static ASSERTING: Validator = Validator::new(TEXT).with_formats(&[&crate::codegen::formats::UUID]);
        assert!(SILENT.check(&Reader::new(r#""x""#)).is_ok());
        assert!(ASSERTING.check(&Reader::new(r#""x""#)).is_err());
        assert!(ASSERTING.check(&Reader::new(r#""67e55044-10b1-426f-9247-bb680e5fe0c8""#)).is_ok());
    }
}
