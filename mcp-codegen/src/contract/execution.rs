//! `execution` of a tool: MCP's key, which the runtime goes by, too.

use crate::contract::feature;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::Node;
use crate::document::cursor::{TableCursor, with_suggestion, wrong_type};

const SUPPORT: [&str; 3] = ["forbidden", "optional", "required"];

/// Takes the key, and forbids a `taskSupport` that MCP does not know: clients would refuse the list that it stands in.
pub(super) fn take(tool: &Node, table: &mut TableCursor<'_, '_>) {
    feature::shape(table, "execution", ("an object", |node| node.members().is_some()));
    if let Some(support) = tool.get("execution").and_then(|execution| execution.get("taskSupport")) {
        known(support, table.found);
    }
}

fn known(support: &Node, found: &mut Diagnostics) {
    let Some(word) = support.as_str() else {
        found.push(wrong_type(support, "a string"));
        return;
    };
    if !SUPPORT.contains(&word) {
        let finding = Diagnostic::error(Code::WRONG_VALUE, support.span, format!("unknown task support `{word}`"));
        found.push(with_suggestion(finding.label("expected `forbidden`, `optional` or `required`"), word, &SUPPORT));
    }
}
