//! Tools that ask the client: its user by forms and pages, its model, its folders.

use mcp_runtime::json::{self, Encode};
use mcp_runtime::{Context, Reply, Root, SamplingRequest, ToolError, ToolResponse};

use crate::Everything;
use crate::api::{
    TestElicitation, TestElicitationSep1034Defaults, TestElicitationSep1330Enums, TestElicitationUrl, TestListRoots,
    TestMissingCapability, TestSampling, TestStreamingElicitation, asks, test_elicitation,
    test_elicitation_sep1034_defaults, test_elicitation_sep1330_enums, test_elicitation_url, test_list_roots,
    test_missing_capability, test_sampling, test_streaming_elicitation,
};

impl TestSampling for Everything {
    async fn call(&self, args: test_sampling::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        let sampled = ctx.sample(SamplingRequest::new(100).user(args.prompt)).await?;
        Ok(format!("LLM response: {}", sampled.text()).into())
    }
}

impl TestElicitation for Everything {
    async fn call(&self, args: test_elicitation::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        let reply = ctx.ask::<asks::Account>().message(args.message).await?;
        Ok(format!("User response: {}", told(&reply)).into())
    }
}

impl TestElicitationSep1034Defaults for Everything {
    async fn call(&self, _: test_elicitation_sep1034_defaults::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        let reply = ctx.ask::<asks::FilledIn>().await?;
        Ok(format!("Elicitation completed: {}", told(&reply)).into())
    }
}

impl TestElicitationSep1330Enums for Everything {
    async fn call(&self, _: test_elicitation_sep1330_enums::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        let reply = ctx.ask::<asks::Choices>().await?;
        Ok(format!("Elicitation completed: {}", told(&reply)).into())
    }
}

impl TestElicitationUrl for Everything {
    async fn call(&self, _: test_elicitation_url::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        let reply = ctx.ask_url::<asks::SignIn>("https://example.com/sign-in").await?;
        Ok(format!("User response: {}", action(&reply)).into())
    }
}

impl TestListRoots for Everything {
    async fn call(&self, _: test_list_roots::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        Ok(folders(&ctx.roots().await?).into())
    }
}

impl TestMissingCapability for Everything {
    async fn call(&self, _: test_missing_capability::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        // what a client lacks is found out by asking; the protocol has an error for it, which `?` hands on
        let sampled = ctx.sample(SamplingRequest::new(10).user("Are you there?")).await?;
        Ok(format!("The client has a model: {}", sampled.model).into())
    }
}

impl TestStreamingElicitation for Everything {
    async fn call(&self, _: test_streaming_elicitation::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        ctx.progress(1.0).total(2.0).message("asking the user").send();
        let reply = ctx.ask::<asks::Account>().await?;
        ctx.progress(2.0).total(2.0).message("asked the user").send();
        Ok(format!("User response: {}", told(&reply)).into())
    }
}

/// What the user did, and what they filled in.
fn told<T: Encode>(reply: &Reply<T>) -> String {
    let content = match reply {
        Reply::Accepted(form) => json::encode(form),
        Reply::Declined | Reply::Cancelled => "{}".to_owned(),
    };
    format!("action={}, content={content}", action(reply))
}

fn action<T>(reply: &Reply<T>) -> &'static str {
    match reply {
        Reply::Accepted(_) => "accept",
        Reply::Declined => "decline",
        Reply::Cancelled => "cancel",
    }
}

/// The client's folders, one a line.
pub(crate) fn folders(roots: &[Root]) -> String {
    let line = |root: &Root| format!("{}: {}", root.name.as_deref().unwrap_or("(no name)"), root.uri);
    roots.iter().map(line).collect::<Vec<_>>().join("\n")
}
