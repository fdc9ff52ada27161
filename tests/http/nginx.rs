//! Behind nginx, as README.md configures it. That something came before something else is shown by what depends on it,
//! and not by clocks: a call that ends only after its client has answered, say.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use support::nginx::Nginx;
use support::web::{Request, Site};
use tokio::time::sleep;

use crate::service::{World, call, server, stateless, text, until};

/// The name under which clients know the server.
const NAME: &str = "mcp.example";

/// A server, and nginx in front of it; `None` without nginx.
async fn behind_nginx() -> Option<(Site, Nginx, Site, World)> {
    let world = World::default();
    let site = Site::start(server(&world).allowed_hosts([NAME])).await;
    let nginx = Nginx::start(site.address())?;
    let front = Site::elsewhere(nginx.address());
    Some((site, nginx, front, world))
}

fn with_progress(mut message: Value) -> Value {
    message["params"]["_meta"]["progressToken"] = "p".into();
    message
}

#[tokio::test]
async fn r33_progress_arrives_while_the_call_is_under_way() {
    let Some((_site, _nginx, front, world)) = behind_nginx().await else { return };
    let held = Request::stateless(&with_progress(stateless(call(1, "hold", json!({}))))).with("Host", NAME);
    let mut reply = front.send(&held).await;
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("text/event-stream")));
    assert_eq!(reply.next_message().await["method"], "notifications/progress");
    // nobody else lets it go
    world.gate.notify_one();
    assert_eq!(text(&reply.message().await), "let go");
}

#[tokio::test]
async fn r33_questions_arrive_and_are_answered() {
    let Some((_site, _nginx, front, _)) = behind_nginx().await else { return };
    let session = front.session("2025-11-25", json!({ "roots": {} })).await;
    let mut reply = front.send(&Request::session(&session, &call(1, "trip", json!({})))).await;
    let question = reply.next_message().await;
    let roots = json!({ "roots": [{ "uri": "file:///here" }] });
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": roots });
    assert_eq!(front.send(&Request::session(&session, &answer)).await.status, 202);
    assert_eq!(text(&reply.message().await), "file:///here");
}

