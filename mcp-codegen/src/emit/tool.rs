//! A tool's module: constants, trait, arguments and result.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::handler::{self, Method, handler_trait};
use crate::emit::runtime::Cx;
use crate::emit::{catalog, definitions, long_text, text, types};
use crate::ir::Tool;

/// Everything in the module.
pub(super) fn items(cx: &Cx<'_>, tool: &Tool) -> TokenStream {
    let texts = catalog::texts(&tool.feature, "tool");
    let constants = constants(tool);
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
    let definitions = definitions(cx, &tool.feature);
    quote! { #texts #constants #handler #args #output #definitions }
}

fn constants(tool: &Tool) -> TokenStream {
    let secrets = tool.secrets.iter().map(|pointer| text(pointer));
    let settings = catalog::settings(&tool.feature.settings);
    let examples = long_text(&tool.examples);
    quote! {
        /// The tool's constants.
        pub static TOOL: Tool = Tool {
            name: NAME,
            definition: DEFINITION,
            secrets: &[#(#secrets),*],
            examples: #examples,
            settings: #settings,
        };
    }
}

/// `pub type Output = …`, where the type has another name or none.
fn alias(cx: &Cx<'_>, name: &str, id: crate::ir::TypeId) -> Option<TokenStream> {
    if cx.ir.types.kind(id).name().is_some_and(|own| own.plain() == name) {
        return None;
    }
    let (alias, ty) = (super::plain_ident(name), types::type_of(cx, id));
    let docs = if name == "Args" { " The tool's arguments." } else { " The tool's result." };
    Some(quote! { #[doc = #docs] pub type #alias = #ty; })
}
