//! What is known before run time: each feature's constants, and the catalog of all.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::exports::Exports;
use crate::emit::runtime::Cx;
use crate::emit::{integer, long_text, optional, optional_text, text};
use crate::ir::{Completion, Feature, Ir, Settings};

/// `NAME` or `URI`, and `DEFINITION`.
pub(super) fn texts(feature: &Feature, kind: &str) -> TokenStream {
    let name = text(&feature.name.wire);
    let definition = long_text(&feature.definition);
    let (name_docs, definition_docs) =
        (format!(" The {kind}'s name on the wire."), format!(" The {kind} as a client lists it."));
    quote! {
        #[doc = #name_docs]
        pub const NAME: &str = #name;
        #[doc = #definition_docs]
        pub const DEFINITION: &str = #definition;
    }
}

/// The settings that differ from the defaults.
pub(super) fn settings(settings: &Settings) -> TokenStream {
    let timeout = settings.timeout.map(|timeout| {
        let duration = match u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX) {
            // whole minutes have constructors that clippy wants and older toolchains lack: this is what both are content with
            millis if millis % 60_000 == 0 => {
                let count = integer((millis / 1000).into());
                quote! { new(#count, 0) }
            }
            millis if millis % 1000 == 0 => {
                let count = integer((millis / 1000).into());
                quote! { from_secs(#count) }
            }
            millis => {
                let count = integer(millis.into());
                quote! { from_millis(#count) }
            }
        };
        quote! { timeout: Some(Duration::#duration), }
    });
    let repair = settings.repair.filter(|repair| !repair).map(|_| quote! { repair: false, });
    let max_result =
        settings.max_result.map(|limit| integer(limit.into())).map(|limit| quote! { max_result: Some(#limit), });
    let list = |texts: &[String]| {
        let texts = texts.iter().map(|one| text(one));
        quote! { &[#(#texts),*] }
    };
    let scopes =
        (!settings.scopes.is_empty()).then(|| list(&settings.scopes)).map(|scopes| quote! { scopes: #scopes, });
    let groups =
        (!settings.groups.is_empty()).then(|| list(&settings.groups)).map(|groups| quote! { groups: #groups, });
    let set = [timeout, repair, max_result, scopes, groups];
    if set.iter().all(Option::is_none) {
        return quote! { Settings::DEFAULT };
    }
    let set = set.iter().flatten();
    quote! { Settings { #(#set)* ..Settings::DEFAULT } }
}

/// What can be completed, and by whom.
pub(super) fn completions(completions: &[Completion]) -> TokenStream {
    let completions = completions.iter().map(|completion| {
        let argument = text(&completion.argument.wire);
        let Some(values) = &completion.values else { return quote! { Completion::Handler(#argument) } };
        let values = values.iter().map(|value| text(value));
        quote! { Completion::Values(#argument, &[#(#values),*]) }
    });
    quote! { &[#(#completions),*] }
}

/// `CONTRACT_HASH` and `CATALOG`.
pub(super) fn catalog(cx: &Cx<'_>, exports: &Exports<'_>) -> TokenStream {
    let Ir { server, tools, resources, templates, prompts, .. } = cx.ir;
    let hash = text(&server.contract_hash);
    let info = long_text(&server.info);
    let instructions = optional_text(server.instructions.as_deref());
    let page_size = optional(server.page_size.map(|size| integer(size.into())));
    let resource = optional_text(server.resource.as_deref());
    let issuers = server.authorization_servers.iter().map(|issuer| text(issuer));
    let (ttl, public) = (integer(server.ttl_ms.into()), server.public);
    let tools = tools.iter().map(|tool| exports.module("tools", &tool.feature));
    let resources = resources.iter().map(|resource| exports.module("resources", &resource.feature));
    let templates = templates.iter().map(|template| exports.module("resource_templates", &template.feature));
    let prompts = prompts.iter().map(|prompt| exports.module("prompts", &prompt.feature));
    quote! {
        /// SHA-256 of the contract that this code was made from.
        pub const CONTRACT_HASH: &str = #hash;

        static CATALOG: Catalog = Catalog {
            server: ServerInfo {
                info: #info,
                instructions: #instructions,
                ttl_ms: #ttl,
                public: #public,
                page_size: #page_size,
                resource: #resource,
                authorization_servers: &[#(#issuers),*],
                contract_hash: CONTRACT_HASH,
            },
            tools: &[#(&#tools::TOOL),*],
            resources: &[#(&#resources::RESOURCE),*],
            templates: &[#(&#templates::TEMPLATE),*],
            prompts: &[#(&#prompts::PROMPT),*],
        };
    }
}
