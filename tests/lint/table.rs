//! What the table of clients says of published servers, worked out a second time from their lists: the rules find exactly that.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use mcp_codegen::lint::{self, Options, Target};
use mcp_codegen::{Config, load};
use serde_json::Value;

/// How often each rule is broken, as the rule counts: in all, or by tool; for each client whose limit differs.
type Counts = BTreeMap<&'static str, usize>;

#[test]
fn rules_find_in_real_servers_what_the_table_says() {
    let Some(servers) = support::shared("corpus/servers") else { return };
    let (mut count, mut total) = (0, 0);
    for entry in fs::read_dir(servers).unwrap() {
        let path = entry.unwrap().path();
        let server = Server::read(&path);
        let found = Server::found(&path, &server.name);
        for (rule, expected) in server.expected() {
            assert_eq!(found.get(rule).copied().unwrap_or_default(), expected, "{}: {rule}", path.display());
            total += expected;
        }
        count += 1;
    }
    assert_eq!(count, 76);
    assert!(total > 8_000, "only {total} findings");
}

/// A list answer, as plain JSON.
struct Server {
    name: String,
    instructions: String,
    tools: Vec<Value>,
}

impl Server {
    fn read(path: &Path) -> Self {
        let value: Value = serde_json::from_str(&fs::read_to_string(path).expect("a list")).expect("JSON");
        let text = |key: &str| value["server"][key].as_str().map(str::to_owned);
        Self {
            name: text("name").unwrap_or_else(|| "unnamed".to_owned()),
            instructions: text("instructions").unwrap_or_default(),
            tools: value["tools"].as_array().cloned().unwrap_or_default(),
        }
    }

    fn found(path: &Path, name: &str) -> BTreeMap<String, usize> {
        let sources = load::load(path).expect("a list");
        let mut options = Options::default();
        options.targets = Target::ALL.iter().map(|(_, target)| *target).collect();
        let linted = lint::lint(&sources, &Config::new().name(name), &options).expect("a valid list");
        let mut counts = BTreeMap::new();
        for finding in linted.found.sorted() {
            *counts.entry(finding.code().to_string()).or_default() += 1;
        }
        counts
    }

    fn expected(&self) -> Counts {
        let tools = self.tools.len();
        let longest = |prefix: &str, between: &str, most: usize| {
            let before = prefix.len() + self.name.len() + between.len();
            self.count(|tool| before + name(tool).len() > most)
        };
        let is_open = |schema: &Value| is(schema, "object") && schema["additionalProperties"] != Value::Bool(false);
        let has = |key: &'static str| move |schema: &Value| schema.get(key).is_some();
        let description = |tool: &Value| tool["description"].as_str().unwrap_or_default().to_owned();
        let gemini = [
            "$schema",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "const",
            "uniqueItems",
            "propertyNames",
            "patternProperties",
        ];
        let above = |limits: [usize; 3]| limits.into_iter().filter(|most| tools > *most).count();
        let long = |tool: &Value| [description(tool).len() > 2_048, description(tool).chars().count() > 1_024];
        Counts::from([
            ("prefixed-name-length", longest("mcp__", "__", 64) + longest("", "", 60) + longest("mcp_", "_", 63)),
            ("server-name-underscore", usize::from(self.name.contains('_'))),
            ("tool-name-characters", self.count(|tool| name(tool).contains(|c: char| !is_word(c)))),
            ("tool-count", above([80, 100, 128])),
            ("grouped-tools", usize::from((64..=128).contains(&tools))),
            ("long-description", self.tools.iter().flat_map(long).filter(|is_long| *is_long).count()),
            ("long-instructions", usize::from(self.instructions.len() > 2_048)),
            ("missing-description", self.count(|tool| description(tool).trim().is_empty())),
            (
                "root-combinator",
                self.count(|tool| ["oneOf", "anyOf", "allOf"].iter().any(|key| tool["inputSchema"].get(key).is_some())),
            ),
            ("missing-properties", self.count(|tool| tool["inputSchema"].get("properties").is_none())),
            ("reference", self.count(|tool| schemas(tool).into_iter().any(has("$ref")))),
            ("gemini-closed", self.count(|tool| schemas(tool).into_iter().any(has("additionalProperties")))),
            (
                "gemini-keyword",
                gemini.into_iter().map(|key| self.count(|tool| schemas(tool).into_iter().any(has(key)))).sum(),
            ),
            ("list-of-types", self.places(|schema| schema["type"].is_array())),
            ("argument-name", self.tools.iter().flat_map(properties).filter(|(key, _)| !is_identifier(key)).count()),
            (
                "array-without-items",
                self.places(|schema| {
                    is(schema, "array") && schema.get("items").is_none() && schema.get("prefixItems").is_none()
                }),
            ),
            ("tuple", self.places(|schema| schema["items"].is_array() || schema.get("prefixItems").is_some())),
            (
                "strict-closed",
                self.places(|schema| {
                    is_open(schema) || schema.get("type").is_none() && schema.get("properties").is_some()
                }),
            ),
            ("strict-required", self.tools.iter().flat_map(schemas).map(optional).sum()),
        ])
    }

    fn count(&self, holds: impl Fn(&Value) -> bool) -> usize {
        self.tools.iter().filter(|tool| holds(tool)).count()
    }

    fn places(&self, holds: impl Fn(&Value) -> bool) -> usize {
        self.tools.iter().flat_map(schemas).filter(|schema| holds(schema)).count()
    }
}

fn name(tool: &Value) -> &str {
    tool["name"].as_str().unwrap_or_default()
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.len() <= 64
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is(schema: &Value, ty: &str) -> bool {
    schema["type"] == ty || schema["type"].as_array().is_some_and(|types| types.iter().any(|one| one == ty))
}

fn properties(tool: &Value) -> Vec<(&String, &Value)> {
    tool["inputSchema"]["properties"].as_object().map(|members| members.iter().collect()).unwrap_or_default()
}

/// How many properties are not required.
fn optional(schema: &Value) -> usize {
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let names = schema["properties"].as_object().into_iter().flat_map(|members| members.keys());
    names.filter(|name| !required.contains(&name.as_str())).count()
}

/// The input schema, and all schemas in it.
fn schemas(tool: &Value) -> Vec<&Value> {
    let (mut open, mut all) = (vec![&tool["inputSchema"]], Vec::new());
    while let Some(schema) = open.pop() {
        let Some(members) = schema.as_object() else { continue };
        all.push(schema);
        for (key, value) in members {
            match key.as_str() {
                "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
                    open.extend(value.as_object().into_iter().flat_map(|members| members.values()));
                }
                "anyOf" | "oneOf" | "allOf" | "prefixItems" => open.extend(value.as_array().into_iter().flatten()),
                "items"
                | "additionalItems"
                | "additionalProperties"
                | "not"
                | "if"
                | "then"
                | "else"
                | "contains"
                | "propertyNames"
                | "unevaluatedItems"
                | "unevaluatedProperties" => match value.as_array() {
                    Some(items) => open.extend(items),
                    None => open.push(value),
                },
                _ => {}
            }
        }
    }
    all
}