#[tokio::test]
async fn r33_changes_arrive_on_streams_that_stay_open() {
    let Some((_site, _nginx, front, world)) = behind_nginx().await else { return };
    let params = json!({ "notifications": { "toolsListChanged": true } });
    let listen = stateless(json!({ "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params }));
    let mut listening = front.send(&Request::stateless(&listen)).await;
    assert_eq!(listening.next_message().await["method"], "notifications/subscriptions/acknowledged");
    let session = front.session("2025-11-25", json!({})).await;
    let mut standing = front.send(&Request::bare("GET", &session)).await;
    assert!(standing.event().await.is_some_and(|event| event.id.is_some()), "the priming event");
    for _ in 0..3 {
        world.changes.tools_changed();
        for stream in [&mut listening, &mut standing] {
            assert_eq!(stream.next_message().await["method"], "notifications/tools/list_changed");
        }
    }
}

#[tokio::test]
async fn r46_a_client_that_goes_away_cancels_its_call() {
    let Some((_site, _nginx, front, world)) = behind_nginx().await else { return };
    let reply = front.send(&Request::stateless(&with_progress(stateless(call(1, "hold", json!({})))))).await;
    drop(reply);
    until(&world.dropped, 1).await;
}

#[tokio::test]
async fn long_bodies_pass() {
    let Some((_site, _nginx, front, _)) = behind_nginx().await else { return };
    let long = "y".repeat(3 << 20);
    assert_eq!(text(&front.ask(&stateless(call(1, "echo", json!({ "text": long })))).await), long);
}

/// The example `everything`, in a process of its own.
pub(crate) struct Everything {
    process: Child,
    pub(crate) address: SocketAddr,
}

/// A test that fails, or goes no further, leaves no process behind.
impl Drop for Everything {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Everything {
    pub(crate) fn start() -> Self {
        let mut command = Command::new(support::everything());
        let mut process = command.args(["--http", "127.0.0.1:0"]).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("it is piped"))
            .read_line(&mut line)
            .expect("it says where it listens");
        let address = line.trim().trim_start_matches("http://").trim_end_matches("/mcp");
        Self { address: address.parse().expect("an address"), process }
    }

    /// What a service manager does: asks it to end, and waits.
    async fn terminate(self) -> Option<i32> {
        self.end("-TERM").await
    }

    /// Sends a signal, and waits for the end.
    pub(crate) async fn end(mut self, signal: &str) -> Option<i32> {
        let told = Command::new("kill").args([signal, &self.process.id().to_string()]).status();
        assert!(told.expect("kill is there").success());
        loop {
            match self.process.try_wait().expect("it is ours") {
                Some(status) => return status.code(),
                None => sleep(Duration::from_millis(10)).await,
            }
        }
    }
}

/// Waits until there are so many more.
async fn more(count: &AtomicUsize, by: usize) {
    let enough = count.load(Ordering::SeqCst) + by;
    for _ in 0..4_000 {
        if count.load(Ordering::SeqCst) >= enough {
            return;
        }
        sleep(Duration::from_millis(5)).await;
    }
    panic!("no more than {} of {enough}", count.load(Ordering::SeqCst));
}

/// Calls again and again, and takes nothing but right answers.
async fn keep_calling(front: Arc<Site>, answered: Arc<AtomicUsize>, ends: Arc<AtomicBool>) {
    let quick = stateless(call(1, "test_simple_text", json!({})));
    let slow = with_progress(stateless(call(1, "test_tool_with_progress", json!({}))));
    while !ends.load(Ordering::SeqCst) {
        for (message, words, expected) in [(&quick, "simple text", 1), (&slow, "three steps", 4)] {
            let mut reply = front.send(&Request::stateless(message)).await;
            assert_eq!(reply.status, 200);
            let heard = reply.messages().await;
            let answer = heard.last().expect("an answer");
            assert!(heard.len() == expected && text(answer).contains(words), "{heard:?}");
            answered.fetch_add(1, Ordering::SeqCst);
        }
    }
}

#[tokio::test]
async fn neither_a_reload_nor_a_new_server_loses_an_answer() {
    let old = Everything::start();
    let Some(nginx) = Nginx::start(old.address) else { return };
    let front = Arc::new(Site::elsewhere(nginx.address()));
    let (answered, ends) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let mut clients = tokio::task::JoinSet::new();
    for _ in 0..8 {
        clients.spawn(keep_calling(Arc::clone(&front), Arc::clone(&answered), Arc::clone(&ends)));
    }
    more(&answered, 20).await;
    let (nginx, address) = reloaded(nginx, old.address).await;
    assert_eq!(address, old.address, "the same server, another configuration");
    more(&answered, 20).await;
    // as README.md says: the new one first, then the proxy, then the old one
    let new = Everything::start();
    let (_nginx, _) = reloaded(nginx, new.address).await;
    assert_eq!(old.terminate().await, Some(0));
    more(&answered, 20).await;
    ends.store(true, Ordering::SeqCst);
    while let Some(client) = clients.join_next().await {
        client.expect("a client that lost nothing");
    }
    assert_eq!(new.terminate().await, Some(0));
}

/// Reloads while others go on.
async fn reloaded(nginx: Nginx, server: SocketAddr) -> (Nginx, SocketAddr) {
    let reloading = tokio::task::spawn_blocking(move || {
        nginx.reload(server);
        nginx
    });
    (reloading.await.expect("a reload"), server)
}

#[tokio::test]
async fn a_server_that_is_told_to_end_answers_what_is_under_way() {
    let server = Everything::start();
    let site = Site::elsewhere(server.address);
    let slow = with_progress(stateless(call(1, "test_tool_with_progress", json!({}))));
    let mut reply = site.send(&Request::stateless(&slow)).await;
    assert_eq!(reply.next_message().await["method"], "notifications/progress");
    let ended = tokio::spawn(server.terminate());
    assert!(text(&reply.message().await).contains("three steps"));
    assert_eq!(ended.await.expect("it ends"), Some(0));
}
