//! Prompts whose messages are not, or not all, in the contract.

use mcp_runtime::{Completions, Content, Context, Partial, PromptMessages, Reply, RequestError, Role};

use crate::api::{AskContext, TestPromptWithArguments, TestPromptWithImage, ask_context, asks, test_prompt_with_image};
use crate::{Everything, PIXEL};

/// Its messages stand in the contract; what its second argument could be does not.
impl TestPromptWithArguments for Everything {
    async fn complete_arg2(&self, partial: Partial, _: &Context) -> Result<Completions, RequestError> {
        let first = partial.arguments.get("arg1").map_or("nothing", String::as_str);
        Ok(Completions::matching(&partial, ["after", "before", "beside"].map(|place| format!("{place} {first}"))))
    }
}

impl TestPromptWithImage for Everything {
    async fn render(&self, _: test_prompt_with_image::Args, _: &Context) -> Result<PromptMessages, RequestError> {
        let image = PromptMessages::user(Content::image(PIXEL, "image/png"));
        Ok(image.with(Role::User, "Please analyze the image above."))
    }
}

impl AskContext for Everything {
    async fn render(&self, _: ask_context::Args, ctx: &Context) -> Result<PromptMessages, RequestError> {
        match ctx.ask::<asks::PromptContext>().key("user_context").await? {
            Reply::Accepted(asked) => Ok(format!("Use this context: {}", asked.context).into()),
            Reply::Declined | Reply::Cancelled => Ok("Use no context.".into()),
        }
    }
}
