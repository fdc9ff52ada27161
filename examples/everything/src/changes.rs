//! Tools that tell clients of changes.

use std::sync::atomic::Ordering;

use mcp_runtime::{Context, ToolError, ToolResponse};

use crate::Everything;
use crate::api::resources::watched_resource;
use crate::api::{
    TestTriggerPromptChange, TestTriggerResourceUpdate, TestTriggerToolChange, test_trigger_prompt_change,
    test_trigger_resource_update, test_trigger_tool_change,
};

impl TestTriggerToolChange for Everything {
    async fn call(&self, _: test_trigger_tool_change::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        self.changes.tools_changed();
        Ok("Clients are told that the tools changed.".into())
    }
}

impl TestTriggerPromptChange for Everything {
    async fn call(&self, _: test_trigger_prompt_change::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        self.changes.prompts_changed();
        Ok("Clients are told that the prompts changed.".into())
    }
}

impl TestTriggerResourceUpdate for Everything {
    async fn call(&self, args: test_trigger_resource_update::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        if args.uri != watched_resource::URI {
            return Err(ToolError::invalid_params(format!("only {} changes", watched_resource::URI)));
        }
        self.updates.fetch_add(1, Ordering::Relaxed);
        self.changes.resource_updated(&args.uri);
        Ok(format!("Subscribers are told that {} changed.", args.uri).into())
    }
}
