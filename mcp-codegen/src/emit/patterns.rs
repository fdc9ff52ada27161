//! The constants that strings are matched with.

use crate::emit::runtime::Cx;
use crate::ir::{Matcher, Pattern};
use crate::pattern::{Step, Steps};
use crate::tokens::{Literal, Tokens, ident, plain_ident, quote, text};

/// All patterns of a module.
pub(super) fn constants(cx: &Cx<'_>, patterns: &[Pattern]) -> Tokens {
    patterns.iter().map(|pattern| constant(cx, pattern)).collect()
}

fn constant(cx: &Cx<'_>, pattern: &Pattern) -> Tokens {
    let (runtime, name, source) = (&cx.runtime, ident(&pattern.name), text(&pattern.source));
    let (ty, expression) = match &pattern.matcher {
        Matcher::Backtracking(expression) => (plain_ident("BacktrackingPattern"), text(expression)),
        Matcher::Linear(expression) => (plain_ident("Pattern"), text(expression)),
        Matcher::Plain(steps) => return plain(cx, pattern, steps),
    };
    quote! { static #name: #runtime::codegen::#ty = #runtime::codegen::#ty::new(#source, #expression); }
}

/// The names are used inside only, so that a type of the contract can have them.
fn plain(cx: &Cx<'_>, pattern: &Pattern, Steps { alternatives, at_end }: &Steps) -> Tokens {
    let (runtime, name, source) = (&cx.runtime, ident(&pattern.name), text(&pattern.source));
    let step_name = alternatives.iter().any(|steps| !steps.is_empty()).then(|| quote! { use #runtime::codegen::Step; });
    let alternatives = alternatives.iter().map(|steps| alternative(steps));
    quote! {
        static #name: #runtime::codegen::Plain = {
            #step_name
            #runtime::codegen::Plain::new(#source, &[#(#alternatives),*], #at_end)
        };
    }
}

/// The steps of one alternative; characters that stand alone become texts.
fn alternative(steps: &[Step]) -> Tokens {
    let mut written = Vec::new();
    for run in steps.chunk_by(|one, next| one.character().is_some() && next.character().is_some()) {
        let characters: Option<String> = run.iter().map(Step::character).collect();
        match characters {
            Some(characters) => {
                let characters = text(&characters);
                written.push(quote! { Step::Text(#characters) });
            }
            None => written.extend(run.iter().map(set)),
        }
    }
    quote! { &[#(#written),*] }
}

fn set(step: &Step) -> Tokens {
    let ranges = step.ranges.iter().map(|&(first, last)| {
        let (first, last) = (Literal::character(first), Literal::character(last));
        quote! { (#first, #last) }
    });
    let min = Literal::count(step.min);
    let max = step.max.map_or_else(|| quote! { u32::MAX }, |max| Literal::count(max).into());
    quote! { Step::set(&[#(#ranges),*], #min, #max) }
}
