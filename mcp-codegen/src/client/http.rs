//! A server on the network, by Streamable HTTP.

use std::io::{self, BufReader};
use std::thread;
use std::time::{Duration, Instant};

use ureq::http::header::{HeaderName, HeaderValue};
use ureq::http::{HeaderMap, Response, Uri};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body};

use super::error::{Error, Kind};
use super::message::{self, Incoming, Outcome, Request};
use super::sse::{End, Events};
use super::{Endpoint, Era, Limits};

/// Redirects within an origin that are followed.
const MAX_REDIRECTS: usize = 3;

/// How often a stream that the server closed early is taken up again.
const MAX_RETURNS: usize = 100;

/// How long the end of a session may take.
const FAREWELL: Duration = Duration::from_secs(5);

/// What a server said to a request.
pub(super) enum Reply {
    Answer(Outcome),
    /// A status without an answer.
    Status(u16),
}

/// A server, and what its requests have in common.
pub(super) struct Http {
    agent: Agent,
    url: Uri,
    headers: HeaderMap,
    session: Option<HeaderValue>,
    /// The revision that was agreed on in a session.
    revision: Option<&'static str>,
    limits: Limits,
}

impl Http {
    pub(super) fn new(endpoint: &Endpoint, limits: Limits) -> Result<Self, Error> {
        let url = url(&endpoint.url)?;
        let headers = headers(&endpoint.headers)?;
        let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
        let config = Agent::config_builder().tls_config(tls).http_status_as_error(false).max_redirects(0);
        let config =
            config.max_redirects_will_error(false).user_agent(concat!("mcp-codegen/", env!("CARGO_PKG_VERSION")));
        Ok(Self { agent: config.build().into(), url, headers, session: None, revision: None, limits })
    }

    /// Sends a request and waits for its answer.
    pub(super) fn ask(&mut self, request: &Request, deadline: Instant) -> Result<Outcome, Error> {
        match self.try_ask(request, deadline)? {
            Reply::Answer(outcome) => Ok(outcome),
            Reply::Status(status) => Err(Self::status(status)),
        }
    }

    /// The same, where a status without an answer tells something, too.
    pub(super) fn try_ask(&mut self, request: &Request, deadline: Instant) -> Result<Reply, Error> {
        let response = self.post(&request.text, &own_headers(request)?, (request.method, deadline))?;
        if request.method == "initialize" {
            self.session = response.headers().get("mcp-session-id").cloned();
        }
        let status = response.status().as_u16();
        if is_of(&response, "text/event-stream") {
            return self.answer_of_stream(response, request, deadline).map(Reply::Answer);
        }
        let text = self.text(response, request.method)?;
        let answer =
            message::read(&text).ok().and_then(|messages| messages.into_iter().find_map(answer_to(request.id)));
        match answer {
            Some(answer) => Ok(Reply::Answer(answer)),
            None if status == 200 => {
                let said = super::error::shown(&text);
                Err(Error::not_mcp(format!("the server answers `{}` with what is no MCP: {said}", request.method)))
            }
            None => Ok(Reply::Status(status)),
        }
    }

    /// Sends what wants no answer.
    pub(super) fn tell(&mut self, text: &str, era: Era, deadline: Instant) -> Result<(), Error> {
        if let Era::Session(revision) = era {
            self.revision = Some(revision);
        }
        self.post(text, &HeaderMap::new(), ("notifications/initialized", deadline)).map(drop)
    }

    /// What a status without an answer means.
    pub(super) fn status(status: u16) -> Error {
        let help = match status {
            401 => ": it wants to know who asks; give `--header 'Authorization: Bearer TOKEN'`",
            403 => ": whoever asks may not",
            404 | 405 => {
                ": is that the address of its MCP endpoint? Its transport may be HTTP+SSE, which came before Streamable HTTP and is not spoken here"
            }
            _ => "",
        };
        Error::new(Kind::Status(status, help.to_owned()))
    }

    /// Posts a message. Redirects are followed to the same origin only: headers may hold secrets.
    fn post(
        &mut self,
        text: &str,
        headers: &HeaderMap,
        (method, deadline): (&str, Instant),
    ) -> Result<Response<Body>, Error> {
        for _ in 0..=MAX_REDIRECTS {
            let mut request = self.agent.post(&self.url);
            for (name, value) in self.common_headers().iter().chain(headers) {
                request = request.header(name, value);
            }
            let request = request.header("content-type", "application/json");
            let request = request.header("accept", "application/json, text/event-stream");
            let request = request.config().timeout_global(Some(left(deadline))).build();
            let response = request.send(text).map_err(|error| self.failed(error, method))?;
            let Some(target) = redirect(&self.url, &response)? else { return Ok(response) };
            self.url = target;
        }
        Err(Error::not_mcp(format!("the server redirects more than {MAX_REDIRECTS} times")))
    }

