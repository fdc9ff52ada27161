//! The extension `io.modelcontextprotocol/tasks` of 2026-07-28. The rules TX1 to TX7 are those of the specification's
//! digest that the project keeps; each test says which it holds.

use std::sync::atomic::Ordering;
use std::time::Duration;

use mcp_runtime::Server;
use mcp_runtime::task::Tasks;
use serde_json::{Value, json};
use support::memory::Memory;
use tokio::time::sleep;

use crate::jobs::Jobs;
use crate::{answered, api, code, nothing, pause, text};

const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// A client of the extension, which counts its requests.
struct Client {
    memory: Memory,
    last_id: u64,
    capabilities: Value,
    beside: Vec<Value>,
}

fn client(jobs: &Jobs) -> Client {
    with(Server::new(api::service(jobs.clone())))
}

fn with(server: Server<impl mcp_runtime::Service>) -> Client {
    let capabilities = json!({ "elicitation": {}, "extensions": { EXTENSION: {} } });
    Client { memory: Memory::start(server), last_id: 0, capabilities, beside: Vec::new() }
}

impl Client {
    async fn ask(&mut self, method: &str, mut params: Value) -> Value {
        self.last_id += 1;
        let version = "2026-07-28";
        let meta = &mut params["_meta"];
        meta["io.modelcontextprotocol/protocolVersion"] = json!(version);
        meta["io.modelcontextprotocol/clientCapabilities"] = self.capabilities.clone();
        let request = json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params });
        let (answer, beside) = answered(&mut self.memory, &request).await;
        self.beside.extend(beside);
        answer
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    /// Calls a tool that becomes a task: its id.
    async fn begin(&mut self, tool: &str, arguments: Value) -> String {
        let created = self.call(tool, arguments).await;
        assert_eq!(created["result"]["resultType"], "task", "{created}");
        assert_eq!(created["result"]["status"], "working", "{created}");
        created["result"]["taskId"].as_str().expect("an id").to_owned()
    }

    async fn get(&mut self, task: &str) -> Value {
        let mut answer = self.ask("tasks/get", json!({ "taskId": task })).await;
        assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
        assert_eq!(answer["result"]["taskId"], task);
        answer["result"].take()
    }

    /// Looks at the task until it stands so.
    async fn until(&mut self, task: &str, status: &str) -> Value {
        for _ in 0..500 {
            let state = self.get(task).await;
            if state["status"] == status {
                return state;
            }
            pause().await;
        }
        panic!("not {status} in time: {}", self.get(task).await)
    }

    async fn update(&mut self, task: &str, responses: Value) -> Value {
        self.ask("tasks/update", json!({ "taskId": task, "inputResponses": responses })).await
    }
}

fn accept(content: &Value) -> Value {
    json!({ "action": "accept", "content": content })
}

/// The key of the question with this message.
fn key(state: &Value, message: &str) -> String {
    let questions = state["inputRequests"].as_object().expect("questions");
    let mut found = questions.iter().filter(|(_, question)| question["params"]["message"] == message);
    found.next().unwrap_or_else(|| panic!("{message} is not asked in {state}")).0.clone()
}

/// TX1, DI4: the server declares the extension, and no capability `tasks`; without such tools, neither.
#[tokio::test]
async fn the_extension_is_declared_where_a_tool_has_tasks() {
    let discovered = client(&Jobs::default()).ask("server/discover", nothing()).await;
    let declared = &discovered["result"]["capabilities"];
    assert_eq!(declared["extensions"], json!({ EXTENSION: {} }));
    assert_eq!(declared.get("tasks"), None);
}

/// TX1, R1: a tool without tasks, and one that is quick, answer as ever.
#[tokio::test]
async fn what_is_over_soon_is_answered_at_once() {
    let mut client = client(&Jobs::default());
    let greeted =
        client.ask("tools/call", json!({ "name": "greet", "arguments": { "name": "Ada" }, "task": {} })).await;
    assert_eq!((greeted["result"]["resultType"].as_str(), text(&greeted["result"])), (Some("complete"), "Hello, Ada!"));
    assert_eq!(greeted["result"].get("taskId"), None);
    for millis in [0, 5] {
        assert_eq!(text(&client.call("compute", json!({ "millis": millis })).await["result"]), "done");
    }
    let refused = client.call("compute", json!({ "millis": -1 })).await;
    assert_eq!(refused["result"]["isError"], true);
}

