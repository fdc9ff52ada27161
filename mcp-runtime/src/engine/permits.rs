//! Who may use what, by the scopes that the contract asks for.

use crate::engine::Engine;
use crate::peer::Principal;
use crate::service::{Reference, Settings};

/// Who may see and use what needs a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// There is one client; it started us, and may do what we may.
    Everything,
    /// Callers may use what they have the scopes for.
    Scopes,
    /// And see no more than that in lists.
    ScopesAndLists,
}

impl Engine {
    /// Whether the only client is at the other end of a byte stream.
    pub(crate) fn is_pipe(&self) -> bool {
        self.access == Access::Everything
    }

    /// Whether lists leave out what the caller may not use.
    pub(crate) fn lists_by_scope(&self) -> bool {
        self.access == Access::ScopesAndLists
    }

    /// Whether the caller has these scopes. Where the client started us, it may do what we may.
    pub(crate) fn permits(&self, principal: Option<&Principal>, scopes: &[&str]) -> bool {
        let has = |principal: &Principal| scopes.iter().all(|scope| principal.has_scope(scope));
        scopes.is_empty() || self.access == Access::Everything || principal.is_some_and(has)
    }

    /// The settings of what is to be completed, if it is the contract's.
    pub(super) fn completed(&self, reference: Reference, key: &str) -> Option<&'static Settings> {
        match reference {
            Reference::Prompt => {
                let mut prompts = self.features.prompts.iter();
                prompts.find(|prompt| prompt.name == key).map(|prompt| &prompt.settings)
            }
            Reference::Template => {
                let mut templates = self.features.templates.iter();
                templates.find(|template| template.uri_template == key).map(|template| &template.settings)
            }
        }
    }
}
