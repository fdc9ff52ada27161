//! W3C Trace Context: `traceparent` and what may stand beside it.

use std::borrow::Cow;

use crate::context::meta::RequestMeta;

/// A trace that spans several programs; see [`Context::trace`](crate::Context::trace).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceContext<'c> {
    parent: Cow<'c, str>,
    state: Option<Cow<'c, str>>,
    baggage: Option<Cow<'c, str>>,
}

impl<'c> TraceContext<'c> {
    /// The trace of a request. A `traceparent` that breaks the rules is as good as none, so says its specification.
    pub(super) fn read(meta: RequestMeta<'c>) -> Option<Self> {
        let parent = meta.text("traceparent").filter(|parent| is_parent(parent))?;
        Some(Self { parent, state: meta.text("tracestate"), baggage: meta.text("baggage") })
    }

    /// The trace of a request with this `_meta`.
    pub(crate) fn of(json: &'c str) -> Option<Self> {
        Self::read(RequestMeta { json })
    }

    /// The whole `traceparent`: version, trace, parent and flags, with dashes between.
    #[must_use]
    pub fn traceparent(&self) -> &str {
        &self.parent
    }

    /// The trace: 32 lower-case hexadecimal digits.
    #[must_use]
    pub fn trace_id(&self) -> &str {
        &self.parent[3..35]
    }

    /// The client's own span in it: 16 lower-case hexadecimal digits.
    #[must_use]
    pub fn parent_id(&self) -> &str {
        &self.parent[36..52]
    }

    /// Whether the client keeps a record of the trace.
    #[must_use]
    pub fn is_sampled(&self) -> bool {
        self.parent.as_bytes()[54] & 1 == 1
    }

    /// `tracestate`: what tracing systems say to each other.
    #[must_use]
    pub fn tracestate(&self) -> Option<&str> {
        self.state.as_deref()
    }

    /// `baggage`: what the trace's programs say to each other.
    #[must_use]
    pub fn baggage(&self) -> Option<&str> {
        self.baggage.as_deref()
    }
}

/// `00-<32 digits>-<16 digits>-<2 digits>`; a later version may add something after a further dash.
fn is_parent(text: &str) -> bool {
    let mut parts = text.splitn(5, '-');
    let mut part = |length: usize| parts.next().filter(|part| part.len() == length && is_hex(part));
    let (Some(version), Some(trace), Some(parent), Some(_)) = (part(2), part(32), part(16), part(2)) else {
        return false;
    };
    let rest_fits = parts.next().is_none() || version != "00";
    let is_some = |id: &str| id.bytes().any(|digit| digit != b'0');
    version != "ff" && rest_fits && is_some(trace) && is_some(parent)
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn a_parent_is_taken_apart() {
        let meta = format!(r#"{{"traceparent":"{PARENT}","tracestate":"a=b","baggage":"user=7","x":1}}"#);
        let trace = TraceContext::read(RequestMeta { json: &meta }).unwrap();
        assert_eq!((trace.traceparent(), trace.is_sampled()), (PARENT, true));
        assert_eq!((trace.trace_id(), trace.parent_id()), ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"));
        assert_eq!((trace.tracestate(), trace.baggage()), (Some("a=b"), Some("user=7")));
    }

    #[test]
    fn what_breaks_the_rules_is_none() {
        assert!(
            is_parent(PARENT)
                && is_parent(&PARENT.replace("00-", "01-"))
                && is_parent(&format!("cc{}-x", &PARENT[2..]))
        );
        let zeros = "0".repeat(32);
        for broken in [
            String::new(),
            PARENT.to_uppercase(),
            PARENT[..54].to_owned(),
            format!("{PARENT}-x"),
            format!("ff{}", &PARENT[2..]),
            PARENT.replace("0af7651916cd43dd8448eb211c80319c", &zeros),
            PARENT.replace("b7ad6b7169203331", &zeros[..16]),
            PARENT.replace('-', "_"),
        ] {
            assert!(!is_parent(&broken), "{broken}");
        }
        let mistyped = RequestMeta { json: r#"{"traceparent":7}"# };
        assert_eq!(TraceContext::read(mistyped), None);
    }
}
