//! What all four kinds of feature have in common: names, documentation, settings.

use crate::contract::{Common, Settings};
use crate::document::{Node, NodeKind};
use crate::ir::{self, Feature, Named, RustIdent};
use crate::lower::{Cx, naming};
use crate::source::Span;

/// The common part of a feature; `kind` is what a trait with a reserved name is told apart by.
pub(super) fn lower(cx: &mut Cx<'_>, common: &Common, kind: &str) -> Feature {
    let name = &common.name.value;
    let source = common.rust.name.as_ref().map_or(name, |name| &name.value);
    let module = naming::snake(source, 1);
    let mut trait_name = naming::trait_name(source, kind);
    // Scripts without capitals: the root could not export both.
    if trait_name.plain() == module.plain() {
        trait_name = RustIdent::new(format!("{}{kind}", trait_name.plain()));
    }
    Feature {
        name: Named { wire: name.clone(), rust: module },
        span: common.name.span,
        contract: cx.sources.file(common.file).name.clone(),
        trait_name,
        docs: common.description.as_ref().or(common.title.as_ref()).map(|docs| docs.value.clone()),
        definition: common.definition.to_json(),
        settings: settings(&common.settings, cx.settings),
        types: Vec::new(),
        patterns: Vec::new(),
    }
}

/// The examples as one JSON array.
pub(super) fn examples(examples: &[Node]) -> String {
    Node::new(NodeKind::Array(examples.to_vec()), Span::default()).to_json()
}

fn settings(own: &Settings, defaults: &Settings) -> ir::Settings {
    let texts = |own: &[crate::source::Spanned<String>], default: &[crate::source::Spanned<String>]| {
        let chosen = if own.is_empty() { default } else { own };
        chosen.iter().map(|text| text.value.clone()).collect()
    };
    ir::Settings {
        timeout: own.timeout.as_ref().or(defaults.timeout.as_ref()).map(|timeout| timeout.value),
        blocking: own.blocking.as_ref().or(defaults.blocking.as_ref()).is_some_and(|blocking| blocking.value),
        repair: own.repair.as_ref().or(defaults.repair.as_ref()).map(|repair| repair.value),
        max_result: own.max_result.as_ref().or(defaults.max_result.as_ref()).map(|limit| limit.value),
        scopes: texts(&own.scopes, &defaults.scopes),
        groups: texts(&own.groups, &defaults.groups),
    }
}
