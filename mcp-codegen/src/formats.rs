//! What becomes of `format`: which ones are asserted, and which ones have a Rust type.
//!
//! The contract (`[formats]`) and the configuration both say it. Without either, a format describes and nothing more, but for
//! three of our own: a short form means them, and others' schemas use their names for something else.

use std::collections::{BTreeMap, BTreeSet};

use crate::config::{Config, Via};
use crate::contract::Contract;
use crate::schema::SchemaObject;

/// A format that the runtime can assert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StringFormat(usize);

/// What there is to say of a format that no JSON Schema knows.
struct Ours {
    /// The runtime's type for it.
    ty: &'static str,
    /// The rule, as clients read it behind the description: there is no keyword that says it.
    rule: &'static str,
}

const COMMAND_ARG: Ours =
    Ours { ty: "CommandArg", rule: "It is not empty, does not begin with `-` and has no control characters." };
const PATH: Ours = Ours { ty: "RelativePath", rule: "A relative path with `/` between its parts and without `..`." };
const URL: Ours = Ours { ty: "HttpUrl", rule: "An absolute http or https URL without user name and password." };

/// Name, what the runtime calls its matcher, whether that needs a library, and what is ours.
const KNOWN: [(&str, &str, bool, Option<Ours>); 20] = [
    ("command-arg", "COMMAND_ARG", false, Some(COMMAND_ARG)),
    ("date", "DATE", false, None),
    ("date-time", "DATE_TIME", false, None),
    ("duration", "DURATION", false, None),
    ("email", "EMAIL", true, None),
    ("hostname", "HOSTNAME", true, None),
    ("ipv4", "IPV4", false, None),
    ("ipv6", "IPV6", false, None),
    ("iri", "IRI", true, None),
    ("iri-reference", "IRI_REFERENCE", true, None),
    ("json-pointer", "JSON_POINTER", false, None),
    ("path", "PATH", false, Some(PATH)),
    ("regex", "REGEX", true, None),
    ("relative-json-pointer", "RELATIVE_JSON_POINTER", false, None),
    ("time", "TIME", false, None),
    ("uri", "URI", true, None),
    ("uri-reference", "URI_REFERENCE", true, None),
    ("uri-template", "URI_TEMPLATE", true, None),
    ("url", "URL", false, Some(URL)),
    ("uuid", "UUID", false, None),
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
        KNOWN.iter().position(|(known, ..)| *known == name).map(Self)
    }

    /// What `codegen::formats` of the runtime calls it.
    pub(crate) fn matcher(self) -> &'static str {
        KNOWN[self.0].1
    }

    /// Whether the runtime needs its feature `schema` for it.
    pub(crate) fn needs_library(self) -> bool {
        KNOWN[self.0].2
    }

    /// What to tell clients of one of ours.
    pub(crate) fn rule(self) -> Option<&'static str> {
        KNOWN[self.0].3.as_ref().map(|ours| ours.rule)
    }

    /// Those that no JSON Schema knows.
    fn ours() -> impl Iterator<Item = Self> {
        (0..KNOWN.len()).map(Self).filter(|format| format.is_ours())
    }

    /// Whether it is one of those.
    pub(crate) fn is_ours(self) -> bool {
        KNOWN[self.0].3.is_some()
    }
}

/// What holds for schemas that are written out, and what for short forms.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllFormats {
    verbatim: Formats,
    short: Formats,
}

impl AllFormats {
    /// What the configuration says, and the contract, which comes first.
    pub(crate) fn new(contract: &Contract, config: &Config) -> Self {
        let mut verbatim = Formats::new(contract, config);
        let mut short = verbatim.clone();
        short.asserted.extend(StringFormat::ours());
        for formats in [&mut verbatim, &mut short] {
            formats.add_our_types(&config.runtime_path);
        }
        Self { verbatim, short }
    }

    /// What holds for a schema, which is a short form or is none.
    pub(crate) fn of(&self, is_short: bool) -> &Formats {
        if is_short { &self.short } else { &self.verbatim }
    }
}

/// What holds for some schemas of one generation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Formats {
    /// Whether all that JSON Schema knows are asserted.
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
    fn new(contract: &Contract, config: &Config) -> Self {
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

    /// What is asserted of our own is checked once: its type says that it was, unless the author has one.
    fn add_our_types(&mut self, runtime: &str) {
        for format in self.asserted.iter().copied() {
            if let (name, .., Some(ours)) = &KNOWN[format.0] {
                let ours = ForeignType { path: format!("{runtime}::{}", ours.ty), via: Via::FromStr };
                self.types.entry((*name).to_owned()).or_insert(ours);
            }
        }
    }

    /// The format of that name, if it is asserted.
    pub(crate) fn asserted(&self, name: &str) -> Option<StringFormat> {
        StringFormat::named(name).filter(|format| self.asserts(*format))
    }

    /// Whether a format is asserted.
    pub(crate) fn asserts(&self, format: StringFormat) -> bool {
        self.all && !format.is_ours() || self.asserted.contains(&format)
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
    fn all_are_those_of_json_schema() {
        let verbatim = Formats::new(&Contract::default(), &Config::new().assert_formats(true));
        for name in NAMES {
            let is_ours = ["command-arg", "path", "url"].contains(&name);
            assert_eq!(verbatim.asserted(name).is_none(), is_ours, "{name}");
        }
    }

    #[test]
    fn the_names_are_sorted() {
        assert!(NAMES.is_sorted());
    }
}
