//! On whose behalf a request is made.

use std::collections::BTreeSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use serde_json::{Map, Value};

/// On whose behalf a request is made, as far as the transport has made certain of it: the subject of a token, say.
///
/// Sessions, and what stateless clients carry from one request to the next, belong to their principal and open for no
/// other. Over HTTP an authenticator makes it (`Http::auth`), or a layer in front of the server that authenticates puts one
/// into the request's extensions. Two principals are the same if their names are: what they were granted may change.
#[derive(Clone)]
pub struct Principal {
    name: Arc<str>,
    /// `None` where nothing was granted or claimed.
    grant: Option<Arc<Grant>>,
}

#[derive(Clone, Default)]
struct Grant {
    scopes: BTreeSet<String>,
    claims: Map<String, Value>,
}

impl Principal {
    /// The principal of this name, without any scope. Names are compared as they are; two issuers must not share one.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), grant: None }
    }

    /// Grants scopes, beside those that were granted before.
    #[must_use]
    pub fn with_scopes(mut self, scopes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.grant_mut().scopes.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// States what is known of the principal beside its name, such as the claims of a token. Replaces what was stated
    /// before.
    #[must_use]
    pub fn with_claims(mut self, claims: Map<String, Value>) -> Self {
        self.grant_mut().claims = claims;
        self
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// The scopes, sorted.
    pub fn scopes(&self) -> impl Iterator<Item = &str> {
        self.grant.iter().flat_map(|grant| &grant.scopes).map(String::as_str)
    }

    /// Whether a scope was granted.
    #[must_use]
    pub fn has_scope(&self, scope: &str) -> bool {
        self.grant.as_ref().is_some_and(|grant| grant.scopes.contains(scope))
    }

    /// A claim, if it was made.
    #[must_use]
    pub fn claim(&self, name: &str) -> Option<&Value> {
        self.grant.as_ref()?.claims.get(name)
    }

    fn grant_mut(&mut self) -> &mut Grant {
        Arc::make_mut(self.grant.get_or_insert_default())
    }
}

impl PartialEq for Principal {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Principal {}

impl Hash for Principal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // not the claims: they tell of people
        f.debug_struct("Principal").field("name", &self.name).finish_non_exhaustive()
    }
}
