//! A contract that is mocked, beside the same contract generated: what differs are the handlers.

use std::path::{Path, PathBuf};

use jsonschema::Validator;
use mcp_codegen::breaking::{Inclusion, inclusion};
use mcp_codegen::diagnostic::Format;
use mcp_codegen::mock::{Mock, mock};
use mcp_codegen::source::{Role, SourceFile, Sources};
use mcp_codegen::{Config, load};
use mcp_runtime::testing::{self, Client};
use mcp_runtime::{Revision, Server};
use serde_json::{Value, json};

use crate::ERAS;
use crate::api::service;
use crate::travel::Travel;

fn of_sources(sources: &Sources) -> Mock {
    let mocked = mock(sources, &Config::new().name("unnamed"));
    mocked.unwrap_or_else(|found| panic!("{}", found.render(sources, Format::Plain))).mock
}

fn of_path(path: &Path) -> Mock {
    of_sources(&load::load(path).expect("a readable contract"))
}

fn of_text(text: &str) -> Mock {
    of_file("a.toml", Role::Toml, text)
}

fn of_file(name: &str, role: Role, text: &str) -> Mock {
    let mut sources = Sources::default();
    sources.add(SourceFile { name: name.to_owned(), path: PathBuf::new(), text: text.to_owned(), role });
    of_sources(&sources)
}

