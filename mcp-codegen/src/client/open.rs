//! The first words: which era a server is of.
//!
//! The stateless era is tried first, by `server/discover`. Whatever a server of an earlier era makes of that (an error,
//! silence, its end), `initialize` comes next.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::error::{Error, Kind};
use super::http::{Http, Reply};
use super::message::{self, Outcome, Params, Refusal, Request, SESSIONS, STATELESS};
use super::stdio::Stdio;
use super::{Client, Endpoint, Era, Hello, Limits, Program, Purpose, Wire};

/// The ids that are taken here.
pub(super) const IDS: u64 = 2;

const PROBE: u64 = 1;
const INITIALIZE: u64 = 2;

/// How long a program may be silent before it is asked in the older way, too. It may just be starting.
const SILENCE: Duration = Duration::from_secs(5);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Discovered {
    supported_versions: Vec<String>,
    #[serde(default)]
    capabilities: Value,
    #[serde(default)]
    instructions: Option<String>,
    #[serde(default, rename = "_meta")]
    meta: Option<Meta>,
}

#[derive(Deserialize)]
struct Meta {
    #[serde(default, rename = "io.modelcontextprotocol/serverInfo")]
    info: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Initialized {
    protocol_version: String,
    #[serde(default)]
    capabilities: Value,
    #[serde(default)]
    server_info: Option<Box<RawValue>>,
    #[serde(default)]
    instructions: Option<String>,
}

/// What an answer to the probe says.
enum Probed {
    Hello(Hello),
    /// It is of an earlier era.
    Earlier,
}

fn probe(purpose: Purpose) -> Request {
    Params::default().request(PROBE, "server/discover", (Era::Stateless, purpose))
}

/// Starts a program and greets it.
pub(super) fn over_stdio(program: &Program, purpose: Purpose, limits: Limits) -> Result<(Stdio, Hello), Error> {
    let deadline = Instant::now() + limits.timeout;
    let mut stdio = Stdio::start(program, limits)?;
    let probe = probe(purpose);
    stdio.send(&probe.text);
    match stdio.answer(probe.method, deadline.min(Instant::now() + SILENCE)) {
        Ok((_, outcome)) => {
            if let Probed::Hello(hello) = discovered(outcome)? {
                return Ok((stdio, hello));
            }
        }
        Err(error) if error.is_timeout() => {}
        // Some end at the first request that they do not know.
        Err(error) if matches!(error.kind(), Kind::Ended(..)) => stdio = Stdio::start(program, limits)?,
        Err(error) => return Err(error),
    }
    let hello = initialize_on(&mut stdio, purpose, deadline)?;
    if matches!(hello.era, Era::Session(_)) {
        stdio.send(message::INITIALIZED);
    }
    Ok((stdio, hello))
}

/// Opens a session, unless the probe is answered late.
fn initialize_on(stdio: &mut Stdio, purpose: Purpose, deadline: Instant) -> Result<Hello, Error> {
    let request = message::initialize(INITIALIZE, purpose);
    stdio.send(&request.text);
    loop {
        match stdio.answer(request.method, deadline)? {
            (Some(PROBE), outcome) => {
                if let Probed::Hello(hello) = discovered(outcome)? {
                    return Ok(hello);
                }
            }
            (Some(INITIALIZE) | None, outcome) => return initialized(outcome),
            (Some(_), _) => {}
        }
    }
}

impl Client {
    /// Opens a session with a server that has answered without one, if it wants to: some things are said in sessions only.
    pub(super) fn open_session(&mut self) -> Result<Option<Hello>, Error> {
        self.last_id += 1;
        let deadline = Instant::now() + self.limits.timeout;
        let request = message::initialize(self.last_id, self.purpose);
        let outcome = match &mut self.wire {
            Wire::Http(http) => http.ask(&request, deadline)?,
            Wire::Stdio(stdio) => stdio.ask(&request, deadline)?,
        };
        let Ok(hello) = initialized(outcome) else { return Ok(None) };
        match &mut self.wire {
            Wire::Http(http) => http.tell(message::INITIALIZED, hello.era, deadline)?,
            Wire::Stdio(stdio) => stdio.send(message::INITIALIZED),
        }
        self.hello.era = hello.era;
        Ok(Some(hello))
    }

    /// Goes on without the session.
    pub(super) fn close_session(&mut self) {
        self.hello.era = Era::Stateless;
        if let Wire::Http(http) = &mut self.wire {
            http.end_session();
        }
    }
}

/// Finds a server and greets it.
pub(super) fn over_http(endpoint: &Endpoint, purpose: Purpose, limits: Limits) -> Result<(Http, Hello), Error> {
    let deadline = Instant::now() + limits.timeout;
    let mut http = Http::new(endpoint, limits)?;
    match http.try_ask(&probe(purpose), deadline)? {
        Reply::Answer(outcome) => {
            if let Probed::Hello(hello) = discovered(outcome)? {
                return Ok((http, hello));
            }
        }
        Reply::Status(status) if matches!(status, 401 | 403) => return Err(Http::status(status)),
        Reply::Status(_) => {}
    }
    let hello = initialized(http.ask(&message::initialize(INITIALIZE, purpose), deadline)?)?;
    http.tell(message::INITIALIZED, hello.era, deadline)?;
    Ok((http, hello))
}

fn discovered(outcome: Outcome) -> Result<Probed, Error> {
    let result = match outcome {
        Ok(result) => result,
        Err(refusal) => return earlier(&refusal),
    };
    let Ok(found) = serde_json::from_str::<Discovered>(result.get()) else { return Ok(Probed::Earlier) };
    if !found.supported_versions.iter().any(|version| version == STATELESS) {
        return versions(&found.supported_versions);
    }
    let sessions = found.supported_versions.iter().any(|version| version == SESSIONS[0]);
    Ok(Probed::Hello(Hello {
        era: Era::Stateless,
        sessions,
        info: found.meta.and_then(|meta| meta.info),
        instructions: found.instructions,
        capabilities: found.capabilities,
    }))
}

/// A server that knows the stateless era, but not this revision of it, names those that it speaks.
fn earlier(refusal: &Refusal) -> Result<Probed, Error> {
    let supported = refusal.data.as_ref().and_then(|data| data.get("supported")).and_then(Value::as_array);
    match supported.filter(|_| refusal.code == message::UNSUPPORTED_VERSION) {
        Some(supported) => versions(&supported.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()),
        None => Ok(Probed::Earlier),
    }
}

fn versions(supported: &[String]) -> Result<Probed, Error> {
    if supported.iter().any(|version| session(version).is_some()) || supported.is_empty() {
        return Ok(Probed::Earlier);
    }
    Err(unknown_revision(&supported.join(", ")))
}

fn initialized(outcome: Outcome) -> Result<Hello, Error> {
    let result = outcome.map_err(|refusal| Error::refused("`initialize`", &refusal))?;
    let found: Initialized = serde_json::from_str(result.get())
        .map_err(|error| Error::not_mcp(format!("the server's answer to `initialize` is none: {error}")))?;
    let Some(revision) = session(&found.protocol_version) else {
        return Err(unknown_revision(&found.protocol_version));
    };
    Ok(Hello {
        era: Era::Session(revision),
        sessions: true,
        info: found.server_info,
        instructions: found.instructions,
        capabilities: found.capabilities,
    })
}

fn session(version: &str) -> Option<&'static str> {
    SESSIONS.into_iter().find(|known| *known == version)
}

fn unknown_revision(versions: &str) -> Error {
    let versions = super::error::shown(versions);
    Error::not_mcp(format!("the server speaks revisions of MCP that are not known here: {versions}"))
}
