//! Tokens → text: blank lines between items, then prettyplease.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::visit_mut::{self, VisitMut};
use syn::{File, ImplItem, Item, ItemImpl, ItemTrait, Macro, MetaList, TraitItem};

/// The items of one module, read and not printed yet.
pub(crate) struct Items {
    file: File,
    /// Every identifier in them, whatever it stands for.
    pub(crate) names: BTreeSet<String>,
}

/// Reads the items of one module. Takes the tokens, for a copy would be one of each of them.
///
/// Tokens that are no Rust become an error of the compiler, which says why.
pub(crate) fn read(tokens: TokenStream) -> Items {
    let mut file = syn::parse2::<File>(tokens).unwrap_or_else(|error| File {
        shebang: None,
        frontmatter: None,
        attrs: Vec::new(),
        items: vec![Item::Verbatim(error.into_compile_error())],
    });
    let mut look = Look::default();
    look.visit_file_mut(&mut file);
    Items { file, names: look.names }
}

impl Items {
    /// Prints the items, with others before them.
    pub(crate) fn print(mut self, before: TokenStream) -> String {
        let mut items = read(before).file.items;
        items.append(&mut self.file.items);
        self.file.items = spaced(items, Item::Verbatim, belong_together);
        prettyplease::unparse(&self.file)
    }
}

/// Collects names, and puts an empty line between items that belong apart: prettyplease prints an empty verbatim item as
/// one.
#[derive(Default)]
struct Look {
    names: BTreeSet<String>,
}

impl Look {
    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(name) => self.name(&name),
                TokenTree::Literal(_) | TokenTree::Punct(_) => {}
            }
        }
    }

    fn name(&mut self, name: &Ident) {
        self.names.insert(name.to_string());
    }
}

impl VisitMut for Look {
    fn visit_ident_mut(&mut self, name: &mut Ident) {
        self.name(name);
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        visit_mut::visit_macro_mut(self, call);
        self.tokens(call.tokens.clone());
    }

    fn visit_meta_list_mut(&mut self, list: &mut MetaList) {
        visit_mut::visit_meta_list_mut(self, list);
        self.tokens(list.tokens.clone());
    }

    fn visit_item_impl_mut(&mut self, item: &mut ItemImpl) {
        visit_mut::visit_item_impl_mut(self, item);
        item.items = spaced(std::mem::take(&mut item.items), ImplItem::Verbatim, |_, _| false);
    }

    fn visit_item_trait_mut(&mut self, item: &mut ItemTrait) {
        visit_mut::visit_item_trait_mut(self, item);
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
