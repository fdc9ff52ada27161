//! The result of a tool: what an operation answers when it succeeds.

use super::docs::{At, Docs};
use super::input::{FLAT, is_json};
use super::operation::Operation;
use super::schema::{Direction, Schemas};
use crate::diagnostic::Diagnostics;
use crate::document::{Key, Node, NodeKind};
use crate::schema::merged;

/// Larger schemas cost a model more than they tell it.
const MAX_BYTES: usize = 256 * 1024;

/// What a contract says of the result.
#[derive(Debug, Default)]
pub(super) struct Output {
    pub(super) schema: Option<Node>,
    /// Why there is no schema, or why this one.
    pub(super) note: Option<String>,
}

impl Output {
    fn without(why: impl Into<String>) -> Self {
        Self { schema: None, note: Some(why.into()) }
    }
}

/// The schema of the result.
pub(super) fn of(docs: &Docs, schemas: &mut Schemas<'_>, operation: &Operation<'_>, found: &mut Diagnostics) -> Output {
    let good = successes(operation);
    let Some(&(code, response)) = good.first() else { return Output::default() };
    let Some(response) = docs.follow(response, found) else { return Output::default() };
    let all: Vec<(&str, At<'_>)> = response.members("content").collect();
    let Some((_, media)) = all.iter().find(|(name, _)| is_json(name)) else {
        return match all.first() {
            Some((name, _)) => Output::without(format!("Answers {name}, so that there is no `outputSchema`.")),
            None => Output::default(),
        };
    };
    let Some(schema) = media.get("schema") else { return Output::default() };
    let converted = schemas.convert(schema, Direction::Response);
    let opened = schemas.opened(converted, Direction::Response);
    let whole = schemas.complete(opened, Direction::Response);
    if !is_object(&whole) {
        return Output::without(format!("Answers {} with {code}, so that there is no `outputSchema`.", what(&whole)));
    }
    let whole = with_type(flattened(schemas, whole));
    if whole.to_json().len() > MAX_BYTES {
        return Output::without("What it answers takes too long to describe, so that there is no `outputSchema`.");
    }
    Output { schema: Some(whole), note: choice(code, &good[1..]) }
}

/// Which of several answers the schema is of.
fn choice(code: &str, others: &[(&str, At<'_>)]) -> Option<String> {
    let others: Vec<&str> = others.iter().map(|(code, _)| *code).collect();
    (!others.is_empty())
        .then(|| format!("`outputSchema` is what it answers with {code}; it may also answer {}.", others.join(", ")))
}

/// The answers that mean success, those with a number of their own first.
fn successes<'d>(operation: &Operation<'d>) -> Vec<(&'d str, At<'d>)> {
    let responses: Vec<(&str, At<'_>)> = operation.at.members("responses").collect();
    let is_success = |code: &str| code.len() == 3 && code.starts_with('2');
    let mut good: Vec<(&str, At<'_>)> = responses.into_iter().filter(|(code, _)| is_success(code)).collect();
    good.sort_by_key(|(code, _)| (code.to_ascii_uppercase().ends_with("XX"), *code));
    good
}

/// Whether every value is an object.
fn is_object(schema: &Node) -> bool {
    let merged = merged(schema, schema);
    merged.is_some_and(|all| all.get("type").map_or_else(|| all.get("properties").is_some(), is_object_type))
}

fn is_object_type(ty: &Node) -> bool {
    let names = ty.items().unwrap_or(std::slice::from_ref(ty));
    !names.is_empty() && names.iter().all(|name| name.as_str() == Some("object"))
}

/// The schema without `allOf` at its root, where its parts can be said as one object: clients read such roots better.
fn flattened(schemas: &mut Schemas<'_>, schema: Node) -> Node {
    if schema.get("allOf").is_none() {
        return schema;
    }
    let Some(mut all) = merged(&schema, &schema) else { return schema };
    if let NodeKind::Object(members) = &mut all.kind {
        members.retain(|(key, _)| key.name != "$defs");
    }
    let is_plain = all.members().unwrap_or_default().iter().all(|(key, _)| FLAT.contains(&key.name.as_str()));
    if is_plain { schemas.complete(all, Direction::Response) } else { schema }
}

/// MCP wants the root to say that it is an object.
fn with_type(mut schema: Node) -> Node {
    let span = schema.span;
    if schema.get("type").is_none_or(|ty| ty.as_str() != Some("object")) {
        let ty = Node::string("object", span);
        match schema.get("type") {
            Some(_) => schema.put(&Key { name: "type".to_owned(), span }, ty),
            None => schema.put_first("type", ty),
        }
    }
    schema
}

fn what(schema: &Node) -> &'static str {
    match schema.get("type").and_then(Node::as_str) {
        Some("array") => "a list",
        Some("string") => "a text",
        Some("integer" | "number") => "a number",
        Some("boolean") => "a boolean",
        _ => "what is not always an object",
    }
}
