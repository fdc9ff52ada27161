//! A resource's or template's module: constants and trait, and a template's variables.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::emit::handler::{self, Method, handler_trait};
use crate::emit::read::{self, Read};
use crate::emit::runtime::Cx;
use crate::emit::{catalog, definitions, ident, long_text, optional_text, patterns, text};
use crate::ir::{Field, Resource, ResourceTemplate, TypeKind, UriPart};

/// Everything in a resource's module; one with fixed content has no trait.
pub(super) fn items(cx: &Cx<'_>, resource: &Resource) -> TokenStream {
    let texts = catalog::texts(&resource.feature, "resource");
    let uri = text(&resource.uri);
    let mime_type = optional_text(resource.mime_type.as_deref());
    let settings = catalog::settings(&resource.feature.settings);
    let updates = resource.updates;
    let content = match &resource.text {
        Some(content) => {
            let content = long_text(content);
            quote! {
                /// The resource's content.
                pub const TEXT: &str = #content;
            }
        }
        None => handler_trait("resource", &resource.feature, &handler::method(cx, &reading(None))),
    };
    quote! {
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

        #content
    }
}

/// Everything in a template's module.
pub(super) fn template_items(cx: &Cx<'_>, template: &ResourceTemplate) -> TokenStream {
    let texts = catalog::texts(&template.feature, "template");
    let uri_template = text(&template.uri_template);
    let mime_type = optional_text(template.mime_type.as_deref());
    let settings = catalog::settings(&template.feature.settings);
    let method = handler::method(cx, &reading(Some(("vars", "Vars"))));
    let complete = handler::completions(cx, &template.completions);
    let handler = handler_trait("resource template", &template.feature, &quote! { #method #complete });
    let completions = catalog::completions(&template.completions);
    let examples = long_text(&template.examples);
    let definitions = definitions(cx, &template.feature);
    let updates = template.updates;
    let from_uri = from_uri(cx, template);
    let patterns = patterns::constants(cx, &template.feature.patterns);
    quote! {
        #texts
        /// The URI template, after RFC 6570.
        pub const URI_TEMPLATE: &str = #uri_template;

        /// The template's constants.
        pub static TEMPLATE: ResourceTemplate = ResourceTemplate {
            uri_template: URI_TEMPLATE,
            mime_type: #mime_type,
            definition: DEFINITION,
            updates: #updates,
            completions: #completions,
            examples: #examples,
            settings: #settings,
        };

        #patterns

        #handler
        #definitions
        #from_uri
    }
}

fn reading<'a>(input: Option<(&'a str, &'a str)>) -> Method<'a> {
    Method {
        docs: "Reads the resource.",
        name: "read",
        input,
        result: quote! { ResourceContents },
        error: "RequestError",
        blocking: false,
    }
}

/// `Vars::from_uri`, and the template that it matches against.
fn from_uri(cx: &Cx<'_>, template: &ResourceTemplate) -> TokenStream {
    let parts = template.parts.iter().map(|part| match part {
        UriPart::Literal(literal) => {
            let literal = text(literal);
            quote! { Part::Literal(#literal) }
        }
        UriPart::Variable(name) => {
            let name = text(name);
            quote! { Part::Variable { name: #name } }
        }
    });
    let fields = cx.ir.types.kind(template.vars).fields();
    let names: Vec<_> = fields.iter().map(|field| ident(&field.name.rust)).collect();
    let count = Literal::usize_unsuffixed(fields.len());
    let vars = if fields.iter().all(|field| is_text(cx, field)) {
        quote! { Some(Self { #(#names: #names.into_owned()),* }) }
    } else {
        let values = fields.iter().map(|field| variable(cx, field));
        quote! {
            let read = || -> Result<Self, Fault> { Ok(Self { #(#names: #values),* }) };
            read().ok()
        }
    };
    quote! {
        static TEMPLATE_PARTS: UriTemplate = UriTemplate::new(&[#(#parts),*]);

        impl Vars {
            /// The variables of a URI; `None` if it does not fit the template.
            #[must_use]
            pub fn from_uri(uri: &str) -> Option<Self> {
                let values: [_; #count] = TEMPLATE_PARTS.matches(uri)?.try_into().ok()?;
                let [#(#names),*] = values;
                #vars
            }
        }
    }
}

/// Whether a variable is any text.
fn is_text(cx: &Cx<'_>, field: &Field) -> bool {
    matches!(cx.ir.types.kind(field.ty), TypeKind::String(_)) && read::is_plain(cx, field.ty)
}

/// A variable's value: its text, or what its schema makes of it. A string is read as JSON has it, in quotes.
fn variable(cx: &Cx<'_>, field: &Field) -> TokenStream {
    let name = ident(&field.name.rust);
    if is_text(cx, field) {
        return quote! { #name.into_owned() };
    }
    let quoted = match cx.ir.types.kind(field.ty) {
        TypeKind::Enum(definition) => definition.strings,
        TypeKind::Foreign { .. } | TypeKind::String(_) => true,
        _ => false,
    };
    let quoted = quoted.then(|| quote! { let #name = Value::from(&*#name).to_string(); });
    let Read { before, value } = read::read(cx, field.ty);
    quote! {{
        #quoted
        let r = &mut Reader::new(&#name);
        #before
        let value = #value;
        r.end()?;
        value
    }}
}
