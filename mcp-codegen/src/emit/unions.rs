//! Unions: a Rust enum with one variant for each branch, and how the branch is found.

use crate::emit::runtime::Cx;
use crate::emit::{docs, foreign, read, types};
use crate::ir::{Union, UnionTag};
use crate::tokens::{Literal, Tokens, ident, quote, text};

/// The enum with its impls.
pub(super) fn definition(cx: &Cx<'_>, definition: &Union, docs: &str) -> Vec<Tokens> {
    let docs = docs::outer(definition.docs.as_deref().unwrap_or(docs));
    let derives = types::derives(cx, &["Clone", "Debug", "PartialEq"], &definition.derives);
    let name = ident(&definition.name);
    let variants = definition.variants.iter().map(|variant| {
        let (name, ty) = (ident(&variant.name), types::type_of(cx, variant.ty));
        let docs = docs::outer(&variant_docs(&definition.tag, &variant.tags));
        quote! { #docs #name(#ty), }
    });
    let choice = match &definition.tag {
        UnionTag::JsonType => by_json_type(cx, definition),
        UnionTag::Property(property) => by_property(cx, definition, property),
    };
    let branches = definition.variants.iter().map(|variant| {
        let name = ident(&variant.name);
        let value = foreign::converted_reference(cx, variant.ty, &quote! { value });
        let value = value.unwrap_or_else(|| quote! { value });
        quote! { Self::#name(value) => #value.encode(w), }
    });
    vec![quote! {
        #docs
        #derives
        pub enum #name { #(#variants)* }

        impl Decode for #name {
            fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
                #choice
            }
        }

        impl Encode for #name {
            fn encode(&self, w: &mut Writer<'_>) {
                match self { #(#branches)* }
            }
        }
    }]
}

fn variant_docs(tag: &UnionTag, tags: &[String]) -> String {
    match tag {
        UnionTag::JsonType => match tags.first().map_or("", String::as_str) {
            "[" => "An array.",
            "{" => "An object.",
            "\"" => "A string.",
            "t" => "A boolean.",
            "n" => "Null.",
            _ => "A number.",
        }
        .to_owned(),
        UnionTag::Property(property) => {
            let tags: Vec<String> = tags.iter().map(|tag| docs::word(tag)).collect();
            format!("`{}` is `{}`.", docs::word(property), tags.join("` or `"))
        }
    }
}

/// The first byte of a JSON value tells its type.
fn by_json_type(cx: &Cx<'_>, definition: &Union) -> Tokens {
    let arms = definition.variants.iter().map(|variant| {
        let (name, value) = (ident(&variant.name), read::read(cx, variant.ty).expression());
        let bytes = variant.tags.iter().filter_map(|tag| tag.bytes().next()).map(Literal::byte);
        quote! { #(#bytes)|* => Self::#name(#value), }
    });
    quote! {
        Ok(match r.next_byte() {
            #(#arms)*
            _ => return Err(Fault::new("a value of none of the types that the schema lists")),
        })
    }
}

/// The property is looked for first, wherever it stands; then the branch reads the whole object.
fn by_property(cx: &Cx<'_>, definition: &Union, property: &str) -> Tokens {
    let property = text(property);
    let tags = definition.variants.iter().flat_map(|variant| &variant.tags).map(|tag| text(tag));
    let mut next = 0;
    let arms: Vec<Tokens> = definition
        .variants
        .iter()
        .map(|variant| {
            let (name, value) = (ident(&variant.name), read::read(cx, variant.ty).expression());
            let indices = (next..next + variant.tags.len()).map(Literal::count);
            next += variant.tags.len();
            quote! { #(#indices)|* => Self::#name(#value), }
        })
        .collect();
    quote! {
        Ok(match r.tag(#property, &[#(#tags),*])? {
            #(#arms)*
            _ => return Err(Fault::new("a tag that the schema does not list")),
        })
    }
}
