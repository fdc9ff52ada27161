//! A client in memory: no process, no pipe, the same lines.

use std::time::Duration;

use mcp_runtime::{Server, Service};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::official::Conversation;

/// What a server may take at most for anything that is not waiting by design.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server under test and its client. Every line of the server is judged by the official schemas.
#[derive(Debug)]
pub struct Memory {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    input: WriteHalf<DuplexStream>,
    conversation: Conversation,
    task: JoinHandle<mcp_runtime::Result<()>>,
}

impl Memory {
    /// Starts a server.
    #[must_use]
    pub fn start(server: Server<impl Service>) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (read, write) = tokio::io::split(theirs);
        let task = tokio::spawn(server.serve_streams(read, write));
        let (output, input) = tokio::io::split(ours);
        Self { lines: BufReader::new(output).lines(), input, conversation: Conversation::default(), task }
    }

    /// Starts a server and opens a session of a client with these capabilities.
    pub async fn session(server: Server<impl Service>, version: &str, capabilities: Value) -> Self {
        let mut client = Self::start(server);
        let info = json!({ "name": "test", "version": "1.0.0" });
        let params = json!({ "protocolVersion": version, "capabilities": capabilities, "clientInfo": info });
        client.say(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })).await;
        let answer = client.hear().await;
        assert_eq!(answer["result"]["protocolVersion"], version);
        client
    }

    /// Sends a message.
    pub async fn say(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.conversation.sent(line.as_bytes());
        self.input.write_all(line.as_bytes()).await.expect("write to the server");
    }

    /// Waits for the next message.
    pub async fn hear(&mut self) -> Value {
        let line = timeout(PATIENCE, self.lines.next_line()).await.expect("an answer in time").expect("a line");
        let line = line.expect("the server is there");
        let message = serde_json::from_str(&line).unwrap_or_else(|error| panic!("not JSON ({error}): {line}"));
        let faults = self.conversation.faults(&message);
        assert!(faults.is_empty(), "the official schema refuses {message}\n{}", faults.join("\n"));
        message
    }

    /// Sends a message, and hears one.
    pub async fn ask(&mut self, message: &Value) -> Value {
        self.say(message).await;
        self.hear().await
    }

    /// Says that nothing more comes, and hears what still does.
    pub async fn close(mut self) -> Vec<Value> {
        self.input.shutdown().await.expect("close the input");
        let mut last = Vec::new();
        while let Ok(Some(line)) = timeout(PATIENCE, self.lines.next_line()).await.expect("an end in time") {
            last.push(serde_json::from_str(&line).expect("JSON"));
        }
        self.task.await.expect("no panic").expect("no error");
        last
    }
}
