//! The server as a part of another one, where somebody else has listened, authenticated and routed.

use std::convert::Infallible;
use std::future::poll_fn;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use mcp_runtime::http::{Body, HttpService};
use mcp_runtime::listener::{Listener, TransportEvent};
use mcp_runtime::{Principal, Server};
use serde_json::{Value, json};
use tower_service::Service as _;

use crate::service::{World, call, server, stateless, text, tools, until};
use crate::{api, travel::Travel};

type Whole = Full<std::io::Cursor<Vec<u8>>>;

/// A request that a layer in front has made certain is of this principal.
fn post(principal: Option<&str>, message: &Value) -> Request<Whole> {
    let body = Full::new(std::io::Cursor::new(message.to_string().into_bytes()));
    let mut request = Request::post("/anywhere").header("host", "localhost").header("content-type", "application/json");
    if message["params"]["_meta"].is_object() {
        request = request
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", message["method"].as_str().unwrap())
            .header("mcp-name", message["params"]["name"].as_str().unwrap());
    }
    let mut request = request.body(body).unwrap();
    request.extensions_mut().extend(
        principal
            .map(|name| {
                let mut extensions = http::Extensions::new();
                extensions.insert(Principal::new(name));
                extensions
            })
            .unwrap_or_default(),
    );
    request
}

async fn send(service: &HttpService, request: Request<Whole>) -> Response<Body> {
    let mut service = service.clone();
    let ready: Result<(), Infallible> =
        poll_fn(|cx| tower_service::Service::<Request<Whole>>::poll_ready(&mut service, cx)).await;
    ready.unwrap();
    service.call(request).await.unwrap()
}

async fn message(response: Response<Body>) -> Value {
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    serde_json::from_slice(&bytes).unwrap_or_else(|_| panic!("JSON: {bytes:?}"))
}

#[tokio::test]
async fn it_is_served_wherever_it_is_mounted() {
    let service = server(&World::default()).service().unwrap();
    let response = send(&service, post(None, &stateless(call(1, "echo", json!({ "text": "hi" }))))).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(text(&message(response).await), "hi");
    let mut foreign = post(None, &stateless(call(1, "echo", json!({}))));
    foreign.headers_mut().insert("host", "evil.example".parse().unwrap());
    assert_eq!(send(&service, foreign).await.status(), StatusCode::FORBIDDEN);
    // HTTP/2 names the host in the target
    let mut foreign = post(None, &stateless(call(1, "echo", json!({}))));
    *foreign.uri_mut() = "http://evil.example/mcp".parse().unwrap();
    foreign.headers_mut().remove("host");
    assert_eq!(send(&service, foreign).await.status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn r69_a_session_is_its_principal_s_own() {
    let service = server(&World::default()).service().unwrap();
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "c", "version": "1" } });
    let initialize = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
    let opened = send(&service, post(Some("ann"), &initialize)).await;
    let session = opened.headers()["mcp-session-id"].clone();
    for (principal, status) in [(Some("ann"), 200), (Some("bob"), 404), (None, 404)] {
        let mut request = post(principal, &call(1, "echo", json!({})));
        request.headers_mut().insert("mcp-session-id", session.clone());
        assert_eq!(send(&service, request).await.status(), status, "{principal:?}");
    }
}

#[tokio::test]
async fn mr5_what_a_client_carries_along_is_its_principal_s_own() {
    let service = server(&World::default()).service().unwrap();
    let mut call = stateless(call(1, "trip", json!({})));
    let asked = message(send(&service, post(Some("ann"), &call)).await).await;
    let key = asked["result"]["inputRequests"].as_object().unwrap().keys().next().unwrap().clone();
    call["params"]["requestState"] = asked["result"]["requestState"].clone();
    call["params"]["inputResponses"] = json!({ key: { "roots": [] } });
    for principal in [Some("bob"), None] {
        let refused = message(send(&service, post(principal, &call)).await).await;
        assert_eq!(refused["error"]["code"], -32_602, "{principal:?}");
    }
    assert_eq!(text(&message(send(&service, post(Some("ann"), &call)).await).await), "");
}

#[tokio::test]
async fn a_service_that_was_shut_down_takes_nothing_new() {
    let service = server(&World::default()).service().unwrap();
    service.shut_down().await;
    let response = send(&service, post(None, &stateless(call(1, "echo", json!({}))))).await;
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
}

struct Audit(Mutex<Sender<()>>);

impl Listener for Audit {
    fn transport(&self, event: &TransportEvent) {
        if *event == TransportEvent::SlowReader {
            // the test may have heard enough
            let _ = self.0.lock().unwrap().send(());
        }
    }
}

#[tokio::test]
async fn a_stream_that_the_outer_server_does_not_read_is_cut_and_told_of() {
    let (sender, heard) = channel();
    let world = World::default();
    let server = Server::new(api::service(Travel)).provider(tools(&world)).listener(Audit(sender.into()));
    let service = server.http().write_timeout(Duration::from_millis(50)).service().unwrap();
    let mut babble = stateless(call(1, "babble", json!({})));
    babble["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = "debug".into();
    let response = send(&service, post(None, &babble)).await;
    // its body is held, and nobody asks it for more
    until(&world.dropped, 1).await;
    let told = tokio::task::spawn_blocking(move || heard.recv_timeout(Duration::from_secs(10)));
    told.await.unwrap().expect("the listener hears of it");
    let read = response.into_body().collect().await.unwrap().to_bytes();
    assert!(read.starts_with(b"data: {") && read.len() < 1 << 20, "what was there before is all: {}", read.len());
}
