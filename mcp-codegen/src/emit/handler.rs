//! The trait that a handler of one feature implements.

use crate::emit::docs;
use crate::emit::runtime::Cx;
use crate::ir::{Completion, Feature, RustIdent};
use crate::tokens::{Ident, Tokens, ident, quote};

/// What differs between the kinds of feature.
pub(super) struct Method<'a> {
    pub(super) docs: &'a str,
    pub(super) name: &'a str,
    /// `args` or `vars` with its type, if the method takes one.
    pub(super) input: Option<(&'a str, &'a str)>,
    pub(super) result: Tokens,
    /// The type of its errors.
    pub(super) error: &'a str,
    pub(super) blocking: bool,
}

/// The trait of a `kind` (`tool`, `prompt`, …), with an error message for whoever forgets it.
pub(super) fn handler_trait(kind: &str, feature: &Feature, methods: &Tokens) -> Tokens {
    let name = ident(&feature.trait_name);
    let wire = feature.name.wire.replace('{', "{{").replace('}', "}}");
    let trait_docs = match &feature.docs {
        Some(text) => docs::outer(text),
        None => docs::outer(&format!("Handles the {kind} `{}`.", docs::word(&feature.name.wire))),
    };
    let message = format!("`{{Self}}` does not implement the {kind} `{wire}`");
    let label = format!("missing `impl {} for {{Self}}`", feature.trait_name);
    let note = format!("add `impl {} for {{Self}}`, or generate with `--default-stubs`", feature.trait_name);
    quote! {
        #trait_docs
        #[diagnostic::on_unimplemented(
            message = #message,
            label = #label,
            note = #note
        )]
        pub trait #name: Send + Sync + 'static {
            #methods
        }
    }
}

/// The method that serves the feature.
pub(super) fn method(cx: &Cx<'_>, method: &Method<'_>) -> Tokens {
    let (docs, name) = (docs::outer(method.docs), plain(method.name));
    let (result, error) = (&method.result, plain(method.error));
    let input = method.input.map(|(name, ty)| (plain(name), plain(ty)));
    let param = input.as_ref().map(|(name, ty)| quote! { #name: #ty, });
    let unused = input.as_ref().map_or_else(|| quote! { ctx }, |(name, _)| quote! { (#name, ctx) });
    let output = if method.blocking {
        quote! { Result<#result, #error> }
    } else {
        quote! { impl Future<Output = Result<#result, #error>> + Send }
    };
    let answer = quote! { Err(#error::not_implemented(NAME)) };
    let answer = if method.blocking {
        answer
    } else {
        quote! { ::std::future::ready(#answer) }
    };
    let body = if cx.default_stubs {
        quote! { { let _ = #unused; #answer } }
    } else {
        quote! { ; }
    };
    quote! {
        #docs
        fn #name(&self, #param ctx: &Context) -> #output #body
    }
}

/// A method for each argument or variable that the handler completes.
pub(super) fn completions(cx: &Cx<'_>, completions: &[Completion]) -> Tokens {
    let completed = completions.iter().filter(|completion| completion.values.is_none());
    completed.map(|completion| complete(cx, completion)).collect()
}

fn complete(cx: &Cx<'_>, completion: &Completion) -> Tokens {
    let docs = docs::outer(&format!("Suggests values for `{}`.", docs::word(&completion.argument.wire)));
    let name = complete_name(completion);
    let body = if cx.default_stubs {
        quote! { { let _ = (partial, ctx); ::std::future::ready(Ok(Completions::default())) } }
    } else {
        quote! { ; }
    };
    quote! {
        #docs
        fn #name(&self, partial: Partial, ctx: &Context)
            -> impl Future<Output = Result<Completions, RequestError>> + Send #body
    }
}

/// `complete_city`
pub(super) fn complete_name(completion: &Completion) -> Ident<'static> {
    plain(&format!("complete_{}", completion.argument.rust.plain()))
}

fn plain(name: &str) -> Ident<'static> {
    Ident(RustIdent::new(name).to_string().into())
}
