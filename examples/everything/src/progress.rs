//! What a tool can say and do while it runs: tell how far it is, write to the client's log, let go of a connection.

use std::time::Duration;

use mcp_runtime::{Context, LogLevel, ToolError, ToolResponse};
use tokio::time::sleep;

use crate::Everything;
use crate::api::{
    TestLoggingTool, TestReconnection, TestToolWithLogging, TestToolWithProgress, test_logging_tool, test_reconnection,
    test_tool_with_logging, test_tool_with_progress,
};

/// How long the tools pretend to work between two things that they say.
const WORK: Duration = Duration::from_millis(50);

impl TestToolWithProgress for Everything {
    async fn call(&self, _: test_tool_with_progress::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        for percent in [0.0, 50.0, 100.0] {
            ctx.progress(percent).total(100.0).message(format!("Completed {percent} of 100")).send();
            sleep(WORK).await;
        }
        Ok("Progress was reported in three steps.".into())
    }
}

impl TestToolWithLogging for Everything {
    async fn call(&self, _: test_tool_with_logging::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        for line in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
            ctx.log(LogLevel::Info, line);
            sleep(WORK).await;
        }
        Ok("Three messages were logged.".into())
    }
}

impl TestReconnection for Everything {
    async fn call(&self, _: test_reconnection::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        // a long call need not hold a connection all the time: the client comes back for the answer
        ctx.close_stream();
        sleep(WORK * 2).await;
        Ok("Here is the answer, on another connection.".into())
    }
}

impl TestLoggingTool for Everything {
    async fn call(&self, _: test_logging_tool::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        // whoever did not ask for messages gets none: the runtime sees to it
        ctx.log(LogLevel::Info, "Tool was called");
        Ok("Whoever wanted a log message has it.".into())
    }
}
