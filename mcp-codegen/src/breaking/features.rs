//! Features that are gone, new, or there in both contracts with another definition.

use crate::contract::{Common, Contract, Resource, ResourceTemplate, SchemaPair, Tool};
use crate::diagnostic::Diagnostics;
use crate::document::Node;
use crate::formats::AllFormats;
use crate::source::Spanned;

use super::at::equal;
use super::prompts;
use super::rule::{self, Rule};
use super::schemas::{self, Subject};
use super::words::{self, Side};

/// What is asserted now, and what was before.
type Asserted<'c> = (&'c AllFormats, &'c AllFormats);

/// Compares everything but the server itself.
pub(super) fn compare(old: &Contract, new: &Contract, formats: Asserted<'_>, found: &mut Diagnostics) {
    tools(old, new, formats, found);
    resources(old, new, found);
    templates(old, new, formats, found);
    prompts::compare(old, new, found);
}

/// What is gone, new, or in both, by what makes a feature the same.
pub(super) struct Matched<'c, T> {
    pub(super) gone: Vec<&'c T>,
    pub(super) added: Vec<&'c T>,
    pub(super) both: Vec<(&'c T, &'c T)>,
}

pub(super) fn matched<'c, T>(old: &'c [T], new: &'c [T], key: impl Fn(&T) -> &str) -> Matched<'c, T> {
    let find = |list: &'c [T], wanted: &str| list.iter().find(|feature| key(feature) == wanted);
    let gone = old.iter().filter(|feature| find(new, key(feature)).is_none()).collect();
    let added = new.iter().filter(|feature| find(old, key(feature)).is_none()).collect();
    let both = old.iter().filter_map(|before| Some((before, find(new, key(before))?))).collect();
    Matched { gone, added, both }
}

fn tools(old: &Contract, new: &Contract, formats: Asserted<'_>, found: &mut Diagnostics) {
    let Matched { gone, added, both } = matched(&old.tools, &new.tools, |tool| &tool.common.name.value);
    for tool in gone {
        lost(&rule::TOOL_REMOVED, &tool.common.name, "tool", found);
    }
    for tool in added {
        won(&rule::TOOL_ADDED, &tool.common.name, "tool", found);
    }
    for (before, now) in both {
        tool((before, old), (now, new), formats, found);
    }
}

fn tool(
    (before, old): (&Tool, &Contract),
    (now, new): (&Tool, &Contract),
    formats: Asserted<'_>,
    found: &mut Diagnostics,
) {
    let spans = (now.common.name.span, before.common.name.span);
    let subject = Subject { name: &now.common.name.value, spans, formats };
    schemas::arguments(subject, (&before.input, &now.input), found);
    words::compare((subject, Side::Arguments), (&before.input, &now.input), found);
    let places = (Some(spans.0), Some(spans.1));
    match (&before.output, &now.output) {
        (Some(before), Some(now)) => {
            schemas::result(subject, (before, now), found);
            words::compare((subject, Side::Result), (before, now), found);
        }
        (Some(_), None) => {
            let message = format!("`{}` no longer says what its result is", subject.name);
            found.push(rule::RESULT_SCHEMA_REMOVED.at(places, message));
        }
        (None, Some(_)) => {
            let message = format!("`{}` says what its result is", subject.name);
            found.push(rule::RESULT_SCHEMA_ADDED.at(places, message));
        }
        (None, None) => {}
    }
    hints(&before.common, &now.common, found);
    scopes((&before.common, old), (&now.common, new), found);
    texts(&before.common, &now.common, found);
    definitions(&before.common, &now.common, found);
}

/// Hints of tools, with the value that promises most, and the one that MCP takes for an absent one.
const PROMISES: [(&str, bool, bool); 4] = [
    ("readOnlyHint", true, false),
    ("idempotentHint", true, false),
    ("destructiveHint", false, true),
    ("openWorldHint", false, true),
];

