//! Who has which name or URI: each is claimed once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use crate::error::{Error, Result};
use crate::listener::{Event, Listeners, Skipped};
use crate::lock::lock;
use crate::provider::Providers;
use crate::service::Catalog;

/// Names in messages and events.
pub(super) const TOOL: &str = "tool";
pub(super) const RESOURCE: &str = "resource";
pub(super) const TEMPLATE: &str = "resource template";
pub(super) const PROMPT: &str = "prompt";

/// Whatever is skipped is told of once, as long as there are no more than this many.
const TOLD: usize = 1024;

/// The claims of the services, which never change, and what was skipped because of them or for another reason.
#[derive(Debug, Default)]
pub(super) struct Claims {
    owners: BTreeMap<(&'static str, String), String>,
    told: Mutex<BTreeSet<(&'static str, String)>>,
}

/// What a provider offers, as far as claims are concerned.
pub(super) struct Offer<'a> {
    pub(super) kind: &'static str,
    pub(super) name: &'a str,
    pub(super) defect: Option<&'static str>,
}

impl Claims {
    /// The claims of all services; those of the providers are checked against them.
    ///
    /// # Errors
    ///
    /// Fails if anything is claimed twice, or cannot be served.
    pub(super) fn check(catalogs: &[&'static Catalog], providers: &Providers) -> Result<Self> {
        let mut claims = Self::default();
        for (index, catalog) in catalogs.iter().enumerate() {
            claims.claim_catalog(catalog, &format!("service {}", index + 1))?;
        }
        let fixed = claims.owners.clone();
        claims.claim_provided(providers)?;
        Ok(Self { owners: fixed, told: claims.told })
    }

    fn claim_catalog(&mut self, catalog: &Catalog, owner: &str) -> Result<()> {
        let tools = catalog.tools.iter().map(|tool| (TOOL, tool.name));
        let resources = catalog.resources.iter().map(|resource| (RESOURCE, resource.uri));
        let templates = catalog.templates.iter().map(|template| (TEMPLATE, template.uri_template));
        let prompts = catalog.prompts.iter().map(|prompt| (PROMPT, prompt.name));
        for (kind, name) in tools.chain(resources).chain(templates).chain(prompts) {
            self.claim(&Offer { kind, name, defect: None }, owner)?;
        }
        Ok(())
    }

    fn claim_provided(&mut self, providers: &Providers) -> Result<()> {
        for (index, provider) in providers.tools.iter().enumerate() {
            let owner = format!("tool provider {}", index + 1);
            for tool in provider.tools() {
                self.claim(&Offer { kind: TOOL, name: &tool.name, defect: tool.defect() }, &owner)?;
            }
        }
        for (index, provider) in providers.resources.iter().enumerate() {
            let owner = format!("resource provider {}", index + 1);
            for resource in provider.resources() {
                self.claim(&Offer { kind: RESOURCE, name: &resource.uri, defect: resource.defect() }, &owner)?;
            }
            for template in provider.templates() {
                let name = &template.uri_template;
                self.claim(&Offer { kind: TEMPLATE, name, defect: template.defect() }, &owner)?;
            }
        }
        for (index, provider) in providers.prompts.iter().enumerate() {
            let owner = format!("prompt provider {}", index + 1);
            for prompt in provider.prompts() {
                self.claim(&Offer { kind: PROMPT, name: &prompt.name, defect: prompt.defect() }, &owner)?;
            }
        }
        Ok(())
    }

    fn claim(&mut self, offer: &Offer<'_>, owner: &str) -> Result<()> {
        if let Some(defect) = offer.defect {
            return Err(Error::invalid_definition(offer.kind, offer.name, defect));
        }
        match self.owners.insert((offer.kind, offer.name.to_owned()), owner.to_owned()) {
            Some(first) => Err(Error::duplicate(offer.kind, offer.name, [&first, owner])),
            None => Ok(()),
        }
    }

    /// Whether what a provider offers now can be listed; if not, the listeners hear of it, once.
    pub(super) fn admits(&self, offer: &Offer<'_>, seen: &mut BTreeSet<String>, listeners: &Listeners) -> bool {
        let why = match (offer.defect, self.owners.get(&(offer.kind, offer.name.to_owned()))) {
            (Some(defect), _) => defect.to_owned(),
            (None, Some(owner)) => format!("{owner} has it"),
            (None, None) if seen.insert(offer.name.to_owned()) => return true,
            (None, None) => "another provider has it".to_owned(),
        };
        let mut told = lock(&self.told);
        if told.len() < TOLD && told.insert((offer.kind, offer.name.to_owned())) {
            listeners.send(Event::Skipped(Skipped { kind: offer.kind, name: offer.name.to_owned(), why }));
        }
        false
    }
}
