//! A server to measure: four tools that do next to nothing, among fifty that are only listed.
//!
//! What is left when a handler costs nothing is the cost of the runtime. The load generator checks every answer.

mod api {
    mcp_runtime::include_service!("bench-server");
}
mod fillers;

use api::{Add, Bulk, Echo, GetWeather, add, bulk, echo, get_weather};
use mcp_runtime::{Context, Server, ToolError, ToolResponse};

/// The handlers need nothing but what `add` is to do beside its sum.
#[derive(Debug)]
struct Bench {
    add: Manner,
}

/// What `add` does before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// Nothing: it is ready at once.
    Ready,
    /// It lets others go first, once.
    Pending,
    /// It tells of its progress, once.
    Progress,
}

impl Add for Bench {
    async fn call(&self, args: add::Args, ctx: &Context) -> Result<ToolResponse, ToolError> {
        match self.add {
            Manner::Ready => {}
            Manner::Pending => tokio::task::yield_now().await,
            Manner::Progress => ctx.progress(1.0).send(),
        }
        let sum = args.a.checked_add(args.b).ok_or_else(|| ToolError::invalid_params("the sum is out of range"))?;
        Ok(sum.to_string().into())
    }
}

impl Echo for Bench {
    async fn call(&self, args: echo::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(args.text.into())
    }
}

impl Bulk for Bench {
    async fn call(&self, args: bulk::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        Ok(args.items.len().to_string().into())
    }
}

impl GetWeather for Bench {
    async fn call(&self, args: get_weather::Args, _: &Context) -> Result<get_weather::Output, ToolError> {
        let forecast = (0u8..).zip(0..args.days).map(|(number, day)| get_weather::ForecastItem {
            day,
            high: 20.0 + f64::from(number),
            low: 10.0 + f64::from(number),
            summary: "clear".to_owned(),
            rest: mcp_runtime::Rest::default(),
        });
        Ok(get_weather::Output {
            city: args.city,
            days: args.days,
            units: args.units,
            forecast: forecast.collect(),
            rest: mcp_runtime::Rest::default(),
        })
    }
}

fn main() -> mcp_runtime::Result<()> {
    let mut arguments: Vec<_> = std::env::args().skip(1).collect();
    let add = match arguments.last().map(String::as_str) {
        Some("--pending") => Manner::Pending,
        Some("--progress") => Manner::Progress,
        _ => Manner::Ready,
    };
    if add != Manner::Ready {
        arguments.pop();
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let server = Server::new(api::service(Bench { add }));
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            mcp_runtime::claim_stdio()?;
            runtime.block_on(server.serve_stdio())
        }
        ["--http", port] => runtime.block_on(server.serve_http(format!("127.0.0.1:{port}"))),
        _ => Err(std::io::Error::other("usage: bench-server [--http PORT] [--pending | --progress]").into()),
    }
}
