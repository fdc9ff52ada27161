//! Tools that are known only at run time are held to their schemas, patterns included.

use mcp_runtime::provider::{ToolDefinition, ToolFuture, ToolProvider};
use mcp_runtime::testing::Client;
use mcp_runtime::{Context, Server, ToolResponse};
use serde_json::{Map, Value, json};

use crate::api;
use crate::handler::Echo;

struct Shop;

impl ToolProvider for Shop {
    fn tools(&self) -> Vec<ToolDefinition> {
        let schema = json!({
            "type": "object",
            "properties": { "sku": { "type": "string", "pattern": r"^(?!x)[a-z]+-\d{3}$" } },
            "patternProperties": { r"^n_\w+$": { "type": "integer" } },
            "additionalProperties": false
        });
        vec![ToolDefinition::new("buy", schema)]
    }

    fn call<'a>(&'a self, _: &'a str, arguments: Map<String, Value>, _: &'a Context) -> ToolFuture<'a> {
        Box::pin(async move { Ok(ToolResponse::text(Value::Object(arguments).to_string())) })
    }
}

#[tokio::test]
async fn patterns_decide() {
    let mut client = Client::new(Server::new(api::service(Echo)).provider(Shop));
    for (arguments, told) in [
        (json!({ "sku": "tea-001", "n_box": "2" }), r#"{"sku":"tea-001","n_box":2}"#),
        (
            json!({ "sku": "xtea-001" }),
            "- /sku: expected a string that matches the pattern ^(?!x)[a-z]+-\\d{3}$, got \"xtea-001\"",
        ),
        (json!({ "sku": "tea-\u{0663}12" }), "- /sku"),
        (json!({ "n_é": 1 }), "- /n_é: unknown argument"),
    ] {
        let text = client.call("buy", arguments.clone()).await.expect("the tool is there").text();
        assert!(text.contains(told), "{arguments}: {text}");
    }
    let error = client.call("by", json!({})).await.expect_err("no such tool");
    assert_eq!(error.message, "unknown tool: by; did you mean `buy`?");
    let error = client.call("buy", json!(5)).await.expect_err("no such shape");
    assert_eq!((error.code, error.message.as_str()), (-32602, "`arguments` must be an object"));
}
