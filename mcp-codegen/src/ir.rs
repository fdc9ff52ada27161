//! What will be generated: names decided, references resolved, types interned. No tokens, and no undecided name.

mod imports;
mod name;
mod types;

use std::time::Duration;

use crate::formats::StringFormat;
use crate::source::Span;
use crate::uri_template::UriTemplate;

pub(crate) use self::imports::{RUNTIME, STANDARD, is_imported};
pub(crate) use self::name::{Named, RustIdent};
pub(crate) use self::types::{
    ArrayRules, Enum, Field, IntegerRules, Literal, Matcher, NumberRules, ObjectRules, Pattern, Presence, Rest,
    StringRules, Struct, TypeArena, TypeId, TypeKind, Union, UnionTag, Variant,
};

/// The whole of one generation.
#[derive(Debug, Default)]
pub(crate) struct Ir {
    pub(crate) server: Server,
    pub(crate) tools: Vec<Tool>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) templates: Vec<ResourceTemplate>,
    pub(crate) prompts: Vec<Prompt>,
    pub(crate) asks: Vec<Ask>,
    /// The types of `[defs]`, which several features share.
    pub(crate) shared: Vec<TypeId>,
    /// What they match strings with.
    pub(crate) shared_patterns: Vec<Pattern>,
    pub(crate) types: TypeArena,
}

impl Ir {
    /// Whether a pattern needs an engine at run time.
    pub(crate) fn needs_engine(&self) -> bool {
        let tools = self.tools.iter().map(|tool| &tool.feature);
        let features = tools.chain(self.templates.iter().map(|template| &template.feature));
        let patterns = features.flat_map(|feature| &feature.patterns).chain(&self.shared_patterns);
        patterns.into_iter().any(|pattern| !matches!(pattern.matcher, Matcher::Plain(_)))
    }

    /// Whether some tool's arguments are decided by a validator, or a format by one of its libraries.
    pub(crate) fn needs_validator(&self) -> bool {
        let needs_library = |format: &StringFormat| format.needs_library();
        self.tools.iter().any(|tool| tool.validation != Validation::Type || tool.formats.iter().any(needs_library))
            || self.types.formats().any(StringFormat::needs_library)
    }
}

/// Who answers, and what holds for every feature.
#[derive(Debug, Default)]
pub(crate) struct Server {
    pub(crate) name: String,
    pub(crate) version: String,
    /// `serverInfo` as JSON.
    pub(crate) info: String,
    pub(crate) instructions: Option<String>,
    pub(crate) ttl_ms: u64,
    pub(crate) public: bool,
    pub(crate) page_size: Option<u64>,
    /// The URI by which tokens are issued for the server.
    pub(crate) resource: Option<String>,
    pub(crate) authorization_servers: Vec<String>,
    /// SHA-256 of the contract, in hexadecimal digits.
    pub(crate) contract_hash: String,
    /// The names of the contract's files, sorted.
    pub(crate) files: Vec<String>,
}

/// What all four kinds of feature have.
#[derive(Debug)]
pub(crate) struct Feature {
    /// The name on the wire, and the module's.
    pub(crate) name: Named,
    pub(crate) span: Span,
    /// The name of the file that declares it.
    pub(crate) contract: String,
    pub(crate) trait_name: RustIdent,
    pub(crate) docs: Option<String>,
    /// The entry in a list answer, as JSON.
    pub(crate) definition: String,
    pub(crate) settings: Settings,
    /// The types that the feature's module defines, parents before children.
    pub(crate) types: Vec<TypeId>,
    /// What strings are matched with.
    pub(crate) patterns: Vec<Pattern>,
}

