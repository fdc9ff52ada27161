//! Which resources tell of updates.

use crate::engine::{Engine, Features};
use crate::peer::Principal;
use crate::provider::Providers;
use crate::service::Settings;

/// Whether any does, or may: providers cannot say it of each.
pub(super) fn any(features: &Features, providers: &Providers) -> bool {
    features.resources.iter().any(|resource| resource.updates)
        || features.templates.iter().any(|template| template.updates)
        || !providers.resources.is_empty()
}

impl Engine {
    /// Whether this resource tells of updates; `None` if there is no such resource, or none for this caller. Asked in the
    /// order of reading.
    pub(crate) fn announces(&self, uri: &str, caller: Option<&Principal>) -> Option<bool> {
        let permitted = |settings: &Settings| self.permits(caller, settings.scopes);
        if let Some(resource) = self.features.resources.iter().find(|resource| resource.uri == uri) {
            return permitted(&resource.settings).then_some(resource.updates);
        }
        if self.provider_of_resource(uri).is_some() {
            return Some(true);
        }
        let mut templates = self.features.templates.iter();
        if let Some(template) = templates.find(|template| template.parts.matches(uri).is_some()) {
            return permitted(&template.settings).then_some(template.updates);
        }
        self.provider_of_template(uri).map(|_| true)
    }
}
