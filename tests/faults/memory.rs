//! Faults of handlers, listeners and clients, tried in memory: every request is answered once, or given up by its client,
//! and the next one is served.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mcp_runtime::listener::{Finished, Listener, Outcome, TransportEvent};
use mcp_runtime::provider::{ToolDefinition, ToolFuture, ToolProvider};
use mcp_runtime::testing::Client;
use mcp_runtime::{Context, LogLevel, Server};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};

use crate::house::House;
use crate::{ERAS, Ear, api};

/// A call of the house, as a line of a client that needs no session.
fn act(id: u64, how: &str) -> String {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({ "name": "act", "arguments": { "how": how }, "_meta": meta });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string() + "\n"
}

/// Tools that misbehave, each in its own way.
struct Bad;

impl ToolProvider for Bad {
    fn tools(&self) -> Vec<ToolDefinition> {
        ["gabble", "huge"].map(|name| ToolDefinition::new(name, json!({ "type": "object" }))).into()
    }

    fn call<'a>(&'a self, name: &'a str, _: Map<String, Value>, context: &'a Context) -> ToolFuture<'a> {
        Box::pin(async move {
            if name == "huge" {
                return Ok("x".repeat(32 << 20).into());
            }
            // far more than is kept for a client that does not read, and never a pause
            for _ in 0..100_000 {
                context.log(LogLevel::Error, "x".repeat(1_000));
            }
            Ok("said".into())
        })
    }
}

/// A handler that hangs is dropped at its time limit, and its client told.
#[tokio::test(start_paused = true)]
async fn a_handler_that_hangs_is_timed_out() {
    for era in ERAS {
        let (house, ear) = (House::default(), Ear::default());
        let server = Server::new(api::service(house.clone())).listener(ear.clone());
        let mut client = Client::new(server).revision(era);
        let answer = client.call("act", json!({ "how": "watch" })).await.expect("a result");
        assert!(answer.is_error() && answer.text().starts_with("timed out after 5s"), "{}", answer.text());
        assert_eq!(house.ended.load(Ordering::SeqCst), 0, "nobody told it that it may end");
        assert!(!client.call("echo", json!({ "text": "next" })).await.expect("a result").is_error());
        client.close().await.expect("a clean end");
        let heard = ear.0.lock().expect("no panic").join("\n");
        assert!(heard.contains("finished: act TimedOut"), "{heard}");
    }
}

/// What a handler says beyond what is kept for a slow client is dropped; its answer is not, however long it is.
#[tokio::test]
async fn a_handler_that_says_too_much_fills_no_memory_and_loses_no_answer() {
    let server = Server::new(api::service(House::default())).provider(Bad);
    let mut client = Client::new(server).revision(ERAS[0]);
    assert_eq!(client.call("gabble", json!({})).await.expect("a result").text(), "said");
    let said = client.unasked().len();
    assert!((1..2_000).contains(&said), "{said} notices");
    assert_eq!(client.call("huge", json!({})).await.expect("a result").text().len(), 32 << 20);
}

/// Hears nothing before it is let go, and panics at the first events.
struct Deaf {
    gate: Mutex<Receiver<()>>,
    heard: Ear,
}

impl Listener for Deaf {
    fn finished(&self, event: &Finished) {
        // the test lets it go by dropping the other side
        let _ = self.gate.lock().unwrap_or_else(std::sync::PoisonError::into_inner).recv();
        self.heard.note(format!("{} {:?}", event.name, event.outcome));
        assert!(self.heard.0.lock().expect("no panic").len() > 3, "a listener that panics");
    }

    fn transport(&self, event: &TransportEvent) {
        self.heard.note(format!("{event:?}"));
    }
}

/// A listener that blocks delays no call, one that panics goes on with the next event, and what was lost is counted.
#[tokio::test]
async fn a_listener_that_blocks_and_panics_harms_no_call() {
    const CALLS: usize = 3_000;
    let (gate, waits) = channel();
    let heard = Ear::default();
    let listener = Deaf { gate: waits.into(), heard: heard.clone() };
    let mut client = Client::new(Server::new(api::service(House::default())).listener(listener));
    for _ in 0..CALLS {
        assert!(!client.call("echo", json!({ "text": "x" })).await.expect("a result").is_error());
    }
    drop(gate);
    // what is lost is told with the next event that is not, so that calls go on until all are accounted for
    let (mut calls, deadline) = (CALLS, Instant::now() + Duration::from_secs(60));
    let (told, lost) = loop {
        client.call("echo", json!({ "text": "x" })).await.expect("a result");
        calls += 1;
        tokio::time::sleep(Duration::from_millis(10)).await;
        let heard = heard.0.lock().expect("no panic").clone();
        let lost = heard.iter().filter_map(|event| event.strip_prefix("EventsDropped(")?.strip_suffix(')'));
        let lost = lost.map(|count| count.parse::<usize>().expect("a count")).sum::<usize>();
        let told = heard.iter().filter(|event| event.starts_with("echo")).count();
        if told + lost == calls {
            break (told, lost);
        }
        assert!(told + lost < calls && Instant::now() < deadline, "{calls} calls, {told} told, {lost} lost");
    };
    assert!(lost > 1_000 && told > 1_000, "{told} told, {lost} lost");
}

