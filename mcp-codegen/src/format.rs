//! Tokens → text: blank lines between items, then prettyplease.

use proc_macro2::TokenStream;
use syn::visit_mut::{self, VisitMut};
use syn::{File, ImplItem, Item, ItemImpl, ItemTrait, TraitItem};

/// Prints the items of one module.
///
/// Tokens that are no Rust (a path in the configuration that is none) are printed as they are: the compiler says more
/// about them than we could.
pub(crate) fn pretty(tokens: &TokenStream) -> String {
    let Ok(mut file) = syn::parse2::<File>(tokens.clone()) else { return tokens.to_string() };
    Spacing.visit_file_mut(&mut file);
    prettyplease::unparse(&file)
}

/// Puts an empty line between items that belong apart: prettyplease prints an empty verbatim item as one.
struct Spacing;

impl VisitMut for Spacing {
    fn visit_file_mut(&mut self, file: &mut File) {
        visit_mut::visit_file_mut(self, file);
        file.items = spaced(std::mem::take(&mut file.items), Item::Verbatim, belong_together);
    }

    fn visit_item_impl_mut(&mut self, item: &mut ItemImpl) {
        item.items = spaced(std::mem::take(&mut item.items), ImplItem::Verbatim, |_, _| false);
    }

    fn visit_item_trait_mut(&mut self, item: &mut ItemTrait) {
        item.items = spaced(std::mem::take(&mut item.items), TraitItem::Verbatim, |_, _| false);
    }
}

fn spaced<T>(items: Vec<T>, verbatim: fn(TokenStream) -> T, together: fn(&T, &T) -> bool) -> Vec<T> {
    let mut out: Vec<T> = Vec::with_capacity(items.len() * 2);
    for item in items {
        if out.last().is_some_and(|last| !together(last, &item)) {
            out.push(verbatim(TokenStream::new()));
        }
        out.push(item);
    }
    out
}

/// Imports stand in blocks, those from elsewhere apart from re-exports.
fn belong_together(before: &Item, after: &Item) -> bool {
    let (Item::Use(before), Item::Use(after)) = (before, after) else { return false };
    std::mem::discriminant(&before.vis) == std::mem::discriminant(&after.vis)
}
