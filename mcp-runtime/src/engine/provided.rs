//! What providers offer: asked anew each time, after everything that is fixed.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::context::Context;
use crate::engine::claims::{Offer, PROMPT, RESOURCE, TEMPLATE, TOOL};
use crate::engine::{Engine, shortened};
use crate::json;
use crate::provider::{PromptDefinition, ResourceDefinition, ResourceProvider, TemplateDefinition, ToolDefinition};
use crate::response::RequestError;
use crate::service::{Call, Start, check_arguments};
use crate::tool_error::ToolErrorCategory;
use crate::validate::nearest_name;

impl Engine {
    /// The definitions of all provided tools.
    pub(crate) fn provided_tools(&self) -> Vec<String> {
        let tools = self.providers.tools.iter().flat_map(|provider| provider.tools());
        self.admitted(
            tools,
            |tool| Offer { kind: TOOL, name: &tool.name, defect: tool.defect().or_else(|| tool.headers().err()) },
            ToolDefinition::to_json,
        )
    }

    /// The definitions of all provided resources.
    pub(crate) fn provided_resources(&self) -> Vec<String> {
        let resources = self.providers.resources.iter().flat_map(ResourceProvider::resources);
        self.admitted(
            resources,
            |resource| Offer { kind: RESOURCE, name: &resource.uri, defect: resource.defect() },
            ResourceDefinition::to_json,
        )
    }

    /// The definitions of all provided templates.
    pub(crate) fn provided_templates(&self) -> Vec<String> {
        let templates = self.providers.resources.iter().flat_map(ResourceProvider::templates);
        self.admitted(
            templates,
            |template| Offer { kind: TEMPLATE, name: &template.uri_template, defect: template.defect() },
            TemplateDefinition::to_json,
        )
    }

    /// The definitions of all provided prompts.
    pub(crate) fn provided_prompts(&self) -> Vec<String> {
        let prompts = self.providers.prompts.iter().flat_map(|provider| provider.prompts());
        self.admitted(
            prompts,
            |prompt| Offer { kind: PROMPT, name: &prompt.name, defect: prompt.defect() },
            PromptDefinition::to_json,
        )
    }

    /// Whether there is a tool or a prompt of this name, by the method that uses it.
    pub(crate) fn offers(&self, method: &str, name: &str) -> bool {
        match method {
            "tools/call" => {
                let provided = || self.providers.tools.iter().flat_map(|provider| provider.tools());
                self.features.tools.iter().any(|tool| tool.name == name) || provided().any(|tool| tool.name == name)
            }
            "prompts/get" => {
                let provided = || self.providers.prompts.iter().flat_map(|provider| provider.prompts());
                self.features.prompts.iter().any(|prompt| prompt.name == name)
                    || provided().any(|prompt| prompt.name == name)
            }
            _ => false,
        }
    }

    fn admitted<D>(
        &self,
        definitions: impl Iterator<Item = D>,
        offer: impl Fn(&D) -> Offer<'_>,
        to_json: impl Fn(&D) -> String,
    ) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let admitted = definitions.filter(|one| self.claims.admits(&offer(one), &mut seen, &self.listeners));
        admitted.map(|one| to_json(&one)).collect()
    }

    pub(super) fn call_provided(&self, call: Call<'_>) -> Start {
        let (name, arguments) = (call.key(), call.arguments());
        let context = call.into_context().serving(name.to_owned());
        for provider in &self.providers.tools {
            let Some(tool) = provider.tools().into_iter().find(|tool| tool.name == name) else { continue };
            // it is not listed either
            if tool.headers().is_err() {
                break;
            }
            let (arguments, context) = match context.accept(&tool.input_schema(), arguments) {
                Ok(accepted) => accepted,
                Err(refused) => return Start::Answered(refused),
            };
            context.span().tool(&tool.name);
            let provider = Arc::clone(provider);
            let future = Box::pin(async move {
                let outcome = context.drive(provider.call(&tool.name, arguments, &context)).await;
                context.respond(outcome)
            });
            return Start::Running { future, timeout: None };
        }
        let mut message = format!("unknown tool: {}", shortened(name));
        if let Some(near) = self.nearest_tool(name) {
            message.extend(["; did you mean `", &near, "`?"]);
        }
        Start::Answered(context.reject(ToolErrorCategory::ToolNotFound, &message))
    }

    /// The tool that was probably meant.
    fn nearest_tool(&self, name: &str) -> Option<String> {
        let provided = self.providers.tools.iter().flat_map(|provider| provider.tools()).map(|tool| tool.name);
        let known: Vec<String> = self.features.tools.iter().map(|tool| tool.name.to_owned()).chain(provided).collect();
        nearest_name(name, known.iter().map(String::as_str)).map(str::to_owned)
    }

    /// Whoever offers exactly this URI, and the media type of what stands there.
    pub(super) fn provider_of_resource(&self, uri: &str) -> Option<(&Arc<dyn ResourceProvider>, Option<String>)> {
        self.providers.resources.iter().find_map(|provider| {
            let resource = provider.resources().into_iter().find(|resource| resource.uri == uri)?;
            Some((provider, resource.content_type()))
        })
    }

    /// Whoever has a template that matches this URI.
    pub(super) fn provider_of_template(&self, uri: &str) -> Option<(&Arc<dyn ResourceProvider>, Option<String>)> {
        self.providers.resources.iter().find_map(|provider| {
            let template = provider.templates().into_iter().find(|template| template.variables(uri).is_some())?;
            Some((provider, template.content_type()))
        })
    }

    pub(super) fn render_provided(&self, call: Call<'_>) -> Start {
        let (name, arguments) = (call.key(), call.arguments());
        let context = call.into_context().serving(name.to_owned());
        for provider in &self.providers.prompts {
            let Some(prompt) = provider.prompts().into_iter().find(|prompt| prompt.name == name) else { continue };
            let values = json::decode::<BTreeMap<String, String>>(arguments).map_err(|fault| fault.to_string());
            let values = values.and_then(|values| check_arguments(&prompt.declared(), &values).map(|()| values));
            let values = match values {
                Ok(values) => values,
                Err(why) => return refused(context, &format!("invalid arguments for the prompt `{name}`: {why}")),
            };
            context.span().prompt(&prompt.name);
            let provider = Arc::clone(provider);
            let future = Box::pin(async move {
                let outcome = context.drive(provider.render(&prompt.name, values, &context)).await;
                context.messages(outcome)
            });
            return Start::Running { future, timeout: None };
        }
        refused(context, &format!("unknown prompt: {name}"))
    }
}

/// Readies a provider to read the URI that is the call's key.
pub(super) fn read(call: Call<'_>, (provider, mime_type): (&Arc<dyn ResourceProvider>, Option<String>)) -> Start {
    let uri = call.key().to_owned();
    let context = call.into_context().serving_resource(uri.clone()).of_type(mime_type.map(Cow::Owned));
    let provider = Arc::clone(provider);
    let future = Box::pin(async move {
        let outcome = context.drive(provider.read(&uri, &context)).await;
        context.contents(outcome)
    });
    Start::Running { future, timeout: None }
}

fn refused(context: Context, why: &str) -> Start {
    Start::Answered(context.refuse_request(&RequestError::invalid_params(why)))
}
