//! Stores: what a server does with one that is full, fails, or is shared with other servers.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use mcp_runtime::listener::Listener;
use mcp_runtime::task::{MemoryStore, StoreFuture, StoredTask, TaskStore, Tasks};
use mcp_runtime::testing::Client;
use mcp_runtime::{Revision, Server};
use serde_json::{Value, json};

use crate::jobs::Jobs;
use crate::{api, nothing, pause, text};

/// A store that several servers share, and that can be told to fail.
#[derive(Clone, Default)]
struct Shared(Arc<Inner>);

#[derive(Default)]
struct Inner {
    memory: MemoryStore,
    fails: AtomicBool,
}

impl TaskStore for Shared {
    fn insert(&self, task: StoredTask) -> StoreFuture<'_, ()> {
        if self.0.fails.load(Ordering::SeqCst) {
            return Box::pin(async { Err("the disk is on fire".into()) });
        }
        self.0.memory.insert(task)
    }

    fn load<'a>(&'a self, id: &'a str) -> StoreFuture<'a, Option<StoredTask>> {
        if self.0.fails.load(Ordering::SeqCst) {
            return Box::pin(async { Err("the disk is on fire".into()) });
        }
        self.0.memory.load(id)
    }

    fn replace(&self, task: StoredTask) -> StoreFuture<'_, bool> {
        self.0.memory.replace(task)
    }

    fn remove<'a>(&'a self, id: &'a str) -> StoreFuture<'a, ()> {
        self.0.memory.remove(id)
    }

    fn list<'a>(&'a self, owner: &'a str, after: &'a str, limit: usize) -> StoreFuture<'a, Vec<StoredTask>> {
        self.0.memory.list(owner, after, limit)
    }
}

#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<String>>>);

impl Listener for Heard {
    fn task_store(&self, error: &str) {
        self.0.lock().expect("no panic").push(error.to_owned());
    }
}

fn client(tasks: Tasks, heard: &Heard) -> Client {
    let server = Server::new(api::service(Jobs::default())).tasks(tasks).listener(heard.clone());
    let capabilities = json!({ "elicitation": {}, "extensions": { "io.modelcontextprotocol/tasks": {} } });
    Client::new(server).revision(Revision::V2026_07_28).capabilities(capabilities)
}

async fn call(client: &mut Client, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    client.request("tools/call", params).await.expect("a result")
}

async fn until(client: &mut Client, id: &Value, status: &str) -> Value {
    loop {
        let state = client.request("tasks/get", json!({ "taskId": id })).await.expect("the task");
        if state["status"] == status {
            return state;
        }
        pause().await;
    }
}

/// TX2: no task that is not kept. What can run without one does; what cannot is an error that a retry may help.
#[tokio::test]
async fn without_a_place_calls_run_on_if_they_can() {
    let heard = Heard::default();
    let mut client = client(Tasks::new().store(MemoryStore::new().max_tasks(1)), &heard);
    let created = call(&mut client, "compute", json!({ "millis": 60_000 })).await;
    assert_eq!(created["resultType"], "task");
    assert_eq!(text(&call(&mut client, "compute", json!({ "millis": 80 })).await), "done");
    let refused = client.request("tools/call", json!({ "name": "fail" })).await.expect_err("no place");
    assert_eq!(refused.code, -32_603);
    while heard.0.lock().expect("no panic").len() < 2 {
        pause().await;
    }
    assert_eq!(heard.0.lock().expect("no panic").as_slice(), ["too many tasks are kept already"; 2]);
}

/// A result that finds no place fails its task, and is not lost in silence.
#[tokio::test]
async fn a_result_that_cannot_be_kept_fails_the_task() {
    let heard = Heard::default();
    let mut client = client(Tasks::new().store(MemoryStore::new().max_bytes(800)), &heard);
    let created = call(&mut client, "write", json!({ "bytes": 2000 })).await;
    let state = until(&mut client, &created["taskId"], "failed").await;
    assert_eq!(state["error"]["message"], "the result of the task could not be kept");
}