/// `[[tools]]`.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) feature: Feature,
    pub(crate) args: TypeId,
    pub(crate) output: Option<TypeId>,
    /// Places in the arguments that are never shown, as JSON Pointers into the schema.
    pub(crate) secrets: Vec<String>,
    /// Arguments that clients repeat as HTTP headers.
    pub(crate) headers: Vec<Header>,
    /// The schema that arguments are judged by when they were refused, as JSON text, where that of the definition does not
    /// say it all.
    pub(crate) schema: Option<String>,
    /// The same for results.
    pub(crate) output_schema: Option<String>,
    /// The patterns in its schemas, by name.
    pub(crate) patterns: Vec<RustIdent>,
    /// The formats in its schemas that are asserted.
    pub(crate) formats: Vec<StringFormat>,
    /// What decides about the arguments where decoding alone does not.
    pub(crate) validation: Validation,
    /// A JSON array.
    pub(crate) examples: String,
}

/// An argument that clients repeat as an HTTP header.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    /// The whole name.
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

/// What decides which arguments a tool's schema accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Validation {
    /// Decoding alone.
    Type,
    /// The `inputSchema` of the definition, before they are decoded.
    Definition,
    /// A schema of its own, as JSON text: it says what the definition cannot say to every client or validator.
    Schema(String),
}

/// `[[resources]]`.
#[derive(Debug)]
pub(crate) struct Resource {
    pub(crate) feature: Feature,
    pub(crate) uri: String,
    pub(crate) mime_type: Option<String>,
    /// The content that needs no handler.
    pub(crate) content: Option<Content>,
    /// Whether clients can subscribe to it.
    pub(crate) updates: bool,
}

/// What a resource without a handler holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Text(String),
    /// In Base64.
    Blob(String),
}

/// `[[resourceTemplates]]`.
#[derive(Debug)]
pub(crate) struct ResourceTemplate {
    pub(crate) feature: Feature,
    pub(crate) uri_template: String,
    pub(crate) mime_type: Option<String>,
    /// The same, taken apart.
    pub(crate) template: UriTemplate,
    pub(crate) vars: TypeId,
    /// Whether clients can subscribe to what it matches.
    pub(crate) updates: bool,
    /// Whether a variable is secret.
    pub(crate) secret: bool,
    pub(crate) completions: Vec<Completion>,
    /// A JSON array.
    pub(crate) examples: String,
}

/// `[[prompts]]`.
#[derive(Debug)]
pub(crate) struct Prompt {
    pub(crate) feature: Feature,
    pub(crate) args: TypeId,
    /// The static messages as a JSON array, where there is no handler.
    pub(crate) messages: Option<String>,
    pub(crate) completions: Vec<Completion>,
    /// A JSON array.
    pub(crate) examples: String,
}

impl Prompt {
    /// Whether somebody must write code for it: to render it, or to complete an argument.
    pub(crate) fn is_handled(&self) -> bool {
        self.messages.is_none() || self.completions.iter().any(|completion| completion.values.is_none())
    }
}

/// An argument or a variable whose values can be suggested.
#[derive(Debug)]
pub(crate) struct Completion {
    pub(crate) argument: Named,
    /// The values that the contract lists; `None` where a method suggests them.
    pub(crate) values: Option<Vec<String>>,
}

/// `[asks.name]`.
#[derive(Debug)]
pub(crate) struct Ask {
    /// The name in the contract, and the type's.
    pub(crate) name: Named,
    pub(crate) message: String,
    /// The form; without one it is a page to open.
    pub(crate) form: Option<Form>,
}

/// What the user fills in.
#[derive(Debug)]
pub(crate) struct Form {
    /// `requestedSchema` as JSON.
    pub(crate) schema: String,
    pub(crate) content: TypeId,
    /// The types that it defines, parents before children; the content is the first.
    pub(crate) types: Vec<TypeId>,
}

/// Limits and access, the server's defaults merged in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    pub(crate) timeout: Option<Duration>,
    pub(crate) blocking: bool,
    /// `None` leaves the runtime's default, which is on.
    pub(crate) repair: Option<bool>,
    pub(crate) max_result: Option<u64>,
    pub(crate) scopes: Vec<String>,
    pub(crate) groups: Vec<String>,
}
