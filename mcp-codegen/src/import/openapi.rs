//! Descriptions of HTTP APIs in OpenAPI 3.0 and 3.1: each operation becomes a tool.
//!
//! The description says how the API is called; the contract, what a model is to know. Every choice on the way from the one to
//! the other stands as a comment in the contract, so that whoever writes the handlers finds it. Nothing is fetched.

mod dialect;
mod docs;
mod input;
mod names;
mod operation;
mod output;
mod rule;
mod schema;
mod security;

pub use self::rule::RULES;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use self::docs::{At, Docs};
use self::names::Names;
use self::operation::Operation;
use self::schema::Schemas;
use super::{Draft, Feature, Imported, write};
use crate::config::Config;
use crate::diagnostic::Diagnostics;
use crate::document::{Node, NodeKind};
use crate::source::{Role, SourceFile, Sources, Span};

/// Which operations are wanted, and what of them.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// Globs; an operation is taken if one of them is its `operationId`, path or a tag of its. Nothing stands for all.
    pub include: Vec<String>,
    /// Globs of operations that are not taken.
    pub exclude: Vec<String>,
    /// Methods; nothing stands for all.
    pub methods: Vec<String>,
    /// Whether tools say nothing of their results.
    pub without_output: bool,
}

/// Gives the text of a file that lies beside a description.
pub type ReadFile<'r> = dyn Fn(&Path) -> io::Result<String> + 'r;

/// Hears how far the work is.
pub type Watch<'r> = dyn Fn(usize, usize) + 'r;

/// A description, and the way to the files that it refers to.
pub struct Description<'r> {
    /// Where it lies, for messages and for what lies beside it.
    pub path: PathBuf,
    /// JSON or YAML.
    pub text: String,
    /// Gives the text of a file beside it. Without, a reference to another file is an error.
    pub read: Option<&'r ReadFile<'r>>,
    /// Is told how many operations are done, and how many there are.
    pub watch: Option<&'r Watch<'r>>,
}

/// What came of a description.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FromOpenApi {
    /// The contract; nothing, if something in the description is wrong.
    pub imported: Option<Imported>,
    /// What was found in the description.
    pub found: Diagnostics,
    /// Its texts, to which the findings point.
    pub sources: Sources,
    /// How many tools there are.
    pub tools: usize,
}

/// Writes a contract with a tool for each operation of a description.
///
/// ```
/// use mcp_codegen::import::openapi::{Description, Options, from_openapi};
///
/// let text = r#"{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {"/pets/{id}": {"get": {
///     "operationId": "getPet",
///     "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}]
/// }}}}"#;
/// let description = Description { path: "pets.json".into(), text: text.to_owned(), read: None, watch: None };
/// let imported = from_openapi(description, &Options::default()).imported.unwrap();
/// assert!(imported.text.contains("name = \"getPet\"\n"));
/// assert!(imported.text.contains("id = { type = \"integer\", required = true }\n"));
/// ```
#[must_use]
pub fn from_openapi(description: Description<'_>, options: &Options) -> FromOpenApi {
    let mut result =
        FromOpenApi { imported: None, found: Diagnostics::default(), sources: Sources::default(), tools: 0 };
    let name = description.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let Description { path, text, read, watch } = description;
    let file = SourceFile { name: name.clone(), path, text, role: Role::Attachment };
    let docs = Docs::read(file, read, &mut result.sources, &mut result.found);
    let Some(docs) = docs else { return result };
    let Some(is_30) = is_30(docs.root(), &mut result.found) else { return result };
    let draft = draft((&docs, &name, watch), is_30, options, &mut result.found);
    if !result.found.has_errors() {
        result.tools = draft.tools.len();
        result.imported = Some(write::write(&draft));
    }
    result
}

