//! The tools of `bench-server` in tower-mcp.

#[path = "../../tools.rs"]
mod tools;

use tower_mcp::transport::http::HttpTransport;
use tower_mcp::{CallToolResult, McpRouter, StdioTransport, ToolBuilder};

use tools::{AddArguments, BulkArguments, EchoArguments, Weather, WeatherArguments};

include!(concat!(env!("OUT_DIR"), "/fillers.rs"));

fn router() -> McpRouter {
    let add = ToolBuilder::new("add")
        .description("Add two integers and return the sum as text.")
        .handler(|arguments: AddArguments| async move { Ok(CallToolResult::text((arguments.a + arguments.b).to_string())) });
    let output = serde_json::to_value(schemars::schema_for!(Weather)).unwrap_or_default();
    let weather = ToolBuilder::new("get_weather")
        .description("Daily forecast for a city.")
        .output_schema(output)
        .handler(|arguments: WeatherArguments| async move {
            match tools::weather(arguments) {
                Ok(weather) => CallToolResult::from_serialize(&weather),
                Err(why) => Ok(CallToolResult::error(why)),
            }
        });
    let echo = ToolBuilder::new("echo")
        .description("Return the text unchanged.")
        .handler(|arguments: EchoArguments| async move { Ok(CallToolResult::text(arguments.text)) });
    let bulk = ToolBuilder::new("bulk")
        .description("Accept many records and return how many there were.")
        .handler(|arguments: BulkArguments| async move { Ok(CallToolResult::text(arguments.items.len().to_string())) });
    let router = McpRouter::new().server_info("bench", "1.0.0");
    fillers(router.tool(add.build()).tool(weather.build()).tool(echo.build()).tool(bulk.build()))
}

#[tokio::main]
async fn main() -> Result<(), tower_mcp::BoxError> {
    let mut arguments = std::env::args().skip(1);
    let Some("--http") = arguments.next().as_deref() else {
        return Ok(StdioTransport::new(router()).run().await?);
    };
    let port: u16 = arguments.next().ok_or("which port?")?.parse()?;
    let app = HttpTransport::new(router()).sse_responses(false).into_router_at("/mcp");
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    Ok(axum::serve(listener, app).await?)
}
