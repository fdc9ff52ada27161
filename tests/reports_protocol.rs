//! What users of other servers have reported about the protocol: each test names the reports whose kind it is about, and holds
//! the right behavior.

/// What the contract in `rules/contract` becomes.
#[expect(clippy::exhaustive_enums, reason = "an enumeration of the contract is complete")]
pub mod api {
    mcp_runtime::include_service!("house");
}

#[path = "faults/memory.rs"]
mod faults;
#[path = "rules/house.rs"]
mod house;

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use house::{House, SECRET};
use mcp_codegen::source::{Role, SourceFile, Sources};
use mcp_codegen::{Config, generate};
use mcp_runtime::listener::{
    Cancelled, Finished, Listener, Outcome, Refused, Repaired, ToolErrorEvent, TransportEvent,
};
use mcp_runtime::testing::Client;
use mcp_runtime::{Revision, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// The newest revision of each era.
const ERAS: [Revision; 2] = [Revision::NEWEST_WITH_SESSION, Revision::V2026_07_28];

/// Writes down all that a listener hears.
#[derive(Clone, Default)]
struct Ear(Arc<Mutex<Vec<String>>>);

impl Ear {
    fn note(&self, event: String) {
        self.0.lock().expect("no panic").push(event);
    }

    /// All that was heard, once something has been heard with each of these words in it.
    async fn heard(&self, words: &[&str]) -> Vec<String> {
        for _ in 0..1_000 {
            let heard = self.0.lock().expect("no panic").clone();
            if words.iter().all(|word| heard.iter().any(|event| event.contains(word))) {
                return heard;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("not all of {words:?} in {:#?}", self.0.lock().expect("no panic"));
    }
}

impl Listener for Ear {
    fn tool_error(&self, event: &ToolErrorEvent) {
        self.note(format!("tool_error: {event}"));
    }

    fn repaired(&self, event: &Repaired) {
        self.note(format!("repaired: {event:?}"));
    }

    fn cancelled(&self, event: &Cancelled) {
        self.note(format!("cancelled: {event:?}"));
    }

    fn finished(&self, event: &Finished) {
        if event.outcome != Outcome::Succeeded {
            self.note(format!("finished: {} {:?} {:?}", event.name, event.outcome, event.error));
        }
    }

    fn refused(&self, event: &Refused) {
        self.note(format!("refused: {} {} {}", event.method, event.code.code(), event.message));
    }

    fn transport(&self, event: &TransportEvent) {
        self.note(format!("transport: {event:?}"));
    }
}

fn listening(house: House) -> (Server<api::Service<House>>, Ear) {
    let ear = Ear::default();
    (Server::new(api::service(house)).listener(ear.clone()), ear)
}

/// R04
#[tokio::test]
async fn a_handler_that_panics_is_answered_at_once_and_only_the_listener_hears_why() {
    for era in ERAS {
        let (server, ear) = listening(House::default());
        let mut client = Client::new(server).revision(era);
        for (tool, arguments) in
            [("act", json!({ "how": "panic" })), ("act", json!({ "how": "panic-late" })), ("grind", json!({}))]
        {
            let result = client.call(tool, arguments).await.expect("a result");
            assert!(result.is_error() && result.text().starts_with("internal error"), "{}", result.text());
            assert!(!result.json().to_string().contains(SECRET));
        }
        for error in [
            client.read("house://1/cursed").await.expect_err("a panic"),
            client.render("leave", json!({})).await.expect_err("a panic"),
        ] {
            assert_eq!(error.code, -32_603);
            assert!(!error.to_string().contains(SECRET), "{error}");
        }
        assert!(!client.call("echo", json!({ "text": "still here" })).await.expect("a result").is_error());
        let heard = ear.heard(&["finished: leave Panicked", "finished: house://1/cursed Panicked", "grind"]).await;
        let told = heard.iter().filter(|event| event.starts_with("finished") && event.contains(SECRET)).count();
        assert_eq!(told, 5, "{heard:#?}");
    }
}

/// R04: what no handler can catch is said where it would be written.
#[test]
fn a_new_project_warns_of_panics_that_abort() {
    let project = support::Sandbox::new();
    let made = project.run(&["init", "server"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let manifest = project.read("server/Cargo.toml");
    assert!(manifest.lines().any(|line| line.starts_with('#') && line.contains("panic = \"abort\"")), "{manifest}");
}

/// R46
#[tokio::test]
async fn a_cancelled_call_stops_at_once_unanswered_and_the_listener_hears_the_cause() {
    for era in ERAS {
        for how in ["wait", "watch"] {
            let house = House::default();
            let (server, ear) = listening(house.clone());
            let mut client = Client::new(server).revision(era);
            let id = client.start("tools/call", json!({ "name": "act", "arguments": { "how": how } })).await;
            while house.begun.load(Ordering::SeqCst) == 0 {
                tokio::task::yield_now().await;
            }
            client.notify("notifications/cancelled", json!({ "requestId": id, "reason": "the user left" })).await;
            ear.heard(&["the user left"]).await;
            // who asked to be told ends by itself, at once; who did not is gone
            let expected = usize::from(how == "watch");
            while house.ended.load(Ordering::SeqCst) < expected {
                tokio::task::yield_now().await;
            }
            tokio::time::sleep(Duration::from_millis(400)).await;
            assert_eq!(house.ended.load(Ordering::SeqCst), expected);
            let left = client.close().await.expect("a clean end");
            assert!(left.iter().all(|message| message["id"] != id), "{left:?}");
        }
    }
}

/// R63
#[tokio::test]
async fn one_listener_hears_of_every_kind_of_failure() {
    for era in ERAS {
        let (server, ear) = listening(House::default());
        let mut client = Client::new(server.drain(Duration::from_millis(50))).revision(era);
        // decoding
        client.say(&json!("no message")).await;
        // dispatch
        client.request("rooms/list", json!({})).await.expect_err("unknown");
        client.call("none", json!({})).await.expect_err("unknown");
        client.read("house:none").await.expect_err("unknown");
        client.render("none", json!({})).await.expect_err("unknown");
        client.request("tools/list", json!({ "cursor": "x" })).await.expect_err("unknown");
        // validation
        assert!(client.call("echo", json!({ "loud": 1 })).await.expect("a result").is_error());
        client.render("greet", json!({})).await.expect_err("an argument is missing");
        // handlers
        assert!(client.call("act", json!({ "how": "fail" })).await.expect("a result").is_error());
        client.read("house://1/broken").await.expect_err("broken");
        // output
        client.call("echo", json!({ "text": "nan" })).await.expect_err("no number");
        let heard = ear.heard(&["infinity or NaN"]).await;
        for word in [
            "transport: BadMessage",
            "refused: rooms/list -32601",
            "tool_error: tool `none`",
            "finished: house:none Failed",
            "finished: none Failed",
            "refused: tools/list -32602 unknown cursor",
            "tool_error: tool `echo` failed (invalid_params",
            "finished: greet Failed",
            "the door is locked",
            "finished: house://1/broken Failed",
        ] {
            assert!(heard.iter().any(|event| event.starts_with(word) || event.contains(word)), "{word}: {heard:#?}");
        }
        // shutting down with a call that does not end in time
        client.start("tools/call", json!({ "name": "act", "arguments": { "how": "wait" } })).await;
        client.close().await.expect("a clean end");
        ear.heard(&["transport: Closed { in_flight: 1 }", "transport: ShutDown { cut: 1 }"]).await;
    }
}

/// R63: the transport itself.
#[tokio::test]
async fn a_listener_hears_of_a_stream_that_breaks() {
    let (server, ear) = listening(House::default());
    assert!(server.serve_streams(cut(), tokio::io::sink()).await.is_err());
    ear.heard(&["transport: Failed(\"the cable is cut\")"]).await;
}

/// A stream whose first read fails.
fn cut() -> impl tokio::io::AsyncRead + Send + Unpin + 'static {
    struct Cut;
    impl tokio::io::AsyncRead for Cut {
        fn poll_read(
            self: std::pin::Pin<&mut Self>,
            _: &mut std::task::Context<'_>,
            _: &mut tokio::io::ReadBuf<'_>,
        ) -> std::task::Poll<std::io::Result<()>> {
            std::task::Poll::Ready(Err(std::io::Error::other("the cable is cut")))
        }
    }
    Cut
}

/// R64
#[tokio::test]
async fn a_secret_is_nowhere_but_in_the_handler() {
    const TOKEN: &str = "hunter2-hunter2";
    for era in ERAS {
        let (server, ear) = listening(House::default());
        let mut client = Client::new(server).revision(era);
        let mut said = Vec::new();
        for arguments in [
            json!({ "how": "tell", "token": TOKEN }),
            json!({ "how": "fail", "token": TOKEN }),
            json!({ "how": "none", "token": TOKEN }),
            json!({ "how": "tell", "token": [TOKEN] }),
            json!({ "how": "tell", "token": { "value": TOKEN } }),
            json!({ "how": "tell", "token": format!("{TOKEN}{}", "x".repeat(40)) }),
            json!({ "how": "tell", "token": TOKEN, "more": 1 }),
            json!(json!({ "how": "tell", "token": TOKEN }).to_string()),
            json!({ "token": TOKEN }),
        ] {
            let answer = client.request("tools/call", json!({ "name": "act", "arguments": arguments })).await;
            said.push(format!("{answer:?}"));
        }
        // a number for a text is mended, and told of without its value
        let number = json!({ "how": "tell", "token": 732_732_732 });
        said.push(format!("{:?}", client.request("tools/call", json!({ "name": "act", "arguments": number })).await));
        client.call("act", json!({ "how": "wait" })).await.expect("a result");
        let heard = ear.heard(&["repaired", "the door is locked", "(hidden)"]).await;
        for text in said.iter().chain(&heard) {
            assert!(!text.contains("hunter2") && !text.contains("732732732"), "{text}");
        }
    }
}

/// R64: a URI can hold a secret, too.
#[tokio::test]
async fn of_a_uri_with_a_secret_only_the_template_is_told() {
    for era in ERAS {
        let (server, ear) = listening(House::default());
        let mut client = Client::new(server).revision(era);
        assert_eq!(client.read("safe://4711/open").await.expect("contents")[0]["text"], "diamonds");
        for how in ["jam", "alarm", "wait"] {
            client.read(&format!("safe://4711/{how}")).await.expect_err("no contents");
        }
        let heard = ear.heard(&["the door is jammed", "Panicked", "TimedOut"]).await;
        let named = heard.iter().filter(|event| event.contains("finished: safe://{code}/{how}")).count();
        assert!(named == 3 && !heard.iter().any(|event| event.contains("4711")), "{heard:#?}");
    }
}

fn sources(names: [&str; 3]) -> Sources {
    let mut sources = Sources::default();
    for name in names {
        let text = format!(
            "format = 1\n[[tools]]\nname = \"{name}\"\nargs = {{ b = {{ type = \"string\" }}, a = {{ type = \"string\" }} }}\n"
        );
        let path = PathBuf::from(format!("{name}.toml"));
        sources.add(SourceFile { name: format!("{name}.toml"), path, text, role: Role::Toml });
    }
    sources
}

/// R35
#[tokio::test]
async fn the_same_contract_gives_the_same_bytes_and_the_same_lists() {
    let made = || generate(&sources(["one", "two", "three"]), &Config::new()).expect("a contract").files;
    let (first, second) = (made(), made());
    assert!(first.iter().eq(second.iter()));
    let (first, second) = (lists().await, lists().await);
    let tools: Vec<&str> =
        first.lines().skip(1).take(2).filter_map(|line| Some(line.split_once("\"result\"")?.1)).collect();
    assert!(first.lines().count() == 5 && tools[0] == tools[1], "{first}");
    assert_eq!(first, second);
}

/// All that a fresh server says to the same requests.
async fn lists() -> String {
    let (mut client, server) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(server);
    let running = tokio::spawn(Server::new(api::service(House::default())).serve_streams(input, output));
    let info = json!({ "name": "test", "version": "1" });
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info });
    let methods = ["initialize", "tools/list", "tools/list", "resources/list", "prompts/list"];
    for (id, method) in (0..).zip(methods) {
        let params = if id == 0 { hello.clone() } else { json!({}) };
        let line = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string() + "\n";
        client.write_all(line.as_bytes()).await.expect("written");
    }
    client.shutdown().await.expect("closed");
    let mut heard = String::new();
    client.read_to_string(&mut heard).await.expect("read");
    running.await.expect("no panic").expect("no error");
    heard
}

/// R48
#[test]
fn names_that_collide_stop_generation_and_both_places_are_shown() {
    let told = |text: &str| {
        let mut sources = Sources::default();
        for (index, text) in text.split("---").enumerate() {
            let name = format!("{index}.toml");
            let text = format!("format = 1\n{text}");
            sources.add(SourceFile { path: PathBuf::from(&name), name, text, role: Role::Toml });
        }
        let found = generate(&sources, &Config::new()).expect_err("names collide");
        found.render(&sources, mcp_codegen::diagnostic::Format::Plain)
    };
    let tool = |name: &str| format!("[[tools]]\nname = \"{name}\"\n");
    for (contract, code, places) in [
        (tool("a") + &tool("a"), "E0201", ["0.toml:5", "first"]),
        (tool("a") + "---" + &tool("a"), "E0201", ["1.toml:3", "0.toml:3"]),
        (tool("get-it") + &tool("get_it"), "E0205", ["0.toml:5", "3 |"]),
        (tool("getIt") + "---" + &tool("get_it"), "E0205", ["1.toml:3", "0.toml:3"]),
        ("[[prompts]]\nname = \"a b\"\n[[prompts]]\nname = \"a-b\"\n".to_owned(), "E0205", ["0.toml:5", "3 |"]),
    ] {
        let told = told(&contract);
        assert!(told.contains(code) && places.iter().all(|place| told.contains(place)), "{contract}\n{told}");
    }
}

/// R65
#[tokio::test]
async fn every_stateless_list_says_how_long_and_by_whom_it_may_be_kept() {
    let mut client = Client::new(api::service(House::default())).revision(Revision::V2026_07_28);
    for method in ["tools/list", "resources/list", "resources/templates/list", "prompts/list", "server/discover"] {
        let list = client.request(method, json!({})).await.expect("a list");
        assert_eq!((&list["ttlMs"], &list["cacheScope"]), (&json!(60_000), &json!("public")), "{method}");
    }
    let files = generate(&sources(["a", "b", "c"]), &Config::new()).expect("a contract").files;
    let root = files.get("mod.rs").expect("a root");
    assert!(root.contains("ttl_ms: 0") && root.contains("public: false"), "private, and not at all by default");
    assert_ne!(client.read("house://plan").await.expect("contents"), Vec::<Value>::new());
}
