//! Arguments that clients repeat as HTTP headers: each rule of `x-mcp-header`, as a client sees it.

/// What the contract in `headers/contract` becomes.
pub mod api {
    mcp_runtime::include_service!("headers");
}

use std::sync::{Arc, Mutex};

use api::{Book, Ping, book, ping};
use mcp_runtime::http::HttpService;
use mcp_runtime::listener::{Listener, Skipped};
use mcp_runtime::provider::{ToolDefinition, ToolFuture, ToolProvider};
use mcp_runtime::testing::Client;
use mcp_runtime::{Context, Revision, Server, ToolError, ToolResponse};
use serde_json::{Map, Value, json};
use support::posted::{Posted, answer, post, stateless};

struct Rooms;

impl Ping for Rooms {
    async fn call(&self, _: ping::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok("pong".into())
    }
}

impl Book for Rooms {
    async fn call(&self, args: book::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(format!("{:?} {:?} {:?}", args.house, args.seats, args.quiet).into())
    }
}

/// Offers tools by their schemas.
struct Schemas(Vec<(&'static str, Value)>);

impl ToolProvider for Schemas {
    fn tools(&self) -> Vec<ToolDefinition> {
        self.0.iter().map(|(name, schema)| ToolDefinition::new(*name, schema.clone())).collect()
    }

    fn call<'a>(&'a self, _: &'a str, arguments: Map<String, Value>, _: &'a Context) -> ToolFuture<'a> {
        Box::pin(async move { Ok(Value::Object(arguments).to_string().into()) })
    }
}

fn service() -> HttpService {
    Server::new(api::service(Rooms)).http().service().expect("a server")
}

