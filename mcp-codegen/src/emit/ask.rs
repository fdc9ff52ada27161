//! The module of all asks: a struct for each, which is the question and what the user sends back.

use crate::emit::runtime::Cx;
use crate::emit::{docs, types};
use crate::ir::{Ask, Form};
use crate::tokens::{Tokens, ident, long_text, quote, text};

/// Everything in the module.
pub(super) fn items(cx: &Cx<'_>) -> Vec<Tokens> {
    cx.ir.asks.iter().flat_map(|ask| ask_items(cx, ask)).collect()
}

fn ask_items(cx: &Cx<'_>, ask: &Ask) -> Vec<Tokens> {
    match &ask.form {
        Some(form) => form_items(cx, ask, form),
        None => vec![page(cx, ask)],
    }
}

/// The types of a form, the one that it is filled into first.
fn form_items(cx: &Cx<'_>, ask: &Ask, form: &Form) -> Vec<Tokens> {
    let (runtime, name) = (&cx.runtime, ident(&ask.name.rust));
    let (message, schema) = (text(&ask.message), long_text(&form.schema));
    let definitions = form.types.iter().flat_map(|id| types::definition(cx, *id, &ask.message));
    let question = quote! {
        impl #runtime::codegen::Ask for #name {
            const MESSAGE: &'static str = #message;
            const SCHEMA: &'static str = #schema;
        }
    };
    definitions.chain([question]).collect()
}

fn page(cx: &Cx<'_>, ask: &Ask) -> Tokens {
    let (runtime, name) = (&cx.runtime, ident(&ask.name.rust));
    let (docs, message) = (docs::outer(&ask.message), text(&ask.message));
    quote! {
        #docs
        #[derive(Clone, Copy, Debug)]
        pub struct #name;

        impl #runtime::codegen::AskUrl for #name {
            const MESSAGE: &'static str = #message;
        }
    }
}
