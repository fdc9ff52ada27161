//! Items as prettyplease prints them, with an empty line between those of a trait or an impl.

use proc_macro2::TokenStream;
use syn::visit_mut::{self, VisitMut};
use syn::{File, ImplItem, Item, ItemImpl, ItemTrait, TraitItem};

/// The text of items that are given as text, however it is laid out.
///
/// What is no Rust becomes an error of the compiler, which says why.
pub(super) fn print(source: &str) -> String {
    unparse(syn::parse_str::<File>(source).unwrap_or_else(|error| File {
        shebang: None,
        frontmatter: None,
        attrs: Vec::new(),
        items: vec![Item::Verbatim(error.into_compile_error())],
    }))
}

pub(super) fn unparse(mut file: File) -> String {
    Spaces.visit_file_mut(&mut file);
    prettyplease::unparse(&file)
}

/// Puts empty lines in: prettyplease prints an empty verbatim item as one.
struct Spaces;

impl VisitMut for Spaces {
    fn visit_item_impl_mut(&mut self, item: &mut ItemImpl) {
        visit_mut::visit_item_impl_mut(self, item);
        item.items = spaced(std::mem::take(&mut item.items), ImplItem::Verbatim);
    }

    fn visit_item_trait_mut(&mut self, item: &mut ItemTrait) {
        visit_mut::visit_item_trait_mut(self, item);
        item.items = spaced(std::mem::take(&mut item.items), TraitItem::Verbatim);
    }
}

fn spaced<T>(items: Vec<T>, verbatim: fn(TokenStream) -> T) -> Vec<T> {
    let mut out: Vec<T> = Vec::with_capacity(items.len() * 2);
    for item in items {
        if !out.is_empty() {
            out.push(verbatim(TokenStream::new()));
        }
        out.push(item);
    }
    out
}
