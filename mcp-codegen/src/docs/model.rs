//! What stands on the page, in its order; every text is ready to be shown, and none is markup.

use std::collections::BTreeSet;

use super::field::{self, Field};
use super::text::{Prose, prose, visible};
use crate::contract::{
    Ask, Common, Contract, Prompt, Resource, ResourceTemplate, SchemaPair, Settings, StaticContent, Tool,
};
use crate::document::Node;
use crate::source::{Role, Sources};

/// Of a static content this many characters are shown.
const MAX_CONTENT: usize = 4_000;

#[derive(Debug)]
pub(super) struct Page {
    pub(super) name: String,
    pub(super) version: Option<String>,
    pub(super) description: Prose,
    /// Only if it is an address of the web.
    pub(super) website: Option<String>,
    pub(super) instructions: Prose,
    pub(super) facts: Vec<Fact>,
    pub(super) sections: Vec<Section>,
}

/// All features of one kind.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) entries: Vec<Entry>,
}

#[derive(Debug)]
pub(super) struct Entry {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) title: Option<String>,
    pub(super) badges: Vec<&'static str>,
    pub(super) description: Prose,
    pub(super) facts: Vec<Fact>,
    pub(super) parts: Vec<Part>,
}

/// A short statement: a label, and words or pieces of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) label: &'static str,
    pub(super) words: String,
    pub(super) codes: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Part {
    pub(super) title: &'static str,
    pub(super) body: Body,
}

#[derive(Debug)]
pub(super) enum Body {
    Blocks(Vec<Block>),
    Fields(Vec<Field>),
    /// Behind a click, where there are clicks.
    Folded(String),
    Words(&'static str),
}

/// A text that is shown as it is written, with what it is.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) label: String,
    pub(super) text: String,
    /// `json`, or nothing.
    pub(super) language: &'static str,
}

impl Fact {
    pub(super) fn new(label: &'static str, words: String) -> Self {
        Self { label, words, codes: Vec::new() }
    }

    fn code(label: &'static str, code: &str) -> Self {
        Self { label, words: String::new(), codes: vec![visible(code)] }
    }
}

/// Lays out the contract; `name` is that of a server that states none.
pub(super) fn page(contract: &Contract, sources: &Sources, name: Option<&str>) -> Page {
    let server = &contract.server;
    let info = |key: &str| server.info.as_ref().and_then(|info| info.get(key)).and_then(Node::as_str);
    let name = info("title").or(info("name")).or(name).unwrap_or("MCP server");
    let mut cx = Cx { sources, defaults: &server.settings, taken: BTreeSet::new() };
    let sections = [
        Section { id: "tools", title: "Tools", entries: contract.tools.iter().map(|tool| cx.tool(tool)).collect() },
        Section {
            id: "resources",
            title: "Resources",
            entries: contract.resources.iter().map(|resource| cx.resource(resource)).collect(),
        },
        Section {
            id: "templates",
            title: "Resource templates",
            entries: contract.templates.iter().map(|template| cx.template(template)).collect(),
        },
        Section {
            id: "prompts",
            title: "Prompts",
            entries: contract.prompts.iter().map(|prompt| cx.prompt(prompt)).collect(),
        },
        Section {
            id: "asks",
            title: "Questions to the user",
            entries: contract.asks.iter().map(|ask| cx.ask(ask)).collect(),
        },
    ];
    let issuers: Vec<String> = server.authorization_servers.iter().map(|uri| visible(&uri.value)).collect();
    let issued = (!issuers.is_empty()).then_some(Fact { label: "Authorization", words: String::new(), codes: issuers });
    Page {
        name: visible(name),
        version: server.version.as_ref().map(|version| visible(&version.value)),
        description: info("description").map(prose).unwrap_or_default(),
        website: info("websiteUrl").filter(|url| is_web(url)).map(visible),
        instructions: server.instructions.as_ref().map(|text| prose(&text.value)).unwrap_or_default(),
        facts: info("title").and(info("name")).map(|name| Fact::code("Name", name)).into_iter().chain(issued).collect(),
        sections: sections.into_iter().filter(|section| !section.entries.is_empty()).collect(),
    }
}

/// Whether a text is an address of the web that can stand in a link of any kind of page as it is. Anything else in a link
/// could run, or lead to the reader's own files.
fn is_web(url: &str) -> bool {
    let can_stand = |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '<' | '>' | '"' | '`' | '\\');
    ["http://", "https://"].iter().any(|scheme| url.starts_with(scheme)) && url.chars().all(can_stand)
}

struct Cx<'c> {
    sources: &'c Sources,
    defaults: &'c Settings,
    /// Anchors that are taken.
    taken: BTreeSet<String>,
}