/// What a store says of itself reaches the listeners, and no client.
#[tokio::test]
async fn the_words_of_a_store_that_fails_stay_here() {
    let (heard, store) = (Heard::default(), Shared::default());
    let mut client = client(Tasks::new().store(store.clone()), &heard);
    let created = call(&mut client, "compute", json!({ "millis": 60_000 })).await;
    store.0.fails.store(true, Ordering::SeqCst);
    let get = json!({ "taskId": created["taskId"] });
    let refused = client.request("tasks/get", get).await.expect_err("the store fails");
    assert_eq!((refused.code, refused.message.contains("fire")), (-32_603, false));
    while !heard.0.lock().expect("no panic").contains(&"the disk is on fire".to_owned()) {
        pause().await;
    }
}

/// One server runs the task, another one is asked about it, answers its question and cancels it.
#[tokio::test]
async fn servers_that_share_a_store_share_their_tasks() {
    let store = Shared::default();
    let mut here = client(Tasks::new().store(store.clone()), &Heard::default());
    let mut there = client(Tasks::new().store(store.clone()), &Heard::default());
    let id = call(&mut here, "order", nothing()).await["taskId"].take();
    let state = until(&mut there, &id, "input_required").await;
    let questions = state["inputRequests"].as_object().expect("questions");
    let replies: Value = questions.keys().map(|key| (key.clone(), json!({ "action": "decline" }))).collect();
    let update = json!({ "taskId": id, "inputResponses": replies });
    there.request("tasks/update", update).await.expect("an acknowledgement");
    assert_eq!(text(&until(&mut here, &id, "completed").await["result"]), "nobody: false");
    let id = call(&mut here, "compute", json!({ "millis": 60_000 })).await["taskId"].take();
    there.request("tasks/cancel", json!({ "taskId": id })).await.expect("an acknowledgement");
    assert_eq!(until(&mut here, &id, "cancelled").await["status"], "cancelled");
}

/// TL5: ids are of 128 random bits, and sort by the time of creation.
#[tokio::test]
async fn ids_cannot_be_guessed() {
    let mut client = client(Tasks::new(), &Heard::default());
    let mut ids = Vec::new();
    for _ in 0..3 {
        let created = call(&mut client, "compute", json!({ "millis": 60_000 })).await;
        ids.push(created["taskId"].as_str().expect("an id").to_owned());
    }
    assert!(ids.is_sorted() && ids.iter().all(|id| id.len() == 44), "{ids:?}");
    let random: Vec<_> = ids.iter().map(|id| &id[12..]).collect();
    assert!(random[0] != random[1] && random[1] != random[2], "{ids:?}");
}

/// A provider's tools run as tasks, too, if they say so.
mod provided {
    use mcp_runtime::provider::{ToolDefinition, ToolFuture, ToolProvider};
    use mcp_runtime::{Context, ToolResponse};
    use serde_json::Map;

    use super::*;

    struct Slow;

    impl ToolProvider for Slow {
        fn tools(&self) -> Vec<ToolDefinition> {
            let schema = json!({ "type": "object" });
            let support = json!({ "taskSupport": "required" });
            vec![ToolDefinition::new("slow", schema).member("execution", support)]
        }

        fn call<'a>(&'a self, _: &'a str, _: Map<String, Value>, context: &'a Context) -> ToolFuture<'a> {
            Box::pin(async move { Ok(ToolResponse::text(context.task().map_or("no task", |_| "a task"))) })
        }
    }

    #[tokio::test]
    async fn provided_tools_run_as_tasks() {
        let capabilities = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
        let server = Server::new(api::service(Jobs::default())).provider(Slow);
        let mut client = Client::new(server).revision(Revision::V2026_07_28).capabilities(capabilities);
        let created = call(&mut client, "slow", nothing()).await;
        assert_eq!(text(&until(&mut client, &created["taskId"], "completed").await["result"]), "a task");
    }
}
