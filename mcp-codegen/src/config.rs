//! What a user can choose about the generated code. Plain options; no I/O.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
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
}

impl Default for Config {
    fn default() -> Self {
        Self {
            name: None,
            default_stubs: false,
            derive: Vec::new(),
            runtime_path: "::mcp_runtime".to_owned(),
            single_file: false,
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

    /// Reports what would not be Rust where it would stand in the generated code.
    pub(crate) fn check(&self, found: &mut Diagnostics) {
        let derives = self.derive.iter().map(|derive| ("derive", derive, "serde::Serialize"));
        for (option, path, example) in derives.chain([("runtime_path", &self.runtime_path, "::mcp_runtime")]) {
            if !spelling::is_path(path) {
                let message = format!("the option `{option}` is `{path}`, which is not a path of Rust");
                let finding = Diagnostic::error(Code::OPTION, Span::NOWHERE, message);
                found.push(finding.help(format!("write a path, such as `{example}`")));
            }
        }
    }
}
