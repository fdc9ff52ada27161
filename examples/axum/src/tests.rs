//! The application over a socket.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use mcp_runtime::Server;
use mcp_runtime::testing::check_examples;
use tokio::net::TcpListener;

use crate::{Dice, api, app};

/// Sends a request as it stands here, and reads the response.
fn send(address: std::net::SocketAddr, head: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    write!(stream, "{head}Host: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    response
}

#[tokio::test]
async fn both_routes_are_served() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let mcp = Server::new(api::service(Dice)).http().service().unwrap();
    tokio::spawn(axum::serve(listener, app(mcp)).into_future());
    let healthy = tokio::task::spawn_blocking(move || send(address, "GET /health HTTP/1.1\r\n", "")).await.unwrap();
    assert!(healthy.starts_with("HTTP/1.1 200") && healthy.ends_with("fine"), "{healthy}");
    let head = concat!(
        "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n",
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: throw\r\n",
    );
    let body = concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"throw","arguments":{"seed":7},"#,
        r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#,
    );
    let answer = tokio::task::spawn_blocking(move || send(address, head, body)).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains(r#""type":"text""#), "{answer}");
}

#[tokio::test]
async fn the_examples_of_the_contract_hold() {
    check_examples(api::service(Dice)).await.unwrap();
}