impl Cx<'_> {
    fn tool(&mut self, tool: &Tool) -> Entry {
        let definition = &tool.common.definition;
        let hint = |key: &str| definition.get("annotations").and_then(|hints| hints.get(key)).and_then(Node::as_bool);
        let support = definition.get("execution").and_then(|execution| execution.get("taskSupport"));
        let badges = [
            (hint("readOnlyHint"), "read-only", "writes"),
            (hint("destructiveHint"), "destructive", "not destructive"),
            (hint("idempotentHint"), "idempotent", ""),
            (hint("openWorldHint"), "open world", "closed world"),
        ];
        let badge =
            |(hint, yes, no): (Option<bool>, &'static str, &'static str)| hint.map(|hint| if hint { yes } else { no });
        let mut parts = vec![schema_part("Arguments", &tool.input, &tool.secrets)];
        parts.extend(tool.output.as_ref().map(|output| schema_part("Result", output, &[])));
        parts.extend(examples(&tool.examples));
        parts.push(Part {
            title: "JSON Schema of the arguments",
            body: Body::Folded(visible(&tool.input.wire.to_pretty_json())),
        });
        parts.extend(tool.output.as_ref().map(|output| Part {
            title: "JSON Schema of the result",
            body: Body::Folded(visible(&output.wire.to_pretty_json())),
        }));
        let mut entry = self.entry("tool", &tool.common, parts);
        entry.badges = badges.into_iter().filter_map(badge).filter(|badge| !badge.is_empty()).collect();
        let support = support.and_then(Node::as_str).filter(|support| *support != "forbidden");
        entry.facts.extend(support.map(|support| Fact::new("Runs as a task", visible(support))));
        entry
    }

    fn resource(&mut self, resource: &Resource) -> Entry {
        let text = match &resource.content {
            Some(StaticContent::Text(text)) => Some(text.value.as_str()),
            Some(StaticContent::File(file)) => {
                Some(self.sources.file(*file)).filter(|file| file.role != Role::Binary).map(|file| file.text.as_str())
            }
            None => None,
        };
        let block = |text: &str| Block { label: String::new(), text: shortened(text), language: "" };
        let parts = text.map(|text| Part { title: "Content", body: Body::Blocks(vec![block(text)]) });
        let mut entry = self.entry("resource", &resource.common, parts.into_iter().collect());
        let size =
            resource.common.definition.get("size").map(|size| Fact::new("Size", format!("{} bytes", size.to_json())));
        let of_its_own = [Fact::code("URI", &resource.uri.value)]
            .into_iter()
            .chain(type_of(resource.mime_type.as_ref().map(|ty| &*ty.value)))
            .chain(size);
        entry.facts = of_its_own.chain(updates(resource.updates)).chain(std::mem::take(&mut entry.facts)).collect();
        entry
    }

    fn template(&mut self, template: &ResourceTemplate) -> Entry {
        let variables: Vec<Field> = template
            .template
            .variables()
            .map(|variable| {
                let name = &variable.name;
                let pair = template.args.iter().find(|(known, _)| known.value == *name).map(|(_, pair)| pair);
                let pointer = format!("/properties/{}", crate::schema::escape(name));
                let secret = template.common.hints.iter().any(|hint| hint.secret && hint.pointer.value == pointer);
                let required =
                    template.required.contains(name) || !template.template.is_optional(name) && !variable.is_list;
                match pair {
                    Some(pair) => field::field(name, &pair.wire, (required, secret)),
                    None => Field {
                        name: Some(visible(name)),
                        ty: if variable.is_list { "array of string" } else { "string" }.to_owned(),
                        required,
                        secret,
                        ..Field::default()
                    },
                }
            })
            .collect();
        let mut parts = vec![fields_part("Variables", variables, "The template has no variables.")];
        parts.extend(examples(&template.examples));
        let mut entry = self.entry("template", &template.common, parts);
        let of_its_own = [Fact::code("URI template", &template.uri_template.value)]
            .into_iter()
            .chain(type_of(template.mime_type.as_ref().map(|ty| &*ty.value)));
        entry.facts = of_its_own.chain(updates(template.updates)).chain(std::mem::take(&mut entry.facts)).collect();
        entry
    }

    fn prompt(&mut self, prompt: &Prompt) -> Entry {
        let arguments = prompt.arguments.iter().map(|argument| Field {
            name: Some(visible(&argument.name.value)),
            ty: "string".to_owned(),
            required: argument.required,
            description: argument.description.as_ref().map(|text| prose(&text.value)).unwrap_or_default(),
            facts: argument
                .values
                .iter()
                .map(|values| Fact {
                    label: "Suggestions",
                    words: String::new(),
                    codes: values.value.iter().map(|value| visible(value)).collect(),
                })
                .collect(),
            ..Field::default()
        });
        let mut parts = vec![fields_part("Arguments", arguments.collect(), "The prompt takes no arguments.")];
        if let Some(messages) = &prompt.messages {
            parts.push(Part { title: "Messages", body: Body::Blocks(messages.value.iter().map(message).collect()) });
        }
        parts.extend(examples(&prompt.examples));
        self.entry("prompt", &prompt.common, parts)
    }

    fn ask(&mut self, ask: &Ask) -> Entry {
        let secrets: &[String] = &[];
        let part = match &ask.fields {
            Some(fields) => fields_part(
                "Fields",
                field::fields(&fields.wire, secrets),
                "The form has no fields: the user agrees, or does not.",
            ),
            None => Part { title: "Fields", body: Body::Words("The user is sent to a page.") },
        };
        Entry {
            id: self.anchor("ask", &ask.name.value),
            name: visible(&ask.name.value),
            title: None,
            badges: Vec::new(),
            description: prose(&ask.message),
            facts: Vec::new(),
            parts: vec![part],
        }
    }

    fn entry(&mut self, kind: &str, common: &Common, parts: Vec<Part>) -> Entry {
        let of = |key: &str| common.definition.get(key).and_then(Node::as_str);
        Entry {
            id: self.anchor(kind, &common.name.value),
            name: visible(&common.name.value),
            title: of("title").map(visible),
            badges: Vec::new(),
            description: of("description").map(prose).unwrap_or_default(),
            facts: self.settings(&common.settings),
            parts,
        }
    }

    fn settings(&self, own: &Settings) -> Vec<Fact> {
        let defaults = self.defaults;
        let list = |label, own: &[crate::source::Spanned<String>], default: &[crate::source::Spanned<String>]| {
            let chosen = if own.is_empty() { default } else { own };
            let codes: Vec<String> = chosen.iter().map(|text| visible(&text.value)).collect();
            (!codes.is_empty()).then_some(Fact { label, words: String::new(), codes })
        };
        let timeout = own.timeout.as_ref().or(defaults.timeout.as_ref()).map(|timeout| timeout.value.as_millis());
        let words = |millis: u128| {
            if millis.is_multiple_of(1000) { format!("{} s", millis / 1000) } else { format!("{millis} ms") }
        };
        let size = own.max_result.as_ref().or(defaults.max_result.as_ref());
        [
            timeout.map(|millis| Fact::new("Time limit", words(millis))),
            size.map(|size| Fact::new("Largest result", format!("{} bytes", size.value))),
            list("Scopes", &own.scopes, &defaults.scopes),
            list("Groups", &own.groups, &defaults.groups),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// A name for links: of characters that no URL escapes, and no other's.
    fn anchor(&mut self, kind: &str, name: &str) -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
        let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
        let first = format!("{kind}-{plain}");
        let further = (2_usize..).map(|number| format!("{first}-{number}"));
        let free = std::iter::once(first.clone()).chain(further).find(|anchor| !self.taken.contains(anchor));
        let free = free.unwrap_or(first);
        self.taken.insert(free.clone());
        free
    }
}