/// TX2, TX3, Q9: created before its handler is over, seen at work, then with its result, and still there afterwards.
#[tokio::test]
async fn a_task_works_and_completes() {
    let mut client = client(&Jobs::default());
    let id = client.begin("compute", json!({ "millis": 200 })).await;
    assert_eq!(client.get(&id).await["status"], "working");
    for _ in 0..2 {
        let done = client.until(&id, "completed").await;
        assert_eq!(text(&done["result"]), "done");
        assert_eq!(done["result"]["resultType"], "complete");
        assert_eq!(done["result"]["_meta"].get("io.modelcontextprotocol/related-task"), None);
    }
}

/// TX5: a tool that fails completes its task; what is a JSON-RPC error to others is a failed task.
#[tokio::test]
async fn only_protocol_errors_are_failures() {
    let mut client = client(&Jobs::default());
    for (tool, words) in [("fail", "the press is jammed"), ("explode", "internal error"), ("hurry", "timed out")] {
        let id = client.begin(tool, nothing()).await;
        let done = client.until(&id, "completed").await;
        assert!(done["result"]["isError"] == true && text(&done["result"]).contains(words), "{done}");
        assert!(!text(&done["result"]).contains("secret"), "{done}");
    }
    let id = client.begin("measure", nothing()).await;
    assert_eq!(client.until(&id, "failed").await["error"]["code"], -32_603);
}

/// TX3, TX5, MR3: questions wait in the task, each under a key of its own; partial answers leave the others; unknown
/// and answered keys change nothing. The handler runs once.
#[tokio::test]
async fn questions_wait_in_the_task_and_are_answered_one_by_one() {
    let mut client = client(&Jobs::default());
    let id = client.begin("order", nothing()).await;
    let both = client.until(&id, "input_required").await;
    assert_eq!(both["inputRequests"].as_object().map(serde_json::Map::len), Some(2), "{both}");
    let (who, sure) = (key(&both, "Who are you?"), key(&both, "Are you sure?"));
    let answered = client.update(&id, json!({ &who: accept(&json!({ "name": "Ada" })), "unknown": {} })).await;
    assert_eq!(answered["result"]["resultType"], "complete");
    let one = client.get(&id).await;
    assert_eq!((one["status"].as_str(), key(&one, "Are you sure?")), (Some("input_required"), sure.clone()));
    assert_eq!(one["inputRequests"].as_object().map(serde_json::Map::len), Some(1), "{one}");
    client.update(&id, json!({ &who: accept(&json!({ "name": "Eve" })) })).await;
    client.update(&id, json!({ &sure: accept(&json!({ "yes": true })) })).await;
    assert_eq!(text(&client.until(&id, "completed").await["result"]), "Ada: true");
}

/// MR3: what is no answer to the question is refused, and the question stays open.
#[tokio::test]
async fn what_is_no_answer_is_refused_and_ends_no_task() {
    let mut client = client(&Jobs::default());
    let id = client.begin("order", nothing()).await;
    let both = client.until(&id, "input_required").await;
    let (who, sure) = (key(&both, "Who are you?"), key(&both, "Are you sure?"));
    for broken in [json!(7), json!({}), json!({ "action": "perhaps" })] {
        let refused = client.update(&id, json!({ &who: broken, &sure: accept(&json!({ "yes": true })) })).await;
        assert_eq!(code(&refused), Some(-32_602), "{broken}: {refused}");
        assert!(refused["error"]["message"].as_str().is_some_and(|why| why.contains(&who)), "{refused}");
        let state = client.get(&id).await;
        assert_eq!(state["status"], "input_required", "{broken}");
        assert_eq!(state["inputRequests"].as_object().map(serde_json::Map::len), Some(2), "all or nothing: {state}");
    }
    client.update(&id, json!({ who: accept(&json!({ "name": "Ada" })), sure: accept(&json!({ "yes": true })) })).await;
    assert_eq!(text(&client.until(&id, "completed").await["result"]), "Ada: true");
}

/// The time in which a task waits for its client does not count towards its limit, which is 300 ms here.
#[tokio::test]
async fn a_task_that_waits_for_its_client_does_not_time_out() {
    let jobs = Jobs::default();
    let mut client = client(&jobs);
    let id = client.begin("delete", json!({ "file": "a.txt" })).await;
    let asked = client.until(&id, "input_required").await;
    let key = key(&asked, "Delete a.txt?");
    sleep(Duration::from_millis(700)).await;
    client.update(&id, json!({ key: { "action": "decline" } })).await;
    assert_eq!(text(&client.until(&id, "completed").await["result"]), "declined");
    assert_eq!(jobs.0.began.load(Ordering::SeqCst), 1);
}

