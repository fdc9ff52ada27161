//! A started server: all that is the same for every connection, and the way from a name to a handler.

mod claims;
mod completion;
mod features;
#[cfg(feature = "http")]
mod param_headers;
mod permits;
#[cfg(feature = "http")]
mod protection;
mod provided;
mod tasks;
mod updates;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::changes::Changes;
use crate::engine::claims::{Claims, PROMPT, RESOURCE, TEMPLATE, TOOL};
pub(crate) use crate::engine::features::Features;
#[cfg(feature = "http")]
pub(crate) use crate::engine::param_headers::ParamHeaders;
pub(crate) use crate::engine::permits::Access;
use crate::error::Result;
use crate::limits::Limits;
use crate::listener::Listeners;
use crate::protocol::{Capabilities, ContractDigest, Identity, Lists};
use crate::provider::Providers;
use crate::response::RequestError;
use crate::seal::Seal;
use crate::service::{Call, ResourceTemplate, Service, Start};
use crate::task::{Board, Tasks};
use crate::trace::Spans;
use crate::validate::KnownSchemas;

/// What the connections of a server share.
pub(crate) struct Engine {
    pub(crate) identity: Identity,
    pub(crate) lists: Lists,
    pub(crate) limits: Limits,
    pub(crate) listeners: Listeners,
    /// The way by which it learns of changes, if it was given one.
    pub(crate) changes: Option<Changes>,
    /// The tasks, if any call can be one.
    pub(crate) tasks: Option<Board>,
    /// Whether the text of foreign errors reaches clients.
    pub(crate) expose_errors: bool,
    pub(crate) spans: Spans,
    /// Whether arguments are mended at all.
    pub(crate) repair: bool,
    access: Access,
    /// Whether results are held against their schemas.
    pub(crate) check_outputs: bool,
    /// Bounds the threads of blocking handlers.
    pub(crate) blocking: Arc<Semaphore>,
    /// Closes what stateless clients carry from one request to the next.
    pub(crate) seal: Seal,
    /// For the reports about refused arguments.
    pub(crate) known_schemas: KnownSchemas,
    claims: Claims,
    features: Features,
    service: Box<dyn Service>,
    providers: Providers,
}

/// What an engine is made from.
pub(crate) struct Parts {
    pub(crate) service: Box<dyn Service>,
    pub(crate) providers: Providers,
    /// The groups to serve; `None` for everything.
    pub(crate) only: Option<BTreeSet<String>>,
    pub(crate) changes: Option<Changes>,
    pub(crate) tasks: Option<Tasks>,
    pub(crate) access: Access,
    pub(crate) listeners: Listeners,
    pub(crate) limits: Limits,
    pub(crate) expose_errors: bool,
    pub(crate) spans: Spans,
    pub(crate) repair: bool,
    pub(crate) check_outputs: bool,
    pub(crate) contract_digest: ContractDigest,
    /// The key of the seal, if it is to outlive the process.
    pub(crate) state_key: Option<[u8; 32]>,
}

