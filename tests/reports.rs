//! What users report of other MCP servers, each by its id: the whole kind of it behaves as it should here.

/// What the contract in `reports/contract` becomes.
#[expect(clippy::exhaustive_enums, reason = "an enumeration of the contract is complete")]
pub mod api {
    mcp_runtime::include_service!("reports");
}

#[path = "reports/arguments.rs"]
mod arguments;
#[path = "reports/handler.rs"]
mod handler;
#[path = "reports/outputs.rs"]
mod outputs;
#[path = "reports/provided.rs"]
mod provided;
#[path = "reports/rules.rs"]
mod rules;
#[path = "reports/schemas.rs"]
mod schemas;

use mcp_runtime::testing::{CallResult, Client};
use mcp_runtime::{Revision, Server};
use serde_json::Value;

use crate::handler::Echo;

/// The newest revision of each era.
const ERAS: [Revision; 2] = [Revision::NEWEST_WITH_SESSION, Revision::V2026_07_28];

fn client() -> Client {
    Client::new(api::service(Echo))
}

/// What becomes of a call.
async fn call(tool: &str, arguments: Value) -> CallResult {
    client().call(tool, arguments).await.expect("the tool is there")
}

/// What a handler got, as it tells.
async fn accepted(tool: &str, arguments: Value) -> String {
    let result = call(tool, arguments.clone()).await;
    assert!(!result.is_error(), "{arguments} was refused: {}", result.text());
    result.text()
}

/// What the model is told about arguments that are refused.
async fn refused(tool: &str, arguments: Value) -> String {
    let result = call(tool, arguments.clone()).await;
    assert!(result.is_error(), "{arguments} was accepted: {}", result.text());
    result.text()
}

/// The same without repair.
async fn refused_strictly(tool: &str, arguments: Value) -> String {
    let mut client = Client::new(Server::new(api::service(Echo)).repair(false));
    let result = client.call(tool, arguments.clone()).await.expect("the tool is there");
    assert!(result.is_error(), "{arguments} was accepted: {}", result.text());
    result.text()
}
