//! What a resource template matches, and what stands there.

use mcp_runtime::ResourceContents;
use mcp_runtime::codegen;
use mcp_runtime::json::Matcher;
use mcp_runtime::validate::{self, Options};

use super::catalog;
use super::examples::{self, Example, as_text, nearest};
use super::resource::made;
use crate::contract;
use crate::diagnostic::Diagnostics;
use crate::document::{Node, NodeKind};
use crate::formats::StringFormat;
use crate::ir;
use crate::schema;
use crate::source::Span;

/// A template with its answers.
#[derive(Debug)]
pub(super) struct Template {
    pub(super) constants: &'static codegen::ResourceTemplate,
    examples: Vec<Example<String>>,
    variables: Vec<Variable>,
    /// A schema of all variables as one object.
    schema: String,
    patterns: &'static [&'static dyn Matcher],
    defaults: Vec<(String, Node)>,
}

#[derive(Debug)]
struct Variable {
    name: String,
    is_list: bool,
    /// Whether its values are strings in JSON, and not numbers or booleans.
    is_text: bool,
}

impl Template {
    pub(super) fn new(
        (written, ir): (&contract::ResourceTemplate, &ir::ResourceTemplate),
        constants: &'static codegen::ResourceTemplate,
        formats: &[StringFormat],
    ) -> Self {
        let variables = written.template.variables().map(|variable| Variable {
            name: variable.name.clone(),
            is_list: variable.is_list,
            is_text: schema_of(written, &variable.name).is_none_or(|schema| is_text(&schema)),
        });
        let schema = object_schema(written);
        Self {
            constants,
            examples: examples::read(&written.examples, |output| Some(as_text(output))),
            variables: variables.collect(),
            defaults: examples::defaults(&schema),
            schema: schema.to_json(),
            patterns: catalog::matchers(&ir.feature.patterns, formats.iter().copied()),
        }
    }

    /// The variables of a URI, if it fits and their schemas accept them.
    pub(super) fn variables(&self, uri: &str) -> Option<Node> {
        let found = self.constants.parts.matches(uri)?;
        let mut object = Node::object(Span::default());
        for variable in &self.variables {
            let values: Vec<Node> =
                found.texts(&variable.name).iter().map(|text| in_json(text, variable.is_text)).collect();
            match values.into_iter().next() {
                _ if variable.is_list => {
                    let all = found.texts(&variable.name);
                    let all = all.iter().map(|text| in_json(text, variable.is_text)).collect();
                    object.push(&variable.name, Node::new(NodeKind::Array(all), Span::default()));
                }
                Some(value) => object.push(&variable.name, value),
                None => {}
            }
        }
        let options = Options { patterns: Some(&self.patterns), ..Options::default() };
        let judgement = validate::judge(&self.schema, &object.to_json(), &options);
        judgement.faults.is_empty().then_some(object)
    }

    /// What stands under a URI, and where it comes from.
    pub(super) fn answer(&self, uri: &str, variables: &Node) -> (ResourceContents, String) {
        match nearest(&self.examples, variables, &self.defaults) {
            Some((output, label)) => (ResourceContents::text(output), label),
            None => (made(uri, self.constants.mime_type), "generated".to_owned()),
        }
    }

    /// The values of a variable in the examples.
    pub(super) fn shown(&self, variable: &str) -> Vec<String> {
        examples::values(&self.examples, variable)
    }
}

fn schema_of(written: &contract::ResourceTemplate, name: &str) -> Option<Node> {
    let (_, pair) = written.args.iter().find(|(known, _)| known.value == name)?;
    Some(schema::settle(&pair.wire, &mut Diagnostics::default()))
}

/// Whether a value is a string in JSON: where nothing says otherwise it is.
fn is_text(schema: &Node) -> bool {
    let item = schema.get("items").unwrap_or(schema);
    let listed = item.get("enum").and_then(Node::items).or(item.get("const").map(std::slice::from_ref));
    match (item.get("type").and_then(Node::as_str), listed) {
        (Some(ty), _) => ty == "string",
        (None, Some(listed)) => listed.iter().any(|value| value.as_str().is_some()),
        (None, None) => true,
    }
}

/// A number or a word as it stands. Anything else is a string, so that it cannot pass for several values.
fn in_json(text: &str, is_text: bool) -> Node {
    let read = (!is_text).then(|| serde_json::from_str::<serde_json::Value>(text).ok()).flatten();
    match read {
        Some(serde_json::Value::Number(_)) => Node::new(NodeKind::Number(text.to_owned()), Span::default()),
        Some(serde_json::Value::Bool(value)) => Node::new(NodeKind::Bool(value), Span::default()),
        _ => Node::string(text, Span::default()),
    }
}

fn object_schema(written: &contract::ResourceTemplate) -> Node {
    let mut properties = Node::object(Span::default());
    for (name, pair) in &written.args {
        properties.push(&name.value, schema::settle(&pair.wire, &mut Diagnostics::default()));
    }
    let required = written.required.iter().map(|name| Node::string(name, Span::default())).collect();
    let mut schema = Node::object(Span::default());
    schema.push("properties", properties);
    schema.push("required", Node::new(NodeKind::Array(required), Span::default()));
    schema
}
