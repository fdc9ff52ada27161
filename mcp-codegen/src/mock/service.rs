//! The dispatch: what generated code does by a `match`.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use mcp_runtime::codegen::{Call, Catalog, Completions, Service, Settings, Start};

use super::resource::Stated;
use super::{Hear, Mock, Request, prompt, resource, tool};

impl Service for Mock {
    fn catalogs(&self) -> Vec<&'static Catalog> {
        vec![self.catalog]
    }

    fn call_tool<'a>(&self, call: Call<'a>) -> ControlFlow<Start, Call<'a>> {
        let tool = self.tools.iter().find(|tool| tool.constants.name == call.key());
        let Some(tool) = tool.map(Arc::clone) else { return ControlFlow::Continue(call) };
        let hear = Arc::clone(&self.hear);
        ControlFlow::Break(if tool.is_structured { structured(call, tool, hear) } else { plain(call, tool, hear) })
    }

    fn read_resource<'a>(&self, call: Call<'a>) -> ControlFlow<Start, Call<'a>> {
        let resource = self.resources.iter().find(|resource| resource.constants.uri == call.key());
        let Some(resource) = resource else { return ControlFlow::Continue(call) };
        let (constants, hear) = (resource.constants, Arc::clone(&self.hear));
        let tell = |answer| hear(&Request { method: "resources/read", name: constants.uri, arguments: None, answer });
        ControlFlow::Break(match resource.content {
            Stated::Text(text) => {
                tell("as it is");
                call.text(constants, text)
            }
            Stated::Blob(base64) => {
                tell("as it is");
                call.blob(constants, base64)
            }
            Stated::Nothing => {
                tell("generated");
                let contents = resource::made(constants.uri, constants.mime_type);
                call.resource(constants, |ctx| async move {
                    let outcome = ctx.drive(async { Ok(contents) }).await;
                    ctx.contents(outcome)
                })
            }
        })
    }

    fn read_template<'a>(&self, call: Call<'a>) -> ControlFlow<Start, Call<'a>> {
        for template in &self.templates {
            // The table alone knows whether the template is served.
            let Some(()) = call.vars(template.constants, |_| Some(())) else { continue };
            let uri = call.key().to_owned();
            let Some(variables) = template.variables(&uri) else { continue };
            let (constants, hear) = (template.constants, Arc::clone(&self.hear));
            let (contents, answer) = template.answer(&uri, &variables);
            return ControlFlow::Break(call.template(constants, contents, move |contents, ctx| async move {
                hear(&Request { method: "resources/read", name: &uri, arguments: None, answer: &answer });
                let outcome = ctx.drive(async { Ok(contents) }).await;
                ctx.contents(outcome)
            }));
        }
        ControlFlow::Continue(call)
    }

    fn render_prompt<'a>(&self, call: Call<'a>) -> ControlFlow<Start, Call<'a>> {
        let prompt = self.prompts.iter().find(|prompt| prompt.constants.name == call.key());
        let Some(prompt) = prompt.map(Arc::clone) else { return ControlFlow::Continue(call) };
        let hear = Arc::clone(&self.hear);
        ControlFlow::Break(match prompt.messages {
            Some(messages) => {
                let name = prompt.constants.name;
                hear(&Request { method: "prompts/get", name, arguments: None, answer: "as it is" });
                call.static_prompt(prompt.constants, messages)
            }
            None => render(call, prompt, hear),
        })
    }

    fn complete_prompt<'a>(&self, call: Call<'a>) -> ControlFlow<Start, Call<'a>> {
        let prompt = self.prompts.iter().find(|prompt| prompt.constants.name == call.key());
        let Some(prompt) = prompt else { return ControlFlow::Continue(call) };
        let (values, constants) = (prompt.shown(call.argument()), prompt.constants);
        ControlFlow::Break(complete(call, (constants.name, &constants.settings), values, Arc::clone(&self.hear)))
    }

    fn complete_template<'a>(&self, call: Call<'a>) -> ControlFlow<Start, Call<'a>> {
        let template = self.templates.iter().find(|template| template.constants.uri_template == call.key());
        let Some(template) = template else { return ControlFlow::Continue(call) };
        let (values, constants) = (template.shown(call.argument()), template.constants);
        ControlFlow::Break(complete(
            call,
            (constants.uri_template, &constants.settings),
            values,
            Arc::clone(&self.hear),
        ))
    }
}

fn structured(call: Call<'_>, tool: Arc<tool::Tool>, hear: Arc<Hear>) -> Start {
    call.untyped_tool(tool.constants, move |arguments, ctx| async move {
        let answer = tool.structured(&arguments);
        tell(&*hear, &tool, &arguments, answer.as_ref().map(|(_, label)| label.as_str()).ok());
        let outcome = ctx.drive(async { answer.map(|(output, _)| output) }).await;
        ctx.structured(outcome)
    })
}

fn plain(call: Call<'_>, tool: Arc<tool::Tool>, hear: Arc<Hear>) -> Start {
    call.untyped_tool(tool.constants, move |arguments, ctx| async move {
        let answer = tool.response(&arguments);
        tell(&*hear, &tool, &arguments, answer.as_ref().map(|(_, label)| label.as_str()).ok());
        let outcome = ctx.drive(async { answer.map(|(response, _)| response) }).await;
        ctx.respond(outcome)
    })
}

fn tell(hear: &Hear, tool: &tool::Tool, arguments: &str, answer: Option<&str>) {
    let constants = tool.constants;
    let arguments = constants.secrets.is_empty().then_some(arguments);
    hear(&Request { method: "tools/call", name: constants.name, arguments, answer: answer.unwrap_or("an error") });
}

fn render(call: Call<'_>, prompt: Arc<prompt::Prompt>, hear: Arc<Hear>) -> Start {
    let constants = prompt.constants;
    call.prompt::<BTreeMap<String, String>, _, _>(constants, move |args, ctx| async move {
        let rendered = prompt.render(&args);
        let answer = rendered.as_ref().map_or("an error", |(_, label)| label);
        let given = serde_json::to_string(&args).unwrap_or_default();
        hear(&Request { method: "prompts/get", name: constants.name, arguments: Some(&given), answer });
        let outcome = ctx.drive(async { rendered.map(|(messages, _)| messages) }).await;
        ctx.messages(outcome)
    })
}

/// Suggests what the examples show.
fn complete(call: Call<'_>, of: (&'static str, &'static Settings), values: Vec<String>, hear: Arc<Hear>) -> Start {
    let (name, settings) = of;
    call.completion(settings, move |partial, ctx| async move {
        hear(&Request { method: "completion/complete", name, arguments: None, answer: "the examples" });
        let outcome = ctx.drive(async { Ok(Completions::matching(&partial, values)) }).await;
        ctx.completions(outcome)
    })
}
