//! Prompts whose messages stand in the contract: their placeholders are filled in, and no handler runs.

use std::collections::BTreeMap;

use crate::context::{Answer, Context};
use crate::json::{self, ArrayRules, Fault, Reader, Writer};
use crate::response::RequestError;
use crate::service::Prompt;

/// Answers with `messages`, a JSON array in whose strings `{{name}}` stands for an argument and `{{{{` for `{{`.
pub(super) fn render(context: Context, prompt: &Prompt, (arguments, messages): (&str, &str)) -> Answer {
    let values = match read_arguments(prompt, arguments) {
        Ok(values) => values,
        Err(why) => {
            let message = format!("invalid arguments for the prompt `{}`: {why}", prompt.name);
            return context.refuse_request(&RequestError::invalid_params(message));
        }
    };
    context.static_messages(&fill(messages, &values))
}

/// The arguments by name; those that may be absent and are, are empty.
pub(super) fn read_arguments(prompt: &Prompt, arguments: &str) -> Result<BTreeMap<String, String>, String> {
    let mut values: BTreeMap<String, String> = json::decode(arguments).map_err(|fault| fault.to_string())?;
    let declared = declared_arguments(prompt.definition);
    check_arguments(&declared, &values)?;
    for (name, _) in declared {
        values.entry(name).or_default();
    }
    Ok(values)
}

/// Forbids arguments that nobody declared, and that a required one is missing.
pub(crate) fn check_arguments(declared: &[(String, bool)], values: &BTreeMap<String, String>) -> Result<(), String> {
    if let Some(name) = values.keys().find(|name| declared.iter().all(|(known, _)| known != *name)) {
        return Err(format!("unknown argument `{name}`"));
    }
    match declared.iter().find(|(name, required)| *required && !values.contains_key(name)) {
        Some((name, _)) => Err(format!("missing argument `{name}`")),
        None => Ok(()),
    }
}

/// The arguments that a definition declares, and which of them are required.
pub(crate) fn declared_arguments(definition: &str) -> Vec<(String, bool)> {
    // generated definitions are always in order
    declared(definition).unwrap_or_default()
}

fn declared(definition: &str) -> Result<Vec<(String, bool)>, Fault> {
    let mut declared = Vec::new();
    Reader::new(definition).object(&["arguments"], &mut |key, reader| {
        if key != 0 {
            return reader.skip_value();
        }
        reader.array(&ArrayRules::ANY, &mut |reader| {
            let (mut name, mut required) = (String::new(), false);
            reader.object(&["name", "required"], &mut |key, reader| {
                match key {
                    0 => name = reader.string()?.into_owned(),
                    1 => required = reader.boolean()?,
                    _ => reader.skip_value()?,
                }
                Ok(())
            })?;
            declared.push((name, required));
            Ok(())
        })
    })?;
    Ok(declared)
}

/// Fills the placeholders. They stand inside JSON strings, so what goes in is escaped like the rest of such a string.
fn fill(messages: &str, values: &BTreeMap<String, String>) -> Vec<u8> {
    let mut out = Vec::with_capacity(messages.len());
    let mut rest = messages;
    while let Some(at) = rest.find("{{") {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at + 2..];
        if let Some(after) = rest.strip_prefix("{{") {
            out.extend_from_slice(b"{{");
            rest = after;
        } else if let Some((value, after)) = placeholder(rest, values) {
            let mut quoted = Vec::new();
            Writer::new(&mut quoted).string(value);
            out.extend_from_slice(&quoted[1..quoted.len() - 1]);
            rest = after;
        } else {
            out.extend_from_slice(b"{{");
        }
    }
    out.extend_from_slice(rest.as_bytes());
    out
}

/// The value of the placeholder that begins here, and what follows it.
fn placeholder<'t, 'v>(text: &'t str, values: &'v BTreeMap<String, String>) -> Option<(&'v str, &'t str)> {
    let (name, after) = text.split_once("}}")?;
    Some((values.get(name.trim())?, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::Settings;

    const PROMPT: Prompt = Prompt {
        name: "thank",
        definition: r#"{"name":"thank","arguments":[{"name":"guest","required":true},{"name":"for"}]}"#,
        completions: &[],
        examples: "[]",
        settings: Settings::DEFAULT,
    };

    #[test]
    fn placeholders_are_filled_and_escaped() {
        let values = read_arguments(&PROMPT, r#"{"guest":"A \"B\"\n"}"#).unwrap();
        let filled = fill(r#"["Thank {{guest}} for {{for}}{{{{x}} {{other}}"]"#, &values);
        assert_eq!(String::from_utf8(filled).unwrap(), r#"["Thank A \"B\"\n for {{x}} {{other}}"]"#);
    }

    #[test]
    fn missing_unknown_and_mistyped_arguments_are_named() {
        assert_eq!(read_arguments(&PROMPT, "{}").unwrap_err(), "missing argument `guest`");
        assert_eq!(read_arguments(&PROMPT, r#"{"guest":"a","x":"b"}"#).unwrap_err(), "unknown argument `x`");
        assert!(read_arguments(&PROMPT, r#"{"guest":1}"#).is_err());
    }
}