impl Engine {
    /// Starts an engine.
    ///
    /// # Errors
    ///
    /// Fails if two services or providers claim one name or URI, something provided cannot be served, a group is nobody's,
    /// or the system has no randomness for a key.
    pub(crate) fn start(parts: Parts) -> Result<Self> {
        let Parts { service, providers, only, changes, listeners, limits, .. } = parts;
        let Parts { tasks, access, state_key, .. } = parts;
        let catalogs = service.catalogs();
        let claims = Claims::check(&catalogs, &providers)?;
        let features = Features::new(&catalogs, only.as_ref())?;
        let lists = Lists::new(&catalogs, &features, (limits.page, access == Access::ScopesAndLists));
        let tasks = tasks::board(tasks, (&features, &providers), access == Access::Everything);
        let capabilities = Capabilities {
            tools: !lists.tools.is_empty() || !providers.tools.is_empty(),
            resources: !lists.resources.is_empty() || !lists.templates.is_empty() || !providers.resources.is_empty(),
            prompts: !lists.prompts.is_empty() || !providers.prompts.is_empty(),
            completions: completion::any(&features),
            list_changed: changes.is_some(),
            subscribe: changes.is_some() && updates::any(&features, &providers),
            tasks: tasks.is_some(),
            task_lists: tasks.as_ref().is_some_and(|tasks| tasks.has_lists),
        };
        Ok(Self {
            identity: Identity::new(&catalogs, capabilities, parts.contract_digest),
            lists,
            claims,
            features,
            changes,
            tasks,
            blocking: Arc::new(Semaphore::new(limits.blocking_threads)),
            limits,
            listeners,
            expose_errors: parts.expose_errors,
            spans: parts.spans,
            repair: parts.repair,
            check_outputs: parts.check_outputs,
            access,
            seal: state_key.map_or_else(Seal::random, |key| Ok(Seal::new(key)))?,
            known_schemas: KnownSchemas::default(),
            service,
            providers,
        })
    }

    /// What is served.
    pub(crate) fn capabilities(&self) -> Capabilities {
        self.identity.capabilities
    }

    /// Whether there is anything that stateless clients can listen to.
    pub(crate) fn can_be_listened_to(&self) -> bool {
        self.changes.is_some() || self.tasks.is_some()
    }

    /// Starts the tool that the call names: the contract's first, then the providers'.
    pub(crate) fn call_tool(&self, call: Call<'_>) -> Start {
        if self.features.hides(TOOL, call.key()) {
            return self.call_provided(call);
        }
        match self.service.call_tool(call) {
            ControlFlow::Break(start) => start,
            ControlFlow::Continue(call) => self.call_provided(call),
        }
    }

    /// Reads the resource that the call names: an exact URI first, then the templates.
    pub(crate) fn read_resource(&self, call: Call<'_>) -> Start {
        let hidden = self.features.hides(RESOURCE, call.key());
        let routed = if hidden { ControlFlow::Continue(call) } else { self.service.read_resource(call) };
        let call = match routed {
            ControlFlow::Break(start) => return start,
            ControlFlow::Continue(call) => call,
        };
        if let Some(provider) = self.provider_of_resource(call.key()) {
            return provided::read(call, provider);
        }
        let call = match self.service.read_template(call) {
            ControlFlow::Break(start) => return start,
            ControlFlow::Continue(call) => call,
        };
        if let Some(provider) = self.provider_of_template(call.key()) {
            return provided::read(call, provider);
        }
        let message = format!("resource not found: {}", shortened(call.key()));
        let key = call.key().to_owned();
        Start::Answered(call.into_context().serving(key).refuse_request(&RequestError::not_found(message)))
    }

    /// What may be shown of a feature's name or URI.
    pub(crate) fn shown<'n>(&self, name: &'n str) -> &'n str {
        self.features.shown(name)
    }

    /// Whether a service has the template, but the server leaves it out.
    pub(crate) fn hides_template(&self, template: &ResourceTemplate) -> bool {
        self.features.hides(TEMPLATE, template.uri_template)
    }

    /// Renders the prompt that the call names: the contract's first, then the providers'.
    pub(crate) fn render_prompt(&self, call: Call<'_>) -> Start {
        if self.features.hides(PROMPT, call.key()) {
            return self.render_provided(call);
        }
        match self.service.render_prompt(call) {
            ControlFlow::Break(start) => start,
            ControlFlow::Continue(call) => self.render_provided(call),
        }
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("identity", &self.identity)
            .field("limits", &self.limits)
            .field("providers", &self.providers)
            .finish_non_exhaustive()
    }
}

/// A name that a client made up, as far as it is worth repeating.
pub(crate) fn shortened(name: &str) -> Cow<'_, str> {
    const LONGEST: usize = 100;
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => Cow::Owned(format!("{}…", &name[..end])),
        None => Cow::Borrowed(name),
    }
}