    fn common_headers(&self) -> HeaderMap {
        let mut headers = self.headers.clone();
        if let Some(session) = &self.session {
            headers.insert("mcp-session-id", session.clone());
        }
        if let Some(revision) = self.revision {
            headers.insert("mcp-protocol-version", HeaderValue::from_static(revision));
        }
        headers
    }

    /// Waits for the answer on a stream; one that the server closed before is taken up again.
    fn answer_of_stream(
        &mut self,
        response: Response<Body>,
        request: &Request,
        deadline: Instant,
    ) -> Result<Outcome, Error> {
        let mut events = self.events(response);
        for _ in 0..MAX_RETURNS {
            let end = loop {
                match events.next() {
                    Ok(event) if event.is_message && !event.data.is_empty() => {
                        if let Some(answer) = self.heard(&event.data, request, deadline)? {
                            return Ok(answer);
                        }
                    }
                    Ok(_) => {}
                    Err(end) => break end,
                }
            };
            match (end, events.last_id.take()) {
                (End::TooLong, _) => return Err(self.too_large(request.method)),
                (End::NotText, _) => return Err(not_text(request.method)),
                (End::Failed(error), _) if is_timeout(&error) => return Err(self.timeout(request.method)),
                (End::Closed | End::Failed(_), Some(id)) if matches!(request.era, Era::Session(_)) => {
                    let pause = events.retry.unwrap_or(Duration::from_secs(1)).min(left(deadline));
                    thread::sleep(pause);
                    events = self.events(self.come_back(&id, request.method, deadline)?);
                }
                (End::Closed, _) => {
                    return Err(Error::not_mcp(format!("the stream ends before the answer to `{}`", request.method)));
                }
                (End::Failed(error), _) => {
                    return Err(Error::new(Kind::Connection("the stream is broken".to_owned(), error.into())));
                }
            }
        }
        Err(Error::not_mcp("the server closes its stream again and again"))
    }

