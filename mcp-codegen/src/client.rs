//! A client of MCP servers, for commands that look at one: one request at a time, an end to every wait and every size.
//!
//! It starts no more than it must: only what the user named is run or asked, redirects are followed within one origin, and a
//! program that was started is ended with all that it started. Both eras of the protocol are spoken; questions of the
//! server are refused, so that it does not wait.

mod call;
mod error;
mod http;
mod lists;
mod message;
mod open;
mod sse;
mod stdio;

pub use self::call::ToolResult;
pub use self::error::Error;
pub use self::lists::Watch;

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde_json::Value;
use serde_json::value::RawValue;

use self::http::Http;
use self::message::{Outcome, Params};
use self::stdio::Stdio;

/// Where a server is.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "MCP has two transports")]
pub enum Target {
    /// It listens on the network.
    Http(Endpoint),
    /// It is a program that talks over its standard input and output.
    Stdio(Program),
}

/// A program to start. It runs without a shell, in the environment of this one.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Program {
    /// What to run, looked up as a shell would.
    pub command: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Variables beside those of this process.
    pub env: Vec<(String, String)>,
    /// Where it runs; here, unless something else is said.
    pub folder: Option<PathBuf>,
    /// Becomes true where nobody waits for the program any more: then it is ended, as after an error.
    pub stop: Arc<AtomicBool>,
}

/// The URL of a server that speaks Streamable HTTP.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Endpoint {
    /// `http://…` or `https://…`.
    pub url: String,
    /// Headers of each request, such as `Authorization`.
    pub headers: Vec<(String, String)>,
}

/// What a server is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is nothing else to ask for")]
pub enum Purpose {
    /// A call. The server learns that it can ask nothing of us.
    Call,
    /// What it offers. The server is told that all can be asked of us, because some offer less to others; should it ask, it is
    /// declined.
    List,
}

/// How long and how large things may get.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// The longest wait for an answer. Default: 60 seconds.
    pub timeout: Duration,
    /// The bytes of one message. Default: 16 MiB.
    pub message_bytes: usize,
    /// The bytes of all lists together. Default: 64 MiB.
    pub list_bytes: usize,
    /// The pages of one list. Default: 1,000.
    pub pages: usize,
}

/// A conversation with a server. It ends when this is dropped.
pub struct Client {
    wire: Wire,
    hello: Hello,
    purpose: Purpose,
    limits: Limits,
    last_id: u64,
}

/// What carries messages.
enum Wire {
    Http(Box<Http>),
    Stdio(Box<Stdio>),
}

/// What a server said of itself.
#[derive(Debug)]
struct Hello {
    era: Era,
    /// Whether it opens sessions of their newest revision.
    sessions: bool,
    info: Option<Box<RawValue>>,
    instructions: Option<String>,
    capabilities: Value,
}

/// How requests are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Era {
    /// In the session that `initialize` opened, at this revision.
    Session(&'static str),
    /// Each by itself, since 2026-07-28.
    Stateless,
}

impl Default for Limits {
    fn default() -> Self {
        Self { timeout: Duration::from_secs(60), message_bytes: 16 << 20, list_bytes: 64 << 20, pages: 1000 }
    }
}

impl Program {
    /// A program without arguments.
    pub fn new(command: impl Into<OsString>) -> Self {
        Self { command: command.into(), ..Self::default() }
    }
}

impl Endpoint {
    /// A server that asks for no headers.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), headers: Vec::new() }
    }
}

impl Client {
    /// Starts the program or finds the server, and agrees on a revision of the protocol.
    ///
    /// # Errors
    ///
    /// Fails where the server cannot be started or reached, does not speak MCP, or takes too long.
    pub fn connect(target: &Target, purpose: Purpose, limits: Limits) -> Result<Self, Error> {
        let (wire, hello) = match target {
            Target::Http(endpoint) => {
                let (http, hello) = open::over_http(endpoint, purpose, limits)?;
                (Wire::Http(Box::new(http)), hello)
            }
            Target::Stdio(program) => {
                let (stdio, hello) = open::over_stdio(program, purpose, limits)?;
                (Wire::Stdio(Box::new(stdio)), hello)
            }
        };
        Ok(Self { wire, hello, purpose, limits, last_id: open::IDS })
    }

    /// The revision of the protocol that both speak.
    #[must_use]
    pub fn revision(&self) -> &'static str {
        self.hello.era.revision()
    }

    /// `serverInfo` as JSON text, if the server said who it is.
    #[must_use]
    pub fn server_info(&self) -> Option<&str> {
        self.hello.info.as_ref().map(|info| info.get())
    }

    /// Whether the server declares a capability.
    fn can(&self, capability: &str) -> bool {
        self.hello.capabilities.get(capability).is_some_and(|value| !value.is_null())
    }

    /// Sends a request and waits for its answer: a result, or the server's refusal.
    fn ask(&mut self, method: &'static str, params: Params) -> Result<Outcome, Error> {
        self.last_id += 1;
        let deadline = Instant::now() + self.limits.timeout;
        let request = params.request(self.last_id, method, (self.hello.era, self.purpose));
        match &mut self.wire {
            Wire::Http(http) => http.ask(&request, deadline),
            Wire::Stdio(stdio) => stdio.ask(&request, deadline),
        }
    }
}

impl Era {
    const fn revision(self) -> &'static str {
        match self {
            Self::Session(revision) => revision,
            Self::Stateless => message::STATELESS,
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("hello", &self.hello).finish_non_exhaustive()
    }
}
