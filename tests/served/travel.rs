//! The handler behind the contract.

use std::time::Duration;

use mcp_runtime::{
    Completions, Context, Partial, PromptMessages, RequestError, ResourceContents, ToolError, ToolResponse,
};

use crate::api::{
    Book, Count, Guide, News, Plan, Postcard, Secret, Sleep, Trace, Wait, book, count, guide, plan, secret, sleep,
    trace, wait,
};

pub(crate) struct Travel;

impl Book for Travel {
    async fn call(&self, args: book::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(format!("booked {}", args.city).into())
    }
}

impl Count for Travel {
    async fn call(&self, args: count::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        for step in 1..=args.to {
            ctx.progress(f64::from(i32::try_from(step)?)).send();
        }
        Ok("done".into())
    }
}

impl Wait for Travel {
    async fn call(&self, args: wait::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        ctx.progress(1.0).total(2.0).message("waiting").send();
        tokio::time::sleep(Duration::from_millis(args.millis.unsigned_abs())).await;
        ctx.progress(1.5).total(2.0).message("there it is").send();
        Ok("waited".into())
    }
}

impl Sleep for Travel {
    fn call(&self, args: sleep::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        std::thread::sleep(Duration::from_millis(args.millis.unsigned_abs()));
        Ok("slept".into())
    }
}

impl Trace for Travel {
    async fn call(&self, _: trace::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        let tenant: Option<String> = ctx.request_meta().get("com.example/tenant")?;
        let trace = ctx.trace().map(|trace| trace.trace_id().to_owned());
        Ok(format!("{tenant:?} {trace:?} {}", ctx.request_meta().json()).into())
    }
}

impl News for Travel {
    async fn read(&self, _: &Context) -> Result<ResourceContents, RequestError> {
        Ok("no news".into())
    }
}

impl Secret for Travel {
    async fn read(&self, vars: secret::Vars, _: &Context) -> Result<ResourceContents, RequestError> {
        Ok(format!("the secret of {}", vars.city).into())
    }
}

impl Guide for Travel {
    async fn read(&self, vars: guide::Vars, _: &Context) -> Result<ResourceContents, RequestError> {
        Ok(format!("{} in {}", vars.city, vars.season).into())
    }

    async fn complete_city(&self, partial: Partial, _: &Context) -> Result<Completions, RequestError> {
        Ok(Completions::matching(&partial, (0..250).map(|number| format!("city {number}"))))
    }
}

impl Plan for Travel {
    async fn render(&self, args: plan::Args, _: &Context) -> Result<PromptMessages, RequestError> {
        Ok(format!("{}, {}", args.city, args.country).into())
    }

    async fn complete_city(&self, partial: Partial, _: &Context) -> Result<Completions, RequestError> {
        let cities = match partial.arguments.get("country").map(String::as_str) {
            Some("France") => ["Paris", "Lyon"],
            Some("Italy") => ["Rome", "Milan"],
            _ => return Err(RequestError::invalid_params("choose a country first")),
        };
        tokio::task::yield_now().await;
        Ok(Completions::matching(&partial, cities))
    }
}

impl Postcard for Travel {
    async fn complete_type(&self, _: Partial, _: &Context) -> Result<Completions, RequestError> {
        Ok(Completions::new(["beaches"]).and_more())
    }
}
