//! Tools whose questions make rounds: a stateless client hears what is asked, and calls again with the answers.
//!
//! The handlers do not know it. They ask, and go on with the answer; for a client with a session the same questions are
//! requests on the stream.

use mcp_runtime::{AskError, Context, Reply, SamplingRequest, ToolError, ToolResponse};

use crate::Everything;
use crate::api::{
    AskAsAble, AskAtOnce, AskInTurn, AskModel, AskName, AskRoots, GuardState, KeepState, ask_as_able, ask_at_once,
    ask_in_turn, ask_model, ask_name, ask_roots, asks, guard_state, keep_state,
};
use crate::asking::folders;

impl AskName for Everything {
    async fn call(&self, _: ask_name::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        // by its own key, a client may answer before it is asked
        match ctx.ask::<asks::UserName>().key("user_name").await? {
            Reply::Accepted(user) => Ok(format!("Hello, {}!", user.name).into()),
            Reply::Declined | Reply::Cancelled => Ok("Hello, stranger!".into()),
        }
    }
}

impl AskModel for Everything {
    async fn call(&self, _: ask_model::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        let sampled = ctx.sample(SamplingRequest::new(100).user("What is the capital of France?")).await?;
        Ok(sampled.text().into())
    }
}

impl AskRoots for Everything {
    async fn call(&self, _: ask_roots::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        Ok(folders(&ctx.roots().await?).into())
    }
}

impl KeepState for Everything {
    async fn call(&self, _: keep_state::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        // remembered from round to round, in a state that only this server can read
        let remembered: String = ctx.once("state", || async { Ok("state-ok".to_owned()) }).await?;
        let confirmed = confirmed(ctx).await?;
        Ok(format!("{remembered}, confirmed: {confirmed}").into())
    }
}

impl GuardState for Everything {
    async fn call(&self, _: guard_state::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        // a state that somebody touched never gets here: the runtime refuses the request
        let confirmed = confirmed(ctx).await?;
        Ok(format!("confirmed: {confirmed}").into())
    }
}

impl AskAtOnce for Everything {
    async fn call(&self, _: ask_at_once::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        // what is awaited together is asked together
        let (name, greeting, roots) = tokio::try_join!(
            ctx.ask::<asks::UserName>().key("user_name"),
            ctx.sample(SamplingRequest::new(50).user("Generate a greeting")),
            ctx.roots(),
        )?;
        let name = name.accepted().map_or_else(|| "stranger".to_owned(), |user| user.name);
        Ok(format!("{} {name} works in {}", greeting.text(), folders(&roots)).into())
    }
}

impl AskInTurn for Everything {
    async fn call(&self, _: ask_in_turn::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        let Reply::Accepted(first) = ctx.ask::<asks::FirstStep>().key("step1").await? else {
            return Ok("The user left at step 1.".into());
        };
        let Reply::Accepted(second) = ctx.ask::<asks::SecondStep>().key("step2").await? else {
            return Ok("The user left at step 2.".into());
        };
        Ok(format!("{} likes {}", first.name, second.color).into())
    }
}

impl AskAsAble for Everything {
    async fn call(&self, _: ask_as_able::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        let can = ctx.client_capabilities().cloned().unwrap_or_default();
        let mut answer = ToolResponse::empty();
        if can.sampling {
            let sampled = ctx.sample(SamplingRequest::new(50).user("Generate a greeting")).await?;
            answer = answer.with(sampled.text());
        }
        if can.elicitation_form {
            answer = answer.with(format!("confirmed: {}", confirmed(ctx).await?));
        }
        Ok(answer.with("That is all that the client can be asked."))
    }
}

async fn confirmed(ctx: &Context) -> Result<bool, AskError> {
    let reply = ctx.ask::<asks::Confirm>().key("confirm").await?;
    Ok(reply.accepted().is_some_and(|confirm| confirm.ok))
}