fn hints(before: &Common, now: &Common, found: &mut Diagnostics) {
    let said = |common: &Common, hint: &str| common.definition.get("annotations")?.get(hint)?.as_bool();
    for (hint, promise, absent) in PROMISES {
        let (old, new) = (said(before, hint).unwrap_or(absent), said(now, hint).unwrap_or(absent));
        if old == new {
            continue;
        }
        let rule = if old == promise { rule::HINT_WEAKENED } else { rule::ANNOTATION_CHANGED };
        let place = |common: &Common| {
            let value = common.definition.get("annotations").and_then(|annotations| annotations.get(hint));
            Some(value.map_or(common.name.span, |value| value.span))
        };
        let message = format!("`{hint}` of `{}` was {old}, and is {new}", now.name.value);
        found.push(rule.at((place(now), place(before)), message));
    }
}

/// Scopes with the server's, which hold for every feature that names none.
fn scopes((before, old): (&Common, &Contract), (now, new): (&Common, &Contract), found: &mut Diagnostics) {
    let needed = |common: &Common, contract: &Contract| -> Vec<Spanned<String>> {
        let own = &common.settings.scopes;
        if own.is_empty() { contract.server.settings.scopes.clone() } else { own.clone() }
    };
    let (old, new) = (needed(before, old), needed(now, new));
    let missing =
        |scope: &Spanned<String>, list: &[Spanned<String>]| list.iter().all(|known| known.value != scope.value);
    for scope in new.iter().filter(|scope| missing(scope, &old)) {
        let message = format!("callers of `{}` need the scope `{}` now", now.name.value, scope.value);
        found.push(rule::SCOPE_ADDED.at((Some(scope.span), Some(before.name.span)), message));
    }
    for scope in old.iter().filter(|scope| missing(scope, &new)) {
        let message = format!("callers of `{}` need the scope `{}` no more", now.name.value, scope.value);
        found.push(rule::SCOPE_REMOVED.at((Some(now.name.span), Some(scope.span)), message));
    }
}

pub(super) fn texts(before: &Common, now: &Common, found: &mut Diagnostics) {
    let pairs = [("title", &before.title, &now.title), ("description", &before.description, &now.description)];
    for (what, old, new) in pairs {
        let value = |text: &Option<Spanned<String>>| text.as_ref().map(|text| text.value.clone());
        if value(old) != value(new) {
            let place = |text: &Option<Spanned<String>>, common: &Common| {
                Some(text.as_ref().map_or(common.name.span, |text| text.span))
            };
            let message = format!("the {what} of `{}` says something else", now.name.value);
            found.push(rule::TEXT_CHANGED.at((place(new, now), place(old, before)), message));
        }
    }
}

/// Keys that are compared elsewhere.
const COMPARED: [&str; 9] =
    ["arguments", "description", "inputSchema", "mimeType", "name", "outputSchema", "title", "uri", "uriTemplate"];

/// Every other key of a definition. Of the annotations of a tool, those that promise something are compared elsewhere.
pub(super) fn definitions(before: &Common, now: &Common, found: &mut Diagnostics) {
    let keys = |common: &'_ Common| -> Vec<String> {
        let members = common.definition.members().unwrap_or_default();
        members.iter().map(|(key, _)| key.name.clone()).filter(|key| !COMPARED.contains(&key.as_str())).collect()
    };
    let mut all = keys(before);
    all.extend(keys(now).into_iter().filter(|key| !all.contains(key)).collect::<Vec<_>>());
    for key in all {
        let value = |common: &Common| common.definition.get(&key).map(without_promises);
        let is_same = match (value(before), value(now)) {
            (Some(old), Some(new)) => equal(&old, &new),
            (old, new) => old.or(new).is_none_or(|value| value.members().is_some_and(<[_]>::is_empty)),
        };
        if !is_same {
            let rule = if key == "annotations" { rule::ANNOTATION_CHANGED } else { rule::DEFINITION_CHANGED };
            let place =
                |common: &Common| Some(common.definition.get(&key).map_or(common.name.span, |value| value.span));
            let message = format!("`{key}` of `{}` is another", now.name.value);
            found.push(rule.at((place(now), place(before)), message));
        }
    }
}

