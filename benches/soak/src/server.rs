//! The server that is soaked: it runs in a process of its own, so that its memory is its own.

use std::time::Duration;

use mcp_runtime::listener::Listener;
use mcp_runtime::{Context, Server, ToolError, ToolResponse};
use tokio::net::TcpListener;

use crate::api::{self, Add, Boom, Echo, Nap, add, boom, echo, nap};

#[derive(Debug)]
struct Soaked;

impl Add for Soaked {
    async fn call(&self, args: add::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(args.a.wrapping_add(args.b).to_string().into())
    }
}

impl Nap for Soaked {
    async fn call(&self, args: nap::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        ctx.progress(1.0).send();
        tokio::time::sleep(Duration::from_micros(args.micros.unsigned_abs())).await;
        Ok(args.text.into())
    }
}

impl Boom for Soaked {
    async fn call(&self, args: boom::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        if args.late {
            tokio::time::sleep(Duration::from_micros(200)).await;
        }
        panic!("as it was told to")
    }
}

impl Echo for Soaked {
    async fn call(&self, args: echo::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(args.text.into())
    }
}

/// Makes the events, and hears none of them out.
struct Deaf;

impl Listener for Deaf {}

/// Serves over HTTP, and says where, or over standard input and output.
#[expect(clippy::print_stdout, reason = "over HTTP, standard output is free")]
pub(crate) async fn serve(over_http: bool) -> mcp_runtime::Result<()> {
    // a panic is expected now and then, and nobody reads about it
    std::panic::set_hook(Box::new(|_| {}));
    let server = Server::new(api::service(Soaked)).listener(Deaf);
    if !over_http {
        return server.serve_stdio().await;
    }
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    server.http().serve_on(listener).await
}
