//! The handlers. None of them knows whether it runs as a task.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::{Context, Reply, ToolError, ToolResponse};
use tokio::time::sleep;

use crate::api::{
    Block, Compute, Delete, Explode, Fail, Greet, Hurry, Measure, Order, Report, Visit, Watch, Write, asks, block,
    compute, delete, explode, fail, greet, hurry, measure, order, report, visit, watch, write,
};

/// The service, and what its handlers leave behind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Jobs(pub(crate) Arc<Trace>);

#[derive(Debug, Default)]
pub(crate) struct Trace {
    /// Handlers that began.
    pub(crate) began: AtomicUsize,
    /// Handlers that were dropped, or heard that nobody wants their result.
    pub(crate) stopped: AtomicUsize,
}

/// Counts as stopped unless it is forgotten.
struct Running<'t>(&'t Trace);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.stopped.fetch_add(1, Ordering::SeqCst);
    }
}

const MOMENT: Duration = Duration::from_millis(20);

async fn who(ctx: &Context) -> Result<String, ToolError> {
    match ctx.ask::<asks::Person>().await? {
        Reply::Accepted(person) => Ok(person.name),
        Reply::Declined | Reply::Cancelled => Ok("nobody".to_owned()),
    }
}

impl Greet for Jobs {
    async fn call(&self, args: greet::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(format!("Hello, {}!", args.name).into())
    }
}

impl Compute for Jobs {
    async fn call(&self, args: compute::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        let running = Running(&self.0);
        self.0.began.fetch_add(1, Ordering::SeqCst);
        if args.millis > 0 {
            sleep(Duration::from_millis(args.millis.unsigned_abs())).await;
        }
        std::mem::forget(running);
        Ok("done".into())
    }
}

impl Fail for Jobs {
    async fn call(&self, _: fail::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        sleep(MOMENT).await;
        Err(ToolError::internal("the press is jammed"))
    }
}

impl Explode for Jobs {
    async fn call(&self, _: explode::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        sleep(MOMENT).await;
        panic!("a secret")
    }
}

impl Measure for Jobs {
    async fn call(&self, _: measure::Args, _: &Context) -> Result<measure::Output, ToolError> {
        sleep(MOMENT).await;
        Ok(measure::Output { value: f64::NAN })
    }
}

impl Hurry for Jobs {
    async fn call(&self, _: hurry::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        sleep(Duration::from_secs(60)).await;
        Ok("too late".into())
    }
}

impl Delete for Jobs {
    async fn call(&self, args: delete::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        self.0.began.fetch_add(1, Ordering::SeqCst);
        let question = ctx.ask::<asks::Sure>().message(format!("Delete {}?", args.file));
        Ok(match question.await? {
            Reply::Accepted(sure) => format!("deleted: {}", sure.yes),
            Reply::Declined => "declined".to_owned(),
            Reply::Cancelled => "cancelled".to_owned(),
        }
        .into())
    }
}

impl Order for Jobs {
    async fn call(&self, _: order::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        let (name, sure) = tokio::join!(who(ctx), ctx.ask::<asks::Sure>());
        let sure = sure?.accepted().is_some_and(|sure| sure.yes);
        Ok(format!("{}: {sure}", name?).into())
    }
}

impl Visit for Jobs {
    async fn call(&self, _: visit::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        self.0.began.fetch_add(1, Ordering::SeqCst);
        let name = who(ctx).await?;
        sleep(Duration::from_millis(100)).await;
        Ok(format!("{name} was here").into())
    }
}

impl Watch for Jobs {
    async fn call(&self, _: watch::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        self.0.began.fetch_add(1, Ordering::SeqCst);
        ctx.cancelled().await;
        self.0.stopped.fetch_add(1, Ordering::SeqCst);
        Ok("nobody reads this".into())
    }
}

impl Block for Jobs {
    fn call(&self, _: block::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        std::thread::sleep(Duration::from_millis(100));
        Ok(tokio::runtime::Handle::current().block_on(who(ctx))?.into())
    }
}

impl Write for Jobs {
    async fn call(&self, args: write::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok("x".repeat(usize::try_from(args.bytes)?).into())
    }
}

impl Report for Jobs {
    async fn call(&self, _: report::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        sleep(Duration::from_millis(100)).await;
        ctx.progress(1.0).total(2.0).message("half of it").send();
        sleep(Duration::from_millis(300)).await;
        ctx.log(mcp_runtime::LogLevel::Warning, "almost");
        if let Some(task) = ctx.task() {
            task.status("nearly all of it");
        }
        sleep(Duration::from_millis(300)).await;
        let task = ctx.task().map_or_else(|| "no task".to_owned(), |task| task.id().to_owned());
        Ok(task.into())
    }
}
