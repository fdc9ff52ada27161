//! A client of either era, each answer judged by the official schemas.

use mcp_runtime::{Revision, Server};
use serde_json::{Value, json};
use support::memory::Memory;

use crate::api;
use crate::house::House;

pub(crate) struct Peer {
    pub(crate) memory: Memory,
    revision: Revision,
    last_id: u64,
}

/// The server under test.
pub(crate) fn server() -> Server<api::Service<House>> {
    Server::new(api::service(House::default()))
}

impl Peer {
    /// A client of the house.
    pub(crate) async fn of(revision: Revision) -> Self {
        Self::with(server(), revision).await
    }

    pub(crate) async fn with(server: Server<api::Service<House>>, revision: Revision) -> Self {
        let memory = if revision.is_stateless() {
            Memory::start(server)
        } else {
            Memory::session(server, revision.as_str(), json!({})).await
        };
        Self { memory, revision, last_id: 0 }
    }

    /// A request of this era; what `_meta` it has stays.
    pub(crate) fn request(&mut self, method: &str, mut params: Value) -> Value {
        self.last_id += 1;
        if self.revision.is_stateless() {
            let meta = &mut params["_meta"];
            meta["io.modelcontextprotocol/protocolVersion"] = self.revision.as_str().into();
            if meta.get("io.modelcontextprotocol/clientCapabilities").is_none() {
                meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
            }
        }
        json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params })
    }

    /// Sends a request; its id.
    pub(crate) async fn start(&mut self, method: &str, params: Value) -> u64 {
        let request = self.request(method, params);
        self.memory.say(&request).await;
        self.last_id
    }

    /// The answer to a request, and what came before it.
    pub(crate) async fn heard(&mut self, method: &str, params: Value) -> (Value, Vec<Value>) {
        let id = self.start(method, params).await;
        let mut before = Vec::new();
        loop {
            let message = self.memory.hear().await;
            if message["id"] == id {
                return (message, before);
            }
            before.push(message);
        }
    }

    /// The answer to a request.
    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> Value {
        let (answer, before) = self.heard(method, params).await;
        assert_eq!(before, Vec::<Value>::new(), "nobody asked for notices");
        answer
    }

    /// The result of a request that succeeds.
    pub(crate) async fn result(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.ask(method, params).await;
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].take()
    }

    /// The error of a request that fails.
    pub(crate) async fn error(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.ask(method, params).await;
        assert!(answer.get("result").is_none(), "{answer}");
        answer["error"].take()
    }

    /// The result of a tool.
    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.result("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    /// The pages of a list, one after the other.
    pub(crate) async fn pages(&mut self, method: &str, member: &str) -> Vec<Vec<Value>> {
        let (mut pages, mut params) = (Vec::new(), json!({}));
        loop {
            let mut result = self.result(method, params).await;
            let Value::Array(page) = result[member].take() else { panic!("no list in {result}") };
            pages.push(page);
            match result.get("nextCursor") {
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => return pages,
            }
        }
    }

    /// All entries of a list.
    pub(crate) async fn list(&mut self, method: &str, member: &str) -> Vec<Value> {
        self.pages(method, member).await.concat()
    }
}
