//! The schema of the contract format says to an editor what the reader says, as far as a schema can.

use std::fs;
use std::path::{Path, PathBuf};

use jsonschema::Validator;
use mcp_codegen::diagnostic::{Code, Diagnostics};
use mcp_codegen::source::{Role, SourceFile, Sources};
use mcp_codegen::{Config, contract_schema, generate};
use serde_json::{Map, Value, json};
use support::Sandbox;
use toml::de::{DeTable, DeValue};

/// Why a schema cannot refuse a file of `specs/invalid`: what is wrong is told by something that it does not see.
const BEYOND_A_SCHEMA: &[(&str, &[&str])] = &[
    (
        "two places are held against each other",
        &[
            "ask-with-too-few-names.toml",
            "default-below-minimum.toml",
            "default-not-in-enum.toml",
            "default-of-a-variable.toml",
            "default-of-another-type.toml",
            "default-that-does-not-match.toml",
            "default-with-an-item-that-does-not-match.toml",
            "duplicate-argument.toml",
            "duplicate-header.toml",
            "duplicate-tool-name.toml",
            "duplicate-uri.toml",
            "example-refused-by-the-schema.toml",
            "example-without-a-required-property.toml",
            "header-of-a-definition-used-twice.toml",
            "header-of-a-hinted-secret.toml",
            "hint-to-no-variable.toml",
            "hint-to-nowhere.toml",
            "list-of-a-single-variable.toml",
            "message-names-no-argument.toml",
            "rule-about-no-argument.toml",
            "schema-of-no-variable.toml",
            "single-variable-of-a-list.toml",
            "templates-that-overlap.toml",
            "tools-with-one-rust-name.toml",
            "undefined-definition.toml",
            "unknown-optional-vocabulary.json",
            "unknown-vocabulary.json",
        ],
    ),
    (
        "other files are needed",
        &[
            "duplicate-definition/a.toml",
            "duplicate-definition/b.toml",
            "duplicate-format/a.toml",
            "duplicate-format/b.toml",
            "duplicate-server/a.toml",
            "duplicate-server/b.toml",
            "missing-content-file.toml",
            "missing-schema-file.toml",
            "schema-file-not-text/tools.toml",
        ],
    ),
    (
        "a text has a grammar of its own",
        &[
            "derive-that-is-no-path.toml",
            "message-with-open-braces.toml",
            "pattern-of-another-dialect.toml",
            "rust-type-that-is-none.toml",
            "schema-text-not-json.toml",
            "schema-text-with-a-mistake.toml",
            "template-list-inside-a-path.toml",
            "template-never-asked.toml",
            "template-reserved-operator.toml",
            "template-second-query.toml",
            "template-without-closing-brace.toml",
            "template-without-way-back.toml",
        ],
    ),
    (
        "a keyword is wrong beside others, at that depth or under that name: said in a schema, that would hide all other faults from editors",
        &[
            "ask-for-an-object.toml",
            "derive-without-a-type.toml",
            "header-inside-items.toml",
            "header-of-a-nullable.toml",
            "header-of-a-number.toml",
            "header-of-a-secret.toml",
            "format-asserted-by-nobody.toml",
            "format-not-known.toml",
            "format-of-all-with-a-type.toml",
            "keyword-beside-ref.toml",
            "required-on-items.toml",
        ],
    ),
];

/// A file as an editor reads it; nothing for one that is no TOML or JSON, or a list answer, which has no keys of ours.
fn read(path: &Path) -> Option<Value> {
    let text = fs::read_to_string(path).ok()?;
    let value = match path.extension()?.to_str()? {
        "toml" => table(DeTable::parse(&text).ok()?.get_ref())?,
        "json" => serde_json::from_str(&text).ok()?,
        _ => return None,
    };
    let is_native = value.get("format").is_some() || path.extension()? == "toml";
    is_native.then_some(value)
}

