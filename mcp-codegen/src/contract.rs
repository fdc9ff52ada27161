//! What the author wrote, whatever the format: features in declaration order, each leaf with its place.
//!
//! Short forms are expanded here. Every feature carries its finished wire definition, so that later stages never
//! decide what a client sees.

mod ask;
mod attachment;
mod defs;
mod envelope;
mod example;
mod execution;
mod feature;
mod format;
mod header;
mod hint;
pub(crate) mod keys;
mod merge;
mod message;
mod portable;
mod prompt;
mod read;
mod resource;
mod rules;
mod schemas;
mod server;
mod settings;
mod shorthand;
mod template;
mod tool;

use crate::config::Via;
use crate::document::Node;
use crate::source::{FileId, Spanned};
use crate::uri_template::UriTemplate;
use std::time::Duration;

pub(crate) use self::attachment::attachments;
#[cfg(feature = "cli")]
pub(crate) use self::header::parameter_headers;
pub(crate) use self::read::read;

/// All files of a run, merged.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contract {
    pub(crate) server: Server,
    pub(crate) tools: Vec<Tool>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) templates: Vec<ResourceTemplate>,
    pub(crate) prompts: Vec<Prompt>,
    /// `[defs.Name]`: shared short schemas. A typed schema names one by `{"$ref": "mcp-codegen:Name"}`.
    pub(crate) defs: Vec<Def>,
    pub(crate) asks: Vec<Ask>,
    pub(crate) formats: Vec<FormatRule>,
}

/// `[server]`. A contract without one takes its name from the configuration, and version `0.0.0`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Server {
    pub(crate) name: Option<Spanned<String>>,
    pub(crate) version: Option<Spanned<String>>,
    pub(crate) instructions: Option<Spanned<String>>,
    /// `serverInfo` as it goes out at the newest revision (`name`, `version`, `title`, `description`, `icons`,
    /// `websiteUrl`: those that were written, in MCP's order); `None` where no name was written.
    pub(crate) info: Option<Node>,
    /// Defaults for every feature.
    pub(crate) settings: Settings,
    pub(crate) ttl_ms: Option<Spanned<u64>>,
    pub(crate) cache_scope: Option<Spanned<CacheScope>>,
    pub(crate) page_size: Option<Spanned<u64>>,
    pub(crate) extensions: Option<Node>,
    /// The URI by which tokens are issued for the server.
    pub(crate) resource: Option<Spanned<String>>,
    pub(crate) authorization_servers: Vec<Spanned<String>>,
    pub(crate) allow: Vec<Allow>,
}

/// Who may keep an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CacheScope {
    Private,
    Public,
}

/// `[[tools]]`.
#[derive(Clone, Debug)]
pub(crate) struct Tool {
    pub(crate) common: Common,
    pub(crate) input: SchemaPair,
    pub(crate) output: Option<SchemaPair>,
    /// Where secrets stand in the input schema on the wire.
    pub(crate) secrets: Vec<String>,
    /// Arguments that clients repeat as HTTP headers.
    pub(crate) headers: Vec<Header>,
    /// Which properties exclude, require or replace each other (`rules`).
    pub(crate) rules: Option<Node>,
    pub(crate) examples: Vec<Node>,
}

/// An argument that clients repeat as an HTTP header, by `x-mcp-header`.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    /// As the contract writes it, without `Mcp-Param-`.
    pub(crate) name: String,
    /// The properties that lead to the argument.
    pub(crate) path: Vec<String>,
    pub(crate) kind: HeaderKind,
}

/// The type of such an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeaderKind {
    Boolean,
    Integer,
    String,
}

/// A schema on the wire, and the same schema as the types should see it.
///
/// They differ only where a short form was expanded: there the wire has a `ref` inlined, and `typed` names the
/// definition instead, so that it becomes one Rust type.
#[derive(Clone, Debug)]
pub(crate) struct SchemaPair {
    pub(crate) wire: Node,
    pub(crate) typed: Node,
    /// Whether it is ours to spell (a short form): then a defect in it is an error, not a warning.
    pub(crate) portable: bool,
}

/// `[[resources]]`.
#[derive(Clone, Debug)]
pub(crate) struct Resource {
    pub(crate) common: Common,
    pub(crate) uri: Spanned<String>,
    pub(crate) mime_type: Option<Spanned<String>>,
    pub(crate) content: Option<StaticContent>,
    pub(crate) updates: bool,
}

/// What a resource without a handler holds.
#[derive(Clone, Debug)]
pub(crate) enum StaticContent {
    /// `text = "…"`.
    Text(Spanned<String>),
    /// `file = "…"`: what the attachment holds.
    File(FileId),
}

