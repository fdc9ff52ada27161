//! What is said beside calls, judged by the official schemas.

use mcp_runtime::{Changes, Server, Service};
use serde_json::{Value, json};
use support::official::Conversation;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, duplex};

use crate::api;
use crate::travel::Travel;

/// A raw line to the server, every message on which is judged.
pub(crate) struct Judged {
    output: DuplexStream,
    input: Lines<BufReader<DuplexStream>>,
    conversation: Conversation,
}

impl Judged {
    fn new(changes: &Changes) -> Self {
        Self::of(Server::new(api::service(Travel)).changes(changes))
    }

    pub(crate) fn of<S: Service>(server: Server<S>) -> Self {
        let ((output, server_input), (server_output, input)) = (duplex(1 << 16), duplex(1 << 16));
        tokio::spawn(server.serve_streams(server_input, server_output));
        Self { output, input: BufReader::new(input).lines(), conversation: Conversation::default() }
    }

    async fn say(&mut self, message: Value) {
        let line = format!("{message}\n");
        self.conversation.sent(line.as_bytes());
        self.output.write_all(line.as_bytes()).await.expect("as the protocol says");
    }

    async fn hear(&mut self) -> Value {
        let line = self.input.next_line().await.expect("as the protocol says").expect("as the protocol says");
        let message = serde_json::from_str(&line).expect("as the protocol says");
        let faults = self.conversation.faults(&message);
        assert!(faults.is_empty(), "the official schema refuses {message}\n{}", faults.join("\n"));
        message
    }

    pub(crate) async fn ask(&mut self, id: u32, method: &str, params: Value) -> Value {
        self.say(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
        self.hear().await
    }
}

fn completing() -> Value {
    json!({ "ref": { "type": "ref/prompt", "name": "plan" }, "argument": { "name": "country", "value": "f" } })
}

#[tokio::test]
async fn sessions() {
    let changes = Changes::new();
    let mut server = Judged::new(&changes);
    let client = json!({ "name": "test", "version": "1" });
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    server.ask(1, "initialize", hello).await;
    server.say(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    assert_eq!(server.ask(2, "completion/complete", completing()).await["id"], 2);
    assert_eq!(server.ask(3, "resources/subscribe", json!({ "uri": "travel://news" })).await["result"], json!({}));
    changes.tools_changed();
    changes.resource_updated("travel://news");
    assert_eq!(server.hear().await["method"], "notifications/tools/list_changed");
    assert_eq!(server.hear().await["method"], "notifications/resources/updated");
    assert_eq!(server.ask(4, "resources/unsubscribe", json!({ "uri": "travel://news" })).await["id"], 4);
}

#[tokio::test]
async fn stateless_clients() {
    let changes = Changes::new();
    let mut server = Judged::new(&changes);
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {} });
    assert_eq!(server.ask(1, "server/discover", json!({ "_meta": meta })).await["id"], 1);
    let mut complete = completing();
    complete["_meta"] = meta.clone();
    assert_eq!(server.ask(2, "completion/complete", complete).await["id"], 2);
    let notifications = json!({ "toolsListChanged": true, "resourceSubscriptions": ["travel://news"] });
    let opened = server.ask(3, "subscriptions/listen", json!({ "notifications": notifications, "_meta": meta })).await;
    assert_eq!(opened["method"], "notifications/subscriptions/acknowledged");
    changes.tools_changed();
    changes.resource_updated("travel://news");
    assert_eq!(server.hear().await["method"], "notifications/tools/list_changed");
    assert_eq!(server.hear().await["method"], "notifications/resources/updated");
    server.output.shutdown().await.expect("as the protocol says");
    assert_eq!(server.hear().await["method"], "notifications/cancelled");
    assert_eq!(server.hear().await["id"], 3);
}