fn table(table: &DeTable<'_>) -> Option<Value> {
    let member = |(key, value): (&toml::Spanned<std::borrow::Cow<'_, str>>, &toml::Spanned<DeValue<'_>>)| {
        Some((key.get_ref().to_string(), value_of(value.get_ref())?))
    };
    table.iter().map(member).collect::<Option<Map<_, _>>>().map(Value::Object)
}

/// Nothing for what JSON cannot say.
fn value_of(value: &DeValue<'_>) -> Option<Value> {
    Some(match value {
        DeValue::Array(items) => {
            Value::Array(items.iter().map(|item| value_of(item.get_ref())).collect::<Option<_>>()?)
        }
        DeValue::Boolean(value) => json!(value),
        DeValue::Datetime(_) => return None,
        DeValue::Float(float) => json!(float.as_str().parse::<f64>().ok().filter(|float| float.is_finite())?),
        DeValue::Integer(integer) => serde_json::from_str(integer.as_str()).ok()?,
        DeValue::String(text) => json!(text),
        DeValue::Table(inner) => table(inner)?,
    })
}

fn validator() -> Validator {
    let schema: Value = serde_json::from_str(&contract_schema()).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is one")
}

/// The files of a folder of `specs`, with those in folders in it.
fn files(kind: &str) -> Vec<PathBuf> {
    let inside = |path: PathBuf| match fs::read_dir(&path) {
        Ok(entries) => entries.map(|entry| entry.expect("an entry").path()).collect(),
        Err(_) => vec![path],
    };
    support::specs(kind).into_iter().flat_map(inside).collect()
}

/// What the reader finds in a contract.
fn found(contract: &Value) -> Diagnostics {
    let mut sources = Sources::default();
    let file = |name: &str, text: String, role| SourceFile { name: name.to_owned(), path: name.into(), text, role };
    sources.add(file("contract.json", contract.to_string(), Role::Json));
    match generate(&sources, &Config::new().name("unnamed")) {
        Ok(generated) => generated.warnings,
        Err(found) => found,
    }
}

#[test]
fn the_file_is_what_the_command_writes() {
    let path = support::workspace().join("specs/mcp-codegen.schema.json");
    let kept = fs::read_to_string(path).expect("specs/mcp-codegen.schema.json");
    assert!(kept == contract_schema(), "run `mcp-codegen schema -o specs/mcp-codegen.schema.json`");
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["schema"]).stdout, kept);
    assert_eq!(sandbox.run(&["schema", "-o", "a/b.json"]).code, Some(0));
    assert_eq!(sandbox.read("a/b.json"), kept);
}

#[test]
fn valid_contracts_are_valid() {
    let validator = validator();
    let mut count = 0;
    for path in files("valid") {
        let Some(contract) = read(&path) else { continue };
        let errors: Vec<_> =
            validator.iter_errors(&contract).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", path.display());
        count += 1;
    }
    assert!(count > 12, "only {count} contracts were found");
}

#[test]
fn invalid_contracts_are_refused_as_far_as_a_schema_can() {
    let validator = validator();
    let excused: Vec<&str> = BEYOND_A_SCHEMA.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let (mut accepted, mut refused) = (Vec::new(), 0);
    for path in files("invalid") {
        let Some(contract) = read(&path) else { continue };
        let name = path.strip_prefix(support::workspace().join("specs/invalid")).expect("below it");
        let name = name.display().to_string().replace('\\', "/");
        if validator.is_valid(&contract) { accepted.push(name) } else { refused += 1 }
    }
    let unexcused: Vec<_> = accepted.iter().filter(|name| !excused.contains(&name.as_str())).collect();
    assert!(unexcused.is_empty(), "accepted: {unexcused:#?}");
    let idle: Vec<_> = excused.iter().filter(|name| !accepted.iter().any(|accepted| accepted == *name)).collect();
    assert!(idle.is_empty(), "refused all the same: {idle:?}");
    assert!(refused > 60, "only {refused} were refused");
}

