//! A server that has one of each thing: what the official conformance suite asks for, written from a contract.
//!
//! The contract lies in `specs/`, a file for each subject; the module of the same name has the handlers.

mod api {
    mcp_runtime::include_service!("everything");
}

mod answers;
mod asking;
mod changes;
mod progress;
mod prompts;
mod resources;
mod rounds;
mod schemas;

use std::sync::atomic::AtomicU64;

use mcp_runtime::{Changes, Server};

/// What the handlers share.
#[derive(Debug, Default)]
struct Everything {
    /// The way to tell clients of changes.
    changes: Changes,
    /// How often the watched resource was updated.
    updates: AtomicU64,
}

/// A red pixel.
const PIXEL: &[u8] = include_bytes!("../assets/pixel.png");
/// A moment of silence.
const SILENCE: &[u8] = include_bytes!("../assets/silence.wav");

fn server() -> Server<impl mcp_runtime::Service> {
    let everything = Everything::default();
    let changes = everything.changes.clone();
    Server::new(api::service(everything)).changes(&changes)
}

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stderr, reason = "standard error is where a server over stdio logs")]
async fn main() -> mcp_runtime::Result<()> {
    let server = server().on_tool_error(|event| eprintln!("{event}"));
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            mcp_runtime::claim_stdio()?;
            server.serve_stdio().await
        }
        ["--http", address] => server.serve_http(address).await,
        _ => Err(std::io::Error::other("usage: everything [--http ADDRESS]").into()),
    }
}

#[cfg(test)]
mod tests;