/// TX7: a tool with optional tasks asks first, and becomes a task when it has all answers. TX2: no `requestState` then.
#[tokio::test]
async fn questions_that_come_first_are_asked_before_the_task() {
    let jobs = Jobs::default();
    let mut client = client(&jobs);
    let asked = client.call("visit", nothing()).await;
    assert_eq!(asked["result"]["resultType"], "input_required");
    assert_eq!(asked["result"].get("taskId"), None);
    let key = key(&asked["result"], "Who are you?");
    let retry = json!({
        "name": "visit",
        "arguments": {},
        "inputResponses": { key: accept(&json!({ "name": "Alice" })) },
        "requestState": asked["result"]["requestState"],
    });
    let created = client.ask("tools/call", retry).await;
    assert_eq!(created["result"]["resultType"], "task", "{created}");
    let id = created["result"]["taskId"].as_str().expect("an id").to_owned();
    assert_eq!(text(&client.until(&id, "completed").await["result"]), "Alice was here");
    assert_eq!(jobs.0.began.load(Ordering::SeqCst), 2);
}

/// A blocking handler asks inside of its task; outside of one it could not.
#[tokio::test]
async fn a_thread_can_ask_inside_of_its_task() {
    let mut client = client(&Jobs::default());
    let id = client.begin("block", nothing()).await;
    let asked = client.until(&id, "input_required").await;
    let key = key(&asked, "Who are you?");
    client.update(&id, json!({ key: accept(&json!({ "name": "Ada" })) })).await;
    assert_eq!(text(&client.until(&id, "completed").await["result"]), "Ada");
}

/// TX3: cancelling stops the handler, also one that only hears of it, and harms no task that has ended.
#[tokio::test]
async fn cancelling_stops_the_handler() {
    let jobs = Jobs::default();
    let mut client = client(&jobs);
    for (number, (tool, arguments)) in
        [("compute", json!({ "millis": 60_000 })), ("watch", nothing())].into_iter().enumerate()
    {
        let id = client.begin(tool, arguments).await;
        let cancelled = client.ask("tasks/cancel", json!({ "taskId": id })).await;
        assert_eq!(cancelled["result"]["resultType"], "complete");
        client.until(&id, "cancelled").await;
        while jobs.0.stopped.load(Ordering::SeqCst) <= number {
            pause().await;
        }
        client.ask("tasks/cancel", json!({ "taskId": id })).await;
        assert_eq!(client.get(&id).await["status"], "cancelled");
    }
    let id = client.begin("fail", nothing()).await;
    client.until(&id, "completed").await;
    client.ask("tasks/cancel", json!({ "taskId": id })).await;
    assert_eq!(client.get(&id).await["status"], "completed");
}

/// TX1, TX4, MD5, MD3: whoever does not declare the extension gets no task, whatever it declared before.
#[tokio::test]
async fn a_client_without_the_extension_gets_no_tasks() {
    let mut client = client(&Jobs::default());
    let id = client.begin("compute", json!({ "millis": 60_000 })).await;
    client.capabilities = nothing();
    assert_eq!(text(&client.call("compute", json!({ "millis": 100 })).await["result"]), "done");
    let required = json!({ "extensions": { EXTENSION: {} } });
    let listen = json!({ "notifications": { "taskIds": [id] } });
    for (method, params) in [
        ("tools/call", json!({ "name": "fail", "arguments": {} })),
        ("tasks/get", json!({ "taskId": id })),
        ("tasks/update", json!({ "taskId": id, "inputResponses": {} })),
        ("tasks/cancel", json!({ "taskId": id })),
        ("subscriptions/listen", listen),
    ] {
        let refused = client.ask(method, params).await;
        assert_eq!(code(&refused), Some(-32_021), "{method}");
        assert_eq!(refused["error"]["data"]["requiredCapabilities"], required);
    }
}

/// TX3, TX4: methods of the other era are unknown; so are tasks that nobody has, and parameters are looked at.
#[tokio::test]
async fn unknown_tasks_and_methods_are_refused() {
    let mut client = client(&Jobs::default());
    for method in ["tasks/list", "tasks/result"] {
        assert_eq!(code(&client.ask(method, json!({ "taskId": "x" })).await), Some(-32_601), "{method}");
    }
    for (method, params) in [
        ("tasks/get", json!({ "taskId": "x" })),
        ("tasks/get", json!({ "taskId": 7 })),
        ("tasks/get", nothing()),
        ("tasks/cancel", json!({ "taskId": "x" })),
        ("tasks/update", json!({ "taskId": "x", "inputResponses": {} })),
        ("tasks/update", json!({ "taskId": "x" })),
        ("tasks/update", json!({ "taskId": "x", "inputResponses": [] })),
    ] {
        assert_eq!(code(&client.ask(method, params.clone()).await), Some(-32_602), "{method} {params}");
    }
}

