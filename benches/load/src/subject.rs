//! What is asked, and what must come back.

use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transport {
    Stdio,
    Http,
}

/// How a client and a server agree about the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    /// Each request carries it.
    Stateless,
    /// `initialize` settles it.
    Sessions,
}

/// One kind of load.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    pub(crate) transport: Transport,
    /// Requests at a time: lines of one write, or connections.
    pub(crate) at_once: u32,
    requests: u32,
    kind: Kind,
}

/// How often a subject's requests are sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    /// Before anything is measured.
    pub(crate) warm: u32,
    pub(crate) rounds: u32,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Add,
    /// `add`, whose handler is not ready at once.
    Pending,
    /// `add`, whose handler tells of its progress first.
    Progress,
    Weather,
    List,
    Refused,
    Echo(usize),
    Bulk(u32),
}

/// The version of the era without sessions.
pub(crate) const STATELESS: &str = "2026-07-28";
/// The newest of the other.
pub(crate) const SESSIONS: &str = "2025-11-25";

/// The one that is measured in another way.
pub(crate) const SILENT: &str = "stdio: a client that does not read";

/// What such a client asks.
pub(crate) fn flood() -> Subject {
    Subject { name: SILENT, transport: Transport::Stdio, at_once: 1, requests: 0, kind: Kind::Add }
}

pub(crate) fn all() -> Vec<Subject> {
    use Transport::{Http, Stdio};
    let subject = |name, transport, at_once, requests, kind| Subject { name, transport, at_once, requests, kind };
    vec![
        subject("stdio: one call at a time", Stdio, 1, 20_000, Kind::Add),
        subject("stdio: 64 in flight", Stdio, 64, 192_000, Kind::Add),
        subject("stdio: structured result, 64 in flight", Stdio, 64, 64_000, Kind::Weather),
        subject("stdio: tools/list, 64 in flight", Stdio, 64, 6_400, Kind::List),
        subject("stdio: refused arguments, 64 in flight", Stdio, 64, 64_000, Kind::Refused),
        subject("stdio: 100 KB of text", Stdio, 1, 1_000, Kind::Echo(100_000)),
        subject("stdio: 5 MB of text", Stdio, 1, 20, Kind::Echo(5_000_000)),
        subject("stdio: 10,000 small objects", Stdio, 1, 60, Kind::Bulk(10_000)),
        subject("stdio: pending once, 64 in flight", Stdio, 64, 64_000, Kind::Pending),
        subject("http: 1 connection", Http, 1, 10_000, Kind::Add),
        subject("http: 8 connections", Http, 8, 30_000, Kind::Add),
        subject("http: 64 connections", Http, 64, 30_000, Kind::Add),
        subject("http: structured result, 8 connections", Http, 8, 20_000, Kind::Weather),
        subject("http: tools/list, 8 connections", Http, 8, 6_000, Kind::List),
        subject("http: events, 1 connection", Http, 1, 10_000, Kind::Progress),
        subject("http: events, 8 connections", Http, 8, 20_000, Kind::Progress),
    ]
}

impl Subject {
    /// A load for a contender that takes so many times as long as the floor, or so.
    pub(crate) fn load(&self, slowness: u32, scale: u32) -> Load {
        let rounds = (self.requests / self.at_once / slowness).saturating_mul(scale).max(4);
        Load { warm: (rounds / 8).max(1), rounds }
    }

    /// The request with this id, as JSON text.
    pub(crate) fn request(&self, id: u32, era: Era) -> String {
        let mut params = match self.arguments(id) {
            Some((name, arguments)) => json!({ "name": name, "arguments": arguments }),
            None => json!({}),
        };
        if era == Era::Stateless {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": STATELESS,
                "io.modelcontextprotocol/clientInfo": { "name": "bench-load", "version": "1.0.0" },
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        if matches!(self.kind, Kind::Progress) {
            params["_meta"]["progressToken"] = "load".into();
        }
        json!({ "jsonrpc": "2.0", "id": id, "method": self.method(), "params": params }).to_string()
    }

    /// What the server is to be told when it is started, for those that know how to do that.
    pub(crate) fn manner(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Pending => Some("--pending"),
            Kind::Progress => Some("--progress"),
            _ => None,
        }
    }

