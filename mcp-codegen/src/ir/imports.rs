//! The names that generated code imports. It says what it means by each, so that no type of a contract may be called so.

/// Sorted: what the runtime's `codegen` offers under one name, and generated code uses by that name.
pub(crate) const RUNTIME: &[&str] = &[
    "ArrayRules",
    "Call",
    "Catalog",
    "Completion",
    "Completions",
    "Context",
    "Decode",
    "Encode",
    "Fault",
    "Field",
    "IntegerRules",
    "NumberRules",
    "ObjectRules",
    "ParamHeader",
    "Partial",
    "Prompt",
    "PromptMessages",
    "Reader",
    "RequestError",
    "Resource",
    "ResourceContents",
    "ResourceTemplate",
    "Rest",
    "ServerInfo",
    "Settings",
    "Start",
    "StringRules",
    "Tool",
    "ToolError",
    "ToolResponse",
    "UriPart",
    "UriTemplate",
    "UriValues",
    "UriVariable",
    "Value",
    "Writer",
    "keys",
    "required",
];

/// What comes from the standard library, with the path.
pub(crate) const STANDARD: &[(&str, &str)] = &[
    ("BTreeMap", "::std::collections::BTreeMap"),
    ("Duration", "::std::time::Duration"),
    ("Future", "::std::future::Future"),
];

/// Whether a type of this name would hide one that is imported.
pub(crate) fn is_imported(name: &str) -> bool {
    RUNTIME.binary_search(&name).is_ok() || STANDARD.iter().any(|(known, _)| *known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_sorted() {
        assert!(RUNTIME.is_sorted());
    }
}
