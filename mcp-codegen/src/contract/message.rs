//! Reading `messages`: a prompt that needs no handler.

use crate::contract::read::Cx;
use crate::contract::{PromptArgument, keys};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::cursor::{TableCursor, with_suggestion};
use crate::document::{Node, NodeKind};
use crate::source::{Sources, Span, Spanned};

/// The types of content that a message may have.
const CONTENT: [&str; 5] = ["text", "image", "audio", "resource_link", "resource"];

/// `messages = [{ role = "user", text = "Summarize: {{text}}" }]`, finished as MCP's messages.
pub(super) fn read(
    cx: &Cx<'_>,
    table: &mut TableCursor<'_, '_>,
    arguments: &[PromptArgument],
) -> Option<Spanned<Vec<Node>>> {
    let (key, _) = table.peek("messages")?;
    let span = key.span;
    let items = table.array("messages");
    let messages: Vec<Node> = items.iter().filter_map(|item| message(item, table.found)).collect();
    let names = arguments.iter().map(|argument| argument.name.value.as_str()).collect();
    let mut placeholders = Placeholders { sources: cx.sources, names, found: table.found };
    for message in &messages {
        placeholders.node(message);
    }
    Some(Spanned::new(messages, span))
}

fn message(item: &Node, found: &mut Diagnostics) -> Option<Node> {
    let mut table = TableCursor::open(item, &keys::MESSAGE, found)?;
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
struct Placeholders<'c, 'd> {
    sources: &'c Sources,
    names: Vec<&'c str>,
    found: &'d mut Diagnostics,
}

impl Placeholders<'_, '_> {
    fn node(&mut self, node: &Node) {
        match &node.kind {
            NodeKind::Array(items) => items.iter().for_each(|item| self.node(item)),
            NodeKind::Object(members) => members.iter().for_each(|(_, value)| self.node(value)),
            NodeKind::String(text) => self.text(text, node.span),
            NodeKind::Bool(_) | NodeKind::Null | NodeKind::Number(_) => {}
        }
    }

    fn text(&mut self, text: &str, span: Span) {
        let inside = self.sources.inside_string(span, text);
        let at = |range: std::ops::Range<usize>| match inside {
            Some(inside) => {
                Span::new(span.file, inside.start as usize + range.start..inside.start as usize + range.end)
            }
            None => span,
        };
        let mut start = 0;
        while let Some(open) = text[start..].find("{{").map(|open| start + open) {
            let rest = &text[open + 2..];
            // Four braces are two that are meant as such.
            if rest.starts_with("{{") {
                start = open + 4;
                continue;
            }
            let Some(length) = rest.find("}}") else {
                let place = at(open..open + 2);
                let finding = Diagnostic::error(Code::MESSAGE_ARGUMENT, place, "found `{{` without `}}`");
                self.found.push(finding.help("write `{{{{` for two braces"));
                return;
            };
            start = open + length + 4;
            let name = rest[..length].trim();
            if !self.names.contains(&name) {
                let message = format!("`{{{{{name}}}}}` names no argument of the prompt");
                let finding = Diagnostic::error(Code::MESSAGE_ARGUMENT, at(open..start), message);
                self.found.push(with_suggestion(finding, name, &self.names));
            }
        }
    }
}
