//! An MCP server as one route of an axum application: beside a page of its own, under its layers, with its end.
//!
//! `cargo run -p axum-example`, and then a client that connects to `http://127.0.0.1:3000/mcp`.

mod api {
    mcp_runtime::include_service!("dice");
}

use api::{Throw, throw};
use axum::Router;
use axum::routing::get;
use mcp_runtime::http::HttpService;
use mcp_runtime::{Context, Server, ToolError, ToolResponse};
use tokio::net::TcpListener;

/// The handlers need nothing.
#[derive(Debug)]
struct Dice;

impl Throw for Dice {
    async fn call(&self, args: throw::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        let mut state = args.seed.unsigned_abs();
        let eyes = (0..args.dice).map(|_| {
            // a linear congruential generator, with Knuth's numbers
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % 6 + 1
        });
        let eyes = eyes.map(|eyes| eyes.to_string());
        Ok(eyes.collect::<Vec<_>>().join(" ").into())
    }
}

/// Everything under one roof. Layers that authenticate or trace go around the router, as always.
fn app(mcp: HttpService) -> Router {
    Router::new().route("/health", get(|| async { "fine" })).route_service("/mcp", mcp)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mcp = Server::new(api::service(Dice)).http().service()?;
    let listener = TcpListener::bind("127.0.0.1:3000").await?;
    let streams = mcp.clone();
    let shutdown = async move {
        // without a way to hear of the signal, the process ends by it
        if tokio::signal::ctrl_c().await.is_ok() {
            // first the streams, which have no end of their own, then the rest
            streams.shut_down().await;
        }
    };
    axum::serve(listener, app(mcp)).with_graceful_shutdown(shutdown).await?;
    Ok(())
}

#[cfg(test)]
mod tests;
