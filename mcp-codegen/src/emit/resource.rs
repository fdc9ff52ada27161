//! A resource's module: constants, and the trait or the content.

use crate::emit::catalog;
use crate::emit::handler::{self, Method, handler_trait};
use crate::emit::runtime::Cx;
use crate::ir::{Content, Resource};
use crate::tokens::{Tokens, long_text, optional_text, quote, text};

/// Everything in a resource's module; one with fixed content has no trait.
pub(super) fn items(cx: &Cx<'_>, resource: &Resource) -> Vec<Tokens> {
    let texts = catalog::texts(&resource.feature, "resource");
    let uri = text(&resource.uri);
    let mime_type = optional_text(resource.mime_type.as_deref());
    let settings = catalog::settings(&resource.feature.settings);
    let updates = resource.updates;
    let content = match &resource.content {
        Some(Content::Text(content)) => {
            let content = long_text(content);
            quote! {
                /// The resource's content.
                pub const TEXT: &str = #content;
            }
        }
        Some(Content::Blob(content)) => {
            let content = text(content);
            quote! {
                /// The resource's content, in Base64.
                pub const BLOB: &str = #content;
            }
        }
        None => handler_trait("resource", &resource.feature, &handler::method(cx, &reading(None))),
    };
    let constants = quote! {
        #texts
        /// The resource's URI.
        pub const URI: &str = #uri;

        /// The resource's constants.
        pub static RESOURCE: Resource = Resource {
            uri: URI,
            mime_type: #mime_type,
            definition: DEFINITION,
            updates: #updates,
            settings: #settings,
        };
    };
    vec![constants, content]
}

/// The method that reads a resource, or with its variables one of a template.
pub(super) fn reading<'a>(input: Option<(&'a str, &'a str)>) -> Method<'a> {
    Method {
        docs: "Reads the resource.",
        name: "read",
        input,
        result: quote! { ResourceContents },
        error: "RequestError",
        blocking: false,
    }
}