/// Whether the description is of 3.0, whose schemas are a dialect of their own; nothing if it is none that is known.
fn is_30(root: At<'_>, found: &mut Diagnostics) -> Option<bool> {
    let span = Span { end: root.node.span.start, ..root.node.span };
    if let Some(version) = root.node.get("swagger") {
        let help = "convert it first: there are converters from Swagger 2.0 to OpenAPI 3.0";
        found.push(rule::version(version.span, "this is a description in Swagger 2.0".to_owned(), help));
        return None;
    }
    let Some(version) = root.node.get("openapi") else {
        let help = "give a file whose root says `openapi: 3.1.0`, or the like";
        found.push(rule::version(
            span,
            "this is no description of OpenAPI: its root has no `openapi`".to_owned(),
            help,
        ));
        return None;
    };
    // In YAML `3.1` is a number.
    match version.as_str().or(version.as_number()).unwrap_or_default() {
        text if text.starts_with("3.0") => Some(true),
        text if text.starts_with("3.") => Some(false),
        text => {
            let message = format!("OpenAPI `{text}` is not known");
            found.push(rule::version(version.span, message, "give a description in OpenAPI 3.0 or 3.1"));
            None
        }
    }
}

fn draft(
    (docs, name, watch): (&Docs, &str, Option<&Watch<'_>>),
    is_30: bool,
    options: &Options,
    found: &mut Diagnostics,
) -> Draft {
    let root = docs.root();
    let operations = operation::all(docs, options, found);
    let mut schemas = Schemas::new(docs, is_30);
    let mut names = Names::default();
    let mut draft = Draft { server: server(root), ..Draft::default() };
    let mut left_out = Vec::new();
    for (done, operation) in operations.iter().enumerate() {
        if let Some(watch) = watch {
            watch(done, operations.len());
        }
        let tool = tool(docs, (&mut schemas, &mut names), (operation, options), found);
        match tool {
            Ok(tool) => draft.tools.push(tool),
            Err(why) => left_out.push(format!("{why}.")),
        }
    }
    found.extend(std::mem::take(&mut schemas.found));
    if draft.tools.is_empty() && !found.has_errors() {
        let span = root.node.get("paths").map_or(root.node.span, |paths| Span { end: paths.span.start, ..paths.span });
        found.push(rule::operation(span, "no operation is wanted, so that there is no tool".to_owned()));
    }
    draft.notes = notes(root, name, &schemas);
    if !left_out.is_empty() {
        draft.notes.push(left_out.join("\n"));
    }
    draft
}

/// What holds for the whole contract.
fn notes(root: At<'_>, name: &str, schemas: &Schemas<'_>) -> Vec<String> {
    let version = root.node.get("openapi").and_then(|version| version.as_str().or(version.as_number()));
    let mut notes = vec![format!(
        "Imported from `{name}`, OpenAPI {}: a tool for each operation.\nParameters and the properties of a body are \
         arguments side by side; above each tool stands which is\nsent where. No tool takes arguments that are not \
         declared.",
        version.unwrap_or_default()
    )];
    let servers: Vec<String> =
        root.items("servers").filter_map(|server| server.text("url")).map(|url| format!("`{url}`")).collect();
    if !servers.is_empty() {
        notes.push(format!("The API is at {}.", servers.join(", ")));
    }
    let ways_in = security::schemes(root);
    if !ways_in.is_empty() {
        notes.push(format!("Authentication: {}.", ways_in.join("; ")));
    }
    if !schemas.dropped.is_empty() {
        let dropped: Vec<String> = schemas.dropped.iter().map(|keyword| format!("`{keyword}`")).collect();
        notes.push(format!(
            "Left out of schemas, where they say nothing to a client, or not what JSON Schema has there:\n{}.",
            dropped.join(", ")
        ));
    }
    notes
}

fn server(root: At<'_>) -> Option<Node> {
    let info = root.get("info")?;
    let title = info.text("title")?;
    let mut words = title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).peekable();
    words.peek()?;
    let name = words.collect::<Vec<_>>().join("-").to_ascii_lowercase();
    let mut server = Node::object(info.node.span);
    let mut push = |key: &str, text: &str| server.push(key, Node::string(text, info.node.span));
    push("name", &name);
    let version = info.node.get("version").and_then(|version| version.as_str().or(version.as_number()));
    push("version", version.unwrap_or("0.0.0"));
    push("title", title);
    let is_web = |url: &&str| url.starts_with("https://") || url.starts_with("http://");
    if let Some(url) = root.get("externalDocs").and_then(|docs| docs.text("url")).filter(is_web) {
        push("websiteUrl", url);
    }
    Some(server)
}

