//! What a contract says of the protection of its server.

use crate::engine::Engine;

impl Engine {
    /// The resource that the contract names, and who issues tokens for it.
    pub(crate) fn declared_resource(&self) -> (Option<&'static str>, Vec<&'static str>) {
        let servers: Vec<_> = self.service.catalogs().iter().map(|catalog| &catalog.server).collect();
        let resource = servers.iter().find_map(|server| server.resource);
        (resource, servers.iter().flat_map(|server| server.authorization_servers).copied().collect())
    }

    /// Every scope that something served asks for, and those that everything does: sorted.
    pub(crate) fn scopes(&self) -> (Vec<&'static str>, Vec<&'static str>) {
        let tools = self.features.tools.iter().map(|tool| &tool.settings);
        let resources = self.features.resources.iter().map(|resource| &resource.settings);
        let templates = self.features.templates.iter().map(|template| &template.settings);
        let prompts = self.features.prompts.iter().map(|prompt| &prompt.settings);
        let settings: Vec<_> = tools.chain(resources).chain(templates).chain(prompts).collect();
        let mut all: Vec<_> = settings.iter().flat_map(|settings| settings.scopes).copied().collect();
        all.sort_unstable();
        all.dedup();
        let common =
            all.iter().copied().filter(|scope| settings.iter().all(|settings| settings.scopes.contains(scope)));
        let common = common.collect();
        (all, common)
    }
}
