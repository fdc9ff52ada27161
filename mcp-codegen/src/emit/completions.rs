//! The service's methods that route a completion to the handler's method.

use crate::emit::exports::Exports;
use crate::emit::handler::complete_name;
use crate::emit::runtime::Cx;
use crate::ir::{Completion, Feature};
use crate::tokens::{Ident, Tokens, plain_ident, quote, text};

/// `complete_prompt` and `complete_template`, as far as there is something to route.
pub(super) fn methods(cx: &Cx<'_>, exports: &Exports<'_>) -> Tokens {
    let prompts = cx.ir.prompts.iter().flat_map(|prompt| {
        let place = Place { kind: "prompts", constant: "PROMPT", key: &prompt.feature.name.wire };
        arms(&place, (&prompt.feature, &prompt.completions), exports)
    });
    let templates = cx.ir.templates.iter().flat_map(|template| {
        let place = Place { kind: "resource_templates", constant: "TEMPLATE", key: &template.uri_template };
        arms(&place, (&template.feature, &template.completions), exports)
    });
    let prompts = method(&plain_ident("complete_prompt"), &prompts.collect::<Vec<_>>());
    let templates = method(&plain_ident("complete_template"), &templates.collect::<Vec<_>>());
    quote! { #prompts #templates }
}

/// Where a feature is found.
struct Place<'a> {
    kind: &'a str,
    /// The static that holds its settings.
    constant: &'a str,
    /// What a client calls it by.
    key: &'a str,
}

fn arms(place: &Place<'_>, feature: (&Feature, &[Completion]), exports: &Exports<'_>) -> Vec<Tokens> {
    let (feature, completions) = feature;
    let (key, constant) = (text(place.key), plain_ident(place.constant));
    let (module, handler) = (exports.module(place.kind, feature), exports.handler(place.kind, feature));
    let completed = completions.iter().filter(|completion| completion.values.is_none());
    let arm = |completion: &Completion| {
        let (argument, method) = (text(&completion.argument.wire), complete_name(completion));
        quote! {
            (#key, #argument) => call.completion(&#module::#constant.settings, |partial, ctx| async move {
                let outcome = ctx.drive(#handler::#method(&*handler, partial, &ctx)).await;
                ctx.completions(outcome)
            }),
        }
    };
    completed.map(arm).collect()
}

/// The trait's own body says that there is nothing; only what is there is written.
fn method(name: &Ident<'_>, arms: &[Tokens]) -> Option<Tokens> {
    if arms.is_empty() {
        return None;
    }
    Some(quote! {
        fn #name<'a>(&self, call: Call<'a>) -> ::std::ops::ControlFlow<Start, Call<'a>> {
            let handler = ::std::sync::Arc::clone(&self.handler);
            ::std::ops::ControlFlow::Break(match (call.key(), call.argument()) {
                #(#arms)*
                _ => return ::std::ops::ControlFlow::Continue(call),
            })
        }
    })
}
