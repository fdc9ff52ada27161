//! What can be wrong with a description.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// A reference that leads nowhere, or elsewhere.
pub(super) fn reference(span: Span, message: String) -> Diagnostic {
    let finding = Diagnostic::error(Code::named("openapi-reference", "a reference that leads nowhere"), span, message);
    finding.help("leave the operation out with `--exclude`, or mend the reference")
}

/// A text that is no description, or one of another version.
pub(super) fn version(span: Span, message: String, help: &str) -> Diagnostic {
    let code = Code::named("openapi-version", "not a description of OpenAPI 3.0 or 3.1");
    Diagnostic::error(code, span, message).help(help)
}

/// An operation that cannot become a tool.
pub(super) fn operation(span: Span, message: String) -> Diagnostic {
    let code = Code::named("openapi-operation", "an operation that is no tool");
    Diagnostic::warning(code, span, message)
}
