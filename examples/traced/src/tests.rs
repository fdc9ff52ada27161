//! What arrives at OpenTelemetry.

use mcp_runtime::Revision;
use mcp_runtime::testing::Client;
use opentelemetry::Value;
use opentelemetry::trace::{SpanKind, Status};
use opentelemetry_sdk::metrics::InMemoryMetricExporter;
use opentelemetry_sdk::trace::InMemorySpanExporter;
use serde_json::json;

use super::*;

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";

fn attribute(span: &SpanData, key: &str) -> Option<String> {
    let found = span.attributes.iter().find(|attribute| attribute.key.as_str() == key)?;
    Some(match &found.value {
        Value::String(text) => text.to_string(),
        other => other.to_string(),
    })
}

/// Each request is a span of the conventions' names in the client's trace; secrets are in none, nor in the figures.
#[tokio::test]
async fn requests_are_spans_in_the_trace_of_their_client() {
    let (spans, figures) = (InMemorySpanExporter::default(), InMemoryMetricExporter::default());
    let traces = SdkTracerProvider::builder().with_simple_exporter(spans.clone()).build();
    let metrics = SdkMeterProvider::builder().with_periodic_exporter(figures.clone()).build();
    let layer = tracing_opentelemetry::layer().with_tracer(traces.tracer("test"));
    let subscriber = tracing::subscriber::set_default(tracing_subscriber::registry().with(layer));
    let mut client = Client::new(server(&metrics.meter("test"))).revision(Revision::V2026_07_28);
    let parent = format!("00-{TRACE}-b7ad6b7169203331-01");
    for (token, method) in [("open sesame", "tools/call"), ("guessed", "tools/call"), ("guessed", "no/such")] {
        let arguments = json!({ "user": "ada", "token": token });
        let params = json!({ "name": "login", "arguments": arguments, "_meta": { "traceparent": parent } });
        // an error is an answer, too
        let _ = client.request(method, params).await;
    }
    client.request("tools/call", json!({ "name": "log", "arguments": {} })).await.expect_err("unknown");
    client.close().await.expect("a clean end");
    drop(subscriber);

    let spans = spans.get_finished_spans().expect("spans");
    let names: Vec<_> = spans.iter().map(|span| &*span.name).collect();
    assert_eq!(names, ["tools/call login", "tools/call login", "_OTHER", "tools/call"]);
    for span in &spans[..3] {
        assert_eq!(span.span_context.trace_id().to_string(), TRACE, "it is in the client's trace");
        assert_eq!(span.parent_span_id.to_string(), "b7ad6b7169203331");
        assert_eq!(span.span_kind, SpanKind::Server);
    }
    assert_ne!(spans[3].span_context.trace_id().to_string(), TRACE, "nobody sent one along");
    let of = |span: usize, key: &str| attribute(&spans[span], key);
    for (key, values) in [
        ("mcp.method.name", [Some("tools/call"), Some("tools/call"), Some("no/such"), Some("tools/call")]),
        ("mcp.protocol.version", [Some("2026-07-28"); 4]),
        ("gen_ai.tool.name", [Some("login"), Some("login"), None, None]),
        ("gen_ai.operation.name", [Some("execute_tool"), Some("execute_tool"), None, None]),
        ("network.transport", [Some("pipe"); 4]),
        ("error.type", [None, Some("tool_error"), Some("-32601"), Some("-32602")]),
        ("rpc.response.status_code", [None, None, Some("-32601"), Some("-32602")]),
    ] {
        assert_eq!([0, 1, 2, 3].map(|span| of(span, key)), values.map(|value| value.map(str::to_owned)), "{key}");
    }
    assert!(of(0, "jsonrpc.request.id").is_some());
    assert_eq!((&spans[0].status, matches!(spans[1].status, Status::Error { .. })), (&Status::Unset, true));
    assert_eq!(spans[0].events.len(), 1, "the application's own event is inside");

    metrics.force_flush().expect("figures");
    let figures = format!("{:?}", figures.get_finished_metrics().expect("figures"));
    assert!(figures.contains("mcp.server.operation.duration") && figures.contains("tool_error"), "{figures}");
    let told = format!("{spans:?} {figures}");
    assert!(!told.contains("sesame") && !told.contains("guessed"), "no secret is anywhere: {told}");
}
