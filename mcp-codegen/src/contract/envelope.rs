//! What surrounds the features in a file: a native contract, or what a server answered to a list request.

use crate::contract::keys;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::cursor::{TableCursor, wrong_type};
use crate::document::keys::Entry;
use crate::document::{Document, Node};
use crate::source::{FileId, Role};

/// Whose keys a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A server's answer: all of it is wire.
    Answer,
    /// `format = 1`: MCP's keys and ours.
    Native,
}

impl Form {
    /// Which keys of a table mean something in such a file.
    pub(super) fn knows(self) -> fn(&Entry) -> bool {
        match self {
            Self::Answer => |entry| !entry.own,
            Self::Native => |_| true,
        }
    }
}

/// The parts of one file.
#[derive(Debug)]
pub(super) struct Envelope<'n> {
    pub(super) file: FileId,
    pub(super) form: Form,
    pub(super) server: Option<&'n Node>,
    pub(super) tools: &'n [Node],
    pub(super) resources: &'n [Node],
    pub(super) templates: &'n [Node],
    pub(super) prompts: &'n [Node],
    pub(super) defs: Option<&'n Node>,
    pub(super) asks: Option<&'n Node>,
    pub(super) formats: Option<&'n Node>,
}

const LISTS: [&str; 4] = ["tools", "resources", "resourceTemplates", "prompts"];

/// Finds the parts of a file; what is neither form is reported, and gives nothing.
pub(super) fn open<'n>(document: &'n Document, role: Role, found: &mut Diagnostics) -> Option<Envelope<'n>> {
    let root = &document.root;
    let is_answer = root.items().is_some() || LISTS.iter().any(|list| root.get(list).is_some());
    if root.get("format").is_some() {
        native(document, role, found)
    } else if role == Role::Toml {
        found.push(no_form(root, "add `format = 1` as the first line"));
        native(document, role, found)
    } else if root.get("jsonrpc").is_some() {
        response(document, found)
    } else if is_answer {
        answer(document.file, root, found)
    } else {
        found.push(no_form(root, "add `\"format\": 1`, or give what a server answered to `tools/list`"));
        None
    }
}

fn no_form(root: &Node, help: &str) -> Diagnostic {
    let span = root.members().and_then(<[_]>::first).map_or(root.span, |(key, _)| key.span);
    Diagnostic::error(Code::FORMAT, span, "the file does not say its format").help(help)
}

fn native<'n>(document: &'n Document, role: Role, found: &mut Diagnostics) -> Option<Envelope<'n>> {
    let mut table = TableCursor::open(&document.root, &keys::FILE, found)?;
    if let Some((_, format)) = table.member("format")
        && format.as_number() != Some("1")
    {
        let message = format!("unknown format `{}`", format.to_json());
        table.found.push(Diagnostic::error(Code::FORMAT, format.span, message).help("this version reads `format = 1`"));
    }
    let mut list = |key| list(&mut table, (key, role));
    let [tools, resources, templates, prompts] = LISTS.map(&mut list);
    let envelope = Envelope {
        file: document.file,
        form: Form::Native,
        server: table.node("server"),
        tools,
        resources,
        templates,
        prompts,
        defs: table.node("defs"),
        asks: table.node("asks"),
        formats: table.node("formats"),
    };
    table.finish("the contract");
    Some(envelope)
}

/// The features of one kind. A table in their place lacks a pair of brackets.
fn list<'n>(table: &mut TableCursor<'n, '_>, (key, role): (&'static str, Role)) -> &'n [Node] {
    let slip = table.peek(key).filter(|(_, node)| role == Role::Toml && node.members().is_some());
    let Some((name, node)) = slip else { return table.array(key) };
    let finding = wrong_type(&Node { span: name.span, ..node.clone() }, "an array of tables");
    table.found.push(finding.help(format!("write `[[{key}]]`, once for each")));
    table.node(key);
    &[]
}

/// `{"jsonrpc": "2.0", "id": 1, "result": {…}}`
fn response<'n>(document: &'n Document, found: &mut Diagnostics) -> Option<Envelope<'n>> {
    let root = &document.root;
    match (root.get("result"), root.get("error")) {
        (Some(result), _) => answer(document.file, result, found),
        (None, error) => {
            let span = error.map_or(root.span, |error| error.span);
            let message = "the JSON-RPC answer has no `result`";
            found.push(Diagnostic::error(Code::ERROR_ANSWER, span, message).help("record an answer that did not fail"));
            None
        }
    }
}

/// What a server answered: an object with lists, or one list alone.
fn answer<'n>(file: FileId, node: &'n Node, found: &mut Diagnostics) -> Option<Envelope<'n>> {
    let mut envelope = Envelope {
        file,
        form: Form::Answer,
        server: None,
        tools: &[],
        resources: &[],
        templates: &[],
        prompts: &[],
        defs: None,
        asks: None,
        formats: None,
    };
    if let Some(items) = node.items() {
        *list_of(&mut envelope, items) = items;
        return Some(envelope);
    }
    let mut table = TableCursor::open(node, &keys::ANSWER, found)?;
    envelope.server = table.node("server");
    envelope.tools = table.array("tools");
    envelope.resources = table.array("resources");
    envelope.templates = table.array("resourceTemplates");
    envelope.prompts = table.array("prompts");
    if let Some((key, cursor)) = table.member("nextCursor")
        && !cursor.is_null()
    {
        let message = "`nextCursor` says that the list goes on: what is on further pages is missing";
        let finding = Diagnostic::warning(Code::INCOMPLETE_LIST, key.span, message);
        table.found.push(finding.help("join the pages, and leave `nextCursor` out"));
    }
    for (key, _) in table.strangers() {
        let message = format!("`{}` says nothing in a list answer; it is passed over", key.name);
        table.found.push(Diagnostic::warning(Code::UNKNOWN_KEY, key.span, message).help("leave it out"));
    }
    Some(envelope)
}

/// Which list a bare array is, by what only items of that list have.
fn list_of<'e, 'n>(envelope: &'e mut Envelope<'n>, items: &[Node]) -> &'e mut &'n [Node] {
    let has = |key| items.first().is_some_and(|item| item.get(key).is_some());
    if has("uriTemplate") {
        &mut envelope.templates
    } else if has("uri") {
        &mut envelope.resources
    } else if has("inputSchema") || !has("arguments") {
        &mut envelope.tools
    } else {
        &mut envelope.prompts
    }
}
