//! Features that are known only at run time, beside those of the contract.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_runtime::listener::{Listener, Skipped};
use mcp_runtime::provider::{
    PromptArgument, PromptDefinition, PromptFuture, PromptProvider, Prompts, ResourceDefinition, ResourceFuture,
    ResourceProvider, Resources, TemplateDefinition, ToolDefinition, ToolFuture, ToolProvider, Tools,
};
use mcp_runtime::testing::Client;
use mcp_runtime::{Context, ErrorCode, PromptMessages, ResourceContents, Server, ToolResponse};
use serde_json::{Map, Value, json};

use crate::travel::Travel;
use crate::{ERAS, api};

/// Offers one of each kind, and once it is greedy also what the contract has.
#[derive(Default)]
struct Extra {
    greedy: AtomicBool,
}

impl ToolProvider for Extra {
    fn tools(&self) -> Vec<ToolDefinition> {
        let schema = json!({ "type": "object", "properties": { "km": { "type": "integer" } }, "required": ["km"] });
        let mut tools = vec![ToolDefinition::new("walk", schema.clone()).title("Walk")];
        if self.greedy.load(Ordering::Relaxed) {
            tools.push(ToolDefinition::new("book", schema.clone()));
            tools.push(ToolDefinition::new("walk", schema));
            tools.push(ToolDefinition::new("run", json!(true)));
        }
        tools
    }

    fn call<'a>(&'a self, name: &'a str, arguments: Map<String, Value>, _: &'a Context) -> ToolFuture<'a> {
        Box::pin(async move { Ok(ToolResponse::text(format!("{name}: {} km", arguments["km"]))) })
    }
}

impl ResourceProvider for Extra {
    fn resources(&self) -> Vec<ResourceDefinition> {
        // the contract's template `travel://{season}/{city}` matches this one, too
        vec![ResourceDefinition::new("travel://winter/map", "map").mime_type("text/x-map").description("A map")]
    }

    fn templates(&self) -> Vec<TemplateDefinition> {
        vec![TemplateDefinition::new("photo://{city}/{number}", "photo").mime_type("image/png")]
    }

    fn read<'a>(&'a self, uri: &'a str, _: &'a Context) -> ResourceFuture<'a> {
        Box::pin(async move {
            let variables = self.templates()[0].variables(uri);
            Ok(variables.map_or_else(|| "the map".into(), |v| ResourceContents::text(format!("{v:?}"))))
        })
    }
}

impl PromptProvider for Extra {
    fn prompts(&self) -> Vec<PromptDefinition> {
        let guest = PromptArgument::new("guest").description("Whom").required();
        vec![PromptDefinition::new("greet").title("Greet").argument(guest).argument(PromptArgument::new("how"))]
    }

    fn render<'a>(&'a self, _: &'a str, arguments: BTreeMap<String, String>, _: &'a Context) -> PromptFuture<'a> {
        Box::pin(async move { Ok(PromptMessages::user(format!("greet {}", arguments["guest"]))) })
    }
}

fn with_extra(extra: &Arc<Extra>) -> Server<impl mcp_runtime::Service> {
    let server = Server::new(api::service(Travel)).provider::<Tools, _>(Arc::clone(extra));
    server.provider::<Resources, _>(Arc::clone(extra)).provider::<Prompts, _>(Arc::clone(extra))
}

fn names<'l>(list: &'l [Value], key: &str) -> Vec<&'l str> {
    list.iter().map(|one| one[key].as_str().expect("as the protocol says")).collect()
}

#[tokio::test]
async fn provided_features_follow_those_of_the_contract() {
    for era in ERAS {
        let mut client = Client::new(with_extra(&Arc::default())).revision(era);
        assert_eq!(
            names(&client.tools().await.expect("as the protocol says"), "name"),
            ["book", "count", "wait", "sleep", "trace", "walk"]
        );
        let resources = client.resources().await.expect("as the protocol says");
        assert_eq!(names(&resources, "uri"), ["travel://news", "travel://terms", "travel://winter/map"]);
        assert_eq!(resources[2]["description"], "A map");
        let templates = client.resource_templates().await.expect("as the protocol says");
        assert_eq!(names(&templates, "name"), ["secret", "guide", "photo"]);
        let prompts = client.prompts().await.expect("as the protocol says");
        assert_eq!(names(&prompts, "name"), ["plan", "postcard", "greet"]);
        let arguments = json!([{ "name": "guest", "description": "Whom", "required": true }, { "name": "how" }]);
        assert_eq!(prompts[2]["arguments"], arguments);
    }
}

