//! From spans and events to OpenTelemetry. Where they go is the business of an exporter, which `main` chooses.

use std::collections::HashMap;

use mcp_runtime::context::TraceContext;
use mcp_runtime::listener::{Finished, Listener, Outcome};
use opentelemetry::KeyValue;
use opentelemetry::metrics::{Histogram, Meter};
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

/// Makes the span that the client sent along in `_meta` the parent of ours.
pub(crate) fn link(span: &Span, trace: &TraceContext<'_>) {
    let mut carrier = HashMap::from([("traceparent".to_owned(), trace.traceparent().to_owned())]);
    carrier.extend(trace.tracestate().map(|state| ("tracestate".to_owned(), state.to_owned())));
    // a span that nobody records has no parent either
    let _ = span.set_parent(TraceContextPropagator::new().extract(&carrier));
}

/// Counts what handlers take, by the name that OpenTelemetry has for it.
pub(crate) struct Durations(Histogram<f64>);

impl Durations {
    pub(crate) fn new(meter: &Meter) -> Self {
        Self(meter.f64_histogram("mcp.server.operation.duration").with_unit("s").build())
    }
}

impl Listener for Durations {
    fn finished(&self, event: &Finished) {
        let mut attributes = vec![KeyValue::new("mcp.method.name", event.method)];
        if event.method == "tools/call" {
            attributes.push(KeyValue::new("gen_ai.tool.name", event.name.clone()));
        }
        let error = match event.outcome {
            Outcome::Failed => Some("tool_error"),
            Outcome::Panicked => Some("panic"),
            Outcome::TimedOut => Some("timeout"),
            Outcome::Cancelled => Some("cancelled"),
            _ => None,
        };
        attributes.extend(error.map(|error| KeyValue::new("error.type", error)));
        self.0.record(event.duration.as_secs_f64(), &attributes);
    }
}
