//! Tools with schemas out of the ordinary.

use mcp_runtime::{Context, ToolError, ToolResponse};

use crate::Everything;
use crate::api::{JsonSchema202012Tool, TestCustomHeader, json_schema_2020_12_tool, test_custom_header};

impl JsonSchema202012Tool for Everything {
    async fn call(&self, args: json_schema_2020_12_tool::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        // the schema has seen to it that there is one of both
        let way = args.phone.or(args.email).unwrap_or_default();
        Ok(format!("{} is reached by {way}", args.name.as_deref().unwrap_or("Somebody")).into())
    }
}

impl TestCustomHeader for Everything {
    async fn call(&self, args: test_custom_header::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(args.value.into())
    }
}
