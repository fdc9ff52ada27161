//! What the services offer, as far as it is served.

use std::collections::BTreeSet;

use crate::engine::claims::{PROMPT, RESOURCE, TEMPLATE, TOOL};
use crate::error::{Error, Result};
use crate::service::{Catalog, Prompt, Resource, ResourceTemplate, Settings, Tool};

/// The features of all services that are served, in declaration order.
#[derive(Debug, Default)]
pub(crate) struct Features {
    pub(crate) tools: Vec<&'static Tool>,
    pub(crate) resources: Vec<&'static Resource>,
    pub(crate) templates: Vec<&'static ResourceTemplate>,
    pub(crate) prompts: Vec<&'static Prompt>,
    /// Kind and name of those that are not served: empty unless the server serves a subset.
    hidden: BTreeSet<(&'static str, &'static str)>,
}

/// Which groups are served, and which there are.
struct Filter<'a> {
    only: Option<&'a BTreeSet<String>>,
    known: BTreeSet<&'static str>,
    hidden: BTreeSet<(&'static str, &'static str)>,
}

impl Features {
    /// All features, or those of these groups.
    ///
    /// # Errors
    ///
    /// Fails if no feature is in one of the groups: that is a slip, and would serve less than was meant.
    pub(super) fn new(catalogs: &[&'static Catalog], only: Option<&BTreeSet<String>>) -> Result<Self> {
        let mut filter = Filter { only, known: BTreeSet::new(), hidden: BTreeSet::new() };
        let mut tools: Vec<_> = catalogs.iter().flat_map(|catalog| catalog.tools).copied().collect();
        let mut resources: Vec<_> = catalogs.iter().flat_map(|catalog| catalog.resources).copied().collect();
        let mut templates: Vec<_> = catalogs.iter().flat_map(|catalog| catalog.templates).copied().collect();
        let mut prompts: Vec<_> = catalogs.iter().flat_map(|catalog| catalog.prompts).copied().collect();
        tools.retain(|tool| filter.serves((TOOL, tool.name), &tool.settings));
        resources.retain(|resource| filter.serves((RESOURCE, resource.uri), &resource.settings));
        templates.retain(|template| filter.serves((TEMPLATE, template.uri_template), &template.settings));
        prompts.retain(|prompt| filter.serves((PROMPT, prompt.name), &prompt.settings));
        let Filter { known, hidden, .. } = filter;
        match only.and_then(|only| only.iter().find(|group| !known.contains(group.as_str()))) {
            Some(group) => Err(Error::unknown_group(group, known)),
            None => Ok(Self { tools, resources, templates, prompts, hidden }),
        }
    }

    /// What may be shown of a name or URI: the template alone, where the URI holds a secret.
    pub(crate) fn shown<'n>(&self, name: &'n str) -> &'n str {
        let mut secret = self.templates.iter().filter(|template| template.secret);
        secret.find(|template| template.parts.matches(name).is_some()).map_or(name, |template| template.uri_template)
    }

    /// Whether a service has the feature, but the server leaves it out.
    pub(crate) fn hides(&self, kind: &'static str, name: &str) -> bool {
        !self.hidden.is_empty() && self.hidden.contains(&(kind, name))
    }
}

impl Filter<'_> {
    fn serves(&mut self, (kind, name): (&'static str, &'static str), settings: &Settings) -> bool {
        self.known.extend(settings.groups);
        let serves = self.only.is_none_or(|only| settings.groups.iter().any(|group| only.contains(*group)));
        if !serves {
            self.hidden.insert((kind, name));
        }
        serves
    }
}
