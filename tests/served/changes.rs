//! Telling clients of changes: sessions by notifications, stateless clients on the streams that they open.

use mcp_runtime::provider::{ResourceDefinition, ResourceFuture, ResourceProvider};
use mcp_runtime::testing::Client;
use mcp_runtime::{Changes, Context, Revision, Server};
use serde_json::{Value, json};

use crate::travel::Travel;
use crate::{ERAS, api};

const STATELESS: Revision = Revision::V2026_07_28;

fn client(changes: &Changes, revision: Revision) -> Client {
    Client::new(Server::new(api::service(Travel)).changes(changes)).revision(revision)
}

fn tell_all(changes: &Changes) {
    changes.tools_changed();
    changes.resources_changed();
    changes.prompts_changed();
    for uri in ["travel://news", "travel://terms", "travel://winter/Oslo"] {
        changes.resource_updated(uri);
    }
}

/// All that was told up to now.
async fn unasked(client: &mut Client) -> Vec<Value> {
    // what is due goes out with the first answer, at the latest, and before the second
    client.tools().await.expect("as the protocol says");
    client.tools().await.expect("as the protocol says");
    client.unasked()
}

/// T15 RS7 RS8 P4
#[tokio::test]
async fn a_session_is_told_of_lists_and_of_what_it_subscribed_to() {
    let changes = Changes::new();
    let mut client = client(&changes, Revision::NEWEST_WITH_SESSION);
    for uri in ["travel://news", "travel://winter/Oslo"] {
        assert_eq!(
            client.request("resources/subscribe", json!({ "uri": uri })).await.expect("as the protocol says"),
            json!({})
        );
    }
    tell_all(&changes);
    let expected = [
        json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/prompts/list_changed" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/resources/list_changed" }),
    ];
    let updated =
        |uri| json!({ "jsonrpc": "2.0", "method": "notifications/resources/updated", "params": { "uri": uri } });
    let mut heard = unasked(&mut client).await;
    assert_eq!(heard.split_off(3), [updated("travel://news"), updated("travel://winter/Oslo")]);
    assert_eq!(heard, expected);
    client.request("resources/unsubscribe", json!({ "uri": "travel://news" })).await.expect("as the protocol says");
    changes.resource_updated("travel://news");
    changes.resource_updated("travel://winter/Oslo");
    assert_eq!(unasked(&mut client).await, [updated("travel://winter/Oslo")]);
}

/// RS7
#[tokio::test]
async fn nobody_subscribes_to_what_tells_nothing() {
    let mut client = client(&Changes::new(), Revision::NEWEST_WITH_SESSION);
    for (uri, code) in [("travel://terms", -32_602), ("travel://secret/Oslo", -32_602), ("x://y", -32_002)] {
        let refused =
            client.request("resources/subscribe", json!({ "uri": uri })).await.expect_err("as the protocol says");
        assert_eq!(refused.code, code, "{uri}");
    }
    assert_eq!(client.request("resources/subscribe", json!({})).await.expect_err("as the protocol says").code, -32_602);
}

/// T1 RS1 DI4 SB8
#[tokio::test]
async fn what_a_server_tells_is_declared() {
    let told = json!({ "subscribe": true, "listChanged": true });
    let mut telling = client(&Changes::new(), STATELESS);
    let declared =
        telling.request("server/discover", json!({})).await.expect("as the protocol says")["capabilities"].take();
    assert_eq!((&declared["tools"], &declared["resources"]), (&json!({ "listChanged": true }), &told));
    let mut silent = Client::new(api::service(Travel)).revision(STATELESS);
    let declared =
        silent.request("server/discover", json!({})).await.expect("as the protocol says")["capabilities"].take();
    assert_eq!((&declared["tools"], &declared["resources"]), (&json!({}), &json!({})));
    let listen = json!({ "notifications": { "toolsListChanged": true } });
    assert_eq!(silent.request("subscriptions/listen", listen).await.expect_err("as the protocol says").code, -32_601);
    let mut silent = Client::new(api::service(Travel));
    let subscribe = json!({ "uri": "travel://news" });
    assert_eq!(silent.request("resources/subscribe", subscribe).await.expect_err("as the protocol says").code, -32_601);
}

/// RS7 SB8
#[tokio::test]
async fn each_era_has_its_own_way_to_subscribe() {
    let changes = Changes::new();
    let listen = json!({ "notifications": {} });
    let mut session = client(&changes, Revision::NEWEST_WITH_SESSION);
    assert_eq!(session.request("subscriptions/listen", listen).await.expect_err("as the protocol says").code, -32_601);
    let mut stateless = client(&changes, STATELESS);
    let subscribe = json!({ "uri": "travel://news" });
    assert_eq!(
        stateless.request("resources/subscribe", subscribe).await.expect_err("as the protocol says").code,
        -32_601
    );
}

fn method(message: &Value) -> &str {
    message["method"].as_str().expect("as the protocol says")
}

/// The stream that a message belongs to.
fn stream(message: &Value) -> &Value {
    &message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"]
}