fn without_promises(node: &Node) -> Node {
    let mut node = node.clone();
    if let crate::document::NodeKind::Object(members) = &mut node.kind {
        members.retain(|(key, _)| PROMISES.iter().all(|(hint, _, _)| *hint != key.name));
    }
    node
}

fn resources(old: &Contract, new: &Contract, found: &mut Diagnostics) {
    let Matched { gone, mut added, both } = matched(&old.resources, &new.resources, |resource| &resource.uri.value);
    for before in gone {
        match moved(before, &mut added, |resource| &resource.common) {
            Some(now) => {
                elsewhere(&rule::RESOURCE_REMOVED, ("resource", &before.uri, &now.uri), found);
                resource(before, now, found);
            }
            None => lost(&rule::RESOURCE_REMOVED, &before.uri, "resource", found),
        }
    }
    for resource in added {
        won(&rule::RESOURCE_ADDED, &resource.uri, "resource", found);
    }
    for (before, now) in both {
        resource(before, now, found);
    }
}

/// Takes what is called as before out of what was added: it has not gone, but is found elsewhere.
fn moved<'c, T>(before: &T, added: &mut Vec<&'c T>, common: impl Fn(&T) -> &Common) -> Option<&'c T> {
    let index = added.iter().position(|now| common(now).name.value == common(before).name.value)?;
    Some(added.remove(index))
}

fn elsewhere(rule: &Rule, (what, before, now): (&str, &Spanned<String>, &Spanned<String>), found: &mut Diagnostics) {
    let message = format!("the {what} `{}` is `{}` now", before.value, now.value);
    found.push(rule.at((Some(now.span), Some(before.span)), message));
}

fn resource(before: &Resource, now: &Resource, found: &mut Diagnostics) {
    described((&before.mime_type, before.updates, &before.common), (&now.mime_type, now.updates, &now.common), found);
}

/// What resources and templates say beside where they are.
type Described<'c> = (&'c Option<Spanned<String>>, bool, &'c Common);

fn described(
    (mime, could_be_watched, before): Described<'_>,
    (now_mime, tells_of_updates, now): Described<'_>,
    found: &mut Diagnostics,
) {
    mime_type((mime, before), (now_mime, now), found);
    updates((could_be_watched, before), (tells_of_updates, now), found);
    name(before, now, found);
    texts(before, now, found);
    definitions(before, now, found);
}

type MimeType<'c> = (&'c Option<Spanned<String>>, &'c Common);

fn mime_type((before, old): MimeType<'_>, (now, new): MimeType<'_>, found: &mut Diagnostics) {
    let said =
        |text: &Option<Spanned<String>>| text.as_ref().map_or("none".to_owned(), |text| format!("`{}`", text.value));
    if said(before) != said(now) {
        let place = |text: &Option<Spanned<String>>, common: &Common| {
            Some(text.as_ref().map_or(common.name.span, |text| text.span))
        };
        let message = format!("the MIME type of `{}` was {}, and is {}", new.name.value, said(before), said(now));
        found.push(rule::MIME_TYPE_CHANGED.at((place(now, new), place(before, old)), message));
    }
}

fn updates((before, old): (bool, &Common), (now, new): (bool, &Common), found: &mut Diagnostics) {
    if before && !now {
        let message = format!("`{}` can no longer be subscribed to", new.name.value);
        found.push(rule::UPDATES_REMOVED.at((Some(new.name.span), Some(old.name.span)), message));
    }
}

/// The name of what is found by something else.
fn name(before: &Common, now: &Common, found: &mut Diagnostics) {
    if before.name.value != now.name.value {
        let message = format!("`{}` is called `{}` now", before.name.value, now.name.value);
        found.push(rule::TEXT_CHANGED.at((Some(now.name.span), Some(before.name.span)), message));
    }
}

