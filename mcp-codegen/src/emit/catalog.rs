//! What is known before run time: each feature's constants, and the catalog of all.

use crate::emit::docs;
use crate::emit::exports::Exports;
use crate::emit::runtime::Cx;
use crate::ir::{Completion, Feature, Ir, Settings};
use crate::tokens::{Tokens, integer, long_text, optional, optional_text, plain_ident, quote, text};

/// `NAME` or `URI`, and `DEFINITION`.
pub(super) fn texts(feature: &Feature, kind: &str) -> Tokens {
    let name = text(&feature.name.wire);
    let definition = long_text(&feature.definition);
    let (name_docs, definition_docs) =
        (format!("The {kind}'s name on the wire."), format!("The {kind} as a client lists it."));
    let (name_docs, definition_docs) = (docs::outer(&name_docs), docs::outer(&definition_docs));
    quote! {
        #name_docs
        pub const NAME: &str = #name;
        #definition_docs
        pub const DEFINITION: &str = #definition;
    }
}

/// The settings that differ from the defaults.
pub(super) fn settings(settings: &Settings) -> Tokens {
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
pub(super) fn completions(completions: &[Completion]) -> Tokens {
    let completions = completions.iter().map(|completion| {
        let argument = text(&completion.argument.wire);
        let Some(values) = &completion.values else { return quote! { Completion::Handler(#argument) } };
        let values = values.iter().map(|value| text(value));
        quote! { Completion::Values(#argument, &[#(#values),*]) }
    });
    quote! { &[#(#completions),*] }
}

/// `CONTRACT_HASH` and `CATALOG`.
pub(super) fn catalog(cx: &Cx<'_>, exports: &Exports<'_>) -> Tokens {
    let Ir { server, tools, resources, templates, prompts, .. } = cx.ir;
    let hash = text(&server.contract_hash);
    let info = long_text(&server.info);
    let instructions = optional_text(server.instructions.as_deref());
    let page_size = optional(server.page_size.map(|size| integer(size.into())));
    let resource = optional_text(server.resource.as_deref());
    let issuers = server.authorization_servers.iter().map(|issuer| text(issuer));
    let (ttl, public) = (integer(server.ttl_ms.into()), server.public);
    let constants = |kind: &str, feature: &Feature, name: &str| {
        let (module, name) = (exports.module(kind, feature), plain_ident(name));
        quote! { &#module::#name }
    };
    let tools = tools.iter().map(|tool| constants("tools", &tool.feature, "TOOL"));
    let resources = resources.iter().map(|resource| constants("resources", &resource.feature, "RESOURCE"));
    let templates = templates.iter().map(|template| constants("resource_templates", &template.feature, "TEMPLATE"));
    let prompts = prompts.iter().map(|prompt| constants("prompts", &prompt.feature, "PROMPT"));
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
            tools: &[#(#tools),*],
            resources: &[#(#resources),*],
            templates: &[#(#templates),*],
            prompts: &[#(#prompts),*],
        };
    }
}
