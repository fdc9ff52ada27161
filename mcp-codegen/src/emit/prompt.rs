//! A prompt's module: constants, trait, arguments; or, for a static prompt, its messages.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::handler::{Method, handler_trait};
use crate::emit::runtime::Cx;
use crate::emit::{catalog, definitions, long_text};
use crate::ir::Prompt;

/// Everything in the module.
pub(super) fn items(cx: &Cx<'_>, prompt: &Prompt) -> TokenStream {
    let texts = catalog::texts(&prompt.feature, "prompt");
    let settings = catalog::settings(&prompt.feature.settings);
    let content = prompt.messages.as_deref().map_or_else(|| handled(cx, prompt), messages_const);
    quote! {
        #texts
        /// The prompt's constants.
        pub static PROMPT: Prompt = Prompt { name: NAME, definition: DEFINITION, settings: #settings };

        #content
    }
}

/// The trait and its arguments.
fn handled(cx: &Cx<'_>, prompt: &Prompt) -> TokenStream {
    let method = Method {
        kind: "prompt",
        docs: "Renders the prompt.",
        name: "render",
        input: Some(("args", "Args")),
        result: quote! { PromptMessages },
        error: "RequestError",
        blocking: false,
    };
    let handler = handler_trait(cx, &prompt.feature, &method);
    let args = definitions(cx, &prompt.feature);
    quote! { #handler #args }
}

fn messages_const(messages: &str) -> TokenStream {
    let messages = long_text(messages);
    quote! {
        /// The prompt's messages, with `{{name}}` where an argument goes.
        pub const MESSAGES: &str = #messages;
    }
}
