//! Reading `messages`: a prompt that needs no handler.

use crate::contract::PromptArgument;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::cursor::{TableCursor, with_suggestion};
use crate::document::{Node, NodeKind};
use crate::source::{Span, Spanned};

/// The types of content that a message may have.
const CONTENT: [&str; 5] = ["text", "image", "audio", "resource_link", "resource"];

/// `messages = [{ role = "user", text = "Summarize: {{text}}" }]`, finished as MCP's messages.
pub(super) fn read(table: &mut TableCursor<'_, '_>, arguments: &[PromptArgument]) -> Option<Spanned<Vec<Node>>> {
    let (key, _) = table.peek("messages")?;
    let span = key.span;
    let items = table.array("messages");
    let messages: Vec<Node> = items.iter().filter_map(|item| message(item, table.found)).collect();
    let names: Vec<&str> = arguments.iter().map(|argument| argument.name.value.as_str()).collect();
    for message in &messages {
        placeholders(message, &names, table.found);
    }
    Some(Spanned::new(messages, span))
}

fn message(item: &Node, found: &mut Diagnostics) -> Option<Node> {
    let mut table = TableCursor::open(item, "a message: a table of `role` and `text`", found)?;
    let role = table.required_string("role", "a message");
    let text = table.string("text");
    let content = table.object("content");
    if let Some(role) = role.as_ref().filter(|role| !matches!(role.value.as_str(), "user" | "assistant")) {
        let finding = Diagnostic::error(Code::MESSAGE, role.span, format!("unknown role `{}`", role.value));
        let finding = finding.label("expected `user` or `assistant`");
        table.found.push(with_suggestion(finding, &role.value, &["user", "assistant"]));
    }
    if let (Some(text), Some(content)) = (&text, content) {
        let finding = Diagnostic::error(Code::KEYS_EXCLUDE, content.span, "`text` and `content` stand together");
        table.found.push(finding.also(text.span, "the content is here already").help("keep one of them"));
    }
    let content = match (text, content) {
        (Some(text), _) => Some(text_block(&text)),
        (None, Some(content)) => {
            known_content(content, table.found);
            Some(content.clone())
        }
        (None, None) => {
            table.missing("text", "a message");
            None
        }
    };
    table.finish("a message");
    let (role, content) = (role?, content?);
    let mut message = Node::object(item.span);
    message.push("role", Node::string(&role.value, role.span));
    message.push("content", content);
    Some(message)
}

fn text_block(text: &Spanned<String>) -> Node {
    let mut block = Node::object(text.span);
    block.push("type", Node::string("text", text.span));
    block.push("text", Node::string(&text.value, text.span));
    block
}

fn known_content(content: &Node, found: &mut Diagnostics) {
    let ty = content.get("type");
    let word = ty.and_then(Node::as_str).unwrap_or_default();
    if !CONTENT.contains(&word) {
        let span = ty.map_or(content.span, |ty| ty.span);
        let finding = Diagnostic::error(Code::MESSAGE, span, format!("unknown type of content `{word}`"));
        found.push(with_suggestion(finding.label("expected `text`, `image`, `audio` or `resource`"), word, &CONTENT));
    }
}

/// Forbids a placeholder for which no argument can stand.
fn placeholders(node: &Node, names: &[&str], found: &mut Diagnostics) {
    match &node.kind {
        NodeKind::Array(items) => items.iter().for_each(|item| placeholders(item, names, found)),
        NodeKind::Object(members) => members.iter().for_each(|(_, value)| placeholders(value, names, found)),
        NodeKind::String(text) => in_text(text, node.span, (names, found)),
        NodeKind::Bool(_) | NodeKind::Null | NodeKind::Number(_) => {}
    }
}

fn in_text(text: &str, span: Span, (names, found): (&[&str], &mut Diagnostics)) {
    let mut rest = text;
    while let Some(open) = rest.find("{{") {
        rest = &rest[open + 2..];
        // Four braces are two that are meant as such.
        if let Some(after) = rest.strip_prefix("{{") {
            rest = after;
            continue;
        }
        let Some((name, after)) = rest.split_once("}}") else {
            let finding = Diagnostic::error(Code::MESSAGE_ARGUMENT, span, "found `{{` without `}}`");
            found.push(finding.help("write `{{{{` for two braces"));
            return;
        };
        if !names.contains(&name.trim()) {
            let message = format!("`{{{{{name}}}}}` names no argument of the prompt");
            let finding = Diagnostic::error(Code::MESSAGE_ARGUMENT, span, message);
            found.push(with_suggestion(finding, name.trim(), names));
        }
        rest = after;
    }
}