/// SB1 SB2 SB3 SB4 SB6
#[tokio::test]
async fn streams_carry_what_they_were_opened_for_and_their_id() {
    let changes = Changes::new();
    let mut client = client(&changes, STATELESS);
    let uris = ["travel://news", "travel://terms", "x://y"];
    let both = json!({ "notifications": { "toolsListChanged": true, "resourceSubscriptions": uris } });
    let both = client.start("subscriptions/listen", both).await;
    let prompts =
        client.start("subscriptions/listen", json!({ "notifications": { "promptsListChanged": true } })).await;
    let opened = client.notified("notifications/subscriptions/acknowledged").await;
    let honored = json!({ "toolsListChanged": true, "resourceSubscriptions": ["travel://news"] });
    let meta = json!({ "io.modelcontextprotocol/subscriptionId": both });
    assert_eq!(opened, json!({ "_meta": meta, "notifications": honored }));
    let opened = client.notified("notifications/subscriptions/acknowledged").await;
    assert_eq!(opened["notifications"], json!({ "promptsListChanged": true }));
    tell_all(&changes);
    let heard = unasked(&mut client).await;
    let told: Vec<_> = heard.iter().map(|message| (method(message), stream(message))).collect();
    let (both, prompts) = (json!(both), json!(prompts));
    let expected = [
        ("notifications/tools/list_changed", &both),
        ("notifications/resources/updated", &both),
        ("notifications/prompts/list_changed", &prompts),
    ];
    assert_eq!(told, expected);
    assert_eq!(heard[1]["params"]["uri"], "travel://news");
}

/// SB5 SB6
#[tokio::test]
async fn a_client_ends_a_stream_and_hears_no_more_of_it() {
    let changes = Changes::new();
    let mut client = client(&changes, STATELESS);
    let listen = json!({ "notifications": { "toolsListChanged": true } });
    let first = client.start("subscriptions/listen", listen.clone()).await;
    let second = client.start("subscriptions/listen", listen).await;
    unasked(&mut client).await;
    client.cancel(first).await;
    client.tools().await.expect("as the protocol says");
    changes.tools_changed();
    let heard = unasked(&mut client).await;
    assert_eq!(heard.iter().map(stream).collect::<Vec<_>>(), [&json!(second)]);
}

/// SB3 SB5 CN3
#[tokio::test]
async fn the_server_ends_every_stream_with_a_notice_and_a_result() {
    let mut client = client(&Changes::new(), STATELESS);
    let id = client.start("subscriptions/listen", json!({ "notifications": { "toolsListChanged": true } })).await;
    client.notified("notifications/subscriptions/acknowledged").await;
    let heard = client.close().await.expect("as the protocol says");
    assert_eq!(heard.len(), 2);
    assert_eq!((method(&heard[0]), &heard[0]["params"]["requestId"]), ("notifications/cancelled", &json!(id)));
    assert_eq!((&heard[1]["id"], &heard[1]["result"]["resultType"]), (&json!(id), &json!("complete")));
    let meta = &heard[1]["result"]["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/subscriptionId"], id);
    assert_eq!(meta["io.modelcontextprotocol/serverInfo"]["name"], "travel");
}

/// SB1 J3
#[tokio::test]
async fn a_filter_is_required_and_an_id_in_use_is_refused() {
    let mut client = client(&Changes::new(), STATELESS);
    for params in [json!({}), json!({ "notifications": true }), json!({ "notifications": { "toolsListChanged": 1 } })] {
        assert_eq!(
            client.request("subscriptions/listen", params).await.expect_err("as the protocol says").code,
            -32_602
        );
    }
    let id = client.start("subscriptions/listen", json!({ "notifications": {} })).await;
    assert_eq!(client.notified("notifications/subscriptions/acknowledged").await["notifications"], json!({}));
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": STATELESS.as_str(),
        "io.modelcontextprotocol/clientCapabilities": {} });
    let again = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list", "params": { "_meta": meta } });
    client.say(&again).await;
    assert_eq!(client.finish(id).await.expect_err("as the protocol says").code, -32_600);
}

struct Log(Changes);

impl ResourceProvider for Log {
    fn resources(&self) -> Vec<ResourceDefinition> {
        vec![ResourceDefinition::new("log://today", "today")]
    }

    fn read<'a>(&'a self, uri: &'a str, _: &'a Context) -> ResourceFuture<'a> {
        Box::pin(async move {
            self.0.resource_updated(uri);
            Ok("read once more".into())
        })
    }
}

#[tokio::test]
async fn a_provider_can_tell_of_its_resources() {
    for era in ERAS {
        let changes = Changes::new();
        let server = Server::new(api::service(Travel)).provider(Log(changes.clone())).changes(&changes);
        let mut client = Client::new(server).revision(era);
        if era == STATELESS {
            let filter = json!({ "notifications": { "resourceSubscriptions": ["log://today"] } });
            client.start("subscriptions/listen", filter).await;
        } else {
            client.request("resources/subscribe", json!({ "uri": "log://today" })).await.expect("as the protocol says");
        }
        client.read("log://today").await.expect("as the protocol says");
        assert_eq!(client.notified("notifications/resources/updated").await["uri"], "log://today");
    }
}
