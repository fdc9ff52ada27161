//! Ir → the constants that generated code would hold.
//!
//! The runtime wants them for as long as the process runs, so that they are given away.

use mcp_runtime::codegen::{
    BacktrackingPattern, Catalog, Completion, ParamHeader, Prompt, Resource, ResourceTemplate, ServerInfo, Settings,
    Tool, UriPart, UriTemplate, UriVariable,
};
use mcp_runtime::json::Matcher;

use super::formats;
use crate::formats::StringFormat;
use crate::ir::{self, HeaderKind, Ir};
use crate::pattern::{self, Dialect};
use crate::uri_template;

/// Everything that a contract offers.
pub(super) fn catalog(ir: &Ir) -> &'static Catalog {
    forever(Catalog {
        server: server(&ir.server),
        tools: each(&ir.tools, |tool| forever(self::tool(tool))),
        resources: each(&ir.resources, |resource| forever(self::resource(resource))),
        templates: each(&ir.templates, |template| forever(self::template(template))),
        prompts: each(&ir.prompts, |prompt| forever(self::prompt(prompt))),
    })
}

/// The text, for as long as the process runs.
pub(super) fn text(text: &str) -> &'static str {
    text.to_owned().leak()
}

fn forever<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn each<T, U>(items: &[T], make: impl FnMut(&T) -> U) -> &'static [U] {
    items.iter().map(make).collect::<Vec<U>>().leak()
}

fn texts(texts: &[String]) -> &'static [&'static str] {
    each(texts, |one| text(one))
}

fn maybe(some: Option<&String>) -> Option<&'static str> {
    some.map(|one| text(one))
}

fn server(server: &ir::Server) -> ServerInfo {
    ServerInfo {
        info: text(&server.info),
        instructions: maybe(server.instructions.as_ref()),
        ttl_ms: server.ttl_ms,
        public: server.public,
        page_size: server.page_size.map(|size| usize::try_from(size).unwrap_or(usize::MAX)),
        resource: maybe(server.resource.as_ref()),
        authorization_servers: texts(&server.authorization_servers),
        contract_hash: text(&server.contract_hash),
    }
}

fn settings(settings: &ir::Settings) -> Settings {
    Settings {
        timeout: settings.timeout,
        repair: settings.repair.unwrap_or(true),
        max_result: settings.max_result,
        scopes: texts(&settings.scopes),
        groups: texts(&settings.groups),
    }
}

fn tool(tool: &ir::Tool) -> Tool {
    Tool {
        name: text(&tool.feature.name.wire),
        definition: text(&tool.feature.definition),
        schema: maybe(tool.schema.as_ref()),
        output_schema: maybe(tool.output_schema.as_ref()),
        secrets: texts(&tool.secrets),
        patterns: matchers(&tool.feature.patterns, tool.formats.iter().copied()),
        headers: each(&tool.headers, header),
        examples: text(&tool.examples),
        settings: settings(&tool.feature.settings),
    }
}

/// What decides about patterns and formats. Patterns are all of the feature's: those that no schema has are asked by nobody.
pub(super) fn matchers(
    patterns: &[ir::Pattern],
    formats: impl Iterator<Item = StringFormat>,
) -> &'static [&'static dyn Matcher] {
    let patterns = patterns.iter().map(pattern);
    patterns.chain(formats.filter_map(formats::matcher)).collect::<Vec<_>>().leak()
}

fn pattern(one: &ir::Pattern) -> &'static dyn Matcher {
    let source = text(&one.source);
    let expression = pattern::parse(&one.source).map(|node| pattern::print(&node, Dialect::Backtracking));
    forever(BacktrackingPattern::new(source, expression.map_or(source, |expression| text(&expression))))
}

fn header(header: &ir::Header) -> ParamHeader {
    let (name, path) = (text(&header.name), texts(&header.path));
    match header.kind {
        HeaderKind::Boolean => ParamHeader::boolean(name, path),
        HeaderKind::Integer => ParamHeader::integer(name, path),
        HeaderKind::String => ParamHeader::string(name, path),
    }
}

fn resource(resource: &ir::Resource) -> Resource {
    Resource {
        uri: text(&resource.uri),
        mime_type: maybe(resource.mime_type.as_ref()),
        definition: text(&resource.feature.definition),
        updates: resource.updates,
        settings: settings(&resource.feature.settings),
    }
}

fn template(template: &ir::ResourceTemplate) -> ResourceTemplate {
    ResourceTemplate {
        uri_template: text(&template.uri_template),
        parts: forever(UriTemplate::new(each(&template.template.parts, part))),
        mime_type: maybe(template.mime_type.as_ref()),
        definition: text(&template.feature.definition),
        updates: template.updates,
        secret: template.secret,
        completions: each(&template.completions, completion),
        examples: text(&template.examples),
        settings: settings(&template.feature.settings),
    }
}

fn part(part: &uri_template::UriPart) -> UriPart<'static> {
    match part {
        uri_template::UriPart::Literal(literal) => UriPart::Literal(text(literal)),
        uri_template::UriPart::Segment(one) => UriPart::Segment(variable(one)),
        uri_template::UriPart::Any(one) => UriPart::Any(variable(one)),
        uri_template::UriPart::List { sign, variable: one } => UriPart::List { sign: *sign, variable: variable(one) },
        uri_template::UriPart::Pairs { sign, variables } => {
            UriPart::Pairs { sign: *sign, variables: each(variables, variable) }
        }
    }
}

fn variable(variable: &uri_template::Variable) -> UriVariable<'static> {
    let name = text(&variable.name);
    match (variable.prefix, variable.is_list) {
        (Some(length), _) => UriVariable::prefix(name, length),
        (None, true) => UriVariable::list(name),
        (None, false) => UriVariable::new(name),
    }
}

fn prompt(prompt: &ir::Prompt) -> Prompt {
    Prompt {
        name: text(&prompt.feature.name.wire),
        definition: text(&prompt.feature.definition),
        completions: each(&prompt.completions, completion),
        examples: text(&prompt.examples),
        settings: settings(&prompt.feature.settings),
    }
}

fn completion(completion: &ir::Completion) -> Completion {
    let argument = text(&completion.argument.wire);
    match &completion.values {
        Some(values) => Completion::Values(argument, texts(values)),
        None => Completion::Handler(argument),
    }
}
