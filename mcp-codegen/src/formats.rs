//! What becomes of `format`: which ones are asserted, and which ones have a Rust type.
//!
//! The contract (`[formats]`) and the configuration both say it. Without either, a format describes and nothing more.

use std::collections::{BTreeMap, BTreeSet};

use crate::config::{Config, Via};
use crate::contract::Contract;
use crate::schema::SchemaObject;

/// A format that the runtime can assert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StringFormat(usize);

/// Name, what the runtime calls its matcher, and whether that needs a library.
const KNOWN: [(&str, &str, bool); 17] = [
    ("date", "DATE", false),
    ("date-time", "DATE_TIME", false),
    ("duration", "DURATION", false),
    ("email", "EMAIL", true),
    ("hostname", "HOSTNAME", true),
    ("ipv4", "IPV4", false),
    ("ipv6", "IPV6", false),
    ("iri", "IRI", true),
    ("iri-reference", "IRI_REFERENCE", true),
    ("json-pointer", "JSON_POINTER", false),
    ("regex", "REGEX", true),
    ("relative-json-pointer", "RELATIVE_JSON_POINTER", false),
    ("time", "TIME", false),
    ("uri", "URI", true),
    ("uri-reference", "URI_REFERENCE", true),
    ("uri-template", "URI_TEMPLATE", true),
    ("uuid", "UUID", false),
];

/// The names of those that can be asserted.
pub(crate) const NAMES: [&str; KNOWN.len()] = {
    let mut names = [""; KNOWN.len()];
    let mut index = 0;
    while index < KNOWN.len() {
        names[index] = KNOWN[index].0;
        index += 1;
    }
    names
};

impl StringFormat {
    pub(crate) fn named(name: &str) -> Option<Self> {
        KNOWN.iter().position(|(known, _, _)| *known == name).map(Self)
    }

    /// What `codegen::formats` of the runtime calls it.
    pub(crate) fn matcher(self) -> &'static str {
        KNOWN[self.0].1
    }

    /// Whether the runtime needs its feature `schema` for it.
    pub(crate) fn needs_library(self) -> bool {
        KNOWN[self.0].2
    }
}

/// What holds for all schemas of one generation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Formats {
    /// Whether all that are known are asserted.
    pub(crate) all: bool,
    asserted: BTreeSet<StringFormat>,
    types: BTreeMap<String, ForeignType>,
}

/// A type of the author's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ForeignType {
    pub(crate) path: String,
    pub(crate) via: Via,
}

impl Formats {
    /// What the configuration says, and the contract, which comes first.
    pub(crate) fn new(contract: &Contract, config: &Config) -> Self {
        let mut formats = Self { all: config.assert_formats, ..Self::default() };
        formats.asserted.extend(config.asserted_formats.iter().filter_map(|name| StringFormat::named(name)));
        for (name, path, via) in &config.format_types {
            formats.types.insert(name.clone(), ForeignType { path: path.clone(), via: *via });
        }
        for written in &contract.formats {
            let name = &written.name.value;
            formats.all |= written.assert && name == "*";
            formats.asserted.extend(StringFormat::named(name).filter(|_| written.assert));
            if let Some(path) = &written.rust.ty {
                let via = written.rust.via.as_ref().map_or(Via::FromStr, |via| via.value);
                formats.types.insert(name.clone(), ForeignType { path: path.value.clone(), via });
            }
        }
        formats
    }

    /// Whether any format is asserted.
    pub(crate) fn assert_some(&self) -> bool {
        self.all || !self.asserted.is_empty()
    }

    /// The format of that name, if it is asserted.
    pub(crate) fn asserted(&self, name: &str) -> Option<StringFormat> {
        StringFormat::named(name).filter(|format| self.all || self.asserted.contains(format))
    }

    /// What a schema asserts by its `format`.
    pub(crate) fn asserted_by(&self, schema: &SchemaObject) -> Option<StringFormat> {
        self.asserted(&schema.format.as_ref()?.value)
    }

    /// The type for strings of that format.
    pub(crate) fn ty(&self, name: &str) -> Option<&ForeignType> {
        self.types.get(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_sorted() {
        assert!(NAMES.is_sorted());
    }
}
