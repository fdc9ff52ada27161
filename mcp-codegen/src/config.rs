//! What a user can choose about the generated code. Plain options; no I/O.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::cursor::with_suggestion;
use crate::formats::{NAMES, StringFormat};
use crate::source::Span;
use crate::spelling;

/// Options of one generation, with the defaults that suit most.
///
/// ```
/// let config = mcp_codegen::Config::new().name("weather").default_stubs(true);
/// ```
#[derive(Clone, Debug)]
pub struct Config {
    pub(crate) name: Option<String>,
    pub(crate) default_stubs: bool,
    pub(crate) derive: Vec<String>,
    pub(crate) runtime_path: String,
    pub(crate) single_file: bool,
    pub(crate) assert_formats: bool,
    pub(crate) asserted_formats: Vec<String>,
    pub(crate) format_types: Vec<(String, String, Via)>,
}

/// How a text becomes a Rust type of the author's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Via {
    /// By `FromStr`, and back by `Display`.
    FromStr,
    /// By serde's `Deserialize`, and back by `Serialize`.
    Serde,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            name: None,
            default_stubs: false,
            derive: Vec::new(),
            runtime_path: "::mcp_runtime".to_owned(),
            single_file: false,
            assert_formats: false,
            asserted_formats: Vec::new(),
            format_types: Vec::new(),
        }
    }
}

impl Config {
    /// The defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Names the service: the name of the file that `include_service!` takes up, and of a server whose contract
    /// states none. Default: the contract's own name.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Gives each trait method a default body that answers 'not implemented', so that work can go in steps.
    /// Default: off; then a missing handler is a compile error.
    #[must_use]
    pub fn default_stubs(mut self, on: bool) -> Self {
        self.default_stubs = on;
        self
    }

    /// Adds a derive to every generated type, such as `serde::Serialize`.
    #[must_use]
    pub fn derive(mut self, path: impl Into<String>) -> Self {
        self.derive.push(path.into());
        self
    }

    /// Says under which path the generated code finds the runtime. Default: `::mcp_runtime`.
    #[must_use]
    pub fn runtime_path(mut self, path: impl Into<String>) -> Self {
        self.runtime_path = path.into();
        self
    }

    /// Puts all modules into one file, `mod.rs`, as `include_service!` needs it. Default: off; then each feature has a
    /// file of its own.
    #[must_use]
    pub fn single_file(mut self, on: bool) -> Self {
        self.single_file = on;
        self
    }

    /// Asserts every `format` of JSON Schema that is known: a string that is not of its format is refused. Default: off; then a
    /// format describes, as JSON Schema has it. The contract's `[formats]` can say the same.
    ///
    /// Known are `date`, `date-time`, `duration`, `email`, `hostname`, `ipv4`, `ipv6`, `iri`, `iri-reference`,
    /// `json-pointer`, `regex`, `relative-json-pointer`, `time`, `uri`, `uri-reference`, `uri-template` and `uuid`.
    #[must_use]
    pub fn assert_formats(mut self, on: bool) -> Self {
        self.assert_formats = on;
        self
    }

    /// Asserts one format, as [`assert_formats`](Self::assert_formats) does all. That can be one of our own, too: `path`, `url`
    /// and `command-arg`, which short forms assert in any case, are then also asserted where a schema is written out.
    #[must_use]
    pub fn assert_format(mut self, name: impl Into<String>) -> Self {
        self.asserted_formats.push(name.into());
        self
    }

    /// Gives strings of a format a Rust type, wherever a type of a property, an item or a branch is such a string. What the
    /// type refuses is answered like any other wrong argument. The contract, on a property or in `[formats]`, comes first.
    ///
    /// ```
    /// use mcp_codegen::{Config, Via};
    ///
    /// let config = Config::new().format_type("uuid", "::uuid::Uuid", Via::FromStr);
    /// ```
    #[must_use]
    pub fn format_type(mut self, format: impl Into<String>, path: impl Into<String>, via: Via) -> Self {
        self.format_types.push((format.into(), path.into(), via));
        self
    }

    /// Reports what cannot be done, or would not be Rust where it would stand in the generated code.
    pub(crate) fn check(&self, found: &mut Diagnostics) {
        let derives = self.derive.iter().map(|derive| ("derive", derive, "serde::Serialize"));
        for (option, path, example) in derives.chain([("runtime_path", &self.runtime_path, "::mcp_runtime")]) {
            if !spelling::is_path(path) {
                let message = format!("the option `{option}` is `{path}`, which is not a path of Rust");
                let finding = Diagnostic::error(Code::OPTION, Span::NOWHERE, message);
                found.push(finding.help(format!("write a path, such as `{example}`")));
            }
        }
        self.check_formats(found);
    }

    /// Reports formats that nobody can assert, and types that are none.
    fn check_formats(&self, found: &mut Diagnostics) {
        for name in self.asserted_formats.iter().filter(|name| StringFormat::named(name).is_none()) {
            let message = format!("the option `assert_format` is `{name}`, which is not known");
            let finding = Diagnostic::error(Code::OPTION, Span::NOWHERE, message);
            found.push(with_suggestion(finding, name, &NAMES));
        }
        for (format, path, _) in self.format_types.iter().filter(|(_, path, _)| !spelling::is_type(path)) {
            let message =
                format!("the option `format_type` gives `{format}` the type `{path}`, which is not one of Rust");
            let finding = Diagnostic::error(Code::OPTION, Span::NOWHERE, message);
            found.push(finding.help("write a type that owns its value by its path, such as `::uuid::Uuid`"));
        }
    }
}
