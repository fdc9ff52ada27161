//! A prompt's module: constants, trait, arguments; or, for a static prompt, its messages.

use std::iter;

use crate::emit::handler::{self, Method, handler_trait};
use crate::emit::runtime::Cx;
use crate::emit::{catalog, definitions};
use crate::ir::Prompt;
use crate::tokens::{Tokens, long_text, quote};

/// Everything in the module.
pub(super) fn items(cx: &Cx<'_>, prompt: &Prompt) -> Vec<Tokens> {
    let texts = catalog::texts(&prompt.feature, "prompt");
    let settings = catalog::settings(&prompt.feature.settings);
    let completions = catalog::completions(&prompt.completions);
    let examples = long_text(&prompt.examples);
    let messages = prompt.messages.as_deref().map(messages_const);
    let constants = quote! {
        #texts
        /// The prompt's constants.
        pub static PROMPT: Prompt =
            Prompt { name: NAME, definition: DEFINITION, completions: #completions, examples: #examples, settings: #settings };

        #messages
    };
    let handled = if prompt.is_handled() { handled(cx, prompt) } else { Vec::new() };
    iter::once(constants).chain(handled).collect()
}

/// The trait, and the arguments where they are its business.
fn handled(cx: &Cx<'_>, prompt: &Prompt) -> Vec<Tokens> {
    let method = Method {
        docs: "Renders the prompt.",
        name: "render",
        input: Some(("args", "Args")),
        result: quote! { PromptMessages },
        error: "RequestError",
        blocking: false,
    };
    let is_rendered = prompt.messages.is_none();
    let render = is_rendered.then(|| handler::method(cx, &method));
    let complete = handler::completions(cx, &prompt.completions);
    let handler = handler_trait("prompt", &prompt.feature, &quote! { #render #complete });
    let args = if is_rendered { definitions(cx, &prompt.feature) } else { Vec::new() };
    iter::once(handler).chain(args).collect()
}

fn messages_const(messages: &str) -> Tokens {
    let messages = long_text(messages);
    quote! {
        /// The prompt's messages, with `{{name}}` where an argument goes.
        pub const MESSAGES: &str = #messages;
    }
}