/// PR2: nothing follows a response, so progress of a task is its status message. TX6: no logs either.
#[tokio::test]
async fn progress_becomes_the_status_message() {
    let mut client = client(&Jobs::default());
    let meta = json!({ "progressToken": "t", "io.modelcontextprotocol/logLevel": "debug" });
    let created = client.ask("tools/call", json!({ "name": "report", "arguments": {}, "_meta": meta })).await;
    let id = created["result"]["taskId"].as_str().expect("an id").to_owned();
    let mut messages = Vec::new();
    loop {
        let state = client.get(&id).await;
        let message = state["statusMessage"].as_str().map(str::to_owned);
        if messages.last() != message.as_ref() {
            messages.extend(message);
        }
        if state["status"] == "completed" {
            assert_eq!(text(&state["result"]), id);
            break;
        }
        pause().await;
    }
    assert_eq!(messages, ["half of it", "nearly all of it"]);
    assert_eq!(client.beside, Vec::<Value>::new());
}

/// TX6, SB3: streams carry the whole task each time that it changes, and only those of the ids that were accepted.
#[tokio::test]
async fn streams_tell_of_the_tasks_that_they_name() {
    let mut client = client(&Jobs::default());
    let id = client.begin("delete", json!({ "file": "a" })).await;
    let other = client.begin("compute", json!({ "millis": 100 })).await;
    client.until(&id, "input_required").await;
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": client.capabilities,
    });
    let params = json!({ "_meta": meta, "notifications": { "taskIds": [id, "unknown"] } });
    let listen = json!({ "jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": params });
    let opened = client.memory.ask(&listen).await;
    assert_eq!(opened["params"]["notifications"], json!({ "taskIds": [id] }));
    let asked = client.get(&id).await;
    client.update(&id, json!({ key(&asked, "Delete a?"): accept(&json!({ "yes": true })) })).await;
    client.until(&id, "completed").await;
    client.until(&other, "completed").await;
    let told = |message: &Value| (message["method"].clone(), message["params"]["taskId"].clone());
    assert!(client.beside.iter().all(|message| told(message) == (json!("notifications/tasks"), json!(id))));
    let last = client.beside.last().expect("it was told");
    assert_eq!(last["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "l");
    assert_eq!((&last["params"]["status"], text(&last["params"]["result"])), (&json!("completed"), "deleted: true"));
}

/// A task that outlives its time is stopped and forgotten.
#[tokio::test]
async fn a_task_expires() {
    let jobs = Jobs::default();
    let tasks = Tasks::new().ttl(Duration::from_millis(150)).poll_interval(Duration::from_millis(7));
    let mut client = with(Server::new(api::service(jobs.clone())).tasks(tasks));
    let created = client.call("compute", json!({ "millis": 60_000 })).await;
    let id = created["result"]["taskId"].as_str().expect("an id").to_owned();
    assert_eq!((&created["result"]["ttlMs"], &created["result"]["pollIntervalMs"]), (&json!(150), &json!(7)));
    while jobs.0.stopped.load(Ordering::SeqCst) == 0 {
        pause().await;
    }
    assert_eq!(code(&client.ask("tasks/get", json!({ "taskId": id })).await), Some(-32_602));
}

/// A call that has not become a task yet is cancelled as any other; one that has is not.
#[tokio::test]
async fn a_request_is_cancelled_only_before_it_is_a_task() {
    let jobs = Jobs::default();
    let tasks = Tasks::new().begin_after(Duration::from_millis(300));
    let mut client = with(Server::new(api::service(jobs.clone())).tasks(tasks));
    let id = client.begin("watch", nothing()).await;
    let given_up = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    client.memory.say(&given_up).await;
    assert_eq!(client.get(&id).await["status"], "working");
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": client.capabilities,
    });
    let params = json!({ "name": "watch", "arguments": {}, "_meta": meta });
    client.memory.say(&json!({ "jsonrpc": "2.0", "id": "w", "method": "tools/call", "params": params })).await;
    let given_up = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": "w" } });
    client.memory.say(&given_up).await;
    while jobs.0.stopped.load(Ordering::SeqCst) == 0 {
        pause().await;
    }
    assert_eq!(client.get(&id).await["status"], "working");
    assert_eq!(client.memory.close().await, Vec::<Value>::new());
}
