//! Whether arguments are refused exactly where a validator refuses them: the public JSON Schema test suite, and values
//! for the schemas of published servers. Both lie beside the repository and are not part of it.

use std::fs;
use std::path::{Path, PathBuf};

use mcp_runtime::validate::{Options, Patterns, judge};
use serde_json::Value;

const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared");

/// What the judge leaves out: documents inside and beyond the document. And what the `regex` crate does.
const LEFT_OUT: [&str; 8] = [
    "\"$id\"",
    "(?=",
    "(?!",
    "\"$dynamicRef\"",
    "\"$vocabulary\"",
    "draft/2020-12/schema",
    "localhost:1234",
    "\"$dynamicAnchor\"",
];

/// The dialect of the `regex` crate is near enough to that of JSON Schema for these tests.
#[derive(Debug)]
struct Regex;

impl Patterns for Regex {
    fn is_match(&self, pattern: &str, text: &str) -> Option<bool> {
        Some(regex::Regex::new(pattern).ok()?.is_match(text))
    }
}

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(Path::new(SHARED).join(folder)) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == extension));
    files.sort();
    files
}

fn accepts(schema: &str, instance: &str) -> bool {
    judge(schema, instance, &Options { patterns: Some(&Regex), ..Options::default() }).faults.is_empty()
}

fn is_left_out(schema: &str) -> bool {
    LEFT_OUT.iter().any(|keyword| schema.contains(keyword))
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn the_test_suite_is_judged_rightly() {
    let files = files("json-schema-test-suite/tests/draft2020-12", "json");
    if files.is_empty() {
        eprintln!("skipped: the JSON Schema test suite is not here");
    }
    let (mut wrong, mut right, mut left_out) = (Vec::new(), 0, 0);
    for path in files {
        let groups: Vec<Value> = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        for group in groups {
            let mut schema = group["schema"].clone();
            if let Some(keywords) = schema.as_object_mut() {
                keywords.remove("$schema");
            }
            let schema = schema.to_string();
            for test in group["tests"].as_array().unwrap() {
                if is_left_out(&schema) {
                    left_out += 1;
                } else if accepts(&schema, &test["data"].to_string()) == test["valid"] {
                    right += 1;
                } else {
                    wrong.push(format!("{} | {schema} | {test}", path.file_name().unwrap().display()));
                }
            }
        }
    }
    eprintln!("test suite: {right} right, {} wrong, {left_out} left out", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A repair is taken only if it is valid, and valid arguments are never repaired.
fn check_repair(schema: &str, instance: &str) {
    let options = Options { patterns: Some(&Regex), repair: true, ..Options::default() };
    let judgement = judge(schema, instance, &options);
    let Some(repaired) = judgement.repaired else { return };
    assert!(accepts(schema, &repaired.arguments), "{instance} {repaired:?}");
    assert!(!judgement.faults.is_empty() || !instance.starts_with('{'), "{instance} {repaired:?}");
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn values_for_published_schemas_are_judged_rightly() {
    let files = files("corpus/instances", "jsonl");
    if files.is_empty() {
        eprintln!("skipped: the corpus is not here");
    }
    let (mut wrong, mut right, mut left_out) = (Vec::new(), 0, 0);
    for path in files {
        let id = path.file_stem().unwrap().to_str().unwrap();
        let server = fs::read_to_string(format!("{SHARED}/corpus/servers/{id}.json")).unwrap();
        let server: Value = serde_json::from_str(&server).unwrap();
        for line in fs::read_to_string(&path).unwrap().lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let member = if case["which"] == "input" { "inputSchema" } else { "outputSchema" };
            let tools = server["tools"].as_array().unwrap();
            let schema = tools.iter().find(|tool| tool["name"] == case["tool"]).unwrap()[member].to_string();
            let instance = case["instance"].to_string();
            check_repair(&schema, &instance);
            if accepts(&schema, &instance) == case["valid"] {
                right += 1;
            } else if is_left_out(&schema) {
                left_out += 1;
            } else {
                wrong.push(format!("{id} {line}"));
            }
        }
    }
    eprintln!("corpus: {right} right, {} wrong, {left_out} for keywords that are left out", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
