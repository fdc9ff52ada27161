//! What a caller of an operation must show.

use std::collections::BTreeSet;

use super::docs::At;
use super::operation::Operation;
use crate::document::{Node, NodeKind};
use crate::source::Span;

/// What an operation asks for.
#[derive(Clone, Debug, Default)]
pub(super) struct Security {
    /// A sentence, if there is something to say.
    pub(super) note: Option<String>,
    /// Scopes that each way in asks for.
    pub(super) scopes: Vec<String>,
}

impl Security {
    /// The scopes as a list of texts; nothing where there are none.
    pub(super) fn key(&self) -> Option<Node> {
        let scopes: Vec<Node> = self.scopes.iter().map(|scope| Node::string(scope, Span::default())).collect();
        (!scopes.is_empty()).then(|| Node::new(NodeKind::Array(scopes), Span::default()))
    }
}

/// Those of the operation, or else of the whole description.
pub(super) fn of(root: At<'_>, operation: &Operation<'_>) -> Security {
    let owner = if operation.at.node.get("security").is_some() { operation.at } else { root };
    let ways: Vec<Vec<(&str, Vec<&str>)>> = owner.items("security").map(way).collect();
    if ways.is_empty() {
        let is_open = operation.at.node.get("security").is_some() && !root.node.get("security").is_none_or(is_empty);
        return Security { note: is_open.then(|| "Needs no authentication.".to_owned()), scopes: Vec::new() };
    }
    let shown: Vec<String> = ways.iter().filter(|way| !way.is_empty()).map(|way| shown(way)).collect();
    let is_optional = ways.iter().any(Vec::is_empty);
    let note = match (shown.as_slice(), is_optional) {
        ([], _) => None,
        (shown, true) => Some(format!("Authentication, if any: {}.", shown.join(", or "))),
        (shown, false) => Some(format!("Authentication: {}.", shown.join(", or "))),
    };
    let scopes = ways.iter().map(|way| way.iter().flat_map(|(_, scopes)| scopes).copied().collect::<BTreeSet<&str>>());
    // Only what every way asks for is asked of everybody.
    let common = scopes.reduce(|common, scopes| common.intersection(&scopes).copied().collect()).unwrap_or_default();
    let is_scope =
        |scope: &&str| !scope.is_empty() && scope.bytes().all(|c| c.is_ascii_graphic() && !b"\"\\".contains(&c));
    Security { note, scopes: common.into_iter().filter(is_scope).map(str::to_owned).collect() }
}

fn is_empty(list: &Node) -> bool {
    list.items().is_none_or(<[Node]>::is_empty)
}

/// The schemes that must all be fulfilled, each with its scopes.
fn way(requirement: At<'_>) -> Vec<(&str, Vec<&str>)> {
    let members = requirement.node.members().unwrap_or_default();
    members.iter().map(|(key, list)| (key.name.as_str(), scopes(list))).collect()
}

fn scopes(list: &Node) -> Vec<&str> {
    list.items().unwrap_or_default().iter().filter_map(Node::as_str).collect()
}

fn shown(way: &[(&str, Vec<&str>)]) -> String {
    let one = |(scheme, scopes): &(&str, Vec<&str>)| match scopes.as_slice() {
        [] => format!("`{scheme}`"),
        scopes => format!("`{scheme}` ({})", scopes.join(", ")),
    };
    way.iter().map(one).collect::<Vec<_>>().join(" and ")
}

/// What the schemes of a description are, a sentence each.
pub(super) fn schemes(root: At<'_>) -> Vec<String> {
    let Some(components) = root.get("components") else { return Vec::new() };
    let shown = |(name, scheme): (&str, At<'_>)| {
        let text = |key| scheme.text(key).unwrap_or_default();
        let how = match text("type") {
            "apiKey" => format!("a key in the {} `{}`", text("in"), text("name")),
            "http" => format!("HTTP {}", text("scheme")),
            "oauth2" => "OAuth 2".to_owned(),
            "openIdConnect" => "OpenID Connect".to_owned(),
            "mutualTLS" => "a client certificate".to_owned(),
            _ => return None,
        };
        Some(format!("`{name}` is {how}"))
    };
    components.members("securitySchemes").filter_map(shown).collect()
}
