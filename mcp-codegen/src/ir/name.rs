//! Names that are decided: an identifier that Rust accepts, and the pair of it with the name on the wire.

use std::fmt;

/// A Rust identifier, escaped (`r#type`) where it must be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RustIdent(String);

/// A thing with two names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) wire: String,
    pub(crate) rust: RustIdent,
}

impl RustIdent {
    /// Takes over what `lower::naming` decided.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// As it stands in code.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Without `r#`: what a file is called, and what is compared.
    pub(crate) fn plain(&self) -> &str {
        self.0.strip_prefix("r#").unwrap_or(&self.0)
    }
}

impl fmt::Display for RustIdent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
