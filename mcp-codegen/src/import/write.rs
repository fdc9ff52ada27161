//! [`Draft`] → the text of a native contract in TOML: the order of the file, and of the keys in a feature.

use super::schema::{self, Schemas};
use super::{Draft, Feature, Imported, layout, proof, text};
use crate::document::{Key, Node, NodeKind};

/// A kind of feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Prompt,
    Resource,
    Template,
    Tool,
}

/// MCP's keys in the order in which a person would write them; the schemas of tools come last.
const ORDER: [&str; 12] = [
    "uri",
    "uriTemplate",
    "name",
    "title",
    "description",
    "mimeType",
    "size",
    "annotations",
    "execution",
    "icons",
    "_meta",
    "arguments",
];

const SERVER: [&str; 7] = ["name", "version", "title", "description", "websiteUrl", "icons", "instructions"];

/// Writes a contract. What TOML or the format of contracts has no way to say is left out, and said so.
pub(crate) fn write(draft: &Draft) -> Imported {
    let mut left_out = Vec::new();
    let mut parts = Vec::new();
    parts.extend(Some(comments(&draft.notes)).filter(|notes| !notes.is_empty()));
    parts.push("format = 1\n".to_owned());
    parts.extend(draft.server.as_ref().and_then(|server| self::server(server, &mut left_out)));
    let lists = [
        (Kind::Tool, &draft.tools),
        (Kind::Resource, &draft.resources),
        (Kind::Template, &draft.templates),
        (Kind::Prompt, &draft.prompts),
    ];
    for (kind, features) in lists {
        parts.extend(features.iter().map(|feature| self::feature(kind, feature, &mut left_out)));
    }
    Imported { text: parts.join("\n"), left_out }
}

/// Comments of several paragraphs.
fn comments(notes: &[String]) -> String {
    notes.iter().map(|note| text::comment(note)).collect::<Vec<_>>().join("#\n")
}

fn server(server: &Node, left_out: &mut Vec<String>) -> Option<String> {
    server.get("name")?;
    let mut table = Node::object(server.span);
    for key in SERVER {
        if let Some(value) = server.get(key).filter(|value| !value.is_null()) {
            table.push(key, value.clone());
        }
    }
    let is_unknown = |(key, _): &&(Key, Node)| !SERVER.contains(&key.name.as_str());
    let unknown = server.members().unwrap_or_default().iter().filter(is_unknown);
    let unknown: Vec<String> = unknown.map(|(key, _)| format!("`{}`", key.name)).collect();
    let mut out = String::new();
    if !unknown.is_empty() {
        let lost = format!("left out of the server, since MCP does not know it: {}", unknown.join(", "));
        out = text::comment(&lost);
        left_out.push(lost);
    }
    out.push_str("[server]\n");
    layout::entries(&table, &mut out);
    Some(out)
}

fn feature(kind: Kind, feature: &Feature, left_out: &mut Vec<String>) -> String {
    let mut lost = Vec::new();
    let definition = ordered(without_nulls(&feature.definition, &mut lost));
    let mut lines = Lines::of(kind, &definition);
    let schemas = Schemas::of(kind, &definition, &mut lost);
    let whole = lines.join(kind, &[], &schemas);
    if !proof::of(kind, &whole).says_well(&definition) {
        lines.drop_unsayable(kind, &definition, &mut lost);
    }
    let name = definition.get("name").and_then(Node::as_str).unwrap_or_default();
    left_out.extend(lost.iter().map(|lost| format!("`{name}`: {lost}")));
    let notes: Vec<String> = feature.notes.iter().cloned().chain(lost).collect();
    format!("{}{}", comments(&notes), lines.join(kind, &feature.own, &schemas))
}

/// The lines of each key that is no schema.
struct Lines {
    keys: Vec<(String, String)>,
    /// `[[prompts.arguments]]`, where they are too long for a line each.
    arguments: String,
}

impl Lines {
    fn of(kind: Kind, definition: &Node) -> Self {
        let mut lines = Self { keys: Vec::new(), arguments: String::new() };
        for (key, value) in definition.members().unwrap_or_default() {
            if kind == Kind::Tool && schema::KEYS.contains(&key.name.as_str()) {
                continue;
            }
            if kind == Kind::Prompt && key.name == "arguments" && !layout::is_list_of_lines(value) {
                for argument in value.items().unwrap_or_default() {
                    lines.arguments.push_str("\n[[prompts.arguments]]\n");
                    layout::entries(argument, &mut lines.arguments);
                }
                continue;
            }
            lines.keys.push((key.name.clone(), line(key, value)));
        }
        lines
    }