/// Contracts with one change each: whatever the schema refuses is a finding of the reader, and a key that the reader does
/// not know, that is missing, or that has a value of a wrong type is refused by the schema.
#[test]
fn schema_and_reader_agree_on_changed_contracts() {
    let validator = validator();
    let (mut disagreements, mut count) = (Vec::new(), 0);
    for path in files("valid") {
        let Some(contract) = read(&path) else { continue };
        // What does not say its format is a list answer in JSON, and has no keys of ours.
        for (change, changed) in changes(&contract).into_iter().filter(|(_, changed)| changed.get("format").is_some()) {
            let found = found(&changed);
            let is_refused = !validator.is_valid(&changed);
            let sees = [Code::UNKNOWN_KEY, Code::MISSING_KEY, Code::WRONG_TYPE];
            let should_see = found.sorted().iter().any(|finding| sees.contains(&finding.code()));
            count += 1;
            if is_refused && found.is_empty() || should_see && !is_refused {
                let told: Vec<_> = found.sorted().iter().map(|finding| finding.message().to_owned()).collect();
                disagreements.push(format!("{}: {change}: refused {is_refused}, found {told:?}", path.display()));
            }
        }
    }
    assert!(count > 2_000, "only {count} changes were made");
    assert!(disagreements.is_empty(), "{} of {count}:\n{}", disagreements.len(), disagreements.join("\n"));
}

/// Contracts that differ from one in a single place.
fn changes(contract: &Value) -> Vec<(String, Value)> {
    let others = [
        json!(true),
        json!(-1),
        json!(1.5),
        json!(""),
        json!("x"),
        json!([]),
        json!({}),
        json!([7]),
        json!({ "x": 7 }),
    ];
    let mut changes = Vec::new();
    let mut pointers = Vec::new();
    collect(contract, String::new(), &mut pointers);
    for (turn, pointer) in pointers.iter().enumerate() {
        let place = contract.pointer(pointer).expect("a place");
        let mut change = |what: String, value: Value| {
            let mut other = contract.clone();
            *other.pointer_mut(pointer).expect("a place") = value;
            changes.push((format!("{pointer} {what}"), other));
        };
        for other in [turn, turn + 4, turn + 7].map(|turn| &others[turn % others.len()]) {
            change(format!("= {other}"), other.clone());
        }
        if let Some(members) = place.as_object() {
            let mut more = members.clone();
            more.insert("xyzzy".to_owned(), json!(1));
            change("+ xyzzy".to_owned(), Value::Object(more));
            for key in members.keys() {
                let mut fewer = members.clone();
                fewer.remove(key);
                change(format!("- {key}"), Value::Object(fewer));
            }
        }
    }
    changes
}

fn collect(value: &Value, pointer: String, pointers: &mut Vec<String>) {
    let inside: Vec<(String, &Value)> = match value {
        Value::Object(members) => {
            members.iter().map(|(key, inner)| (key.replace('~', "~0").replace('/', "~1"), inner)).collect()
        }
        Value::Array(items) => items.iter().enumerate().map(|(index, inner)| (index.to_string(), inner)).collect(),
        _ => Vec::new(),
    };
    for (step, inner) in inside {
        collect(inner, format!("{pointer}/{step}"), pointers);
    }
    pointers.push(pointer);
}

/// A new project names the schema, and has it.
#[test]
fn a_new_project_comes_with_the_schema() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(&["init", "demo"]).code, Some(0));
    assert!(sandbox.read("demo/specs/demo.toml").starts_with("#:schema ./mcp-codegen.schema.json\n"));
    assert_eq!(sandbox.read("demo/specs/mcp-codegen.schema.json"), contract_schema());
    assert!(validator().is_valid(&read(&sandbox.path("demo/specs/demo.toml")).expect("a contract")));
    assert_eq!(sandbox.run(&["fmt", "--check", "demo/specs"]).code, Some(0), "and it is laid out");
}
