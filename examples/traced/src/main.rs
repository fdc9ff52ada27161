//! A server whose requests are spans by OpenTelemetry's conventions for MCP, in the trace that the client sent along, and
//! whose calls are counted. No argument, and so no secret, is in either.
//!
//! The spans and figures are printed to standard error at the end; a real server would export them with `opentelemetry-otlp`.

mod api {
    mcp_runtime::include_service!("traced");
}
mod telemetry;

use api::{Login, login};
use mcp_runtime::{Context, Server, Service, ToolError, ToolResponse};
use opentelemetry::metrics::{Meter, MeterProvider as _};
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
use tracing_subscriber::layer::SubscriberExt as _;

use crate::telemetry::{Durations, link};

/// The handlers need nothing.
#[derive(Debug)]
struct Users;

impl Login for Users {
    async fn call(&self, args: login::Args, _: &Context) -> Result<ToolResponse, ToolError> {
        // an event of the application's own, inside the span of its request
        tracing::info!(user = args.user, "looking up");
        if args.token == "open sesame" {
            Ok("welcome".into())
        } else {
            Err(ToolError::permission_denied("no such user"))
        }
    }
}

fn server(meter: &Meter) -> Server<impl Service> {
    Server::new(api::service(Users)).trace_parent(link).listener(Durations::new(meter))
}

/// Writes each span in one line.
#[derive(Debug)]
struct Lines;

impl SpanExporter for Lines {
    #[expect(clippy::print_stderr, reason = "standard error is where a server logs")]
    async fn export(&self, spans: Vec<SpanData>) -> opentelemetry_sdk::error::OTelSdkResult {
        for span in spans {
            eprintln!(
                "{} {:?} parent {:?} {:?}",
                span.name,
                span.span_context.trace_id(),
                span.parent_span_id,
                span.attributes
            );
        }
        Ok(())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    mcp_runtime::claim_stdio()?;
    let traces = SdkTracerProvider::builder().with_simple_exporter(Lines).build();
    let metrics = SdkMeterProvider::default();
    let layer = tracing_opentelemetry::layer().with_tracer(traces.tracer("traced"));
    tracing::subscriber::set_global_default(tracing_subscriber::registry().with(layer))?;
    server(&metrics.meter("traced")).serve_stdio().await?;
    traces.shutdown()?;
    Ok(())
}

#[cfg(test)]
mod tests;
