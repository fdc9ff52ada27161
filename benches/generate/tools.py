"""The tools that are generated and compiled: as a contract, as handlers for it, and in rmcp's macros.

Each has three types and six fields: an object with a nested object and an enumeration, and a description for each field.
"""

CITY = "Name of the city, as people there write it"
DAYS = "How many days to look back"
TAGS = "Only records that have all of these tags"
UNITS = "Units of the measures"
LIMIT = "The most records to return"
FILTER = "What else a record must be"


def about(n, changed):
    """The description of a tool; `changed` is the one that somebody has edited."""
    edited = " Records of today are left out." if n == changed else ""
    return f"Searches the records of area {n}, newest first, and returns those that fit.{edited}"


def contract(count, changed=None):
    """The contract, in TOML."""
    return 'format = 1\n\n[server]\nname = "scale"\nversion = "1.0.0"\n' + "".join(
        f"""
[[tools]]
name = "tool_{n}"
title = "Tool {n}"
description = "{about(n, changed)}"
annotations = {{ readOnlyHint = true }}

[tools.args]
city = {{ type = "string", description = "{CITY}", required = true, minLength = 1, maxLength = 100 }}
days = {{ type = "integer", description = "{DAYS}", minimum = 1, maximum = 365, default = 7 }}
tags = {{ type = "array", items = {{ type = "string" }}, description = "{TAGS}" }}
units = {{ enum = ["metric", "imperial"], description = "{UNITS}", required = true }}
limit = {{ type = "integer", description = "{LIMIT}", minimum = 1 }}

[tools.args.filter]
type = "object"
description = "{FILTER}"
properties = {{ name = {{ type = "string", required = true }}, score = {{ type = "number", required = true }} }}
"""
        for n in range(count)
    )


def handlers(count):
    """`main.rs` beside the generated code: every handler uses its arguments."""
    impls = "".join(
        f"""
impl api::Tool{n} for Scale {{
    async fn call(&self, args: api::tool_{n}::Args, _: &Context) -> Result<ToolResponse, ToolError> {{
        Ok(format!("{{args:?}}").into())
    }}
}}
"""
        for n in range(count)
    )
    return f"""#[path = "gen/mod.rs"]
mod api;

use mcp_runtime::{{Context, Server, ToolError, ToolResponse}};

struct Scale;
{impls}
fn main() -> mcp_runtime::Result<()> {{
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(Server::new(api::service(Scale)).serve_stdio())
}}
"""


def macros(count, changed=None):
    """`main.rs` with the same tools in rmcp's macros, served as its examples do."""
    derives = "#[derive(Debug, Deserialize, JsonSchema)]"
    types = "".join(
        f"""
{derives}
pub struct Tool{n} {{
    /// {CITY}
    #[schemars(length(min = 1, max = 100))]
    pub city: String,
    /// {DAYS}
    #[serde(default = "week")]
    #[schemars(range(min = 1, max = 365))]
    pub days: i64,
    /// {TAGS}
    #[serde(default)]
    pub tags: Option<Vec<String>>,
    /// {UNITS}
    pub units: Tool{n}Units,
    /// {LIMIT}
    #[serde(default)]
    #[schemars(range(min = 1))]
    pub limit: Option<i64>,
    /// {FILTER}
    #[serde(default)]
    pub filter: Option<Tool{n}Filter>,
}}

{derives}
#[serde(rename_all = "lowercase")]
pub enum Tool{n}Units {{
    Metric,
    Imperial,
}}

{derives}
pub struct Tool{n}Filter {{
    pub name: String,
    pub score: f64,
}}
"""
        for n in range(count)
    )
    methods = "".join(
        f"""
    #[tool(description = "{about(n, changed)}")]
    async fn tool_{n}(&self, Parameters(args): Parameters<Tool{n}>) -> String {{
        format!("{{args:?}}")
    }}
"""
        for n in range(count)
    )
    return f"""use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{{ServerCapabilities, ServerInfo}};
use rmcp::{{ServerHandler, ServiceExt, tool, tool_handler, tool_router}};
use schemars::JsonSchema;
use serde::Deserialize;

fn week() -> i64 {{
    7
}}
{types}
#[derive(Clone)]
struct Scale {{
    tool_router: ToolRouter<Self>,
}}

#[tool_router]
impl Scale {{{methods}}}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Scale {{
    fn get_info(&self) -> ServerInfo {{
        ServerInfo::new(ServerCapabilities::builder().enable_tools().build())
    }}
}}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {{
    let scale = Scale {{ tool_router: Scale::tool_router() }};
    scale.serve(rmcp::transport::stdio()).await?.waiting().await?;
    Ok(())
}}
"""
