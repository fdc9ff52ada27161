//! The tools of `bench-server` in rmcp's macros; served as its examples do, but with JSON answers and TCP_NODELAY, which suit it.

#[path = "../../tools.rs"]
mod tools;

use axum::serve::ListenerExt;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{ServerCapabilities, ServerInfo};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{Json, ServerHandler, ServiceExt, tool, tool_handler, tool_router};

use tools::{AddArguments, BulkArguments, EchoArguments, Weather, WeatherArguments};

#[derive(Clone)]
struct Bench {
    tool_router: ToolRouter<Self>,
}

#[tool_router]
impl Bench {
    #[tool(description = "Add two integers and return the sum as text.")]
    async fn add(&self, Parameters(AddArguments { a, b }): Parameters<AddArguments>) -> String {
        (a + b).to_string()
    }

    #[tool(description = "Daily forecast for a city.")]
    async fn get_weather(&self, Parameters(arguments): Parameters<WeatherArguments>) -> Result<Json<Weather>, String> {
        tools::weather(arguments).map(Json)
    }

    #[tool(description = "Return the text unchanged.")]
    async fn echo(&self, Parameters(EchoArguments { text }): Parameters<EchoArguments>) -> String {
        text
    }

    #[tool(description = "Accept many records and return how many there were.")]
    async fn bulk(&self, Parameters(BulkArguments { items }): Parameters<BulkArguments>) -> String {
        items.len().to_string()
    }
}

include!(concat!(env!("OUT_DIR"), "/fillers.rs"));

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Bench {
    fn get_info(&self) -> ServerInfo {
        ServerInfo::new(ServerCapabilities::builder().enable_tools().build())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bench = Bench { tool_router: Bench::tool_router() + Bench::fillers() };
    let mut arguments = std::env::args().skip(1);
    let Some("--http") = arguments.next().as_deref() else {
        bench.serve(rmcp::transport::stdio()).await?.waiting().await?;
        return Ok(());
    };
    let port: u16 = arguments.next().ok_or("which port?")?.parse()?;
    let mut config = StreamableHttpServerConfig::default();
    (config.legacy_session_mode, config.json_response) = (false, true);
    let service = StreamableHttpService::new(move || Ok(bench.clone()), LocalSessionManager::default().into(), config);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    Ok(axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?)
}
