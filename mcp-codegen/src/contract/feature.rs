//! What all four kinds of feature have: names, the wire definition, settings, and what becomes of unknown keys.

use crate::contract::envelope::Form;
use crate::contract::read::Cx;
use crate::contract::{Common, RustNames, Settings, hint, settings};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::document::cursor::{TableCursor, nearest, wrong_type};
use crate::document::keys::Table;
use crate::document::{Key, Node, NodeKind};
use crate::source::Spanned;

/// A kind of feature, as far as its keys differ.
pub(super) struct Kind {
    pub(super) table: &'static Table,
    /// With its article, for messages.
    pub(super) name: &'static str,
    /// Keys of ours that other kinds have.
    pub(super) useless: &'static [&'static str],
    /// Keys that other formats have, each with the one that its author meant.
    pub(super) meant: &'static [(&'static str, &'static str)],
}

impl Kind {
    /// Begins to read such a feature.
    pub(super) fn open<'n, 'd>(
        &self,
        cx: &Cx<'_>,
        node: &'n Node,
        found: &'d mut Diagnostics,
    ) -> Option<TableCursor<'n, 'd>> {
        TableCursor::open_for(node, (self.table, cx.form.knows()), found)
    }
}

/// Reads what is common. Without a name there is no feature; the rest may be half wrong.
pub(super) fn read(cx: &Cx<'_>, kind: &Kind, node: &Node, table: &mut TableCursor<'_, '_>) -> Option<Common> {
    let name = table.required_string("name", kind.name);
    if let Some(name) = &name {
        not_empty(name, "the name", table.found);
    }
    let mut common = Common {
        file: cx.file,
        name: name?,
        title: table.string("title"),
        description: table.string("description"),
        definition: definition(cx, kind, node),
        settings: Settings::default(),
        rust: RustNames::default(),
        hints: Vec::new(),
        allow: Vec::new(),
    };
    for (key, expected, fits) in WIRE_SHAPES {
        shape(table, key, (expected, fits));
    }
    if cx.form == Form::Native {
        table.useless(kind.useless, kind.name, "leave it out here");
        common.settings = settings::read(table);
        common.rust = rust_name(table, kind.name);
        common.allow = settings::allow(table);
        common.hints = hint::read(table);
    }
    Some(common)
}

/// Takes the key `rust` of what has nothing but a name in Rust.
pub(super) fn rust_name(table: &mut TableCursor<'_, '_>, whose: &str) -> RustNames {
    table.node("rust").map_or_else(RustNames::default, |node| settings::rust_name(node, whose, table.found))
}

/// Reports the keys that nobody took: near one of ours they are slips, otherwise they pass to the wire.
pub(super) fn finish(cx: &Cx<'_>, kind: &Kind, mut table: TableCursor<'_, '_>) {
    let known = table.known().to_vec();
    for (key, _) in table.strangers() {
        let meant = kind.meant.iter().find(|(other, _)| *other == key.name).map(|(_, meant)| *meant);
        let near = meant.or_else(|| nearest(&key.name, &known)).filter(|_| cx.form == Form::Native);
        let message = format!("unknown key `{}` in {}", key.name, kind.name);
        table.found.push(match near {
            Some(near) => {
                Diagnostic::error(Code::UNKNOWN_KEY, key.span, message).help(format!("did you mean `{near}`?"))
            }
            None => Diagnostic::warning(Code::UNKNOWN_KEY, key.span, message)
                .label("passes to the wire as it stands")
                .help("leave it out unless some client reads it"),
        });
    }
}

/// Forbids a name or URI of no characters.
pub(super) fn not_empty(name: &Spanned<String>, what: &str, found: &mut Diagnostics) {
    if name.value.is_empty() {
        found.push(
            Diagnostic::error(Code::EMPTY_NAME, name.span, format!("{what} is empty"))
                .help("write at least one character"),
        );
    }
}

/// Whether a value has the shape that its key takes.
type Fits = fn(&Node) -> bool;

/// Keys of MCP whose values we pass on unread, but not in a shape that clients refuse.
const WIRE_SHAPES: [(&str, &str, Fits); 3] = [
    ("annotations", "an object", |node| node.members().is_some()),
    ("icons", "an array of objects that have `src`", is_icons),
    ("_meta", "an object", |node| node.members().is_some()),
];

fn is_icons(node: &Node) -> bool {
    node.items().is_some_and(|icons| icons.iter().all(|icon| icon.get("src").is_some_and(|src| src.as_str().is_some())))
}

/// Takes a key that passes to the wire, and reports it where its value has not the shape that MCP gives it.
pub(super) fn shape(table: &mut TableCursor<'_, '_>, key: &str, expected: (&str, Fits)) {
    let (expected, fits) = expected;
    let Some(value) = table.present(key) else { return };
    if !fits(value) {
        table.found.push(wrong_type(value, expected).label(format!("`{key}` takes {expected}")));
    }
}

/// Keys of MCP, on features and on the arguments of prompts, that need not be there.
const OPTIONAL: [&str; 11] = [
    "_meta",
    "annotations",
    "arguments",
    "description",
    "execution",
    "icons",
    "mimeType",
    "outputSchema",
    "required",
    "size",
    "title",
];

/// Leaves out what is null and was read as absent: clients refuse it.
pub(super) fn leave_nulls_out(node: &mut Node) {
    if let NodeKind::Object(members) = &mut node.kind {
        members.retain(|(key, value)| !value.is_null() || !OPTIONAL.contains(&key.name.as_str()));
    }
}

/// The wire keys as the author wrote them.
fn definition(cx: &Cx<'_>, kind: &Kind, node: &Node) -> Node {
    let is_wire = |(key, _): &&(Key, Node)| cx.form != Form::Native || !kind.table.is_own(&key.name);
    let members = node.members().unwrap_or_default().iter().filter(is_wire).cloned().collect();
    let mut definition = Node::new(NodeKind::Object(members), node.span);
    leave_nulls_out(&mut definition);
    definition
}
