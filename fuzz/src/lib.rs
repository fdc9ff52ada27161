//! What several targets share: a server, and a clock that waits for nobody.

use std::time::Duration;

use mcp_runtime::{Context, Server, Service, ToolError, ToolResponse};
use tokio::runtime::Runtime;

/// What the contract becomes.
pub mod api {
    mcp_runtime::include_service!("fuzzed");
}

/// The handlers.
pub struct Fuzzed;

impl api::Echo for Fuzzed {
    async fn call(&self, args: api::echo::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(args.text.into())
    }
}

impl api::Nap for Fuzzed {
    async fn call(&self, args: api::nap::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        tokio::time::sleep(Duration::from_millis(args.millis.unsigned_abs())).await;
        Ok("slept".into())
    }
}

impl api::Sure for Fuzzed {
    async fn call(&self, _: api::sure::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        let answer = ctx.ask::<api::asks::Confirm>().await?;
        Ok(format!("{answer:?}").into())
    }
}

impl api::Any for Fuzzed {}
impl api::Scalars for Fuzzed {}
impl api::Lists for Fuzzed {}
impl api::Choices for Fuzzed {}
impl api::Open for Fuzzed {}

/// The server. Its clock is a day long where a person would have to answer.
pub fn server() -> Server<impl Service> {
    Server::new(api::service(Fuzzed)).state_key([7; 32]).answer_timeout(Duration::from_secs(86_400)).max_in_flight(8)
}

/// A runtime whose time passes as fast as nobody has anything to do.
pub fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().expect("a runtime")
}
