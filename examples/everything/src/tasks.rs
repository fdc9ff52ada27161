//! Tools whose calls may become tasks. The handlers do not know it: the contract says so, and the runtime does it.

use std::time::Duration;

use mcp_runtime::{Context, Reply, ToolError, ToolResponse};
use tokio::time::sleep;

use crate::Everything;
use crate::api::{
    ConfirmDelete, FailingJob, Greet, MultiInput, ProtocolErrorJob, SlowCompute, TestToolWithTask, asks,
    confirm_delete, failing_job, greet, multi_input, protocol_error_job, slow_compute, test_tool_with_task,
};

impl Greet for Everything {
    async fn call(&self, args: greet::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(format!("Hello, {}!", args.name).into())
    }
}

impl SlowCompute for Everything {
    async fn call(&self, args: slow_compute::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        ctx.progress(0.0).total(args.seconds).message(format!("computing {}", args.label)).send();
        // a task that is cancelled is dropped here
        sleep(Duration::from_secs_f64(args.seconds)).await;
        Ok(format!("{}: computed for {} seconds", args.label, args.seconds).into())
    }
}

impl FailingJob for Everything {
    async fn call(&self, _: failing_job::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        sleep(Duration::from_secs(1)).await;
        Err(ToolError::internal("the job failed, as it always does"))
    }
}

impl ProtocolErrorJob for Everything {
    async fn call(&self, _: protocol_error_job::Args, _: &Context) -> Result<protocol_error_job::Output, ToolError> {
        sleep(Duration::from_millis(100)).await;
        Ok(protocol_error_job::Output { ratio: f64::NAN })
    }
}

impl ConfirmDelete for Everything {
    async fn call(&self, args: confirm_delete::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        let question = ctx.ask::<asks::Deletion>().message(format!("Delete {}?", args.filename));
        Ok(match question.await? {
            Reply::Accepted(asks::Deletion { confirm: true }) => format!("{} is deleted", args.filename),
            Reply::Accepted(_) | Reply::Declined | Reply::Cancelled => format!("{} is kept", args.filename),
        }
        .into())
    }
}

impl MultiInput for Everything {
    async fn call(&self, _: multi_input::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        let (name, height) = tokio::try_join!(
            ctx.ask::<asks::UserName>().key("user_name"),
            ctx.ask::<asks::Height>().key("user_height"),
        )?;
        let name = name.accepted().map_or_else(|| "Somebody".to_owned(), |user| user.name);
        Ok(match height.accepted().and_then(|height| height.centimeters) {
            Some(centimeters) => format!("{name} is {centimeters} cm tall"),
            None => format!("{name} keeps a secret"),
        }
        .into())
    }
}

impl TestToolWithTask for Everything {
    async fn call(&self, _: test_tool_with_task::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        let Reply::Accepted(user) = ctx.ask::<asks::UserName>().key("user_name").await? else {
            return Ok("Nobody to work for.".into());
        };
        sleep(Duration::from_secs(1)).await;
        Ok(format!("Worked for {}.", user.name).into())
    }
}