#[tokio::test]
async fn provided_features_are_called_read_and_rendered() {
    for era in ERAS {
        let mut client = Client::new(with_extra(&Arc::default())).revision(era);
        assert_eq!(client.call("walk", json!({ "km": 3 })).await.expect("as the protocol says").text(), "walk: 3 km");
        assert!(client.call("walk", json!({})).await.expect("as the protocol says").is_error());
        let contents = client.read("photo://Oslo%20C/7").await.expect("as the protocol says");
        let expected = r#"{"city": "Oslo C", "number": "7"}"#;
        assert_eq!(contents, [json!({ "uri": "photo://Oslo%20C/7", "mimeType": "image/png", "text": expected })]);
        let greeting = client.render("greet", json!({ "guest": "Ada" })).await.expect("as the protocol says");
        assert_eq!(greeting[0]["content"]["text"], "greet Ada");
        for arguments in [json!({}), json!({ "guest": "Ada", "why": "" }), json!({ "guest": 1 })] {
            let refused = client.render("greet", arguments).await.expect_err("as the protocol says");
            assert_eq!(refused.code, i64::from(ErrorCode::InvalidParams.code()));
        }
        assert!(client.read("photo://Oslo").await.is_err());
        assert!(client.render("nothing", json!({})).await.is_err());
    }
}

/// RS9
#[tokio::test]
async fn an_exact_uri_comes_before_every_template() {
    let mut client = Client::new(with_extra(&Arc::default()));
    assert_eq!(client.read("travel://winter/map").await.expect("as the protocol says")[0]["text"], "the map");
    assert_eq!(client.read("travel://winter/Oslo").await.expect("as the protocol says")[0]["text"], "Oslo in winter");
}

/// T3
#[tokio::test]
async fn a_name_that_is_taken_stops_the_start() {
    let extra = Arc::new(Extra { greedy: AtomicBool::new(true) });
    let client = Client::new(with_extra(&extra));
    let error = client.close().await.expect_err("as the protocol says");
    assert!(error.is_duplicate());
    assert_eq!(error.to_string(), "tool `book` is claimed twice: by service 1 and by tool provider 1");
}

struct Hear(Arc<Mutex<Vec<Skipped>>>);

impl Listener for Hear {
    fn skipped(&self, event: &Skipped) {
        self.0.lock().expect("as the protocol says").push(event.clone());
    }
}

#[tokio::test]
async fn a_name_that_comes_up_later_and_is_taken_is_skipped_and_told_of_once() {
    let (extra, heard) = (Arc::new(Extra::default()), Arc::default());
    let mut client = Client::new(with_extra(&extra).listener(Hear(Arc::clone(&heard))));
    client.tools().await.expect("as the protocol says");
    extra.greedy.store(true, Ordering::Relaxed);
    for _ in 0..3 {
        assert_eq!(
            names(&client.tools().await.expect("as the protocol says"), "name"),
            ["book", "count", "wait", "sleep", "trace", "walk"]
        );
    }
    assert_eq!(
        client.call("book", json!({ "city": "Oslo" })).await.expect("as the protocol says").text(),
        "booked Oslo"
    );
    client.close().await.expect("as the protocol says");
    while heard.lock().expect("as the protocol says").len() < 3 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let heard = heard.lock().expect("as the protocol says");
    let told: Vec<_> = heard.iter().map(|event| (event.kind, event.name.as_str(), event.why.as_str())).collect();
    let no_object = "the root of its `inputSchema` does not say `\"type\": \"object\"`";
    let another = "another provider has it";
    assert_eq!(told, [("tool", "book", "service 1 has it"), ("tool", "walk", another), ("tool", "run", no_object)]);
}