    /// Looks at what came on a stream; an answer to the request ends it, and questions are answered.
    fn heard(&mut self, data: &str, request: &Request, deadline: Instant) -> Result<Option<Outcome>, Error> {
        let wrong = |why| Error::not_mcp(format!("the server sends an event that is no MCP message: {why}"));
        for message in message::read(data).map_err(wrong)? {
            match message {
                Incoming::Request(id, method) => {
                    self.post(&message::reply(&id, &method), &HeaderMap::new(), (request.method, deadline))?;
                }
                message => {
                    if let Some(answer) = answer_to(request.id)(message) {
                        return Ok(Some(answer));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Asks for what followed on a stream.
    fn come_back(&self, last_id: &str, method: &str, deadline: Instant) -> Result<Response<Body>, Error> {
        let mut request = self.agent.get(&self.url);
        for (name, value) in &self.common_headers() {
            request = request.header(name, value);
        }
        let request = request.header("accept", "text/event-stream").header("last-event-id", last_id);
        let request = request.config().timeout_global(Some(left(deadline))).build();
        let response = request.call().map_err(|error| self.failed(error, method))?;
        if response.status() == 200 && is_of(&response, "text/event-stream") {
            return Ok(response);
        }
        Err(Error::not_mcp(format!("the stream ends before the answer to `{method}`, and cannot be taken up again")))
    }

    fn events(&self, response: Response<Body>) -> Events<BufReader<ureq::BodyReader<'static>>> {
        let most = self.limits.message_bytes;
        // The stream counts for itself.
        let reader = response.into_body().into_with_config().limit(u64::MAX).reader();
        Events::new(BufReader::new(reader), most)
    }

    fn text(&self, response: Response<Body>, method: &str) -> Result<String, Error> {
        let most = self.limits.message_bytes as u64;
        match response.into_body().into_with_config().limit(most).read_to_vec() {
            Ok(bytes) => String::from_utf8(bytes).map_err(|_| not_text(method)),
            Err(ureq::Error::BodyExceedsLimit(_)) => Err(self.too_large(method)),
            Err(error) => Err(self.failed(error, method)),
        }
    }

    fn too_large(&self, method: &str) -> Error {
        let most = self.limits.message_bytes >> 20;
        Error::too_large(format!("the server answers `{method}` with more than {most} MiB"))
    }

    fn timeout(&self, method: &str) -> Error {
        Error::new(Kind::Timeout(method.to_owned(), self.limits.timeout))
    }

    fn unreachable(&self, error: Box<dyn std::error::Error + Send + Sync>) -> Error {
        Error::new(Kind::Connection(format!("`{}` cannot be asked", shown(&self.url)), error))
    }

    fn failed(&self, error: ureq::Error, method: &str) -> Error {
        match error {
            ureq::Error::Timeout(_) => self.timeout(method),
            ureq::Error::Io(error) if is_timeout(&error) => self.timeout(method),
            ureq::Error::Io(error) => self.unreachable(error.into()),
            error => self.unreachable(error.into()),
        }
    }
}

fn not_text(method: &str) -> Error {
    Error::not_mcp(format!("the server answers `{method}` with bytes that are not UTF-8"))
}

/// A URL without what can be secret in one: who asks, and the query.
fn shown(url: &Uri) -> String {
    let (scheme, host) = (url.scheme_str().unwrap_or_default(), url.host().unwrap_or_default());
    let port = url.port_u16().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{scheme}://{host}{port}{}", url.path())
}

impl Drop for Http {
    fn drop(&mut self) {
        self.end_session();
    }
}

impl Http {
    /// Ends the session, if there is one. That a server does not want to hear of it is its business.
    pub(super) fn end_session(&mut self) {
        if self.session.is_none() {
            return;
        }
        let mut request = self.agent.delete(&self.url);
        for (name, value) in &self.common_headers() {
            request = request.header(name, value);
        }
        let _ = request.config().timeout_global(Some(FAREWELL)).build().call();
        (self.session, self.revision) = (None, None);
    }
}

/// The answer to a request, if a message is one.
fn answer_to(id: u64) -> impl Fn(Incoming) -> Option<Outcome> {
    move |message| match message {
        Incoming::Answer(of, outcome) if of.is_none_or(|of| of == id) => Some(outcome),
        Incoming::Answer(..) | Incoming::Notification | Incoming::Request(..) => None,
    }
}

/// Where a redirect leads, if the response is one.
fn redirect(from: &Uri, response: &Response<Body>) -> Result<Option<Uri>, Error> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let location = response.headers().get("location").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let absolute = if location.starts_with('/') && !location.starts_with("//") {
        let (scheme, authority) =
            (from.scheme_str().unwrap_or_default(), from.authority().map_or("", |host| host.as_str()));
        format!("{scheme}://{authority}{location}")
    } else {
        location.to_owned()
    };
    let target: Option<Uri> = absolute.parse().ok();
    let same = |target: &Uri| target.scheme() == from.scheme() && target.authority() == from.authority();
    // Other statuses turn the request into one without a message.
    let is_kept = matches!(response.status().as_u16(), 307 | 308);
    if let Some(target) = target.filter(|target| is_kept && same(target)) {
        return Ok(Some(target));
    }
    let location = super::error::shown(location);
    Err(Error::not_mcp(format!("the server redirects to `{location}`; give that address, if you trust it")))
}

/// Headers that repeat what a request says.
fn own_headers(request: &Request) -> Result<HeaderMap, Error> {
    let mut headers = HeaderMap::new();
    if request.era == Era::Stateless {
        headers.insert("mcp-protocol-version", HeaderValue::from_static(message::STATELESS));
        headers.insert("mcp-method", HeaderValue::from_static(request.method));
        let name = request.name.iter().map(|name| ("mcp-name", name));
        let others = request.headers.iter().map(|(name, value)| (name.as_str(), value));
        for (name, value) in name.chain(others) {
            let (name, value) = header(name, value)?;
            headers.insert(name, value);
        }
    }
    Ok(headers)
}

fn url(text: &str) -> Result<Uri, Error> {
    let asked = |why: &str| Error::new(Kind::Asked(format!("`{text}` {why}")));
    let url: Uri = text.parse().map_err(|_| asked("is no URL"))?;
    match url.scheme_str() {
        Some("http" | "https") if url.host().is_some_and(|host| !host.is_empty()) => Ok(url),
        _ => Err(asked("is no URL of a server: write `https://HOST/PATH`")),
    }
}

/// The user's headers. Those that the protocol needs are ours.
fn headers(given: &[(String, String)]) -> Result<HeaderMap, Error> {
    let mut headers = HeaderMap::new();
    for (name, value) in given {
        let (name, mut value) = header(name, value)?;
        let is_ours =
            matches!(name.as_str(), "accept" | "content-length" | "content-type" | "host" | "transfer-encoding")
                || name.as_str().starts_with("mcp-");
        if is_ours {
            return Err(Error::new(Kind::Asked(format!("the header `{name}` is set by the protocol"))));
        }
        value.set_sensitive(true);
        headers.append(name, value);
    }
    Ok(headers)
}

fn header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), Error> {
    let header = name.parse().ok().zip(HeaderValue::from_str(value).ok());
    header.ok_or_else(|| Error::new(Kind::Asked(format!("`{name}` is no header that can be sent"))))
}

fn is_of(response: &Response<Body>, media_type: &str) -> bool {
    let value = response.headers().get("content-type").and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().is_some_and(|essence| essence.trim().eq_ignore_ascii_case(media_type))
}

fn is_timeout(error: &io::Error) -> bool {
    let of_ureq = error.get_ref().and_then(|error| error.downcast_ref::<ureq::Error>());
    error.kind() == io::ErrorKind::TimedOut || matches!(of_ureq, Some(ureq::Error::Timeout(_)))
}

fn left(deadline: Instant) -> Duration {
    // A limit of zero would be none.
    deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1))
}
