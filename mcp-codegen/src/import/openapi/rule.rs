//! What can be wrong with a description.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// A rule: its name, what it is about in a few words, and why.
type Rule = (&'static str, &'static str, &'static str);

const REFERENCE: Rule = (
    "openapi-reference",
    "a reference that leads nowhere",
    "A `$ref` must lead to a place in the description. Nothing is ever fetched; files that lie in the folder of the \
     description are read only with `--local-refs`. References of operations that are not imported do not matter.",
);
const VERSION: Rule = (
    "openapi-version",
    "not a description of OpenAPI 3.0 or 3.1",
    "The root of a description says `openapi: 3.0.3`, or the like. Swagger 2.0 is another format; converters are at hand.",
);
const OPERATION: Rule = (
    "openapi-operation",
    "an operation that is no tool",
    "The rest of the description is imported; this operation has a schema for which no code can be generated, is none (a \
     path without `/`, a method that nobody knows), or was the last that was wanted.",
);

/// What `import --openapi` finds: the name of each rule, what it is about, and why.
pub const RULES: [Rule; 3] = [OPERATION, REFERENCE, VERSION];

const fn code((name, title, _): Rule) -> Code {
    Code::named(name, title)
}

/// A reference that leads nowhere, or elsewhere.
pub(super) fn reference(span: Span, message: String) -> Diagnostic {
    let finding = Diagnostic::error(code(REFERENCE), span, message);
    finding.help("leave the operation out with `--exclude`, or mend the reference")
}

/// A text that is no description, or one of another version.
pub(super) fn version(span: Span, message: String, help: &str) -> Diagnostic {
    Diagnostic::error(code(VERSION), span, message).help(help)
}

/// An operation that cannot become a tool.
pub(super) fn operation(span: Span, message: String) -> Diagnostic {
    Diagnostic::warning(code(OPERATION), span, message)
}
