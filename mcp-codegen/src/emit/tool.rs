//! A tool's module: constants, trait, arguments and result.

use crate::emit::handler::{self, Method, handler_trait};
use crate::emit::runtime::Cx;
use crate::emit::{catalog, definitions, docs, patterns, read, types};
use crate::ir::{Header, HeaderKind, Tool, Validation};
use crate::tokens::{Tokens, ident, long_text, optional, optional_text, plain_ident, quote, text};

/// Everything in the module.
pub(super) fn items(cx: &Cx<'_>, tool: &Tool) -> Vec<Tokens> {
    let texts = catalog::texts(&tool.feature, "tool");
    let constants = constants(cx, tool);
    let result = if tool.output.is_some() {
        quote! { Output }
    } else {
        quote! { ToolResponse }
    };
    let method = Method {
        docs: "Calls the tool.",
        name: "call",
        input: Some(("args", "Args")),
        result,
        error: "ToolError",
        blocking: tool.feature.settings.blocking,
    };
    let handler = handler_trait("tool", &tool.feature, &handler::method(cx, &method));
    let args = alias(cx, "Args", tool.args);
    let output = tool.output.and_then(|output| alias(cx, "Output", output));
    let patterns = patterns::constants(cx, &tool.feature.patterns);
    let own =
        [Some(texts), Some(constants), judged(tool), validator(cx, tool), Some(patterns), Some(handler), args, output];
    own.into_iter().flatten().chain(definitions(cx, &tool.feature)).collect()
}

fn constants(cx: &Cx<'_>, tool: &Tool) -> Tokens {
    let secrets = tool.secrets.iter().map(|pointer| text(pointer));
    let patterns = tool.patterns.iter().map(|pattern| {
        let pattern = ident(pattern);
        quote! { &#pattern }
    });
    let patterns = patterns.chain(formats(cx, tool));
    let headers = tool.headers.iter().map(header);
    let settings = catalog::settings(&tool.feature.settings);
    let examples = long_text(&tool.examples);
    let schema = optional(tool.schema.as_ref().map(|_| quote! { ARGUMENTS }));
    let output_schema = optional_text(tool.output_schema.as_deref());
    quote! {
        /// The tool's constants.
        pub static TOOL: Tool = Tool {
            name: NAME,
            definition: DEFINITION,
            schema: #schema,
            output_schema: #output_schema,
            secrets: &[#(#secrets),*],
            patterns: &[#(#patterns),*],
            headers: &[#(#headers),*],
            examples: #examples,
            settings: #settings,
        };
    }
}

fn header(header: &Header) -> Tokens {
    let kind = match header.kind {
        HeaderKind::Boolean => quote! { boolean },
        HeaderKind::Integer => quote! { integer },
        HeaderKind::String => quote! { string },
    };
    let (name, path) = (text(&header.name), header.path.iter().map(|step| text(step)));
    quote! { ParamHeader::#kind(#name, &[#(#path),*]) }
}

/// The schema of the arguments where the definition's does not say it all.
fn judged(tool: &Tool) -> Option<Tokens> {
    let schema = long_text(tool.schema.as_ref()?);
    Some(quote! { const ARGUMENTS: &str = #schema; })
}

/// What decides about the arguments where their type does not.
fn validator(cx: &Cx<'_>, tool: &Tool) -> Option<Tokens> {
    let runtime = &cx.runtime;
    let validator = match &tool.validation {
        Validation::Type => return None,
        Validation::Definition => quote! { within(DEFINITION, "inputSchema") },
        Validation::Schema(schema) if tool.schema.as_ref() == Some(schema) => quote! { new(ARGUMENTS) },
        Validation::Schema(schema) => {
            let schema = long_text(schema);
            quote! { new(#schema) }
        }
    };
    let formats = (!tool.formats.is_empty()).then(|| {
        let formats = formats(cx, tool);
        quote! { .with_formats(&[#(#formats),*]) }
    });
    Some(quote! { static SCHEMA: #runtime::codegen::Validator = #runtime::codegen::Validator::#validator #formats; })
}

/// The matchers of the formats that a tool's schemas assert.
fn formats(cx: &Cx<'_>, tool: &Tool) -> impl Iterator<Item = Tokens> {
    tool.formats.iter().map(move |format| read::matcher(cx, *format))
}

/// `pub type Output = …`, where the type has another name or none.
fn alias(cx: &Cx<'_>, name: &str, id: crate::ir::TypeId) -> Option<Tokens> {
    if cx.ir.types.kind(id).name().is_some_and(|own| own.plain() == name) {
        return None;
    }
    let (alias, ty) = (plain_ident(name), types::type_of(cx, id));
    let docs = if name == "Args" { "The tool's arguments." } else { "The tool's result." };
    let docs = docs::outer(docs);
    Some(quote! { #docs pub type #alias = #ty; })
}
