//! A server that has one of each thing: what the official conformance suite asks for, written from a contract.
//!
//! The contract lies in `specs/`, a file for each subject; the module of the same name has the handlers.

mod api {
    mcp_runtime::include_service!("everything");
}

mod answers;
mod asking;
mod changes;
mod options;
mod progress;
mod prompts;
mod resources;
mod rounds;
mod schemas;
mod tasks;

use std::future::pending;
use std::sync::atomic::AtomicU64;

use mcp_runtime::{Changes, Server, Service};
use tokio::net::TcpListener;
#[cfg(unix)]
use tokio::signal::unix::{SignalKind, signal};

use crate::options::{Options, USAGE};

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

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stderr, reason = "standard error is where a server logs")]
async fn main() -> mcp_runtime::Result<()> {
    let options = Options::of_command_line().unwrap_or_else(|why| {
        eprintln!("{why}\n{USAGE}");
        std::process::exit(2);
    });
    let mut server = server().on_tool_error(|event| eprintln!("{event}"));
    if let Some(size) = options.page_size {
        server = server.page_size(size);
    }
    match options.http {
        Some(address) => serve_http(server, &address).await,
        None => server.serve_stdio().await,
    }
}

fn server() -> Server<impl Service> {
    let everything = Everything::default();
    let changes = everything.changes.clone();
    Server::new(api::service(everything)).changes(&changes)
}

/// Serves until the process is told to end. Says where, for a port that the system chose.
#[expect(clippy::print_stdout, reason = "over HTTP, standard output is free")]
async fn serve_http(server: Server<impl Service>, address: &str) -> mcp_runtime::Result<()> {
    let listener = TcpListener::bind(address).await?;
    println!("http://{}/mcp", listener.local_addr()?);
    server.http().shutdown(told_to_end()).serve_on(listener).await
}

/// Waits for Ctrl+C, or for what service managers send. Where one cannot be heard, it ends the process by itself.
async fn told_to_end() {
    let interrupted = async {
        if tokio::signal::ctrl_c().await.is_err() {
            pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminated = async {
        match signal(SignalKind::terminate()) {
            Ok(mut signal) => signal.recv().await,
            Err(_) => pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = pending::<()>();
    tokio::select! {
        () = interrupted => {}
        _ = terminated => {}
    }
}

#[cfg(test)]
mod tests;
