//! The contract's examples as tests.

use mcp_runtime::testing::check_examples;
use mcp_runtime::{
    Completions, Context, Partial, PromptMessages, RequestError, ResourceContents, ToolError, ToolResponse,
};

use crate::api::{
    self, Book, Count, Guide, News, Plan, Postcard, Secret, Sleep, Trace, Wait, book, count, guide, plan, secret,
    sleep, trace, wait,
};
use crate::travel::Travel;

#[tokio::test]
async fn a_handler_that_does_as_the_contract_shows_passes() {
    check_examples(api::service(Travel)).await.expect("as the protocol says");
}

#[tokio::test]
async fn everything_that_does_not_fit_is_told_at_once() {
    let mismatches = check_examples(api::service(Wrong)).await.expect_err("as the protocol says");
    let expected = "tool `book`, example 1: failed: no seats\n\
        resource template `travel://{season}/{city}`, example 1: expected \"São Paulo in winter\", got \"nothing\"";
    assert_eq!(mismatches.to_string(), expected);
}

/// Does everything, and most of it wrong.
struct Wrong;

impl Book for Wrong {
    async fn call(&self, _: book::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Err(ToolError::internal("no seats"))
    }
}

impl Count for Wrong {
    async fn call(&self, _: count::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(ToolResponse::empty())
    }
}

impl Wait for Wrong {
    async fn call(&self, _: wait::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(ToolResponse::empty())
    }
}

impl Sleep for Wrong {
    fn call(&self, _: sleep::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(ToolResponse::empty())
    }
}

impl Trace for Wrong {
    async fn call(&self, _: trace::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(ToolResponse::empty())
    }
}

impl News for Wrong {
    async fn read(&self, _: &Context) -> Result<ResourceContents, RequestError> {
        Ok("nothing".into())
    }
}

impl Secret for Wrong {
    async fn read(&self, _: secret::Vars, _: &Context) -> Result<ResourceContents, RequestError> {
        Ok("nothing".into())
    }
}

impl Guide for Wrong {
    async fn read(&self, _: guide::Vars, _: &Context) -> Result<ResourceContents, RequestError> {
        Ok("nothing".into())
    }

    async fn complete_city(&self, _: Partial, _: &Context) -> Result<Completions, RequestError> {
        Ok(Completions::default())
    }
}

impl Plan for Wrong {
    async fn render(&self, _: plan::Args, _: &Context) -> Result<PromptMessages, RequestError> {
        Ok("nothing".into())
    }

    async fn complete_city(&self, _: Partial, _: &Context) -> Result<Completions, RequestError> {
        Ok(Completions::default())
    }
}

impl Postcard for Wrong {
    async fn complete_type(&self, _: Partial, _: &Context) -> Result<Completions, RequestError> {
        Ok(Completions::default())
    }
}
