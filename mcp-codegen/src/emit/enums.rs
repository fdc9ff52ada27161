//! Enumerations of scalars: the definition, and how one is read and written.

use crate::emit::runtime::Cx;
use crate::emit::{docs, types};
use crate::ir::Enum;
use crate::tokens::{Literal, Tokens, ident, quote, text};

/// The enum, and its impls.
pub(super) fn definition(cx: &Cx<'_>, definition: &Enum, docs: &str) -> Vec<Tokens> {
    let docs = docs::outer(definition.docs.as_deref().unwrap_or(docs));
    let derives = types::derives(cx, &["Clone", "Copy", "Debug", "PartialEq", "Eq", "Hash"], &definition.derives);
    let name = ident(&definition.name);
    let variants = definition.variants.iter().map(|variant| {
        let (docs, name) = (docs::outer(&format!("`{}`", docs::word(&variant.wire))), ident(&variant.rust));
        quote! { #docs #name, }
    });
    let item = quote! {
        #docs
        #derives
        pub enum #name { #(#variants)* }
    };
    vec![item, if definition.strings { strings(definition) } else { scalars(definition) }]
}

/// What an enum of strings can do.
fn strings(definition: &Enum) -> Tokens {
    let name = ident(&definition.name);
    let count = Literal::count(definition.variants.len());
    let variants = variants(definition);
    let names = definition.variants.iter().map(|variant| text(&variant.wire));
    quote! {
        impl #name {
            /// All values, in the contract's order.
            pub const ALL: [Self; #count] = [#(#variants),*];

            const NAMES: [&'static str; #count] = [#(#names),*];

            /// The value as it travels.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                Self::NAMES[self as usize]
            }
        }

        impl ::std::fmt::Display for #name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl Decode for #name {
            fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
                Ok(Self::ALL[r.variant(&Self::NAMES)?])
            }
        }

        impl Encode for #name {
            fn encode(&self, w: &mut Writer<'_>) {
                w.string(self.as_str());
            }
        }
    }
}

/// Each variant, as an expression inside of an impl.
fn variants(definition: &Enum) -> impl Iterator<Item = Tokens> {
    definition.variants.iter().map(|variant| {
        let variant = ident(&variant.rust);
        quote! { Self::#variant }
    })
}

/// What an enum of other scalars can do.
fn scalars(definition: &Enum) -> Tokens {
    let name = ident(&definition.name);
    let count = Literal::count(definition.variants.len());
    let variants = variants(definition);
    let texts = definition.variants.iter().map(|variant| text(&variant.wire));
    quote! {
        impl #name {
            /// All values, in the contract's order.
            pub const ALL: [Self; #count] = [#(#variants),*];

            const TEXTS: [&'static str; #count] = [#(#texts),*];

            /// The value as JSON text.
            #[must_use]
            pub const fn as_json(self) -> &'static str {
                Self::TEXTS[self as usize]
            }
        }

        impl Decode for #name {
            fn decode(r: &mut Reader<'_>) -> Result<Self, Fault> {
                let value = r.raw_value()?;
                let is_value = |one: &Self| Reader::new(value).constant(one.as_json()).is_ok();
                Self::ALL.into_iter().find(is_value).ok_or(Fault::new("none of the values that the schema lists"))
            }
        }

        impl Encode for #name {
            fn encode(&self, w: &mut Writer<'_>) {
                w.raw(self.as_json());
            }
        }
    }
}
