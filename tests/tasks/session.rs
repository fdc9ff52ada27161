//! Tasks of 2025-11-25. The rules TL1 to TL5 are those of the specification's digest that the project keeps.

use std::sync::atomic::Ordering;
use std::time::Duration;

use mcp_runtime::Server;
use serde_json::{Value, json};
use support::memory::Memory;

use crate::jobs::Jobs;
use crate::{answered, api, code, nothing, pause, text};

const RELATED: &str = "io.modelcontextprotocol/related-task";

async fn client(jobs: &Jobs, version: &str) -> Memory {
    let capabilities = json!({ "elicitation": { "form": {} } });
    Memory::session(Server::new(api::service(jobs.clone())), version, capabilities).await
}

fn request(id: u32, method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn call(id: u32, tool: &str, arguments: &Value) -> Value {
    request(id, "tools/call", &json!({ "name": tool, "arguments": arguments, "task": { "ttl": 60_000 } }))
}

/// The task that a call was answered with: its id.
fn created(answer: &Value) -> String {
    let task = &answer["result"]["task"];
    assert_eq!((&task["status"], &task["ttl"]), (&json!("working"), &json!(60_000)), "{answer}");
    task["taskId"].as_str().expect("an id").to_owned()
}

fn of(task: &str) -> Value {
    json!({ "taskId": task })
}

/// TL1: what the server declares, and what each tool says.
#[tokio::test]
async fn tasks_are_declared() {
    let mut client = Memory::start(Server::new(api::service(Jobs::default())));
    let info = json!({ "name": "test", "version": "1" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info });
    let opened = client.ask(&request(0, "initialize", &params)).await;
    let expected = json!({ "list": {}, "cancel": {}, "requests": { "tools": { "call": {} } } });
    assert_eq!(opened["result"]["capabilities"]["tasks"], expected);
    assert_eq!(opened["result"]["capabilities"].get("extensions"), None);
    let listed = client.ask(&request(1, "tools/list", &nothing())).await;
    let tools = listed["result"]["tools"].as_array().expect("tools");
    let support = |name: &str| {
        let tool = tools.iter().find(|tool| tool["name"] == name).expect("the tool");
        tool["execution"]["taskSupport"].clone()
    };
    assert_eq!(["greet", "compute", "fail"].map(support), [json!(null), json!("optional"), json!("required")]);
}

/// TL2, TL3: created at once, and the result is exactly that of the call, with its task in `_meta`.
#[tokio::test]
async fn the_result_waits_for_the_end() {
    let mut client = client(&Jobs::default(), "2025-11-25").await;
    let id = created(&client.ask(&call(1, "compute", &json!({ "millis": 200 }))).await);
    let (state, _) = answered(&mut client, &request(2, "tasks/get", &of(&id))).await;
    assert_eq!(state["result"]["status"], "working");
    let (result, beside) = answered(&mut client, &request(3, "tasks/result", &of(&id))).await;
    let expected = json!({ "_meta": { RELATED: { "taskId": id } }, "content": [{ "type": "text", "text": "done" }] });
    assert_eq!(result["result"], expected);
    let told: Vec<_> = beside.iter().map(|message| &message["params"]["status"]).collect();
    assert!(told.is_empty() || told == [&json!("completed")], "{told:?}");
    let (again, _) = answered(&mut client, &request(4, "tasks/result", &of(&id))).await;
    assert_eq!(again["result"], expected);
}

/// TL4: a tool that fails is a failed task, as an error is; `tasks/result` gives what the call would have given.
#[tokio::test]
async fn failures_are_failed_tasks() {
    let mut client = client(&Jobs::default(), "2025-11-25").await;
    for (number, tool) in (1..).zip(["fail", "measure"]) {
        let id = created(&answered(&mut client, &call(number * 10, tool, &nothing())).await.0);
        let (result, _) = answered(&mut client, &request(number * 10 + 1, "tasks/result", &of(&id))).await;
        match tool {
            "fail" => assert_eq!(
                (&result["result"]["isError"], text(&result["result"])),
                (&json!(true), "the press is jammed")
            ),
            _ => assert_eq!(code(&result), Some(-32_603)),
        }
        let (state, _) = answered(&mut client, &request(number * 10 + 2, "tasks/get", &of(&id))).await;
        assert_eq!(state["result"]["status"], "failed");
    }
    let id = created(&answered(&mut client, &call(50, "compute", &json!({ "millis": "x" }))).await.0);
    let (refused, _) = answered(&mut client, &request(51, "tasks/result", &of(&id))).await;
    assert_eq!(refused["result"]["isError"], true);
}

/// TL2: which tools run as tasks, and which not; a session that knows no tasks has none.
#[tokio::test]
async fn tools_say_whether_they_run_as_tasks() {
    let mut session = client(&Jobs::default(), "2025-11-25").await;
    let refused = session.ask(&call(1, "greet", &json!({ "name": "Ada" }))).await;
    assert_eq!(code(&refused), Some(-32_601));
    let plain =
        |id, tool: &str, arguments: Value| request(id, "tools/call", &json!({ "name": tool, "arguments": arguments }));
    assert_eq!(code(&session.ask(&plain(2, "fail", nothing())).await), Some(-32_601));
    assert_eq!(text(&session.ask(&plain(3, "compute", json!({ "millis": 80 }))).await["result"]), "done");
    assert_eq!(code(&session.ask(&call(4, "nobody", &nothing())).await), Some(-32_602));
    let mistyped = json!({ "name": "compute", "arguments": { "millis": 1 }, "task": 7 });
    assert_eq!(code(&session.ask(&request(5, "tools/call", &mistyped)).await), Some(-32_602));
    let mut older = client(&Jobs::default(), "2025-06-18").await;
    let ignored = json!({ "name": "compute", "arguments": { "millis": 80 } });
    assert_eq!(text(&older.ask(&request(1, "tools/call", &ignored)).await["result"]), "done");
    assert_eq!(code(&older.ask(&request(2, "tasks/list", &nothing())).await), Some(-32_601));
    assert_eq!(code(&older.ask(&plain(3, "fail", nothing())).await), Some(-32_601));
}

/// TL3: cancelled before the answer, and only once; a cancelled task has no result.
#[tokio::test]
async fn cancelling_ends_a_task_once() {
    let jobs = Jobs::default();
    let mut client = client(&jobs, "2025-11-25").await;
    let id = created(&client.ask(&call(1, "compute", &json!({ "millis": 60_000 }))).await);
    let (cancelled, _) = answered(&mut client, &request(2, "tasks/cancel", &of(&id))).await;
    assert_eq!((&cancelled["result"]["status"], &cancelled["result"]["taskId"]), (&json!("cancelled"), &json!(id)));
    let (again, _) = answered(&mut client, &request(3, "tasks/cancel", &of(&id))).await;
    assert_eq!(code(&again), Some(-32_602));
    let (result, _) = answered(&mut client, &request(4, "tasks/result", &of(&id))).await;
    assert_eq!(code(&result), Some(-32_602));
    while jobs.0.stopped.load(Ordering::SeqCst) == 0 {
        pause().await;
    }
}

/// TL3: unknown ids and cursors; the methods of the other era.
#[tokio::test]
async fn unknown_tasks_cursors_and_methods_are_refused() {
    let mut client = client(&Jobs::default(), "2025-11-25").await;
    for (id, method) in (1..).zip(["tasks/get", "tasks/result", "tasks/cancel"]) {
        assert_eq!(code(&client.ask(&request(id, method, &of("x"))).await), Some(-32_602), "{method}");
    }
    assert_eq!(code(&client.ask(&request(4, "tasks/list", &json!({ "cursor": "x" }))).await), Some(-32_602));
    assert_eq!(code(&client.ask(&request(5, "tasks/update", &of("x"))).await), Some(-32_601));
}

/// TL3, PG1: all tasks come, a hundred on a page, the oldest first.
#[tokio::test]
async fn tasks_are_listed_in_pages() {
    let mut client = client(&Jobs::default(), "2025-11-25").await;
    let mut ids = Vec::new();
    for number in 0..105 {
        ids.push(created(&answered(&mut client, &call(number, "compute", &json!({ "millis": 0 }))).await.0));
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let (mut listed, mut params, mut pages) = (Vec::new(), nothing(), Vec::new());
    for number in 200.. {
        let (page, _) = answered(&mut client, &request(number, "tasks/list", &params)).await;
        let tasks = page["result"]["tasks"].as_array().expect("tasks").clone();
        pages.push(tasks.len());
        listed.extend(tasks.iter().map(|task| task["taskId"].as_str().expect("an id").to_owned()));
        let Some(cursor) = page["result"].get("nextCursor") else { break };
        params = json!({ "cursor": cursor });
    }
    assert_eq!((listed, pages), (ids, vec![100, 5]));
}

/// TL4, CN1: a question is a request of ours that names its task, whose status says that it waits.
#[tokio::test]
async fn questions_name_their_task() {
    let mut client = client(&Jobs::default(), "2025-11-25").await;
    let id = created(&client.ask(&call(1, "delete", &json!({ "file": "a" }))).await);
    let question = loop {
        let message = client.hear().await;
        if message["method"] == "elicitation/create" {
            break message;
        }
    };
    assert_eq!(question["params"]["_meta"], json!({ RELATED: { "taskId": id } }));
    assert_eq!(question["params"]["message"], "Delete a?");
    let (mut number, mut status) = (2, json!(null));
    while status != "input_required" {
        status = answered(&mut client, &request(number, "tasks/get", &of(&id))).await.0["result"]["status"].take();
        number += 1;
    }
    // longer than the tool may run without waiting
    tokio::time::sleep(Duration::from_millis(500)).await;
    let reply = json!({ "action": "accept", "content": { "yes": true } });
    client.say(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": reply })).await;
    let (result, beside) = answered(&mut client, &request(number, "tasks/result", &of(&id))).await;
    assert_eq!(text(&result["result"]), "deleted: true");
    assert!(beside.iter().any(|message| message["method"] == "notifications/tasks/status"), "{beside:?}");
}

/// TL4, PR3: progress and logs go on until the task ends, and name it.
#[tokio::test]
async fn progress_and_logs_name_their_task() {
    let mut client = client(&Jobs::default(), "2025-11-25").await;
    let params = json!({ "name": "report", "arguments": {}, "task": {}, "_meta": { "progressToken": 7 } });
    let answer = client.ask(&request(1, "tools/call", &params)).await;
    let id = answer["result"]["task"]["taskId"].as_str().expect("an id").to_owned();
    let (result, beside) = answered(&mut client, &request(2, "tasks/result", &of(&id))).await;
    assert_eq!(text(&result["result"]), id);
    let of_method = |method: &str| beside.iter().find(|message| message["method"] == method).expect("a notice");
    for method in ["notifications/progress", "notifications/message"] {
        assert_eq!(of_method(method)["params"]["_meta"], json!({ RELATED: { "taskId": id } }));
    }
    assert_eq!(of_method("notifications/progress")["params"]["progressToken"], 7);
    let status = |message: &Value| message["params"]["statusMessage"].as_str().map(str::to_owned);
    let told: Vec<_> = beside.iter().filter_map(status).collect();
    assert!(told.contains(&"half of it".to_owned()) && told.contains(&"nearly all of it".to_owned()), "{told:?}");
}

/// The eras do not see each other's tasks: results are spelled for one of them.
#[tokio::test]
async fn a_task_belongs_to_its_era() {
    let mut client = client(&Jobs::default(), "2025-11-25").await;
    let id = created(&client.ask(&call(1, "compute", &json!({ "millis": 60_000 }))).await);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "extensions": { "io.modelcontextprotocol/tasks": {} } },
    });
    let get = request(2, "tasks/get", &json!({ "taskId": id, "_meta": meta }));
    assert_eq!(code(&answered(&mut client, &get).await.0), Some(-32_602));
}
