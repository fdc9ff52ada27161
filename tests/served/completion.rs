//! Completion of prompt arguments and template variables.

use mcp_runtime::testing::Client;
use mcp_runtime::{Revision, Server};
use serde_json::{Value, json};

use crate::travel::Travel;
use crate::{ERAS, api};

fn client(revision: Revision) -> Client {
    Client::new(api::service(Travel)).revision(revision)
}

/// C1
#[tokio::test]
async fn values_of_the_contract_are_suggested_without_code() {
    for era in ERAS {
        let mut client = client(era);
        assert_eq!(
            client.complete_prompt("plan", "country", "").await.expect("as the protocol says"),
            ["France", "Italy", "Finland"]
        );
        assert_eq!(
            client.complete_prompt("plan", "country", "f").await.expect("as the protocol says"),
            ["France", "Finland"]
        );
        assert_eq!(client.complete_prompt("plan", "country", "IN").await.expect("as the protocol says"), ["Finland"]);
        let seasons =
            client.complete_template("travel://{season}/{city}", "season", "er").await.expect("as the protocol says");
        assert_eq!(seasons, ["summer", "winter"]);
    }
}

/// C1
#[tokio::test]
async fn a_method_sees_what_is_filled_in_already() {
    for era in ERAS {
        let mut client = client(era);
        let params = |context: Value| {
            let reference = json!({ "type": "ref/prompt", "name": "plan" });
            json!({ "ref": reference, "argument": { "name": "city", "value": "m" }, "context": context })
        };
        let found = client.request("completion/complete", params(json!({ "arguments": { "country": "Italy" } })));
        let completion = found.await.expect("as the protocol says")["completion"].take();
        assert_eq!(completion, json!({ "values": ["Milan", "Rome"], "total": 2, "hasMore": false }));
        let refused = client.request("completion/complete", params(json!({}))).await.expect_err("as the protocol says");
        assert_eq!((refused.code, refused.message.as_str()), (-32_602, "choose a country first"));
        let refused = client.request("completion/complete", params(json!({ "arguments": { "country": 1 } })));
        assert_eq!(refused.await.expect_err("as the protocol says").code, -32_602);
    }
}

/// C2
#[tokio::test]
async fn at_most_100_values_go_out() {
    let mut client = client(Revision::NEWEST_WITH_SESSION);
    let reference = json!({ "type": "ref/resource", "uri": "travel://{season}/{city}" });
    let params = json!({ "ref": reference, "argument": { "name": "city", "value": "" } });
    let completion =
        client.request("completion/complete", params).await.expect("as the protocol says")["completion"].take();
    assert_eq!(completion["values"].as_array().expect("as the protocol says").len(), 100);
    assert_eq!((&completion["total"], &completion["hasMore"]), (&json!(250), &json!(true)));
}

#[tokio::test]
async fn a_prompt_without_a_handler_can_have_a_method_for_an_argument() {
    let mut client = client(Revision::NEWEST_WITH_SESSION);
    assert_eq!(client.complete_prompt("postcard", "type", "b").await.expect("as the protocol says"), ["beaches"]);
    let messages = client.render("postcard", json!({ "type": "beaches" })).await.expect("as the protocol says");
    assert_eq!(messages[0]["content"]["text"], "Write about beaches.");
}

/// C2
#[tokio::test]
async fn what_is_unknown_is_refused_and_what_nobody_completes_is_empty() {
    for era in ERAS {
        let mut client = client(era);
        assert_eq!(
            client.complete_prompt("plan", "note", "x").await.expect("as the protocol says"),
            Vec::<String>::new()
        );
        assert_eq!(
            client.complete_template("travel://secret/{city}", "city", "x").await.expect("as the protocol says"),
            Vec::<String>::new()
        );
        assert_eq!(
            client.complete_prompt("plan", "nothing", "x").await.expect_err("as the protocol says").code,
            -32_602
        );
        assert_eq!(
            client.complete_prompt("nothing", "city", "x").await.expect_err("as the protocol says").code,
            -32_602
        );
        assert_eq!(
            client.complete_template("travel://news", "city", "x").await.expect_err("as the protocol says").code,
            -32_602
        );
        assert_eq!(
            client
                .complete_template("travel://secret/{city}", "season", "")
                .await
                .expect_err("as the protocol says")
                .code,
            -32_602
        );
        for params in [
            json!({}),
            json!({ "ref": { "type": "ref/prompt" }, "argument": { "name": "a", "value": "" } }),
            json!({ "ref": { "type": "ref/prompt", "name": "plan" }, "argument": { "name": "city" } }),
            json!({ "ref": { "type": "ref/tool", "name": "book" }, "argument": { "name": "city", "value": "" } }),
        ] {
            assert_eq!(
                client.request("completion/complete", params).await.expect_err("as the protocol says").code,
                -32_602
            );
        }
    }
}

/// C1
#[tokio::test]
async fn the_capability_is_declared_where_the_revision_has_it() {
    let declared = |revision: Revision| async move {
        let mut raw = Client::new(Server::new(api::service(Travel))).revision(Revision::V2026_07_28);
        let client = json!({ "name": "t", "version": "1" });
        let params = json!({ "protocolVersion": revision.as_str(), "capabilities": {}, "clientInfo": client });
        raw.say(&json!({ "jsonrpc": "2.0", "id": 7, "method": "initialize", "params": params })).await;
        raw.finish(7).await.expect("as the protocol says")["capabilities"].take()
    };
    assert_eq!(declared(Revision::V2024_11_05).await.get("completions"), None);
    assert_eq!(declared(Revision::V2025_03_26).await["completions"], json!({}));
    let mut stateless = client(Revision::V2026_07_28);
    let discovered = stateless.request("server/discover", json!({})).await.expect("as the protocol says");
    assert_eq!(discovered["capabilities"]["completions"], json!({}));
}
