//! `Server::provider` takes providers of every kind.

use std::sync::Arc;

use crate::provider::{PromptProvider, ResourceProvider, ToolProvider};

/// Says that a provider is of the kind `K`: [`Tools`], [`Resources`] or [`Prompts`]. Every [`ToolProvider`],
/// [`ResourceProvider`] and [`PromptProvider`] is one; nothing else can be.
///
/// Whoever is of several kinds is added once for each: `server.provider::<Tools, _>(Arc::clone(&it))`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` provides nothing",
    note = "implement `ToolProvider`, `ResourceProvider` or `PromptProvider` for it"
)]
pub trait Provides<K>: AddTo<K> {}

/// Tools.
#[derive(Debug)]
#[non_exhaustive]
pub struct Tools;

/// Resources and resource templates.
#[derive(Debug)]
#[non_exhaustive]
pub struct Resources;

/// Prompts.
#[derive(Debug)]
#[non_exhaustive]
pub struct Prompts;

/// All providers of a server, in the order in which they were added.
#[derive(Default)]
pub struct Providers {
    pub(crate) tools: Vec<Arc<dyn ToolProvider>>,
    pub(crate) resources: Vec<Arc<dyn ResourceProvider>>,
    pub(crate) prompts: Vec<Arc<dyn PromptProvider>>,
}

mod sealed {
    use super::Providers;

    pub trait AddTo<K> {
        fn add_to(self, providers: &mut Providers);
    }
}

use self::sealed::AddTo;

impl<T: ToolProvider> Provides<Tools> for T {}

impl<T: ToolProvider> AddTo<Tools> for T {
    fn add_to(self, providers: &mut Providers) {
        providers.tools.push(Arc::new(self));
    }
}

impl<T: ResourceProvider> Provides<Resources> for T {}

impl<T: ResourceProvider> AddTo<Resources> for T {
    fn add_to(self, providers: &mut Providers) {
        providers.resources.push(Arc::new(self));
    }
}

impl<T: PromptProvider> Provides<Prompts> for T {}

impl<T: PromptProvider> AddTo<Prompts> for T {
    fn add_to(self, providers: &mut Providers) {
        providers.prompts.push(Arc::new(self));
    }
}

impl std::fmt::Debug for Providers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Providers")
            .field("tools", &self.tools.len())
            .field("resources", &self.resources.len())
            .field("prompts", &self.prompts.len())
            .finish()
    }
}