    /// Notices that come before each answer.
    pub(crate) fn notices(&self) -> usize {
        usize::from(matches!(self.kind, Kind::Progress))
    }

    pub(crate) fn method(&self) -> &'static str {
        if matches!(self.kind, Kind::List) { "tools/list" } else { "tools/call" }
    }

    /// The tool that is called.
    pub(crate) fn tool(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Add | Kind::Pending | Kind::Progress | Kind::Refused => Some("add"),
            Kind::Weather => Some("get_weather"),
            Kind::List => None,
            Kind::Echo(_) => Some("echo"),
            Kind::Bulk(_) => Some("bulk"),
        }
    }

    fn arguments(&self, id: u32) -> Option<(&'static str, Value)> {
        let arguments = match self.kind {
            Kind::Add | Kind::Pending | Kind::Progress => json!({ "a": id, "b": 7 }),
            Kind::Weather => json!({ "city": "Paris", "days": days(id), "units": "imperial" }),
            Kind::List => return None,
            Kind::Refused => json!({ "a": "x", "b": 1 }),
            Kind::Echo(length) => json!({ "text": text(length) }),
            Kind::Bulk(count) => json!({ "items": (0..count).map(item).collect::<Vec<_>>() }),
        };
        Some((self.tool()?, arguments))
    }

    /// Checks the answer to the request with this id.
    ///
    /// # Errors
    ///
    /// Says what came instead.
    pub(crate) fn check(&self, id: u32, answer: &Value) -> Result<(), String> {
        let result = &answer["result"];
        let said = result["content"][0]["text"].as_str().unwrap_or_default();
        let failed = result["isError"] == true || answer.get("error").is_some();
        let right = match self.kind {
            Kind::Add | Kind::Pending | Kind::Progress => said == (id + 7).to_string(),
            Kind::Weather => is_same(&result["structuredContent"], &report(id)),
            Kind::List => result["tools"].as_array().is_some_and(|tools| tools.len() == 54),
            Kind::Refused => failed,
            Kind::Echo(length) => said == text(length),
            Kind::Bulk(count) => said == count.to_string(),
        };
        let expected = right && answer["id"] == id && failed == matches!(self.kind, Kind::Refused);
        if expected { Ok(()) } else { Err(format!("a wrong answer: {:.300}", answer.to_string())) }
    }
}

/// What `get_weather` says.
fn report(id: u32) -> Value {
    let day =
        |day: u32| json!({ "day": day, "high": f64::from(20 + day), "low": f64::from(10 + day), "summary": "clear" });
    let forecast: Vec<_> = (0..days(id)).map(day).collect();
    json!({ "city": "Paris", "days": days(id), "units": "imperial", "forecast": forecast })
}

/// JSON's equality, to which `20` and `20.0` are the same.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| is_same(a, b)))
        }
        _ => a == b,
    }
}

fn days(id: u32) -> u32 {
    id % 16 + 1
}

/// Text with quotes and line ends, which have to be escaped.
fn text(length: usize) -> String {
    "a line with \"quotes\" and an end\n".chars().cycle().take(length).collect()
}

fn item(number: u32) -> Value {
    json!({ "id": number, "name": format!("item {number}"), "tags": ["red", "blue"], "score": 0.5 })
}

/// The message that opens a session, and the one that says so.
pub(crate) fn opening() -> [String; 2] {
    let params = json!({
        "protocolVersion": SESSIONS,
        "capabilities": {},
        "clientInfo": { "name": "bench-load", "version": "1.0.0" },
    });
    [
        json!({ "jsonrpc": "2.0", "id": "open", "method": "initialize", "params": params }).to_string(),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string(),
    ]
}