fn templates(old: &Contract, new: &Contract, formats: Asserted<'_>, found: &mut Diagnostics) {
    let shapes = |contract: &Contract| -> Vec<String> {
        contract.templates.iter().map(|template| shape(&template.uri_template.value)).collect()
    };
    let (old_shapes, new_shapes) = (shapes(old), shapes(new));
    let is_added = |(_, shape): &(&ResourceTemplate, &String)| !old_shapes.contains(shape);
    let added = new.templates.iter().zip(&new_shapes).filter(is_added);
    let mut added: Vec<&ResourceTemplate> = added.map(|(template, _)| template).collect();
    for (before, wanted) in old.templates.iter().zip(&old_shapes) {
        if let Some(index) = new_shapes.iter().position(|shape| shape == wanted) {
            template(before, &new.templates[index], formats, found);
            continue;
        }
        match moved(before, &mut added, |template| &template.common) {
            Some(now) => {
                let what = ("resource template", &before.uri_template, &now.uri_template);
                elsewhere(&rule::TEMPLATE_REMOVED, what, found);
                described(
                    (&before.mime_type, before.updates, &before.common),
                    (&now.mime_type, now.updates, &now.common),
                    found,
                );
            }
            None => lost(&rule::TEMPLATE_REMOVED, &before.uri_template, "resource template", found),
        }
    }
    for template in added {
        won(&rule::TEMPLATE_ADDED, &template.uri_template, "resource template", found);
    }
}

/// A template without the names of its variables: what it matches.
fn shape(template: &str) -> String {
    let mut shape = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (variable, after) = after.split_once('}').unwrap_or((after, ""));
        // An operator says how the variable is spelled.
        let operator = variable.chars().next().filter(|c| !c.is_alphanumeric() && *c != '_');
        shape.push_str(before);
        shape.push('{');
        shape.extend(operator);
        shape.push('}');
        rest = after;
    }
    shape + rest
}

fn variables(template: &str) -> Vec<&str> {
    template.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(variable, _)| variable).collect()
}

fn template(before: &ResourceTemplate, now: &ResourceTemplate, formats: Asserted<'_>, found: &mut Diagnostics) {
    let spans = (now.uri_template.span, before.uri_template.span);
    let (old, new) = (variables(&before.uri_template.value), variables(&now.uri_template.value));
    for (old, new) in old.iter().zip(&new) {
        if old != new {
            let message = format!("the variable `{old}` of `{}` is `{new}` now", before.uri_template.value);
            found.push(rule::VARIABLE_RENAMED.at((Some(spans.0), Some(spans.1)), message));
        }
        let schema = |template: &ResourceTemplate, name: &str| {
            let written = template.args.iter().find(|(variable, _)| variable.value == name);
            let mut text = Node::object(template.uri_template.span);
            text.push("type", Node::string("string", template.uri_template.span));
            written.map_or_else(
                || SchemaPair { wire: text.clone(), typed: text, portable: true },
                |(_, schema)| schema.clone(),
            )
        };
        let subject = Subject { name: new, spans, formats };
        let (old, now) = (schema(before, old), schema(now, new));
        schemas::arguments(subject, (&old, &now), found);
        words::default(&rule::DEFAULT_CHANGED, (&format!("`{new}`"), spans), (&old.wire, &now.wire), found);
    }
    described((&before.mime_type, before.updates, &before.common), (&now.mime_type, now.updates, &now.common), found);
}

pub(super) fn lost(rule: &Rule, name: &Spanned<String>, what: &str, found: &mut Diagnostics) {
    found.push(rule.at((None, Some(name.span)), format!("the {what} `{}` is gone", name.value)));
}

pub(super) fn won(rule: &Rule, name: &Spanned<String>, what: &str, found: &mut Diagnostics) {
    found.push(rule.at((Some(name.span), None), format!("the {what} `{}` is new", name.value)));
}
