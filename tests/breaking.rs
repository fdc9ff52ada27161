//! What changed between two contracts: known verdicts in both directions, and agreement with an independent validator.

#[path = "breaking/random.rs"]
mod random;

use std::collections::BTreeMap;

use mcp_codegen::Config;
use mcp_codegen::breaking::{self, Inclusion, inclusion};
use mcp_codegen::diagnostic::Format;
use mcp_codegen::source::{Role, SourceFile, Sources};
use serde_json::{Value, json};

use self::random::Random;

const CASES: &str = include_str!("breaking/cases.txt");

/// One pair of contracts, and what each direction is to find.
#[derive(Debug)]
struct Case<'c> {
    title: &'c str,
    pair: [String; 2],
    forth: Vec<&'c str>,
    back: Vec<&'c str>,
}

#[test]
fn changes_are_what_they_are_known_to_be_in_both_directions() {
    let cases: Vec<Case<'_>> = CASES.split("\n## ").skip(1).map(case).collect();
    assert!(cases.len() >= 60, "only {} cases", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        let [old, new] = &case.pair;
        for (from, to, expected) in [(old, new, &case.forth), (new, old, &case.back)] {
            let found = changes(from, to);
            if found != *expected {
                wrong.push(format!("{}: found {found:?}, expected {expected:?}\n{to}", case.title));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_kind_of_change_is_met_in_some_case() {
    for rule in breaking::RULES {
        assert!(CASES.contains(rule.id), "no case has `{}`", rule.id);
    }
}

/// What never reaches the wire is not missed in what came from there.
#[test]
fn an_answer_of_a_server_says_nothing_of_keys_that_no_client_sees() {
    let native = r#"
        [server]
        name = "s"
        scopes = ["all"]
        [[tools]]
        name = "t"
        scopes = ["some"]
        timeout = "1s"
        args = { p = { type = "string", format = "path" }, d = { type = "string", format = "date" } }
        [formats]
        date = { assert = true }
        [[resources]]
        name = "r"
        uri = "x:r"
        updates = true
        [[prompts]]
        name = "p"
        messages = [{ role = "user", text = "Hello" }]"#;
    let answer = r#"{"server":{"name":"s","version":"0.0.0"},"resources":[{"name":"r","uri":"x:r"}],"prompts":[{"name":"p"}],
        "tools":[{"name":"t","inputSchema":{"type":"object","properties":{
            "p":{"type":"string","format":"path","description":"A relative path with `/` between its parts and without `..`."},
            "d":{"type":"string","format":"date"}},"additionalProperties":false}}]}"#;
    let sources = |text: &str, role| {
        let mut sources = Sources::default();
        sources.add(SourceFile { name: "s".to_owned(), path: "s".into(), text: text.to_owned(), role });
        sources
    };
    let (native, answer) = (sources(&format!("format = 1\n{native}"), Role::Toml), sources(answer, Role::Json));
    for (old, new) in [(&native, &answer), (&answer, &native)] {
        let compared = breaking::compare(old, new, &Config::new());
        let found = compared.found.render(&compared.sources, Format::Plain);
        assert!(compared.is_valid && compared.found.is_empty(), "{found}");
    }
}

/// Schemas drawn at random, held against values drawn at random, which another program judges.
#[test]
fn verdicts_agree_with_an_independent_validator() {
    let mut random = Random::new(7);
    let mut tally: BTreeMap<&str, u32> = BTreeMap::new();
    for round in 0..2_000 {
        let from = if round % 4 == 0 { random.document(2) } else { random.schema(3) };
        let to = if round % 3 == 0 { random.schema(3) } else { random.variant(&from) };
        let verdict = inclusion(&from.to_string(), &to.to_string()).unwrap_or_else(|| panic!("{from} {to}"));
        let (accepts, wants) = (validator(&from), validator(&to));
        let lost = |value: &Value| accepts.is_valid(value) && !wants.is_valid(value);
        let sampled = (0..60).map(|_| random.value(&from, &to)).find(lost);
        *tally
            .entry(match &verdict {
                Inclusion::Holds => "holds",
                Inclusion::Fails(_) => "fails",
                Inclusion::Unclear => "unclear",
            })
            .or_default() += 1;
        match verdict {
            Inclusion::Holds => assert_eq!(sampled, None, "lost, but said to be kept: {from} {to}"),
            Inclusion::Fails(value) => {
                let value: Value = serde_json::from_str(&value).unwrap();
                assert!(lost(&value), "kept, but said to be lost: {value} {from} {to}");
            }
            Inclusion::Unclear => {}
        }
    }
    support::note(&format!("verdicts: {tally:?}"));
    assert!(tally["holds"] > 500 && tally["fails"] > 500, "{tally:?}");
    assert!(tally.get("unclear").copied().unwrap_or(0) < 60, "too often nobody can tell: {tally:?}");
}

/// A comparison that would take years, or more memory than there is, ends without a verdict instead.
#[test]
fn schemas_that_are_made_to_cost_are_given_up() {
    let list = |least: u64| json!({ "type": "array", "items": { "type": "integer" }, "minItems": least });
    let nested = |leaf: &str| {
        let inside = json!({ "type": "array", "minItems": 1000, "items": { "type": leaf } });
        let middle = json!({ "type": "array", "minItems": 1000, "items": inside });
        json!({ "type": "array", "minItems": 1000, "items": middle })
    };
    let doubling = |leaf: &str, both: &dyn Fn(&str) -> Value| {
        let mut defs = json!({ "D28": { "type": leaf } });
        for number in 0..28 {
            defs[format!("D{number}")] = both(&format!("#/$defs/D{}", number + 1));
        }
        json!({ "$ref": "#/$defs/D0", "$defs": defs })
    };
    let all_of = |next: &str| json!({ "allOf": [{ "$ref": next, "title": "a" }, { "$ref": next, "title": "b" }] });
    let optional =
        |next: &str| json!({ "type": "object", "properties": { "a": { "$ref": next }, "b": { "$ref": next } } });
    let required = |next: &str| {
        let mut schema = optional(next);
        schema["required"] = json!(["a", "b"]);
        schema
    };
    let pairs = [
        (list(1_000_000_000), list(1_000_000_001)),
        (nested("integer"), nested("string")),
        (doubling("string", &all_of), doubling("integer", &all_of)),
        (doubling("string", &optional), doubling("integer", &optional)),
        (doubling("string", &required), doubling("integer", &required)),
    ];
    for (old, new) in &pairs {
        for (from, to) in [(old, new), (new, old)] {
            let verdict = inclusion(&from.to_string(), &to.to_string()).expect("schemas");
            assert!(!matches!(verdict, Inclusion::Holds) || from["minItems"] == 1_000_000_001, "{from} is in {to}");
        }
    }
}

fn validator(schema: &Value) -> jsonschema::Validator {
    jsonschema::validator_for(schema).unwrap_or_else(|error| panic!("{schema}: {error}"))
}

/// The rules of all changes from one contract to another, sorted.
fn changes(old: &str, new: &str) -> Vec<String> {
    let compared = breaking::compare(&sources("old.toml", old), &sources("new.toml", new), &Config::new().name("s"));
    assert!(compared.is_valid, "{}", compared.found.render(&compared.sources, Format::Plain));
    let mut rules: Vec<String> = compared.found.sorted().iter().map(|change| change.code().to_string()).collect();
    rules.sort();
    rules
}

fn sources(name: &str, text: &str) -> Sources {
    let mut sources = Sources::default();
    sources.add(SourceFile {
        name: name.to_owned(),
        path: name.into(),
        text: format!("format = 1\n{text}"),
        role: Role::Toml,
    });
    sources
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().filter(|word| *word != "nothing").collect()
}

/// `title: what is found: what is found on the way back`, the old contract, a line `--`, the new one. A contract whose
/// lines begin with `args`, `output` or another key is one of a single tool.
fn case(text: &str) -> Case<'_> {
    let (head, body) = text.split_once('\n').expect("a case has lines");
    let mut parts = head.split(':').map(str::trim);
    let mut next = || parts.next().unwrap_or_else(|| panic!("`{head}` has three parts"));
    let (title, forth, back) = (next(), next(), next());
    let (old, new) = body.split_once("--\n").unwrap_or_else(|| panic!("`{title}` has two contracts"));
    let contract = |text: &str| {
        let is_tool = !text.starts_with('[') && !text.trim().is_empty();
        let tool = "[[tools]]\nname = \"t\"\ndescription = \"D\"\n";
        if is_tool { format!("{tool}{text}") } else { text.to_owned() }
    };
    Case { title, pair: [contract(old), contract(new)], forth: words(forth), back: words(back) }
}
