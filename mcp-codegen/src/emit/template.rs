//! A resource template's module: constants and trait, and the way from a URI to its variables and back.

use crate::emit::handler::{self, handler_trait};
use crate::emit::read::{self, Read};
use crate::emit::resource::reading;
use crate::emit::runtime::Cx;
use crate::emit::{catalog, definitions, patterns, structs};
use crate::ir::{Field, Presence, ResourceTemplate, TypeId, TypeKind};
use crate::tokens::{Literal, Tokens, ident, long_text, optional, optional_text, plain_ident, quote, text};
use crate::uri_template::{UriPart, Variable};

/// Everything in a template's module.
pub(super) fn items(cx: &Cx<'_>, template: &ResourceTemplate) -> Vec<Tokens> {
    let texts = catalog::texts(&template.feature, "template");
    let uri_template = text(&template.uri_template);
    let mime_type = optional_text(template.mime_type.as_deref());
    let settings = catalog::settings(&template.feature.settings);
    let method = handler::method(cx, &reading(Some(("vars", "Vars"))));
    let complete = handler::completions(cx, &template.completions);
    let handler = handler_trait("resource template", &template.feature, &quote! { #method #complete });
    let completions = catalog::completions(&template.completions);
    let examples = long_text(&template.examples);
    let (updates, secret) = (template.updates, template.secret);
    let parts = template.template.parts.iter().map(part);
    let (from_uri, uri) = (from_uri(cx, template), uri(cx, template));
    let patterns = patterns::constants(cx, &template.feature.patterns);
    let constants = quote! {
        #texts
        /// The URI template, after RFC 6570.
        pub const URI_TEMPLATE: &str = #uri_template;

        /// The template's constants.
        pub static TEMPLATE: ResourceTemplate = ResourceTemplate {
            uri_template: URI_TEMPLATE,
            parts: &URI_PARTS,
            mime_type: #mime_type,
            definition: DEFINITION,
            updates: #updates,
            secret: #secret,
            completions: #completions,
            examples: #examples,
            settings: #settings,
        };

        static URI_PARTS: UriTemplate<'static> = UriTemplate::new(&[#(#parts),*]);
    };
    let there_and_back = quote! {
        impl Vars {
            #from_uri
            #uri
        }
    };
    let definitions = definitions(cx, &template.feature);
    [constants, patterns, handler].into_iter().chain(definitions).chain([there_and_back]).collect()
}

/// An entry in the table that the runtime walks through.
fn part(part: &UriPart) -> Tokens {
    match part {
        UriPart::Literal(literal) => {
            let literal = text(literal);
            quote! { UriPart::Literal(#literal) }
        }
        UriPart::Segment(one) => {
            let one = variable(one);
            quote! { UriPart::Segment(#one) }
        }
        UriPart::Any(one) => {
            let one = variable(one);
            quote! { UriPart::Any(#one) }
        }
        UriPart::List { sign, variable: one } => {
            let one = variable(one);
            let sign = optional(sign.map(|sign| quote! { #sign }));
            quote! { UriPart::List { sign: #sign, variable: #one } }
        }
        UriPart::Pairs { sign, variables } => {
            let variables = variables.iter().map(variable);
            quote! { UriPart::Pairs { sign: #sign, variables: &[#(#variables),*] } }
        }
    }
}

fn variable(variable: &Variable) -> Tokens {
    let name = text(&variable.name);
    match (variable.prefix, variable.is_list) {
        (Some(length), _) => {
            let length = Literal::count(length);
            quote! { UriVariable::prefix(#name, #length) }
        }
        (None, true) => quote! { UriVariable::list(#name) },
        (None, false) => quote! { UriVariable::new(#name) },
    }
}

/// `Vars::from_uri`
fn from_uri(cx: &Cx<'_>, template: &ResourceTemplate) -> Tokens {
    let fields = cx.ir.types.kind(template.vars).fields();
    let is_text = |field: &Field| is_text(cx, field.ty) && !matches!(field.presence, Presence::Defaulted(_));
    let vars = if fields.iter().all(is_text) {
        let values = fields.iter().map(|field| match (is_list(cx, field), &field.presence) {
            (false, Presence::Required) => {
                let value = plain(cx, field);
                quote! { #value? }
            }
            (true, _) | (false, Presence::Optional | Presence::Defaulted(_)) => plain(cx, field),
        });
        let fields = named(fields, values);
        quote! { Some(Self { #fields }) }
    } else {
        let fields = named(fields, fields.iter().map(|field| value(cx, field)));
        quote! {
            let read = || -> Result<Self, Fault> { Ok(Self { #fields }) };
            read().ok()
        }
    };
    quote! {
        /// The variables of a URI; `None` if it does not fit the template.
        #[must_use]
        pub fn from_uri(uri: &str) -> Option<Self> {
            let found = URI_PARTS.matches(uri)?;
            #vars
        }
    }
}

/// Each field with its value.
fn named(fields: &[Field], values: impl Iterator<Item = Tokens>) -> Tokens {
    let fields = fields.iter().zip(values).map(|(field, value)| {
        let name = ident(&field.name.rust);
        quote! { #name: #value }
    });
    quote! { #(#fields),* }
}

/// Whether a variable is any text, or a list of such.
fn is_text(cx: &Cx<'_>, ty: TypeId) -> bool {
    matches!(cx.ir.types.kind(cx.ir.types.item(ty)), TypeKind::String(_)) && read::is_plain(cx, ty)
}

fn is_list(cx: &Cx<'_>, field: &Field) -> bool {
    matches!(cx.ir.types.kind(field.ty), TypeKind::Array { .. })
}

/// What was found for a variable that is any text: `Option<String>`, or `Vec<String>`.
fn plain(cx: &Cx<'_>, field: &Field) -> Tokens {
    let key = text(&field.name.wire);
    if is_list(cx, field) {
        quote! { found.texts(#key) }
    } else {
        quote! { found.text(#key) }
    }
}

/// The value of a variable. Faults leave by `?`.
fn value(cx: &Cx<'_>, field: &Field) -> Tokens {
    let found = if is_text(cx, field.ty) { plain(cx, field) } else { read(cx, field) };
    if is_list(cx, field) {
        return found;
    }
    match &field.presence {
        Presence::Required => quote! { required(#found)? },
        Presence::Optional => found,
        Presence::Defaulted(literal) => structs::default(cx, field.ty, (&found, literal)),
    }
}

/// What a schema makes of a variable. It is read as JSON, and a string there stands in quotes.
fn read(cx: &Cx<'_>, field: &Field) -> Tokens {
    let key = text(&field.name.wire);
    let is_string = match cx.ir.types.kind(cx.ir.types.item(field.ty)) {
        TypeKind::Enum(definition) => definition.strings,
        TypeKind::Integer { text, .. } => *text,
        TypeKind::Foreign { .. } | TypeKind::String(_) => true,
        _ => false,
    };
    let method = plain_ident(match (is_string, is_list(cx, field)) {
        (true, false) => "string",
        (true, true) => "strings",
        (false, false) => "scalar",
        (false, true) => "scalars",
    });
    if read::is_plain(cx, field.ty) {
        let head = read::head(cx, field.ty);
        return quote! { found.#method(#key, #head::decode)? };
    }
    let Read { before, value } = read::read(cx, field.ty);
    quote! {
        found.#method(#key, |r| {
            #before
            let value = #value;
            Ok(value)
        })?
    }
}

/// `Vars::uri`
fn uri(cx: &Cx<'_>, template: &ResourceTemplate) -> Tokens {
    let puts = cx.ir.types.kind(template.vars).fields().iter().map(|field| {
        let (key, name) = (text(&field.name.wire), ident(&field.name.rust));
        let one = |place: &Tokens| written(cx, cx.ir.types.item(field.ty), place);
        if is_list(cx, field) {
            let item = one(&quote! { item });
            return quote! { for item in &self.#name { values.put(#key, #item); } };
        }
        match &field.presence {
            Presence::Optional => {
                let item = one(&quote! { item });
                quote! { if let Some(item) = &self.#name { values.put(#key, #item); } }
            }
            Presence::Required | Presence::Defaulted(_) => {
                let value = one(&quote! { self.#name });
                quote! { values.put(#key, #value); }
            }
        }
    });
    quote! {
        /// The URI with these variables.
        #[must_use]
        pub fn uri(&self) -> String {
            let mut values = UriValues::default();
            #(#puts)*
            URI_PARTS.expand(&values)
        }
    }
}

/// A value as the text that stands for it in a URI.
fn written(cx: &Cx<'_>, ty: TypeId, place: &Tokens) -> Tokens {
    match cx.ir.types.kind(ty) {
        TypeKind::Enum(definition) if definition.strings => quote! { #place.as_str() },
        TypeKind::Enum(_) => quote! { #place.as_json() },
        TypeKind::String(_) => quote! { #place.as_str() },
        _ => quote! { #place.to_string() },
    }
}