/// The tool of an operation; or a word on why a contract cannot hold it, which is a finding, too.
fn tool(
    docs: &Docs,
    (schemas, names): (&mut Schemas<'_>, &mut Names),
    (operation, options): (&Operation<'_>, &Options),
    found: &mut Diagnostics,
) -> Result<Feature, String> {
    let name = names.name(operation);
    let mut notes = vec![heading(operation, &name)];
    if operation.at.is("deprecated") {
        notes.push("Deprecated.".to_owned());
    }
    let input = input::of(docs, schemas, operation, found);
    notes.extend(input.notes);
    let security = security::of(docs.root(), operation);
    notes.extend(security.note.clone());
    let mut definition = definition(operation, &name);
    definition.push("inputSchema", input.schema);
    if !options.without_output {
        let output = output::of(docs, schemas, operation, found);
        notes.extend(output.note);
        if let Some(schema) = output.schema {
            definition.push("outputSchema", schema);
        }
    }
    let fault = match unfit(&definition) {
        Some(why) if definition.get("outputSchema").is_some() => {
            notes.push(format!("Its `outputSchema` is left out: {why}."));
            remove(&mut definition, "outputSchema");
            unfit(&definition)
        }
        fault => fault,
    };
    if let Some(why) = fault {
        let message = format!("`{}` is left out: {why}", operation.shown());
        found.push(rule::operation(operation.key.span, message.clone()));
        return Err(message);
    }
    // One paragraph: what belongs together is read together.
    let own = security.key().map(|scopes| ("scopes", scopes)).into_iter().collect();
    Ok(Feature { definition, own, notes: vec![notes.join("\n")] })
}

/// `GET /users/{id}`, and the operation's own name where the tool has another.
fn heading(operation: &Operation<'_>, name: &str) -> String {
    match operation.id() {
        Some(id) if id != name => format!("{} (`{id}`)", operation.shown()),
        Some(_) | None => operation.shown(),
    }
}

fn definition(operation: &Operation<'_>, name: &str) -> Node {
    let span = operation.key.span;
    let mut definition = Node::object(span);
    let (summary, description) = (operation.at.text("summary"), operation.at.text("description"));
    let inherited = operation.item.text("summary").or(operation.item.text("description"));
    let shown = operation.shown();
    let description_or = description.or(summary).or(inherited).unwrap_or(&shown);
    definition.push("name", Node::string(name, span));
    if let Some(title) = summary.filter(|summary| description.is_some_and(|description| description != *summary)) {
        definition.push("title", Node::string(title.trim(), span));
    }
    definition.push("description", Node::string(description_or.trim(), span));
    let hints = hints(operation.method);
    if !hints.is_empty() {
        let mut annotations = Node::object(span);
        for hint in hints {
            annotations.push(hint, Node::new(NodeKind::Bool(true), span));
        }
        definition.push("annotations", annotations);
    }
    definition
}

/// What RFC 9110 says of the method.
fn hints(method: &str) -> &'static [&'static str] {
    match method {
        "get" | "head" | "options" | "trace" => &["readOnlyHint"],
        "put" => &["idempotentHint"],
        "delete" => &["destructiveHint", "idempotentHint"],
        _ => &[],
    }
}

fn remove(definition: &mut Node, key: &str) {
    if let NodeKind::Object(members) = &mut definition.kind {
        members.retain(|(known, _)| known.name != key);
    }
}

/// Why no code could be generated for the tool, if none could.
fn unfit(definition: &Node) -> Option<String> {
    let mut sources = Sources::default();
    let text = format!("{{\"tools\":[{}]}}", definition.to_json());
    sources.add(SourceFile { name: "tool.json".to_owned(), path: PathBuf::new(), text, role: Role::Json });
    let found = crate::faults(&sources, &Config::new().name("server"));
    let first = found.sorted().into_iter().find(|finding| finding.is_error())?.message().to_owned();
    Some(first)
}

impl fmt::Debug for Description<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Description").field("path", &self.path).finish_non_exhaustive()
    }
}
