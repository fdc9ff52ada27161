//! The examples of a contract, run against its handler.

use std::borrow::Cow;
use std::fmt;

use serde_json::{Map, Value};

use crate::server::Server;
use crate::service::{Catalog, Prompt, ResourceTemplate, Service, Tool, UriTemplate, UriValues};
use crate::task::TaskSupport;
use crate::testing::Client;

/// Runs every example of the contract: the arguments go in, and what comes out must be the example's `output`, if it
/// has one. A tool without an output schema, a prompt or a template is compared by its text.
///
/// ```
/// # use mcp_runtime::{Service, testing};
/// # async fn test(service: impl Service) {
/// testing::check_examples(service).await.unwrap();
/// # }
/// ```
///
/// # Errors
///
/// Fails with everything that does not fit, at once.
pub async fn check_examples<S: Service>(service: S) -> Result<(), Mismatches> {
    let catalogs = service.catalogs();
    let mut client = Client::new(Server::new(service));
    let mut found = Vec::new();
    for catalog in catalogs {
        check(&mut client, catalog, &mut found).await;
    }
    if found.is_empty() { Ok(()) } else { Err(Mismatches(found)) }
}

/// The examples that do not fit, each with the reason.
#[derive(Clone, PartialEq, Eq)]
pub struct Mismatches(Vec<String>);

async fn check(client: &mut Client, catalog: &'static Catalog, found: &mut Vec<String>) {
    for Tool { name, definition, examples, .. } in catalog.tools {
        for (place, example) in read("tool", name, examples) {
            let answer = call(client, (name, definition), example.args).await;
            found.extend(judge(answer, example.output).map(|why| format!("{place}: {why}")));
        }
    }
    for ResourceTemplate { uri_template, parts, examples, .. } in catalog.templates {
        for (place, example) in read("resource template", uri_template, examples) {
            let answer = read_uri(client, parts, &example.args).await;
            found.extend(judge(answer, example.output).map(|why| format!("{place}: {why}")));
        }
    }
    for Prompt { name, examples, .. } in catalog.prompts {
        for (place, example) in read("prompt", name, examples) {
            let answer = render(client, name, example.args).await;
            found.extend(judge(answer, example.output).map(|why| format!("{place}: {why}")));
        }
    }
}

/// One of `examples`.
struct Example {
    args: Map<String, Value>,
    output: Option<Value>,
}

/// The examples, each with the words that say which it is.
fn read(kind: &str, feature: &str, examples: &str) -> Vec<(String, Example)> {
    // the generator has written it
    let examples: Vec<Map<String, Value>> = serde_json::from_str(examples).unwrap_or_default();
    let example = |(index, mut example): (usize, Map<String, Value>)| {
        let place = match example.get("name").and_then(Value::as_str) {
            Some(name) => format!("{kind} `{feature}`, example `{name}`"),
            None => format!("{kind} `{feature}`, example {}", index + 1),
        };
        let args = match example.remove("args") {
            Some(Value::Object(args)) => args,
            _ => Map::new(),
        };
        (place, Example { args, output: example.remove("output") })
    };
    examples.into_iter().enumerate().map(example).collect()
}

/// What came out: a value, or a text; or why nothing did.
type Answer = Result<Value, String>;

async fn call(client: &mut Client, (tool, definition): (&str, &str), args: Map<String, Value>) -> Answer {
    let result = match TaskSupport::of(definition) {
        TaskSupport::Forbidden | TaskSupport::Optional => client.call(tool, args.into()).await,
        TaskSupport::Required => client.call_as_task(tool, args.into()).await,
    };
    let result = result.map_err(|error| error.to_string())?;
    if result.is_error() {
        return Err(result.text());
    }
    Ok(result.structured().cloned().unwrap_or_else(|| result.text().into()))
}

async fn read_uri(client: &mut Client, template: &UriTemplate<'_>, args: &Map<String, Value>) -> Answer {
    if let Some(missing) = template.needed().find(|name| !args.contains_key(*name)) {
        return Err(format!("`args` gives the variable `{missing}` no value"));
    }
    let mut values = UriValues::default();
    for (name, value) in args {
        match value {
            Value::Array(items) => items.iter().for_each(|item| values.put(name, in_uri(item))),
            value => values.put(name, in_uri(value)),
        }
    }
    let contents = client.read(&template.expand(&values)).await.map_err(|error| error.to_string())?;
    Ok(contents.first().and_then(|content| content.get("text")).cloned().unwrap_or_default())
}

/// A value as it stands in a URI before it is encoded.
fn in_uri(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        value => Cow::Owned(value.to_string()),
    }
}

async fn render(client: &mut Client, prompt: &str, args: Map<String, Value>) -> Answer {
    let messages = client.render(prompt, args.into()).await.map_err(|error| error.to_string())?;
    let texts: Vec<_> = messages.iter().filter_map(|message| message["content"]["text"].as_str()).collect();
    Ok(texts.join("\n").into())
}

/// Why the answer is not the example's, if it is not.
fn judge(answer: Answer, expected: Option<Value>) -> Option<String> {
    let got = match answer {
        Ok(got) => got,
        Err(why) => return Some(format!("failed: {why}")),
    };
    let expected = expected.filter(|expected| !is_equal(&got, expected))?;
    Some(format!("expected {expected}, got {got}"))
}

/// Equality of JSON Schema: numbers are equal by their value, however they are written.
fn is_equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(left, right)| is_equal(left, right))
        }
        (Value::Object(one), Value::Object(other)) => {
            let found = |(key, left): (&String, &Value)| other.get(key).is_some_and(|right| is_equal(left, right));
            one.len() == other.len() && one.iter().all(found)
        }
        _ => left == right,
    }
}

/// One line for each.
impl fmt::Display for Mismatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

/// The same, so that `unwrap` shows it to be read.
impl fmt::Debug for Mismatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} examples do not fit:\n{self}", self.0.len())
    }
}

impl std::error::Error for Mismatches {}