/// `[[resourceTemplates]]`.
#[derive(Clone, Debug)]
pub(crate) struct ResourceTemplate {
    pub(crate) common: Common,
    pub(crate) uri_template: Spanned<String>,
    /// The same, taken apart.
    pub(crate) template: UriTemplate,
    pub(crate) mime_type: Option<Spanned<String>>,
    /// Short schemas of the variables; a variable without one is a string.
    pub(crate) args: Vec<(Spanned<String>, SchemaPair)>,
    /// Those that a URI must have, although the template does not say so.
    pub(crate) required: Vec<String>,
    pub(crate) complete: Vec<Spanned<String>>,
    pub(crate) updates: bool,
    pub(crate) examples: Vec<Node>,
}

/// `[[prompts]]`.
#[derive(Clone, Debug)]
pub(crate) struct Prompt {
    pub(crate) common: Common,
    pub(crate) arguments: Vec<PromptArgument>,
    /// `messages`: static content, finished as MCP's `PromptMessage` objects with `{{name}}` still in the text.
    pub(crate) messages: Option<Spanned<Vec<Node>>>,
    pub(crate) examples: Vec<Node>,
}

/// One of a prompt's `arguments`; its value is always a string.
#[derive(Clone, Debug)]
pub(crate) struct PromptArgument {
    pub(crate) name: Spanned<String>,
    pub(crate) description: Option<Spanned<String>>,
    pub(crate) required: bool,
    pub(crate) values: Option<Spanned<Vec<String>>>,
    pub(crate) complete: bool,
    pub(crate) rust: RustNames,
}

/// `[defs.Name]`.
#[derive(Clone, Debug)]
pub(crate) struct Def {
    pub(crate) name: Spanned<String>,
    pub(crate) schema: SchemaPair,
    pub(crate) rust: RustNames,
    /// Those of its properties; the side says nothing here.
    pub(crate) hints: Vec<Hint>,
}

/// `[asks.name]`: a form, or a page to open.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) name: Spanned<String>,
    /// What the user reads, unless the handler says otherwise.
    pub(crate) message: String,
    /// `requestedSchema`; absent where the ask is a page (`url = true`).
    pub(crate) fields: Option<SchemaPair>,
    /// Those of its fields.
    pub(crate) hints: Vec<Hint>,
}

/// What all four kinds of feature have.
#[derive(Clone, Debug)]
pub(crate) struct Common {
    /// The file that declares it.
    pub(crate) file: FileId,
    pub(crate) name: Spanned<String>,
    pub(crate) title: Option<Spanned<String>>,
    pub(crate) description: Option<Spanned<String>>,
    /// The finished definition at the newest revision, as it stands in a list answer: an object with MCP's keys and
    /// the author's unknown ones, in the author's order (short forms: MCP's order).
    pub(crate) definition: Node,
    pub(crate) settings: Settings,
    pub(crate) rust: RustNames,
    /// `hints`: JSON Pointer into the schema → `secret`, `rust`, `wire`; those from short schemas included.
    pub(crate) hints: Vec<Hint>,
    pub(crate) allow: Vec<Allow>,
}

/// Own keys that can stand on a feature or, as a default, on `[server]`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    pub(crate) timeout: Option<Spanned<Duration>>,
    pub(crate) blocking: Option<Spanned<bool>>,
    pub(crate) repair: Option<Spanned<bool>>,
    pub(crate) max_result: Option<Spanned<u64>>,
    pub(crate) scopes: Vec<Spanned<String>>,
    pub(crate) groups: Vec<Spanned<String>>,
}

/// The key `rust`.
#[derive(Clone, Debug, Default)]
pub(crate) struct RustNames {
    /// `name`: the Rust name, instead of the one that the rule makes.
    pub(crate) name: Option<Spanned<String>>,
    /// `type`: a foreign type, or `"number"` on an integer.
    pub(crate) ty: Option<Spanned<String>>,
    pub(crate) via: Option<Spanned<Via>>,
    pub(crate) derive: Vec<Spanned<String>>,
}

/// One of `[formats]`.
#[derive(Clone, Debug)]
pub(crate) struct FormatRule {
    /// The format, or `*` for each that is known.
    pub(crate) name: Spanned<String>,
    /// Whether it decides, and not only describes.
    pub(crate) assert: bool,
    /// Its type, if it has one.
    pub(crate) rust: RustNames,
}

/// What the author says about one place of a schema.
#[derive(Clone, Debug)]
pub(crate) struct Hint {
    /// JSON Pointer into the typed schema, such as `/properties/token`.
    pub(crate) pointer: Spanned<String>,
    /// Which of a tool's two schemas it points into.
    pub(crate) side: Side,
    pub(crate) secret: bool,
    /// `wire = "string"`: an integer that travels as text.
    pub(crate) wire_string: bool,
    pub(crate) rust: RustNames,
}

/// A tool's arguments or its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Input,
    Output,
}

/// A lint rule that the author silenced here.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "only the linter reads it"))]
pub(crate) struct Allow {
    pub(crate) rule: Spanned<String>,
    pub(crate) reason: Option<Spanned<String>>,
}
