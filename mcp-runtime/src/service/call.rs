//! One request on its way to a handler: what each arm of the generated `match` does.

use std::borrow::Cow;

use crate::context::{Answer, Context, Outcome};
use crate::json::{self, Decode, Fault};
use crate::response::{RequestError, ResourceContents};
use crate::service::{
    Completing, Prompt, Reference, Resource, ResourceTemplate, Settings, Start, Tool, running, static_prompt,
};
use crate::tool_error::ToolError;

/// One request on its way to a handler.
#[derive(Debug)]
pub struct Call<'a> {
    pub(super) key: &'a str,
    arguments: &'a str,
    pub(super) context: Context,
    pub(super) completing: Option<Completing>,
}

impl<'a> Call<'a> {
    pub(crate) fn new(key: &'a str, arguments: &'a str, context: Context) -> Self {
        Self { key, arguments, context, completing: None }
    }

    /// Makes it a call that completes a value.
    pub(crate) fn completing(self, completing: Completing) -> Self {
        Self { completing: Some(completing), ..self }
    }

    pub(crate) fn reference(&self) -> Option<Reference> {
        self.completing.as_ref().map(|completing| completing.reference)
    }

    /// The tool's or prompt's name, or the URI.
    #[must_use]
    pub fn key(&self) -> &'a str {
        self.key
    }

    pub(crate) fn arguments(&self) -> &'a str {
        self.arguments
    }

    pub(crate) fn into_context(self) -> Context {
        self.context
    }

    /// Decodes the arguments and readies the tool's handler, or answers what is wrong with them.
    pub fn tool<A, F, Fut>(self, tool: &'static Tool, run: F) -> Start
    where
        A: Decode,
        F: FnOnce(A, Context) -> Fut,
        Fut: Future<Output = Answer> + Send + 'static,
    {
        match self.decode(tool) {
            Ok((arguments, context)) => running(Box::pin(run(arguments, context)), &tool.settings),
            Err(refused) => Start::Answered(refused),
        }
    }

    /// The same for a tool of which only the schema is known: `run` gets the text of an object that the schema accepts.
    pub fn untyped_tool<F, Fut>(self, tool: &'static Tool, run: F) -> Start
    where
        F: FnOnce(String, Context) -> Fut,
        Fut: Future<Output = Answer> + Send + 'static,
    {
        let permitted = self.context.serving_tool(tool).permit(&tool.settings);
        match permitted.and_then(|context| context.admit(tool, self.arguments)) {
            Ok((arguments, context)) => running(Box::pin(run(arguments, context)), &tool.settings),
            Err(refused) => Start::Answered(refused),
        }
    }

    /// The same for a handler that blocks: it runs on a thread of its own.
    pub fn blocking_tool<A, T, F>(
        self,
        tool: &'static Tool,
        run: F,
        finish: fn(Context, Outcome<T, ToolError>) -> Answer,
    ) -> Start
    where
        A: Decode + Send + 'static,
        T: Send + 'static,
        F: FnOnce(A, &Context) -> Result<T, ToolError> + Send + 'static,
    {
        match self.decode(tool) {
            Ok((arguments, context)) => {
                let blocked = context.block_on_thread(move |context| run(arguments, context), finish);
                running(Box::pin(blocked), &tool.settings)
            }
            Err(refused) => Start::Answered(refused),
        }
    }

    /// Readies the handler of a resource.
    pub fn resource<F, Fut>(self, resource: &'static Resource, run: F) -> Start
    where
        F: FnOnce(Context) -> Fut,
        Fut: Future<Output = Answer> + Send + 'static,
    {
        match self.of_resource(resource) {
            Ok(context) => running(Box::pin(run(context)), &resource.settings),
            Err(denied) => Start::Answered(denied),
        }
    }

    /// Answers with text that was embedded at generation.
    pub fn text(self, resource: &'static Resource, text: &'static str) -> Start {
        let context = self.of_resource(resource);
        let answer = context.map(|context| context.contents(Outcome::succeeded(ResourceContents::text(text))));
        Start::Answered(answer.unwrap_or_else(|denied| denied))
    }

    /// Answers with bytes that were embedded at generation, in Base64.
    pub fn blob(self, resource: &'static Resource, base64: &'static str) -> Start {
        let context = self.of_resource(resource);
        let answer = context.map(|context| context.contents(Outcome::succeeded(ResourceContents::encoded(base64))));
        Start::Answered(answer.unwrap_or_else(|denied| denied))
    }

    /// The variables of the URI, if it fits the template and the template is served.
    pub fn vars<V>(&self, template: &'static ResourceTemplate, from_uri: fn(&str) -> Option<V>) -> Option<V> {
        if self.context.hides_template(template) { None } else { from_uri(self.key) }
    }

    /// Readies the handler of a resource template.
    pub fn template<V, F, Fut>(self, template: &'static ResourceTemplate, vars: V, run: F) -> Start
    where
        F: FnOnce(V, Context) -> Fut,
        Fut: Future<Output = Answer> + Send + 'static,
    {
        let context = self.context.serving_resource(self.key.to_owned()).of_type(template.mime_type.map(Cow::Borrowed));
        match context.permit(&template.settings) {
            Ok(context) => running(Box::pin(run(vars, context)), &template.settings),
            Err(denied) => Start::Answered(denied),
        }
    }

    /// Decodes the arguments and readies the prompt's handler, or answers what is wrong with them.
    pub fn prompt<A, F, Fut>(self, prompt: &'static Prompt, run: F) -> Start
    where
        A: Decode,
        F: FnOnce(A, Context) -> Fut,
        Fut: Future<Output = Answer> + Send + 'static,
    {
        let context = match self.context.serving_prompt(prompt.name).permit(&prompt.settings) {
            Ok(context) => context,
            Err(denied) => return Start::Answered(denied),
        };
        match json::decode(self.arguments) {
            Ok(arguments) => running(Box::pin(run(arguments, context)), &prompt.settings),
            Err(fault) => Start::Answered(refuse_prompt(context, prompt, (self.arguments, fault))),
        }
    }

    /// Answers with messages that stand in the contract: a JSON array with `{{name}}` where an argument goes.
    pub fn static_prompt(self, prompt: &'static Prompt, messages: &'static str) -> Start {
        let context = self.context.serving_prompt(prompt.name).permit(&prompt.settings);
        let answer = context.map(|context| static_prompt::render(context, prompt, (self.arguments, messages)));
        Start::Answered(answer.unwrap_or_else(|denied| denied))
    }

    /// Goes on if the caller may do what the settings are of.
    pub(crate) fn permit(self, settings: &Settings) -> Result<Self, Answer> {
        Ok(Self { context: self.context.permit(settings)?, ..self })
    }

    fn of_resource(self, resource: &'static Resource) -> Result<Context, Answer> {
        let context = self.context.serving_resource(resource.uri).of_type(resource.mime_type.map(Cow::Borrowed));
        context.permit(&resource.settings)
    }

    /// Decodes the arguments of a tool; those that are refused go the slow road, which may mend them.
    fn decode<A: Decode>(self, tool: &'static Tool) -> Result<(A, Context), Answer> {
        let context = self.context.serving_tool(tool).permit(&tool.settings)?;
        let fault = match json::decode(self.arguments) {
            Ok(arguments) => return Ok((arguments, context)),
            Err(fault) => fault,
        };
        let (mended, context) = context.mend(tool, self.arguments, fault)?;
        match json::decode(&mended) {
            Ok(arguments) => Ok((arguments, context)),
            Err(fault) => Err(context.refuse(tool, fault)),
        }
    }
}

/// Says which argument is at fault, if one is, else what the reader found.
#[cold]
fn refuse_prompt(context: Context, prompt: &Prompt, (arguments, fault): (&str, Fault)) -> Answer {
    let why = static_prompt::read_arguments(prompt, arguments).err().unwrap_or_else(|| fault.to_string());
    let message = format!("invalid arguments for the prompt `{}`: {why}", prompt.name);
    context.refuse_request(&RequestError::invalid_params(message))
}
