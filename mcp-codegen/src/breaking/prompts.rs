//! Prompts: which arguments they need, what those say of themselves, and the messages.

use crate::contract::{Common, Contract, Prompt, PromptArgument};
use crate::diagnostic::Diagnostics;
use crate::document::Node;

use super::features::{Matched, definitions, lost, matched, texts, won};
use super::{rule, words};

/// Compares all prompts of two contracts.
pub(super) fn compare(old: &Contract, new: &Contract, found: &mut Diagnostics) {
    let Matched { gone, added, both } = matched(&old.prompts, &new.prompts, |prompt| &prompt.common.name.value);
    for prompt in gone {
        lost(&rule::PROMPT_REMOVED, &prompt.common.name, "prompt", found);
    }
    for prompt in added {
        won(&rule::PROMPT_ADDED, &prompt.common.name, "prompt", found);
    }
    for (before, now) in both {
        prompt(before, now, found);
    }
}

fn prompt(before: &Prompt, now: &Prompt, found: &mut Diagnostics) {
    let name = &now.common.name;
    let spans = (name.span, before.common.name.span);
    let place = |span| (Some(span), Some(spans.1));
    for argument in &now.arguments {
        let argument_name = &argument.name.value;
        let known = before.arguments.iter().find(|known| known.name.value == *argument_name);
        let (rule, message) = match known {
            None if argument.required => {
                (rule::PROMPT_REQUIRED, format!("`{}` needs the argument `{argument_name}` now", name.value))
            }
            Some(known) if argument.required && !known.required => {
                (rule::PROMPT_REQUIRED, format!("`{}` needs the argument `{argument_name}` now", name.value))
            }
            None => (rule::PROMPT_ARGUMENT_ADDED, format!("`{}` takes the new argument `{argument_name}`", name.value)),
            Some(known) if known.required && !argument.required => {
                (rule::PROMPT_ARGUMENT_ADDED, format!("`{argument_name}` of `{}` may be absent now", name.value))
            }
            Some(_) => continue,
        };
        found.push(rule.at(place(argument.name.span), message));
    }
    for argument in &now.arguments {
        let argument = &argument.name.value;
        if let (Some(before), Some(now)) = (defined(&before.common, argument), defined(&now.common, argument)) {
            words::annotations(&format!("`{argument}` of `{}`", name.value), spans, (before, now), found);
        }
    }
    let is_gone =
        |argument: &&PromptArgument| now.arguments.iter().all(|known| known.name.value != argument.name.value);
    for argument in before.arguments.iter().filter(is_gone) {
        let message = format!("`{}` no longer takes the argument `{}`", name.value, argument.name.value);
        found.push(rule::PROMPT_ARGUMENT_REMOVED.at((Some(name.span), Some(argument.name.span)), message));
    }
    let said = |prompt: &Prompt| {
        prompt.messages.as_ref().map(|messages| messages.value.iter().map(Node::to_json).collect::<Vec<_>>())
    };
    if said(before) != said(now) {
        let message = format!("the messages of `{}` say something else", name.value);
        found.push(rule::PROMPT_TEXT_CHANGED.at(place(name.span), message));
    }
    texts(&before.common, &now.common, found);
    definitions(&before.common, &now.common, found);
}

/// An argument of a prompt as clients see it.
fn defined<'c>(prompt: &'c Common, argument: &str) -> Option<&'c Node> {
    let arguments = prompt.definition.get("arguments")?.items()?;
    arguments.iter().find(|defined| defined.get("name").and_then(Node::as_str) == Some(argument))
}