    /// Takes out each key that is not read back as it stands.
    fn drop_unsayable(&mut self, kind: Kind, definition: &Node, lost: &mut Vec<String>) {
        let is_needed = |key: &str| matches!(key, "name" | "uri" | "uriTemplate");
        let needed: String =
            self.keys.iter().filter(|(key, _)| is_needed(key)).map(|(_, line)| line.as_str()).collect();
        let alone = proof::of(kind, &format!("{}{needed}", kind.header()));
        self.keys.retain(|(key, line)| {
            let Some(value) = definition.get(key).filter(|_| !is_needed(key)) else { return true };
            let proof = proof::of(kind, &format!("{}{needed}{line}", kind.header()));
            let is_said = proof.repeats(key, value) && (!proof.has_errors || alone.has_errors);
            if !is_said {
                lost.push(format!("left out: `{key}`, which a contract cannot say here ({})", layout::short(value)));
            }
            is_said
        });
    }

    fn join(&self, kind: Kind, own: &[(&'static str, Node)], schemas: &Schemas) -> String {
        let mut out = kind.header();
        self.keys.iter().for_each(|(_, line)| out.push_str(line));
        for (key, value) in own {
            layout::entry(key, value, &mut out);
        }
        out.push_str(&schemas.lines);
        out.push_str(&schemas.tables);
        out.push_str(&self.arguments);
        out
    }
}

fn line(key: &Key, value: &Node) -> String {
    let mut out = String::new();
    layout::entry(&text::key(&key.name), value, &mut out);
    out
}

/// The definition less its nulls, which MCP reads as absent where a value need not be there, and for which TOML has no word.
/// Schemas keep theirs: they can be JSON text.
fn without_nulls(definition: &Node, lost: &mut Vec<String>) -> Node {
    let mut kept = Node::object(definition.span);
    for (key, value) in definition.members().unwrap_or_default() {
        let mut nulls = 0;
        let stripped = if schema::KEYS.contains(&key.name.as_str()) { value.clone() } else { strip(value, &mut nulls) };
        if nulls > 0 && key.name != "arguments" {
            lost.push(format!("left out: what is null in `{}`, since TOML has no word for it", key.name));
        }
        if !value.is_null() {
            kept.put(key, stripped);
        }
    }
    kept
}

fn strip(value: &Node, nulls: &mut usize) -> Node {
    let kind = match &value.kind {
        NodeKind::Object(members) => {
            let kept = members.iter().filter(|(_, value)| !value.is_null());
            *nulls += members.len() - kept.clone().count();
            NodeKind::Object(kept.map(|(key, value)| (key.clone(), strip(value, nulls))).collect())
        }
        NodeKind::Array(items) => {
            let kept = items.iter().filter(|item| !item.is_null());
            *nulls += items.len() - kept.clone().count();
            NodeKind::Array(kept.map(|item| strip(item, nulls)).collect())
        }
        kind => kind.clone(),
    };
    Node::new(kind, value.span)
}

/// The keys in the order of a person, also in a prompt's arguments; unknown ones keep theirs, after the known ones.
fn ordered(mut definition: Node) -> Node {
    let rank = |key: &str| ORDER.iter().position(|known| *known == key).unwrap_or(ORDER.len());
    if let NodeKind::Object(members) = &mut definition.kind {
        members.sort_by_key(|(key, _)| rank(&key.name));
        for (_, list) in members.iter_mut().filter(|(key, _)| key.name == "arguments") {
            if let NodeKind::Array(arguments) = &mut list.kind {
                *arguments = std::mem::take(arguments).into_iter().map(ordered).collect();
            }
        }
    }
    definition
}

impl Kind {
    fn header(self) -> String {
        format!("[[{}]]\n", self.list())
    }

    /// What its list is called.
    pub(super) const fn list(self) -> &'static str {
        match self {
            Self::Prompt => "prompts",
            Self::Resource => "resources",
            Self::Template => "resourceTemplates",
            Self::Tool => "tools",
        }
    }
}
