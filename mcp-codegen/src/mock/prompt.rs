//! What a prompt renders to.

use std::collections::BTreeMap;

use mcp_runtime::codegen;
use mcp_runtime::{PromptMessages, RequestError};

use super::catalog::text;
use super::examples::{self, Example, as_text, nearest, object};
use crate::contract;
use crate::ir;

/// A prompt with its answers.
#[derive(Debug)]
pub(super) struct Prompt {
    pub(super) constants: &'static codegen::Prompt,
    /// The messages that stand in the contract.
    pub(super) messages: Option<&'static str>,
    examples: Vec<Example<String>>,
    arguments: Vec<Argument>,
    description: String,
}

#[derive(Debug)]
struct Argument {
    name: String,
    required: bool,
    values: Option<Vec<String>>,
}

impl Prompt {
    pub(super) fn new((written, ir): (&contract::Prompt, &ir::Prompt), constants: &'static codegen::Prompt) -> Self {
        let arguments = written.arguments.iter().map(|argument| Argument {
            name: argument.name.value.clone(),
            required: argument.required,
            values: argument.values.as_ref().map(|values| values.value.clone()),
        });
        Self {
            constants,
            messages: ir.messages.as_deref().map(text),
            examples: examples::read(&written.examples, |output| Some(as_text(output))),
            arguments: arguments.collect(),
            description: written.common.description.as_ref().map(|text| text.value.clone()).unwrap_or_default(),
        }
    }

    /// Renders it for arguments that nobody has looked at.
    pub(super) fn render(&self, given: &BTreeMap<String, String>) -> Result<(PromptMessages, String), RequestError> {
        self.check(given).map_err(|why| {
            let name = self.constants.name;
            RequestError::invalid_params(format!("invalid arguments for the prompt `{name}`: {why}"))
        })?;
        let args = object(given.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        Ok(match nearest(&self.examples, &args, &[]) {
            Some((output, label)) => (PromptMessages::user(output.as_str()), label),
            None => (PromptMessages::user(self.made(given)), "generated".to_owned()),
        })
    }

    fn check(&self, given: &BTreeMap<String, String>) -> Result<(), String> {
        if let Some(name) = given.keys().find(|name| self.arguments.iter().all(|known| known.name != **name)) {
            return Err(format!("unknown argument `{name}`"));
        }
        for argument in &self.arguments {
            match (given.get(&argument.name), &argument.values) {
                (None, _) if argument.required => return Err(format!("missing argument `{}`", argument.name)),
                (Some(value), Some(values)) if !values.contains(value) => {
                    return Err(format!("/{}: expected one of {}", argument.name, values.join(", ")));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn made(&self, given: &BTreeMap<String, String>) -> String {
        let name = self.constants.name;
        let mut text = format!("This is a mock of the prompt `{name}`. The contract has no example of its text.\n");
        if !self.description.is_empty() {
            text.extend(["\n", &self.description, "\n"]);
        }
        for (name, value) in given {
            text.extend(["\n", name, ": ", value]);
        }
        text
    }

    /// The values of an argument in the examples.
    pub(super) fn shown(&self, argument: &str) -> Vec<String> {
        examples::values(&self.examples, argument)
    }
}
