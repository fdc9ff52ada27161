//! A started server: all that is the same for every connection, and the way from a name to a handler.

mod completion;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::listener::Listeners;
use crate::protocol::{Capabilities, Identity, Lists};
use crate::provider::ToolProvider;
use crate::response::RequestError;
use crate::service::{Call, Catalog, Service, Start};
use crate::tool_error::ToolErrorCategory;

/// What the connections of a server share.
pub(crate) struct Engine {
    pub(crate) identity: Identity,
    pub(crate) lists: Lists,
    pub(crate) limits: Limits,
    pub(crate) listeners: Listeners,
    /// Whether the text of foreign errors reaches clients.
    pub(crate) expose_errors: bool,
    /// Whether arguments are mended at all.
    pub(crate) repair: bool,
    /// Bounds the threads of blocking handlers.
    pub(crate) blocking: Arc<Semaphore>,
    catalogs: Vec<&'static Catalog>,
    service: Box<dyn Service>,
    providers: Vec<Arc<dyn ToolProvider>>,
}

/// What an engine is made from.
pub(crate) struct Parts {
    pub(crate) service: Box<dyn Service>,
    pub(crate) providers: Vec<Arc<dyn ToolProvider>>,
    pub(crate) listeners: Listeners,
    pub(crate) limits: Limits,
    pub(crate) expose_errors: bool,
    pub(crate) repair: bool,
}

impl Engine {
    /// Starts an engine.
    ///
    /// # Errors
    ///
    /// Fails if two services or providers claim one name or URI, or a provided tool cannot be served.
    pub(crate) fn start(parts: Parts) -> Result<Self> {
        let Parts { service, providers, listeners, limits, expose_errors, repair } = parts;
        let catalogs = service.catalogs();
        refuse_duplicates(&catalogs, &providers)?;
        let lists = Lists::new(&catalogs);
        let capabilities = Capabilities {
            tools: !lists.tools.is_empty() || !providers.is_empty(),
            resources: !lists.resources.is_empty() || !lists.templates.is_empty(),
            prompts: !lists.prompts.is_empty(),
            completions: completion::any(&catalogs),
        };
        Ok(Self {
            identity: Identity::new(&catalogs, capabilities),
            lists,
            catalogs,
            blocking: Arc::new(Semaphore::new(limits.blocking_threads)),
            limits,
            listeners,
            expose_errors,
            repair,
            service,
            providers,
        })
    }

    /// What is served.
    pub(crate) fn capabilities(&self) -> Capabilities {
        self.identity.capabilities
    }

    /// The definitions of all provided tools.
    pub(crate) fn provided_tools(&self) -> Vec<String> {
        let tools = self.providers.iter().flat_map(|provider| provider.tools());
        tools.filter(|tool| tool.defect().is_none()).map(|tool| tool.to_json()).collect()
    }

    /// Starts the tool that the call names: the contract's first, then the providers'.
    pub(crate) fn call_tool(&self, call: Call<'_>) -> Start {
        match self.service.call_tool(call) {
            ControlFlow::Break(start) => start,
            ControlFlow::Continue(call) => self.call_provided(call),
        }
    }

    fn call_provided(&self, call: Call<'_>) -> Start {
        let (name, arguments) = (call.key(), call.arguments());
        let context = call.into_context().serving(name.to_owned());
        for provider in &self.providers {
            let Some(tool) = provider.tools().into_iter().find(|tool| tool.name == name) else { continue };
            let (arguments, context) = match context.accept(&tool.input_schema(), arguments) {
                Ok(accepted) => accepted,
                Err(refused) => return Start::Answered(refused),
            };
            let provider = Arc::clone(provider);
            let future = Box::pin(async move {
                let outcome = context.drive(provider.call(&tool.name, arguments, &context)).await;
                context.respond(outcome)
            });
            return Start::Running { future, timeout: None };
        }
        Start::Answered(context.reject(ToolErrorCategory::ToolNotFound, &format!("unknown tool: {name}")))
    }

    /// Reads the resource that the call names: an exact URI first, then the templates.
    pub(crate) fn read_resource(&self, call: Call<'_>) -> Start {
        let routed = match self.service.read_resource(call) {
            ControlFlow::Continue(call) => self.service.read_template(call),
            started @ ControlFlow::Break(_) => started,
        };
        match routed {
            ControlFlow::Break(start) => start,
            ControlFlow::Continue(call) => {
                let message = format!("resource not found: {}", call.key());
                let key = call.key().to_owned();
                Start::Answered(call.into_context().serving(key).refuse_request(&RequestError::not_found(message)))
            }
        }
    }

    /// Renders the prompt that the call names.
    pub(crate) fn render_prompt(&self, call: Call<'_>) -> Start {
        match self.service.render_prompt(call) {
            ControlFlow::Break(start) => start,
            ControlFlow::Continue(call) => {
                let message = format!("unknown prompt: {}", call.key());
                Start::Answered(call.into_context().refuse_request(&RequestError::invalid_params(message)))
            }
        }
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("identity", &self.identity)
            .field("limits", &self.limits)
            .field("providers", &self.providers.len())
            .finish_non_exhaustive()
    }
}

/// Names and URIs are claimed once, whoever claims them.
fn refuse_duplicates(catalogs: &[&'static Catalog], providers: &[Arc<dyn ToolProvider>]) -> Result<()> {
    let mut claims = Claims::default();
    for (index, catalog) in catalogs.iter().enumerate() {
        let owner = format!("service {}", index + 1);
        for tool in catalog.tools {
            claims.claim("tool", tool.name, &owner)?;
        }
        for resource in catalog.resources {
            claims.claim("resource", resource.uri, &owner)?;
        }
        for template in catalog.templates {
            claims.claim("resource template", template.uri_template, &owner)?;
        }
        for prompt in catalog.prompts {
            claims.claim("prompt", prompt.name, &owner)?;
        }
    }
    for (index, provider) in providers.iter().enumerate() {
        let owner = format!("provider {}", index + 1);
        for tool in provider.tools() {
            if let Some(defect) = tool.defect() {
                return Err(Error::invalid_tool(&tool.name, defect));
            }
            claims.claim("tool", &tool.name, &owner)?;
        }
    }
    Ok(())
}

#[derive(Default)]
struct Claims(BTreeMap<(&'static str, String), String>);

impl Claims {
    fn claim(&mut self, what: &'static str, name: &str, owner: &str) -> Result<()> {
        match self.0.insert((what, name.to_owned()), owner.to_owned()) {
            Some(first) => Err(Error::duplicate(what, name, [&first, owner])),
            None => Ok(()),
        }
    }
}
