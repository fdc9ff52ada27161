//! Schemas that trip clients or generators.

use std::path::PathBuf;

use mcp_codegen::diagnostic::Format;
use mcp_codegen::source::{Role, SourceFile, Sources};
use mcp_codegen::{Config, generate};
use serde_json::{Value, json};

use crate::{accepted, client, refused};

async fn input_schema(tool: &str) -> Value {
    let tools = client().tools().await.expect("a list");
    tools.iter().find(|known| known["name"] == tool).expect("a tool")["inputSchema"].clone()
}

#[tokio::test]
async fn r10_an_optional_argument_has_one_type() {
    let schema = input_schema("add").await;
    for (name, ty) in [("text", "string"), ("flag", "boolean"), ("ratio", "number"), ("tags", "array")] {
        assert_eq!(schema["properties"][name]["type"], ty);
    }
    assert_eq!(schema["properties"]["note"], json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }));
    assert_eq!(schema["required"], json!(["n"]));
    assert!(accepted("add", json!({ "n": 1, "text": null })).await.contains("text: None"));
}

#[tokio::test]
async fn r22_large_numbers_travel_as_text_both_ways() {
    assert_eq!(input_schema("find_order").await["properties"]["id"]["type"], "string");
    for id in [json!("725653563933458432"), json!(725_653_563_933_458_432_i64)] {
        let result = client().call("find_order", json!({ "id": id })).await.expect("the tool is there");
        assert_eq!(result.structured(), Some(&json!({ "id": "725653563933458432" })), "{}", result.text());
    }
    for wrong in [json!("72e3"), json!("1.0"), json!(" 1")] {
        assert!(refused("find_order", json!({ "id": wrong })).await.contains("/id"), "{wrong}");
    }
    assert!(refused("find_order", json!({ "id": "99999999999999999999" })).await.contains("out of range"));
}

#[tokio::test]
async fn r54_names_that_collide_and_patterns_that_look_ahead_compile() {
    for (value, variant) in
        [("a-b", "AB"), ("a_b", "AB_2"), ("A B", "AB_3"), ("", "Empty"), ("1", "N1"), ("self", "Self_")]
    {
        let told = accepted("paint", json!({ "style": value })).await;
        assert!(told.contains(&format!("style: {variant},")), "{value:?} became {told}");
    }
    assert!(accepted("paint", json!({ "style": "1", "label": "yx" })).await.contains("yx"));
    assert!(refused("paint", json!({ "style": "1", "label": "xy" })).await.contains("/label"));
    let told = findings(r#"{"type":"object","properties":{"a":{"type":"string","pattern":"("}}}"#);
    assert!(told.starts_with("error[E0318]"), "a pattern that is none is an error: {told}");
}

#[tokio::test]
async fn undeclared_members_of_a_secret_type_are_hidden() {
    let told = accepted("login", json!({ "name": "ada", "pin": "1234" })).await;
    assert!(told.contains("rest: (hidden)") && !told.contains("1234"), "{told}");
    let told = refused("login", json!({ "name": "ada", "pin": true })).await;
    assert!(told.contains("/pin: expected a string, got (hidden)"), "{told}");
}

#[tokio::test]
async fn an_absent_argument_of_a_prompt_is_empty_and_nothing_else_changes() {
    let messages = client().render("summarize", json!({ "text": "a {{tone}}" })).await.expect("a prompt");
    assert_eq!(messages[0]["content"]["text"], "Sum up (): a {{tone}}, not {{text}}");
}

#[test]
fn r71_a_required_name_without_property_is_told_with_the_nearest() {
    let told = findings(r#"{"type":"object","properties":{"nape":{"type":"string"}},"required":["nope"]}"#);
    // It is somebody else's schema: it is served as it stands.
    assert!(told.starts_with("warning[W0307]: `nope` is required, but no property has that name"), "{told}");
    assert!(told.contains("did you mean `nape`?"), "{told}");
}

/// What is said about a schema.
fn findings(schema: &str) -> String {
    let mut sources = Sources::default();
    let text = format!(r#"{{"tools":[{{"name":"t","description":"d","inputSchema":{schema}}}]}}"#);
    sources.add(SourceFile { name: "t.json".to_owned(), path: PathBuf::new(), text, role: Role::Json });
    let found = match generate(&sources, &Config::new().name("t")) {
        Ok(generated) => generated.warnings,
        Err(found) => found,
    };
    found.render(&sources, Format::Plain)
}