/// Calls and their cancellations race in every order: each call is answered once or not at all, and its id is free.
#[tokio::test]
async fn a_cancellation_and_an_answer_that_meet_leave_one_of_them() {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (read, write) = tokio::io::split(theirs);
    let house = House::default();
    let served = tokio::spawn(Server::new(api::service(house.clone())).serve_streams(read, write));
    let (output, mut input) = tokio::io::split(ours);
    let mut lines = BufReader::new(output).lines();
    let cancel = |id: u64| {
        format!("{}\n", json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }))
    };
    let writer = tokio::spawn(async move {
        for round in 0..400u64 {
            // few ids, so that each is used again and again: by a call that is answered later, at once, or with a panic
            let (id, how) = (round % 5, ["panic-late", "fail", "watch"][usize::try_from(round % 3).expect("small")]);
            input.write_all(act(id, how).as_bytes()).await.expect("written");
            if round % 7 == 0 {
                tokio::time::sleep(Duration::from_millis(round % 11)).await;
            }
            input.write_all(cancel(id).as_bytes()).await.expect("written");
            input.write_all(cancel(id).as_bytes()).await.expect("written");
        }
        for id in 1_000..1_005 {
            input.write_all(act(id, "fail").as_bytes()).await.expect("written");
        }
        input.shutdown().await.expect("closed");
    });
    let mut answers = BTreeMap::<u64, usize>::new();
    while let Some(line) = lines.next_line().await.expect("read") {
        let answer: Value = serde_json::from_str(&line).expect("JSON");
        assert!(answer["result"]["isError"] == true, "every id was free again: {answer}");
        *answers.entry(answer["id"].as_u64().expect("an id")).or_default() += 1;
    }
    writer.await.expect("no panic");
    served.await.expect("no panic").expect("no error");
    assert!((1_000..1_005).all(|id| answers[&id] == 1), "{answers:?}");
    assert!((0..5).all(|id| answers.get(&id).copied().unwrap_or_default() <= 80), "one each at most: {answers:?}");
}

/// An input that ends in the middle of a message ends the server; what was asked before is answered.
#[tokio::test]
async fn a_client_that_vanishes_in_the_middle_of_a_message_ends_the_server() {
    for (sent, answers) in [(act(1, "fail") + &act(2, "fail")[..40], 2), (act(1, "fail")[..40].to_owned(), 1)] {
        let (mut ours, theirs) = tokio::io::duplex(1 << 16);
        let (read, write) = tokio::io::split(theirs);
        let served = tokio::spawn(Server::new(api::service(House::default())).serve_streams(read, write));
        ours.write_all(sent.as_bytes()).await.expect("written");
        ours.shutdown().await.expect("closed");
        let mut heard = String::new();
        ours.read_to_string(&mut heard).await.expect("read");
        served.await.expect("no panic").expect("no error");
        assert_eq!(heard.lines().count(), answers, "{heard}");
        assert!(heard.lines().last().is_some_and(|line| line.contains("-32700")), "{heard}");
    }
}

/// A client that is gone, both ways and at once, in the middle of calls: they are dropped, and the server ends.
#[tokio::test]
async fn a_client_that_vanishes_in_the_middle_of_calls_leaves_nothing_running() {
    for _ in 0..20 {
        let (mut ours, theirs) = tokio::io::duplex(1 << 16);
        let (read, write) = tokio::io::split(theirs);
        let house = House::default();
        let serving = Server::new(api::service(house.clone())).drain(Duration::from_millis(20));
        let served = tokio::spawn(serving.serve_streams(read, write));
        for id in 0..50 {
            let how = ["watch", "wait", "panic-late"][id % 3];
            ours.write_all(act(u64::try_from(id).expect("small"), how).as_bytes()).await.expect("written");
        }
        drop(ours);
        served.await.expect("no panic").expect("a client that is gone is no failure");
        tokio::time::sleep(Duration::from_millis(10)).await;
        assert_eq!(Arc::strong_count(&house.begun), 1, "no handler lives on");
    }
}

/// A call that is given up is told of with its name, its method and how long it took, like every other.
#[tokio::test]
async fn every_end_of_a_call_is_told_with_who_what_and_how_long() {
    #[derive(Clone, Default)]
    struct Audit(Arc<Mutex<Vec<Finished>>>);
    impl Listener for Audit {
        fn finished(&self, event: &Finished) {
            self.0.lock().expect("no panic").push(event.clone());
        }
    }
    let audit = Audit::default();
    let server = Server::new(api::service(House::default())).listener(audit.clone());
    let mut client = Client::new(server).revision(ERAS[0]);
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    for how in ["fail", "panic", "panic-late", "wait"] {
        let params = json!({ "name": "act", "arguments": { "how": how }, "_meta": { "traceparent": parent } });
        client.request("tools/call", params).await.expect("a result");
    }
    client.read("house://plan").await.expect("contents");
    for how in ["wait", "watch"] {
        let id = client.start("tools/call", json!({ "name": "act", "arguments": { "how": how } })).await;
        client.request("ping", json!({})).await.expect("it is there");
        client.cancel(id).await;
    }
    client.close().await.expect("a clean end");
    let events = audit.0.lock().expect("no panic").clone();
    let told: Vec<_> = events.iter().map(|event| (event.method, &*event.name, event.outcome)).collect();
    let call = |outcome| ("tools/call", "act", outcome);
    assert_eq!(
        told,
        [
            call(Outcome::Failed),
            call(Outcome::Panicked),
            call(Outcome::Panicked),
            call(Outcome::Succeeded),
            ("resources/read", "house://plan", Outcome::Succeeded),
            call(Outcome::Cancelled),
            call(Outcome::Cancelled),
        ]
    );
    assert!(events[..4].iter().all(|event| event.trace_parent.as_deref() == Some(parent)), "{events:?}");
    assert!(events[3].duration >= Duration::from_millis(300) && events[4].trace_parent.is_none(), "{events:?}");
}
