//! The schemas that are judged, for the build script and for the tests: both see them in the same order.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// A schema, with values that it accepts or refuses.
#[derive(Debug)]
pub struct Group {
    /// The file, without its extension.
    pub file: String,
    /// Its place in the file.
    pub index: usize,
    /// What its author says about it.
    pub description: String,
    /// The schema.
    pub schema: Value,
    /// The values.
    pub tests: Vec<Test>,
}

/// A value.
#[derive(Debug, Deserialize)]
pub struct Test {
    /// What its author says about it.
    pub description: String,
    /// The value as it is written.
    pub data: Box<RawValue>,
    /// Whether the schema accepts it.
    pub valid: bool,
}

#[derive(Deserialize)]
struct Written {
    description: String,
    schema: Value,
    tests: Vec<Test>,
}

/// The folder `shared` beside the workspace.
#[must_use]
pub fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared")
}

/// The groups of the test suite for 2020-12: those that a validator must follow, and the optional ones.
#[must_use]
pub fn suite() -> Vec<Group> {
    let tests = shared().join("json-schema-test-suite/tests/draft2020-12");
    let optional = tests.join("optional");
    files(&tests, "json").into_iter().chain(files(&optional, "json")).flat_map(|path| groups(&path, &tests)).collect()
}

/// The groups of the same suite about formats that are asserted: each as it is, and where strings alone are values.
#[must_use]
pub fn formats() -> Vec<Group> {
    let tests = shared().join("json-schema-test-suite/tests/draft2020-12");
    let files = files(&tests.join("optional/format"), "json");
    let all = || files.iter().flat_map(|path| groups(path, &tests));
    all().chain(all().map(strings)).collect()
}

/// The same for strings alone, which decoding can decide.
fn strings(mut group: Group) -> Group {
    group.file.push_str(" of strings");
    group.schema["type"] = json!("string");
    group.tests.retain(|test| test.data.get().starts_with('"'));
    group
}

fn groups(path: &Path, tests: &Path) -> Vec<Group> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let written: Vec<Written> = serde_json::from_str(&text).unwrap_or_default();
    let file = path.strip_prefix(tests).unwrap_or(path).with_extension("").display().to_string();
    let group = |(index, group): (usize, Written)| Group {
        file: file.clone(),
        index,
        description: group.description,
        schema: group.schema,
        tests: group.tests,
    };
    written.into_iter().enumerate().map(group).collect()
}

/// The answers of published servers, each under its name.
#[must_use]
pub fn servers() -> Vec<(String, Value)> {
    let read = |path: PathBuf| {
        let name = path.file_stem()?.to_str()?.to_owned();
        Some((name, serde_json::from_str(&fs::read_to_string(path).ok()?).ok()?))
    };
    files(&shared().join("corpus/servers"), "json").into_iter().filter_map(read).collect()
}

/// The files of a folder with that extension, sorted; none where the folder is absent.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == extension));
    files.sort();
    files
}

/// The schema of arguments whose only one, `value`, has this schema. What the suite has its server answer is put under
/// `$defs`, since nothing is fetched.
#[must_use]
pub fn arguments(schema: &Value) -> Value {
    let mut schema = schema.clone();
    let mut arguments = json!({"type": "object"});
    if let Some(keywords) = schema.as_object_mut() {
        // A reference within the schema starts at the schema, wherever that stands.
        if !keywords.contains_key("$id") {
            keywords.insert("$id".to_owned(), json!("urn:value"));
        }
        // A dialect of the suite's own need not know the words around the schema.
        if let Some(dialect) = keywords.get("$schema").filter(|dialect| !dialect.to_string().contains(SERVER)) {
            arguments["$schema"] = dialect.clone();
        }
    }
    let remotes = remotes(&schema.to_string());
    if !remotes.is_empty() {
        arguments["$defs"] = Value::Object(remotes);
    }
    arguments["properties"] = json!({"value": schema});
    arguments["required"] = json!(["value"]);
    arguments["additionalProperties"] = json!(false);
    arguments
}

const SERVER: &str = "http://localhost:1234/";

/// The documents that a schema refers to, directly or not.
fn remotes(schema: &str) -> Map<String, Value> {
    let folder = shared().join("json-schema-test-suite/remotes");
    let mut known = Vec::new();
    let mut folders = vec![folder.clone()];
    while let Some(folder) = folders.pop() {
        known.extend(files(&folder, "json"));
        let inside = fs::read_dir(&folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
        folders.extend(inside.filter(|path| path.is_dir()));
    }
    known.sort();
    let mut all = schema.to_owned();
    let mut found = Map::new();
    while all.contains("localhost:1234") {
        let name = |path: &Path| path.strip_prefix(&folder).unwrap_or(path).display().to_string();
        // Within a dialect documents name each other by their files alone.
        let is_next = |path: &PathBuf| match name(path).strip_prefix("draft2020-12/") {
            Some(_) => path.file_stem().and_then(|stem| stem.to_str()).is_some_and(|stem| all.contains(stem)),
            None => all.contains(&format!("{SERVER}{}", name(path))),
        };
        let Some(place) = known.iter().position(is_next) else { break };
        let path = known.remove(place);
        let name = name(&path);
        let text = fs::read_to_string(&path).unwrap_or_default();
        all.push_str(&text);
        found.insert(name.clone(), at(&format!("{SERVER}{name}"), serde_json::from_str(&text).unwrap_or_default()));
    }
    found
}

/// A document under the URI that it is fetched from, which need not be the one that it calls itself.
fn at(uri: &str, mut document: Value) -> Value {
    let Some(keywords) = document.as_object_mut() else { return document };
    match keywords.get("$id").and_then(Value::as_str) {
        None => {
            keywords.insert("$id".to_owned(), json!(uri));
            document
        }
        Some(own) if own == uri => document,
        Some(own) => json!({"$id": uri, "$ref": own, "$defs": {"itself": document}}),
    }
}
