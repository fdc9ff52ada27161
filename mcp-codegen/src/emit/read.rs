//! The expression that reads a value of a type from the reader `r`.

use crate::config::Via;
use crate::emit::runtime::Cx;
use crate::emit::types;
use crate::formats::StringFormat;
use crate::ir::{ArrayRules, IntegerRules, NumberRules, ObjectRules, StringRules, TypeId, TypeKind};
use crate::tokens::{Ident, Tokens, float, ident, integer, plain_ident, quote, text};

/// How a value is read: statements that come before, and the expression. Faults leave by `?`.
pub(super) struct Read {
    pub(super) before: Tokens,
    pub(super) value: Tokens,
}

impl Read {
    fn alone(value: Tokens) -> Self {
        Self { before: Tokens::default(), value }
    }

    /// One expression, in a block of its own where statements come before.
    pub(super) fn expression(self) -> Tokens {
        let Self { before, value } = self;
        if before.is_empty() {
            value
        } else {
            quote! {{ #before #value }}
        }
    }
}

/// Reads a value of a type.
pub(super) fn read(cx: &Cx<'_>, id: TypeId) -> Read {
    if is_plain(cx, id) {
        let head = head(cx, id);
        return Read::alone(quote! { #head::decode(r)? });
    }
    match cx.ir.types.kind(id) {
        TypeKind::Array { item, rules } => {
            let (rules, Read { before, value }) = (array_rules(rules), element(cx, *item));
            let before = quote! {
                let rules = &#rules;
                let mut items = Vec::new();
                r.array(rules, &mut |r| {
                    #before
                    items.push(#value);
                    Ok(())
                })?;
            };
            Read { before, value: quote! { items } }
        }
        TypeKind::Boxed(inner) => {
            let Read { before, value } = read(cx, *inner);
            Read { before, value: quote! { Box::new(#value) } }
        }
        TypeKind::Constant(json) => {
            let json = text(json);
            Read::alone(quote! { r.constant(#json)? })
        }
        TypeKind::Foreign { path, via, wire } => foreign(cx, (path, *via), *wire),
        TypeKind::Integer { unsigned, text, rules } => integer_read(*unsigned, *text, rules),
        TypeKind::Map { value, rules } => {
            let (rules, Read { before, value }) = (object_rules(rules), element(cx, *value));
            let before = quote! {
                let rules = &#rules;
                let mut entries = BTreeMap::new();
                r.map(rules, &mut |key, r| {
                    #before
                    if entries.insert(key, #value).is_some() {
                        return Err(Fault::new("a key stands twice"));
                    }
                    Ok(())
                })?;
            };
            Read { before, value: quote! { entries } }
        }
        TypeKind::Nullable(inner) => {
            let Read { before, value } = read(cx, *inner);
            Read::alone(quote! { if r.take_null() { None } else { #before Some(#value) } })
        }
        TypeKind::Number(rules) => ruled(&number_rules(rules), &plain_ident("number_where")),
        TypeKind::String(rules) => string(cx, rules),
        // All of these are plain.
        TypeKind::Any(_)
        | TypeKind::Bool
        | TypeKind::Enum(_)
        | TypeKind::Null
        | TypeKind::Struct(_)
        | TypeKind::Union(_) => Read::alone(Tokens::default()),
    }
}

/// Reads an element of an array or map. One that is such itself has its variables in a block of its own.
fn element(cx: &Cx<'_>, id: TypeId) -> Read {
    let element = read(cx, id);
    match cx.ir.types.kind(id) {
        TypeKind::Array { .. } | TypeKind::Map { .. } => Read::alone(element.expression()),
        TypeKind::Any(_)
        | TypeKind::Bool
        | TypeKind::Boxed(_)
        | TypeKind::Constant(_)
        | TypeKind::Enum(_)
        | TypeKind::Foreign { .. }
        | TypeKind::Integer { .. }
        | TypeKind::Null
        | TypeKind::Nullable(_)
        | TypeKind::Number(_)
        | TypeKind::String(_)
        | TypeKind::Struct(_)
        | TypeKind::Union(_) => element,
    }
}

fn ruled(rules: &Tokens, method: &Ident<'_>) -> Read {
    Read { before: quote! { let rules = &#rules; }, value: quote! { r.#method(rules)? } }
}

fn string(cx: &Cx<'_>, given: &StringRules) -> Read {
    let rules = string_rules(given);
    let runtime = &cx.runtime;
    let pattern = given.pattern.as_ref().map(|pattern| {
        let pattern = ident(pattern);
        quote! { &#pattern }
    });
    let format = given.format.map(|format| matcher(cx, format));
    let matcher = match (pattern, format) {
        (Some(pattern), Some(format)) => quote! { &#runtime::codegen::Both(#pattern, #format) },
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => return ruled(&rules, &plain_ident("string_where")),
    };
    Read { before: quote! { let rules = &#rules; }, value: quote! { r.string_matching(rules, #matcher)? } }
}

/// What decides whether a string is of a format.
pub(super) fn matcher(cx: &Cx<'_>, format: StringFormat) -> Tokens {
    let (runtime, name) = (&cx.runtime, plain_ident(format.matcher()));
    quote! { &#runtime::codegen::formats::#name }
}

/// Whether the type's own `Decode` says all.
pub(super) fn is_plain(cx: &Cx<'_>, id: TypeId) -> bool {
    match cx.ir.types.kind(id) {
        TypeKind::Any(_)
        | TypeKind::Bool
        | TypeKind::Enum(_)
        | TypeKind::Null
        | TypeKind::Struct(_)
        | TypeKind::Union(_) => true,
        TypeKind::Array { item, rules } => *rules == ArrayRules::default() && is_plain(cx, *item),
        TypeKind::Boxed(inner) | TypeKind::Nullable(inner) => is_plain(cx, *inner),
        TypeKind::Constant(_) | TypeKind::Foreign { .. } => false,
        TypeKind::Integer { text, rules, .. } => !text && *rules == IntegerRules::default(),
        TypeKind::Map { value, rules } => *rules == ObjectRules::default() && is_plain(cx, *value),
        TypeKind::Number(rules) => *rules == NumberRules::default(),
        TypeKind::String(rules) => *rules == StringRules::default(),
    }
}

/// The type without its arguments, which inference fills in.
pub(super) fn head(cx: &Cx<'_>, id: TypeId) -> Tokens {
    match cx.ir.types.kind(id) {
        TypeKind::Array { .. } => quote! { Vec },
        TypeKind::Boxed(_) => quote! { Box },
        TypeKind::Map { .. } if !types::is_rest(cx, id) => quote! { BTreeMap },
        TypeKind::Null | TypeKind::Constant(_) => quote! { <()> },
        TypeKind::Nullable(_) => quote! { Option },
        TypeKind::Any(_)
        | TypeKind::Bool
        | TypeKind::Enum(_)
        | TypeKind::Foreign { .. }
        | TypeKind::Integer { .. }
        | TypeKind::Map { .. }
        | TypeKind::Number(_)
        | TypeKind::String(_)
        | TypeKind::Struct(_)
        | TypeKind::Union(_) => types::type_of(cx, id),
    }
}

fn foreign(cx: &Cx<'_>, ty: (&str, Via), wire: TypeId) -> Read {
    let Read { before, value } = read(cx, wire);
    Read { before, value: parsed(cx, &value, ty) }
}

/// A text as the author's own type.
pub(super) fn parsed(cx: &Cx<'_>, text: &Tokens, (path, via): (&str, Via)) -> Tokens {
    let (runtime, ty) = (&cx.runtime, crate::emit::runtime::path(path));
    match via {
        Via::FromStr => {
            quote! { #text.parse::<#ty>().map_err(|_| Fault::new("a text that its type does not accept"))? }
        }
        Via::Serde => quote! { #runtime::codegen::from_text::<#ty>(#text)? },
    }
}

fn integer_read(unsigned: bool, text: bool, rules: &IntegerRules) -> Read {
    let method = plain_ident(if unsigned { "unsigned_where" } else { "integer_where" });
    let rules = integer_rules(rules);
    if !text {
        return ruled(&rules, &method);
    }
    let before = quote! {
        let rules = &#rules;
        let text = r.string()?;
        let mut digits = Reader::of_digits(&text)?;
        let number = digits.#method(rules)?;
        digits.end()?;
    };
    Read { before, value: quote! { number } }
}

/// `Rules { set: …, ..Rules::ANY }`, with only the rules that are set.
fn rules(name: &Tokens, set: &[Option<Tokens>]) -> Tokens {
    let given = set.iter().flatten();
    match set.iter().filter(|rule| rule.is_none()).count() {
        0 => quote! { #name { #(#given),* } },
        unset if unset == set.len() => quote! { #name::ANY },
        _ => quote! { #name { #(#given,)* ..#name::ANY } },
    }
}

fn array_rules(given: &ArrayRules) -> Tokens {
    let set = [
        given.min_items.map(|count| integer(count.into())).map(|count| quote! { min_items: #count }),
        given.max_items.map(|count| integer(count.into())).map(|count| quote! { max_items: #count }),
        given.unique.then(|| quote! { unique: true }),
    ];
    rules(&quote! { ArrayRules }, &set)
}

fn object_rules(given: &ObjectRules) -> Tokens {
    let set = [
        given.min_properties.map(|count| integer(count.into())).map(|count| quote! { min_properties: #count }),
        given.max_properties.map(|count| integer(count.into())).map(|count| quote! { max_properties: #count }),
    ];
    rules(&quote! { ObjectRules }, &set)
}

fn string_rules(given: &StringRules) -> Tokens {
    let set = [
        given.min_length.map(|count| integer(count.into())).map(|count| quote! { min_length: #count }),
        given.max_length.map(|count| integer(count.into())).map(|count| quote! { max_length: #count }),
    ];
    rules(&quote! { StringRules }, &set)
}

fn integer_rules(given: &IntegerRules) -> Tokens {
    let set = [
        given.minimum.map(integer).map(|bound| quote! { minimum: #bound }),
        given.maximum.map(integer).map(|bound| quote! { maximum: #bound }),
        given.multiple_of.map(integer).map(|step| quote! { multiple_of: #step }),
    ];
    rules(&quote! { IntegerRules }, &set)
}

fn number_rules(given: &NumberRules) -> Tokens {
    let set = [
        given.minimum.map(float).map(|bound| quote! { minimum: Some(#bound) }),
        given.maximum.map(float).map(|bound| quote! { maximum: Some(#bound) }),
        given.exclusive_minimum.map(float).map(|bound| quote! { exclusive_minimum: Some(#bound) }),
        given.exclusive_maximum.map(float).map(|bound| quote! { exclusive_maximum: Some(#bound) }),
        given.multiple_of.map(float).map(|step| quote! { multiple_of: const { NumberRules::multiples_of(#step) } }),
    ];
    rules(&quote! { NumberRules }, &set)
}