fn travel() -> Mock {
    of_path(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/served/contract")))
}

/// Every request whose answer does not come out of a handler.
const SAME: [(&str, &str); 17] = [
    ("tools/list", "{}"),
    ("resources/list", "{}"),
    ("resources/templates/list", "{}"),
    ("prompts/list", "{}"),
    ("tools/call", r#"{"name":"book","arguments":{"town":"Oslo","n":1}}"#),
    ("tools/call", r#"{"name":"book","arguments":[]}"#),
    ("tools/call", r#"{"name":"count","arguments":{"to":1.5}}"#),
    ("tools/call", r#"{"name":"boook","arguments":{}}"#),
    ("resources/read", r#"{"uri":"travel://terms"}"#),
    ("resources/read", r#"{"uri":"travel://spring/Oslo"}"#),
    ("resources/read", r#"{"uri":"elsewhere://news"}"#),
    ("prompts/get", r#"{"name":"postcard","arguments":{"type":"beaches"}}"#),
    ("prompts/get", r#"{"name":"postcard","arguments":{}}"#),
    ("prompts/get", r#"{"name":"plan","arguments":{"country":"Italy","city":"Rome","who":"me"}}"#),
    ("prompts/get", r#"{"name":"plan","arguments":{"country":"Italy"}}"#),
    ("completion/complete", r#"{"ref":{"type":"ref/prompt","name":"plan"},"argument":{"name":"country","value":"f"}}"#),
    (
        "completion/complete",
        r#"{"ref":{"type":"ref/resource","uri":"travel://{season}/{city}"},"argument":{"name":"season","value":"w"}}"#,
    ),
];

#[tokio::test]
async fn only_handlers_tell_a_mock_from_the_generated_server() {
    for era in ERAS {
        let mut mocked = Client::new(travel()).revision(era);
        let mut generated = Client::new(service(Travel)).revision(era);
        for (method, params) in SAME {
            let params: Value = serde_json::from_str(params).unwrap();
            let answers =
                [mocked.request(method, params.clone()).await, generated.request(method, params.clone()).await];
            let [mocked, generated] = answers.map(|answer| answer.map_err(|error| error.to_string()));
            assert_eq!(mocked, generated, "{method} {params}");
        }
    }
}

#[tokio::test]
async fn a_subset_is_served_as_by_the_generated_server() {
    let mut client = Client::new(Server::new(travel()).only(["reading"]));
    assert_eq!(client.resources().await.unwrap().len(), 1);
    assert!(client.read("travel://secret/Oslo").await.is_ok(), "hidden, so that the next template takes it");
    assert!(client.call("book", json!({ "city": "Oslo" })).await.is_err());
}

/// The mock passes the tests that its contract has for a real server.
#[tokio::test]
async fn every_example_is_answered_as_it_says() {
    let mut contracts: Vec<PathBuf> = support::specs("valid");
    contracts
        .extend(["examples/weather/specs", "examples/everything/specs"].map(|path| support::workspace().join(path)));
    testing::check_examples(travel()).await.unwrap();
    for contract in contracts {
        let mock = of_path(&contract);
        testing::check_examples(mock).await.unwrap_or_else(|found| panic!("{}: {found:?}", contract.display()));
    }
}

const EXAMPLES: &str = r#"
format = 1
[[tools]]
name = "search"
args = { word = { type = "string", required = true }, page = { type = "integer", default = 1 }, big = { type = "boolean" } }
output = { found = { type = "integer", required = true } }
examples = [
    { args = { word = "a" }, output = { found = 1 } },
    { args = { word = "a", page = 2 }, output = { found = 2 } },
    { args = { word = "b", page = 2, big = true }, output = { found = 3 } },
]
"#;

#[tokio::test]
async fn the_nearest_example_answers() {
    let mut client = Client::new(of_text(EXAMPLES));
    for (arguments, found) in [
        (json!({ "word": "a", "page": 1 }), 1),
        (json!({ "word": "a", "page": 2 }), 2),
        (json!({ "word": "b", "page": 2 }), 3),
        (json!({ "word": "c", "page": 2, "big": true }), 3),
        (json!({ "word": "c" }), 1),
        (json!({ "word": "a", "page": "2" }), 2),
    ] {
        let answer = client.call("search", arguments.clone()).await.unwrap();
        assert_eq!(answer.structured(), Some(&json!({ "found": found })), "{arguments}");
    }
}

/// What the contract asserts of formats and patterns holds for arguments, variables and made-up outputs.
#[tokio::test]
async fn formats_and_patterns_are_asked_for() {
    let mut client = Client::new(of_text(
        r#"
        format = 1
        [formats]
        date = { assert = true }
        [[tools]]
        name = "plan"
        args = { day = { type = "string", format = "date", required = true }, code = { type = "string", pattern = "^(?=..)[a-z]+$" }, path = { type = "string", format = "path" } }
        output = { path = { type = "string", format = "path", required = true }, url = { type = "string", format = "url", required = true }, day = { type = "string", format = "date", required = true } }
        [[resourceTemplates]]
        uriTemplate = "file:///{+path}"
        name = "file"
        args = { path = { type = "string", format = "path" } }
        [[resourceTemplates]]
        uriTemplate = "plan://{day}/{n}"
        name = "of_day"
        args = { day = { type = "string", format = "date" }, n = { type = "integer", maximum = 9 } }
        "#,
    ));
    let good = client.call("plan", json!({ "day": "2026-02-28", "code": "ab" })).await.unwrap();
    assert_eq!(
        good.structured(),
        Some(&json!({ "path": "folder/file.txt", "url": "https://example.com/", "day": "2026-01-31" }))
    );
    for arguments in [
        json!({ "day": "2026-02-30" }),
        json!({ "day": "2026-02-28", "path": "../a" }),
        json!({ "day": "2026-02-28", "code": "a" }),
    ] {
        assert!(client.call("plan", arguments.clone()).await.unwrap().is_error(), "{arguments}");
    }
    assert!(client.read("plan://2026-02-28/9").await.is_ok());
    assert!(client.read("file:///a/b").await.is_ok());
    for uri in ["file:///a/%2e%2e", "plan://2026-02-30/9", "plan://2026-02-28/10", "plan://2026-02-28/x"] {
        assert!(client.read(uri).await.is_err(), "{uri}");
    }
}

#[tokio::test]
async fn each_request_is_told_with_where_its_answer_comes_from() {
    let (sender, told) = std::sync::mpsc::channel();
    let secret = "[[tools]]\nname = \"log_in\"\nargs = { token = { type = \"string\", secret = true } }\n";
    let mock = of_text(&format!("{EXAMPLES}{secret}")).on_request(move |request| {
        let line = format!("{} {} {:?}: {}", request.method, request.name, request.arguments, request.answer);
        sender.send(line).unwrap();
    });
    let mut client = Client::new(mock);
    client.call("search", json!({ "word": "x" })).await.unwrap();
    client.call("search", json!({ "wort": "x" })).await.unwrap();
    client.call("log_in", json!({ "token": "tell nobody" })).await.unwrap();
    let told: Vec<String> = told.try_iter().collect();
    let search = r#"tools/call search Some("{\"word\":\"x\"}"): nearest example 1"#;
    assert_eq!(told, [search, "tools/call log_in None: generated"]);
}

#[tokio::test]
async fn what_no_value_fulfills_is_an_honest_error() {
    let never = r#"{"tools":[{"name":"t","inputSchema":{"type":"object"},"outputSchema":{"type":"object","required":["a"],"properties":{"a":{"type":"string","not":{"type":"string"}}}}}]}"#;
    let answer = Client::new(of_file("a.json", Role::Json, never)).call("t", json!({})).await.unwrap();
    assert!(answer.is_error() && answer.text().contains("give the contract an example"), "{}", answer.text());
}

/// Outputs for schemas that nobody wrote, judged by an independent validator: none is wrong, and hardly one is missing that
/// there could be.
#[tokio::test]
async fn made_up_outputs_are_valid() {
    let schemas: Vec<Value> = mcp_codegen_random::schemas().into_iter().filter_map(|random| random.output).collect();
    let tool = |(index, schema): (usize, &Value)| json!({ "name": format!("t{index}"), "inputSchema": { "type": "object" }, "outputSchema": schema });
    let tools: Vec<Value> = schemas.iter().enumerate().map(tool).collect();
    let contract = json!({ "tools": tools }).to_string();
    let mut client = Client::new(of_file("a.json", Role::Json, &contract)).revision(Revision::V2026_07_28);
    let mut missing = 0;
    for (index, schema) in schemas.iter().enumerate() {
        let answer = client.call(&format!("t{index}"), json!({})).await.unwrap();
        let output = answer.structured().cloned();
        let Some(output) = output else {
            let is_empty = inclusion(&schema.to_string(), "false") == Some(Inclusion::Holds);
            missing += usize::from(answer.is_error() && !is_empty);
            continue;
        };
        let validator: Validator =
            jsonschema::options().offline().should_validate_formats(false).build(schema).unwrap();
        assert!(validator.is_valid(&output), "{output} | {schema}");
    }
    support::note(&format!("{} random output schemas, {missing} without a value", schemas.len()));
    assert!(missing * 20 < schemas.len(), "{missing} of {}", schemas.len());
}

#[tokio::test]
async fn real_servers_are_mocked_with_the_lists_that_they_gave() {
    let Some(corpus) = support::shared("corpus/servers") else { return };
    let mut dumps: Vec<PathBuf> = std::fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
    dumps.sort();
    let (mut tools, mut answered, mut without) = (0, 0, 0);
    for dump in &dumps {
        let dumped: Value = serde_json::from_str(&std::fs::read_to_string(dump).unwrap()).unwrap();
        let mut client = Client::new(of_path(dump));
        let list = |kind: &str| dumped[kind].as_array().cloned().unwrap_or_default();
        let listed = client.tools().await.unwrap_or_default();
        assert_eq!(listed, list("tools"), "{}", dump.display());
        assert_eq!(client.resources().await.unwrap_or_default(), list("resources"), "{}", dump.display());
        assert_eq!(client.resource_templates().await.unwrap_or_default(), list("resourceTemplates"));
        assert_eq!(client.prompts().await.unwrap_or_default(), list("prompts"), "{}", dump.display());
        tools += listed.len();
        for tool in
            listed.iter().filter(|tool| tool["outputSchema"].is_object() && tool["inputSchema"]["required"].is_null())
        {
            let answer = client.call(tool["name"].as_str().unwrap(), json!({})).await.unwrap();
            answered += 1;
            without += usize::from(answer.is_error());
        }
    }
    support::note(&format!("{} servers, {tools} tools; {answered} called, {without} without a value", dumps.len()));
    assert!(dumps.len() > 50 && answered > 0 && without == 0, "{answered} called, {without} without a value");
}
