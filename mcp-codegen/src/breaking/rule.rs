//! What can change between two contracts, and how much each change matters.

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::Span;

/// One kind of change.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Rule {
    /// Its name, never used again for another kind.
    pub id: &'static str,
    /// What changed, in a few words.
    pub title: &'static str,
    /// [`Severity::Error`] where a client breaks, [`Severity::Warning`] where one may, [`Severity::Note`] where none does.
    pub severity: Severity,
    /// How to make the change without harm, or what to do about it.
    pub help: &'static str,
}

macro_rules! rules {
    ($($name:ident = $id:literal, $severity:ident, $title:literal, $help:literal;)*) => {
        $(pub(super) const $name: Rule = Rule { id: $id, title: $title, severity: Severity::$severity, help: $help };)*

        /// Every kind of change.
        pub const RULES: &[Rule] = &[$($name),*];
    };
}

rules! {
    TOOL_REMOVED = "tool-removed", Error, "a tool is gone",
        "keep it, and say in its description what to use instead";
    TOOL_ADDED = "tool-added", Note, "a tool is new", "";
    ARGUMENT_REQUIRED = "argument-required", Error, "an argument must be given that could be absent",
        "let it be absent, with a default";
    ARGUMENT_REMOVED = "argument-removed", Error, "an argument is refused that was taken",
        "keep it, and pass it over in the handler";
    ARGUMENT_NARROWED = "argument-narrowed", Error, "an argument refuses a value that it took",
        "keep taking the value";
    ARGUMENT_CLOSED = "arguments-closed", Error, "arguments without a name are refused that were taken",
        "keep `additionalProperties` open; where a client asks for a closed schema (`strict-closed`), accept the change: `--allow`";
    ARGUMENT_CLAIMED = "argument-claimed", Warning, "an argument that was free of a schema has one",
        "callers that sent something else under this name are refused now";
    ARGUMENT_UNCLEAR = "argument-unclear", Warning, "a change of a schema that cannot be judged",
        "look at it yourself";
    ARGUMENT_ADDED = "argument-added", Note, "an argument is new, and may be absent", "";
    ARGUMENT_WIDENED = "argument-widened", Note, "an argument takes more", "";
    DEFAULT_CHANGED = "default-changed", Warning, "an absent argument means something else",
        "callers that left it out get another result";
    HEADER_CHANGED = "header-changed", Warning, "an argument travels in another header",
        "proxies that read the header must follow";
    RESULT_SCHEMA_REMOVED = "result-schema-removed", Error, "a tool no longer says what its result is",
        "keep `output`: clients read `structuredContent` by it";
    RESULT_SCHEMA_ADDED = "result-schema-added", Note, "a tool says what its result is", "";
    RESULT_OPTIONAL = "result-property-optional", Error, "a property may be missing that was always there",
        "keep it required";
    RESULT_WIDENED = "result-widened", Error, "a result may be what it never was",
        "add a property instead, and keep the old one as it was";
    RESULT_ADDED = "result-property-added", Warning, "a result has a property that was refused before",
        "clients that hold results against the old schema refuse it";
    RESULT_FREED = "result-property-freed", Warning, "a property of the result has no schema any more",
        "keep its schema while it may come";
    RESULT_UNCLEAR = "result-unclear", Warning, "a change of a result's schema that cannot be judged",
        "look at it yourself";
    RESULT_NARROWED = "result-narrowed", Note, "a result is less than it could be", "";
    HINT_WEAKENED = "annotation-weakened", Warning, "a tool promises less than it did",
        "hosts that called it without asking may ask now, and people who allowed it should hear of it";
    ANNOTATION_CHANGED = "annotation-changed", Note, "an annotation says something else", "";
    SCOPE_ADDED = "scope-added", Error, "callers need a scope that they did not need",
        "give the scope to every caller before";
    SCOPE_REMOVED = "scope-removed", Note, "callers need a scope no more", "";
    TEXT_CHANGED = "text-changed", Note, "a title or a description says something else",
        "models go by it: try the calls that matter";
    DEFINITION_CHANGED = "definition-changed", Note, "another key of a definition changed", "";
    RESOURCE_REMOVED = "resource-removed", Error, "a resource is gone, or has another URI",
        "keep the old URI beside the new one";
    RESOURCE_ADDED = "resource-added", Note, "a resource is new", "";
    MIME_TYPE_CHANGED = "mime-type-changed", Warning, "a content has another type",
        "clients that read the old type must follow";
    UPDATES_REMOVED = "updates-removed", Error, "a resource can no longer be subscribed to",
        "keep `updates`";
    TEMPLATE_REMOVED = "template-removed", Error, "a resource template is gone, or matches other URIs",
        "keep the old template beside the new one";
    TEMPLATE_ADDED = "template-added", Note, "a resource template is new", "";
    VARIABLE_RENAMED = "variable-renamed", Warning, "a variable of a template has another name",
        "clients that complete it by name must follow";
    PROMPT_REMOVED = "prompt-removed", Error, "a prompt is gone",
        "keep it, and say in its description what to use instead";
    PROMPT_ADDED = "prompt-added", Note, "a prompt is new", "";
    PROMPT_REQUIRED = "prompt-argument-required", Error, "an argument of a prompt must be given that could be absent",
        "let it be absent";
    PROMPT_ARGUMENT_REMOVED = "prompt-argument-removed", Error, "an argument of a prompt is gone",
        "keep it, and pass it over";
    PROMPT_ARGUMENT_ADDED = "prompt-argument-added", Note, "an argument of a prompt is new, or may be absent now", "";
    PROMPT_TEXT_CHANGED = "prompt-messages-changed", Note, "the messages of a prompt say something else", "";
    SERVER_RENAMED = "server-renamed", Warning, "the server has another name",
        "clients put it before the names of tools: rules that allow `mcp__OLD__tool` no longer hold";
    INSTRUCTIONS_CHANGED = "instructions-changed", Note, "the server's instructions say something else",
        "models go by them: try the calls that matter";
}

impl Rule {
    /// How people call its severity.
    #[must_use]
    pub const fn category(&self) -> &'static str {
        match self.severity {
            Severity::Error => "breaks",
            Severity::Warning => "risky",
            Severity::Note => "note",
        }
    }

    /// A change: `message`, where it stands now, and where it stood.
    pub(super) fn at(&self, (new, old): (Option<Span>, Option<Span>), message: String) -> Diagnostic {
        let place = new.or(old).unwrap_or(Span::NOWHERE);
        let mut change = Diagnostic::new(Code::named(self.id, self.title), self.severity, place, message);
        match (new, old) {
            (Some(_), Some(old)) => change = change.label("now").also(old, "before"),
            (None, Some(_)) => change = change.label("before"),
            (Some(_), None) => change = change.label("now"),
            (None, None) => {}
        }
        if self.help.is_empty() { change } else { change.help(self.help) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique() {
        let names: BTreeSet<&str> = RULES.iter().map(|rule| rule.id).collect();
        assert_eq!(names.len(), RULES.len());
    }
}