fn schema_part(title: &'static str, pair: &SchemaPair, secrets: &[String]) -> Part {
    let nothing = if title == "Arguments" { "The tool takes no arguments." } else { "Any value, see the JSON Schema." };
    let mut fields = field::fields(&pair.wire, secrets);
    if field::is_open(&pair.wire) {
        fields.push(Field { role: "any other".to_owned(), ty: "any".to_owned(), ..Field::default() });
    }
    fields_part(title, fields, nothing)
}

fn fields_part(title: &'static str, fields: Vec<Field>, nothing: &'static str) -> Part {
    let body = if fields.is_empty() { Body::Words(nothing) } else { Body::Fields(fields) };
    Part { title, body }
}

fn examples(examples: &[Node]) -> Option<Part> {
    let mut blocks = Vec::new();
    for example in examples {
        let name = example.get("name").or_else(|| example.get("description")).and_then(Node::as_str).map(visible);
        for (key, label) in [("args", "Arguments"), ("output", "Result")] {
            let Some(value) = example.get(key) else { continue };
            let label =
                name.as_ref().map_or_else(|| label.to_owned(), |name| format!("{name}: {}", label.to_lowercase()));
            blocks.push(Block { label, text: visible(&value.to_pretty_json()), language: "json" });
        }
    }
    (!blocks.is_empty()).then_some(Part { title: "Examples", body: Body::Blocks(blocks) })
}

fn message(message: &Node) -> Block {
    let role = message.get("role").and_then(Node::as_str).unwrap_or_default();
    let content = message.get("content");
    let text = content.and_then(|content| content.get("text")).and_then(Node::as_str);
    let (text, language) = match (text, content) {
        (Some(text), _) => (shortened(text), ""),
        (None, Some(content)) => (shortened(&content.to_pretty_json()), "json"),
        (None, None) => (String::new(), ""),
    };
    Block { label: visible(role), text, language }
}

fn type_of(mime: Option<&str>) -> Option<Fact> {
    mime.map(|ty| Fact::code("Type", ty))
}

fn updates(updates: bool) -> Option<Fact> {
    updates.then(|| Fact::new("Updates", "clients can subscribe".to_owned()))
}

fn shortened(text: &str) -> String {
    let kept: String = text.chars().take(MAX_CONTENT).collect();
    let rest = text.chars().count() - kept.chars().count();
    let kept = visible(&kept);
    if rest == 0 { kept } else { format!("{kept}\n… and {rest} characters more") }
}
