//! From a reference to whoever suggests values.

use std::ops::ControlFlow;

use crate::context::Outcome;
use crate::engine::{Engine, Features};
use crate::response::{Completions, RequestError};
use crate::service::{Call, Completing, Completion, Reference, Settings, Start, declared_arguments};

/// Whether any argument or variable can be completed.
pub(super) fn any(features: &Features) -> bool {
    let prompts = features.prompts.iter().map(|prompt| prompt.completions);
    let templates = features.templates.iter().map(|template| template.completions);
    prompts.chain(templates).any(|completions| !completions.is_empty())
}

impl Engine {
    /// Starts completing a value of the prompt or template that is the call's key.
    pub(crate) fn complete(&self, call: Call<'_>, completing: Completing) -> Start {
        let settings = self.completed(completing.reference, call.key());
        let call = match call.permit(settings.unwrap_or(&Settings::DEFAULT)) {
            Ok(call) => call,
            Err(denied) => return Start::Answered(denied),
        };
        let known = match completing.reference {
            Reference::Prompt => self.prompt_completion(call.key(), &completing.argument),
            Reference::Template => self.template_completion(call.key(), &completing.argument),
        };
        match known {
            Err(why) => Start::Answered(call.into_context().refuse_request(&RequestError::invalid_params(why))),
            Ok(None) => answer(call, Completions::default()),
            Ok(Some(Completion::Values(_, values))) => {
                answer(call, Completions::matching(&completing.partial, values.iter().copied()))
            }
            Ok(Some(Completion::Handler(_))) => self.complete_by_handler(call.completing(completing)),
        }
    }

    fn complete_by_handler(&self, call: Call<'_>) -> Start {
        let is_prompt = call.reference() == Some(Reference::Prompt);
        let routed = if is_prompt { self.service.complete_prompt(call) } else { self.service.complete_template(call) };
        match routed {
            ControlFlow::Break(start) => start,
            // the catalog promised a method that the service does not have: only generated code of two contracts can
            ControlFlow::Continue(call) => answer(call, Completions::default()),
        }
    }

    /// Who completes the argument; `None` for one that nobody completes.
    fn prompt_completion(&self, name: &str, argument: &str) -> Result<Option<Completion>, String> {
        let prompt = self.features.prompts.iter().find(|prompt| prompt.name == name);
        let prompt = prompt.ok_or_else(|| format!("unknown prompt: {name}"))?;
        let completion = of(prompt.completions, argument);
        let declared = || declared_arguments(prompt.definition).iter().any(|(known, _)| known == argument);
        if completion.is_none() && !declared() {
            return Err(format!("the prompt `{name}` has no argument `{argument}`"));
        }
        Ok(completion)
    }

    fn template_completion(&self, uri: &str, variable: &str) -> Result<Option<Completion>, String> {
        let template = self.features.templates.iter().find(|template| template.uri_template == uri);
        let template = template.ok_or_else(|| format!("unknown resource template: {uri}"))?;
        let completion = of(template.completions, variable);
        if completion.is_none() && !template.parts.has(variable) {
            return Err(format!("the resource template `{uri}` has no variable `{variable}`"));
        }
        Ok(completion)
    }
}

fn of(completions: &[Completion], argument: &str) -> Option<Completion> {
    completions.iter().copied().find(|completion| completion.argument() == argument)
}

fn answer(call: Call<'_>, completions: Completions) -> Start {
    let key = call.key().to_owned();
    Start::Answered(call.into_context().serving(key).completions(Outcome::succeeded(completions)))
}