async fn call(service: &HttpService, name: &str, arguments: Value, headers: &[(&'static str, &str)]) -> Posted {
    let mut request = stateless("tools/call", json!({ "name": name, "arguments": arguments }));
    for (header, value) in headers {
        let value = http::HeaderValue::from_bytes(value.as_bytes()).expect("a header");
        request.headers_mut().append(*header, value);
    }
    answer(service, request).await
}

async fn book(arguments: Value, headers: &[(&'static str, &str)]) -> Posted {
    call(&service(), "book", arguments, headers).await
}

const AGREES: (u16, i64) = (200, 0);
const DIFFERS: (u16, i64) = (400, -32_020);

#[tokio::test]
async fn a_value_needs_its_header() {
    assert_eq!(book(json!({ "house": "north" }), &[]).await.outcome(), DIFFERS);
    let booked = book(json!({ "house": "north" }), &[("mcp-param-house", "north")]).await;
    assert_eq!((booked.outcome(), booked.text()), (AGREES, r#"Some("north") None None"#));
    assert_eq!(book(json!({ "house": "north" }), &[("mcp-param-house", "North")]).await.outcome(), DIFFERS);
    assert_eq!(book(json!({ "house": "" }), &[("mcp-param-house", "")]).await.outcome(), AGREES);
    // the request is known by its id, and the answer says which header it is
    let refused = book(json!({ "house": "north" }), &[]).await;
    assert_eq!(refused.body["id"], 1);
    assert_eq!(refused.body["error"]["message"], "`Mcp-Param-House` is missing, and the body has the argument");
}

#[tokio::test]
async fn without_a_value_there_is_no_header() {
    for arguments in [json!({}), json!({ "house": null }), json!({ "place": {} })] {
        assert_eq!(book(arguments.clone(), &[]).await.outcome(), AGREES, "{arguments}");
        assert_eq!(book(arguments.clone(), &[("mcp-param-house", "")]).await.outcome(), DIFFERS, "{arguments}");
    }
    let bare = stateless("tools/call", json!({ "name": "book" }));
    assert_eq!(answer(&service(), bare).await.outcome(), AGREES);
}

#[tokio::test]
async fn encoded_values_are_decoded_before_they_are_compared() {
    let house = |body: &'static str, header: &'static str| async move {
        book(json!({ "house": body }), &[("mcp-param-house", header)]).await.outcome()
    };
    assert_eq!(house("Hello", "=?base64?SGVsbG8=?=").await, AGREES);
    assert_eq!(house("Größe", "=?base64?R3LDtsOfZQ==?=").await, AGREES);
    assert_eq!(house(" x ", "=?base64?IHgg?=").await, AGREES);
    assert_eq!(house("=?base64?SGVsbG8=?=", "=?base64?PT9iYXNlNjQ/U0dWc2JHOD0/PQ==?=").await, AGREES);
    // what does not look like it is meant as it stands
    assert_eq!(house("SGVsbG8=", "SGVsbG8=").await, AGREES);
    assert_eq!(house("=?base64?SGVsbG8=", "=?base64?SGVsbG8=").await, AGREES);
    assert_eq!(house("=?BASE64?SGVsbG8=?=", "=?BASE64?SGVsbG8=?=").await, AGREES);
    for broken in ["=?base64?SGVsbG8?=", "=?base64?SGVs!!!bG8=?=", "=?base64?/w==?="] {
        assert_eq!(house("Hello", broken).await, DIFFERS, "{broken}");
    }
}

#[tokio::test]
async fn integers_are_compared_by_their_value() {
    let seats = |body: &'static str, header: &'static str| async move {
        let arguments = serde_json::from_str(&format!(r#"{{ "seats": {body} }}"#)).expect("JSON");
        book(arguments, &[("mcp-param-seats", header)]).await.outcome()
    };
    assert_eq!(seats("42", "42").await, AGREES);
    assert_eq!(seats("42", "42.0").await, AGREES);
    assert_eq!(seats("42.0", "42").await, AGREES);
    assert_eq!(seats("-9007199254740991", "-9007199254740991").await, AGREES);
    for other in ["43", "", "042", "forty-two", "4 2"] {
        assert_eq!(seats("42", other).await, DIFFERS, "{other}");
    }
}

#[tokio::test]
async fn booleans_are_words() {
    for (body, header, outcome) in
        [(true, "true", AGREES), (false, "false", AGREES), (true, "True", DIFFERS), (true, "1", DIFFERS)]
    {
        assert_eq!(book(json!({ "quiet": body }), &[("mcp-param-quiet", header)]).await.outcome(), outcome, "{header}");
    }
}

#[tokio::test]
async fn properties_lead_to_values_inside_objects() {
    let arguments = json!({ "place": { "city": "Oslo" } });
    assert_eq!(book(arguments.clone(), &[("mcp-param-method", "Oslo")]).await.outcome(), AGREES);
    assert_eq!(book(arguments, &[]).await.outcome(), DIFFERS);
    // the same name elsewhere is another value
    assert_eq!(book(json!({ "note": "city" }), &[("mcp-param-method", "Oslo")]).await.outcome(), DIFFERS);
}

#[tokio::test]
async fn a_header_stands_once_and_unknown_ones_are_passed_over() {
    let twice = [("mcp-param-house", "north"), ("mcp-param-house", "north")];
    assert_eq!(book(json!({ "house": "north" }), &twice).await.outcome(), DIFFERS);
    assert_eq!(book(json!({ "note": "x" }), &[("mcp-param-note", "y"), ("mcp-param-z", "")]).await.outcome(), AGREES);
    let other = call(&service(), "ping", json!({}), &[("mcp-param-house", "north")]).await;
    assert_eq!(other.outcome(), AGREES);
}

/// Slips are mended on the way to the handler; what stands in between would see another value than it gets.
#[tokio::test]
async fn what_would_be_mended_is_compared_as_it_came() {
    let arguments = json!({ "place": r#"{"city":"Oslo"}"# });
    assert_eq!(book(arguments, &[]).await.outcome(), DIFFERS);
    assert_eq!(book(json!({ "seats": "42" }), &[("mcp-param-seats", "42")]).await.text(), "None Some(42) None");
    assert_eq!(book(json!({ "seats": "42" }), &[]).await.outcome(), DIFFERS);
}

#[tokio::test]
async fn headers_are_checked_after_the_name_and_before_the_handler() {
    let service = service();
    // the standard headers first
    let mut request = stateless("tools/call", json!({ "name": "book", "arguments": { "house": "north" } }));
    request.headers_mut().remove("mcp-name");
    let refused = answer(&service, request).await;
    assert_eq!(refused.body["error"]["message"], "`Mcp-Name` is missing");
    // an unknown tool repeats nothing
    assert_eq!(call(&service, "look", json!({ "house": "north" }), &[]).await.outcome(), (400, -32_602));
    // arguments that the schema refuses come later
    let refused =
        call(&service, "book", json!({ "house": "north", "seats": "many" }), &[("mcp-param-house", "n")]).await;
    assert_eq!(refused.outcome(), DIFFERS);
}

#[tokio::test]
async fn sessions_and_byte_streams_know_no_such_headers() {
    let service = service();
    let params = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" },
    });
    let opened =
        answer(&service, post(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })));
    let session = opened.await.header("mcp-session-id").to_owned();
    let params = json!({ "name": "book", "arguments": { "house": "north" } });
    let mut request = post(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }));
    request.headers_mut().insert("mcp-session-id", session.parse().expect("a header"));
    assert_eq!(answer(&service, request).await.text(), r#"Some("north") None None"#);

    let mut client = Client::new(api::service(Rooms)).revision(Revision::V2026_07_28);
    let booked = client.call("book", json!({ "house": "north" })).await.expect("as the protocol says");
    assert_eq!(booked.text(), r#"Some("north") None None"#);
}

#[tokio::test]
async fn clients_of_every_revision_read_the_keyword() {
    for revision in [Revision::V2024_11_05, Revision::V2025_11_25, Revision::V2026_07_28] {
        let mut client = Client::new(api::service(Rooms)).revision(revision);
        let tools = client.tools().await.expect("as the protocol says");
        assert_eq!(tools[1]["inputSchema"]["properties"]["seats"]["x-mcp-header"], "Seats", "{revision:?}");
    }
}

#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<String>>>);

impl Listener for Heard {
    fn skipped(&self, event: &Skipped) {
        self.0.lock().expect("nobody panicked").push(format!("{}: {}", event.name, event.why));
    }
}

#[tokio::test]
async fn provided_tools_have_them_too() {
    let annotated =
        |ty: &str, name: &str| json!({ "type": "object", "properties": { "a": { "type": ty, "x-mcp-header": name } } });
    let tools = vec![
        ("good", annotated("string", "A")),
        ("bad", annotated("number", "A")),
        ("worse", annotated("string", "A B")),
    ];
    let heard = Heard::default();
    let server = Server::new(api::service(Rooms)).provider(Schemas(tools)).listener(heard.clone());
    let service = server.http().service().expect("a server");
    assert_eq!(call(&service, "good", json!({ "a": "x" }), &[]).await.outcome(), DIFFERS);
    assert_eq!(call(&service, "good", json!({ "a": "x" }), &[("mcp-param-a", "x")]).await.text(), r#"{"a":"x"}"#);
    assert_eq!(call(&service, "good", json!({}), &[("mcp-param-a", "x")]).await.outcome(), DIFFERS);
    // clients would drop these, so that they are not served at all
    assert_eq!(call(&service, "bad", json!({ "a": 1 }), &[("mcp-param-a", "1")]).await.outcome(), (400, -32_602));
    let listed = answer(&service, stateless("tools/list", json!({}))).await;
    let names: Vec<_> =
        listed.body["result"]["tools"].as_array().expect("tools").iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["ping", "book", "good"]);
    service.shut_down().await;
    let mut heard = heard.0.lock().expect("nobody panicked").clone();
    heard.sort();
    assert_eq!(
        heard,
        [
            "bad: an `x-mcp-header` of its is on no string, integer or boolean",
            "worse: an `x-mcp-header` of its is no name of a header",
        ]
    );
}
