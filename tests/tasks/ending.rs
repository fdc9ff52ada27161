//! What becomes of tasks when their server ends, and who hears of them.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mcp_runtime::listener::{Cancelled, Finished, Listener, Outcome, ToolErrorEvent};
use mcp_runtime::testing::Client;
use mcp_runtime::{Revision, Server};
use serde_json::{Value, json};

use crate::jobs::Jobs;
use crate::{api, nothing, pause};

fn capabilities() -> Value {
    json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } })
}

/// R17: a server whose client is gone ends at once, and its tasks with it: nobody can ask for them any more.
#[tokio::test]
async fn a_server_does_not_outlive_its_client_for_a_task() {
    for revision in [Revision::NEWEST_WITH_SESSION, Revision::V2026_07_28] {
        let jobs = Jobs::default();
        let mut client = Client::new(api::service(jobs.clone())).revision(revision).capabilities(capabilities());
        let params = json!({ "name": "compute", "arguments": { "millis": 60_000 }, "task": {} });
        client.request("tools/call", params).await.expect("a task");
        while jobs.0.began.load(Ordering::SeqCst) == 0 {
            pause().await;
        }
        let closed = Instant::now();
        client.close().await.expect("no error");
        while jobs.0.stopped.load(Ordering::SeqCst) == 0 {
            pause().await;
        }
        // long before the call would have ended
        assert!(closed.elapsed() < Duration::from_secs(30), "{:?}", closed.elapsed());
    }
}

/// R18: who closes right after a call still gets the answer, which is the task.
#[tokio::test]
async fn the_answer_is_written_although_the_client_has_closed() {
    let mut client =
        Client::new(api::service(Jobs::default())).revision(Revision::V2026_07_28).capabilities(capabilities());
    let params = json!({ "name": "compute", "arguments": { "millis": 60_000 } });
    client.start("tools/call", params).await;
    let last = client.close().await.expect("no error");
    assert_eq!(last.iter().map(|message| &message["result"]["resultType"]).collect::<Vec<_>>(), ["task"]);
}

#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<String>>>);

impl Heard {
    fn add(&self, event: String) {
        self.0.lock().expect("no panic").push(event);
    }
}

impl Listener for Heard {
    fn tool_error(&self, event: &ToolErrorEvent) {
        self.add(format!("{} failed: {}", event.tool, event.message));
    }

    fn cancelled(&self, event: &Cancelled) {
        self.add(format!("cancelled: {:?}", event.reason));
    }

    fn finished(&self, event: &Finished) {
        self.add(format!("{} ended: {:?}", event.name, event.outcome));
    }
}

/// R63, R64: listeners hear of tasks what they hear of calls, and the client hears no word of a panic.
#[tokio::test]
async fn listeners_hear_of_tasks_as_of_calls() {
    let heard = Heard::default();
    let server = Server::new(api::service(Jobs::default())).listener(heard.clone());
    let mut client = Client::new(server).revision(Revision::V2026_07_28).capabilities(capabilities());
    let exploded = client.call_as_task("explode", nothing()).await.expect("a result");
    assert!(!exploded.text().contains("secret"), "{}", exploded.text());
    client.call_as_task("hurry", nothing()).await.expect("a result");
    client.call_as_task("compute", json!({ "millis": 80 })).await.expect("a result");
    let params = json!({ "name": "compute", "arguments": { "millis": 60_000 } });
    let created = client.request("tools/call", params).await.expect("a task");
    client.request("tasks/cancel", json!({ "taskId": created["taskId"] })).await.expect("an acknowledgement");
    let expected = [
        "explode failed: the handler panicked: a secret".to_owned(),
        format!("explode ended: {:?}", Outcome::Panicked),
        "hurry failed: timed out after 30ms. Try again later, or ask for less at once.".to_owned(),
        format!("hurry ended: {:?}", Outcome::TimedOut),
        format!("compute ended: {:?}", Outcome::Succeeded),
        r#"cancelled: Some("its task was cancelled")"#.to_owned(),
        format!("compute ended: {:?}", Outcome::Cancelled),
    ];
    while heard.0.lock().expect("no panic").len() < expected.len() {
        pause().await;
    }
    assert_eq!(*heard.0.lock().expect("no panic"), expected);
}
