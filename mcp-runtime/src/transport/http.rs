//! Streamable HTTP: one endpoint for both eras.
//!
//! Each POST is an exchange of its own. It is answered with JSON, unless something must go out before the answer: then
//! the answer is a stream of events. What a call says and asks leaves on the stream of its POST; what belongs to no call
//! leaves on the stream that the client opens with GET.
//!
//! | part | subject |
//! | --- | --- |
//! | `options` | what a server can be told before it serves |
//! | `accept`, `patient`, `wait` | sockets and connections, from the first to the last, and what they may take |
//! | `service` | the same endpoint inside another server |
//! | `authorize`, `challenge` | whose request it is, and what one without a token is told |
//! | `cors` | what browsers ask for pages of other origins |
//! | `guard`, `head`, `body` | what a request must be before anybody looks into it |
//! | `era` | which rules a message is under |
//! | `stateless` | requests that bring all that is to be known |
//! | `session`, `sessions`, `stream` | those that belong to a session, and where its messages leave |
//! | `sse` | events as bytes |
//! | `store` | what outlives a connection, or a process |

mod accept;
mod authorize;
mod body;
mod call;
mod challenge;
mod cors;
mod era;
mod guard;
mod head;
mod options;
mod patient;
mod refusal;
mod service;
mod session;
mod sessions;
mod sse;
mod stateless;
mod store;
mod stream;
mod wait;

use std::sync::Arc;
use std::sync::{Mutex, OnceLock};

use bytes::Bytes;
use http::request::Parts;
use http::{Method, Response, StatusCode, Uri};
use hyper::body::Body as HttpBody;
use tokio::sync::{Semaphore, watch};

use self::authorize::Authorizer;
pub use self::body::Body;
use self::body::Text;
use self::era::Era;
use self::guard::Guard;
use self::head::{Field, Said};
pub use self::options::Http;
use self::options::Options;
use self::refusal::{Refusal, json_within};
pub use self::service::HttpService;
use self::sessions::Sessions;
pub use self::store::{EventStore, MemoryEvents, SessionStore, Stored, StoredEvent};
use crate::connection::Unreadable;
use crate::engine::{Engine, ParamHeaders};
use crate::jsonrpc::{ErrorCode, Message};
use crate::listener::{Event, TransportEvent};
use crate::protocol::Meta;

/// All methods that there are.
const METHODS: &str = "GET, POST, DELETE";

/// The longest `_meta` that a connection remembers, in bytes.
const MAX_REMEMBERED: usize = 16 << 10;
/// The longest `Host` of these, in bytes: the longest name that there is, and a port.
const MAX_REMEMBERED_HOST: usize = 260;

/// A server as HTTP sees it, shared by all connections.
#[derive(Debug)]
pub(crate) struct Endpoint {
    engine: Arc<Engine>,
    param_headers: ParamHeaders,
    options: Options,
    guard: Guard,
    /// `None` where anybody may call.
    authorizer: Option<Authorizer>,
    sessions: Sessions,
    /// Places for requests under way.
    places: Arc<Semaphore>,
    /// Places for streams that have no end of their own.
    streams: Arc<Semaphore>,
    /// Turns true when the server ends.
    closing: watch::Sender<bool>,
}

/// What clients send over and over on one connection.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// The `_meta` that came last.
    meta: Mutex<Arc<Meta>>,
    /// The first `Host` that was allowed.
    host: OnceLock<Box<[u8]>>,
}

impl Memory {
    fn get(&self) -> Arc<Meta> {
        // where two ask at once, one does without
        self.meta.try_lock().map(|meta| Arc::clone(&meta)).unwrap_or_default()
    }

    fn set(&self, meta: &Arc<Meta>) {
        // a connection that waits should not hold much
        if meta.text.len() > MAX_REMEMBERED {
            return;
        }
        if let Ok(mut last) = self.meta.try_lock() {
            *last = Arc::clone(meta);
        }
    }

    /// Whether a request names the host that was allowed, and nothing else that would have to be.
    fn has_allowed(&self, target: &Uri, said: &Said<'_>) -> bool {
        sole_host(target, said).is_some_and(|host| self.host.get().is_some_and(|known| **known == *host))
    }

    fn allow(&self, target: &Uri, said: &Said<'_>) {
        if let Some(host) = sole_host(target, said).filter(|host| host.len() <= MAX_REMEMBERED_HOST) {
            self.host.get_or_init(|| host.into());
        }
    }
}

/// `Host`, where nothing else says where a request is from and where it goes.
fn sole_host<'h>(target: &Uri, said: &Said<'h>) -> Option<&'h [u8]> {
    match said.host {
        Field::Once(host) if said.origin == Field::Absent && target.authority().is_none() => Some(host),
        Field::Once(_) | Field::Absent | Field::Repeated => None,
    }
}

impl Endpoint {
    /// Answers one request.
    async fn answer<B>(self: &Arc<Self>, memory: &Memory, head: &mut Parts, body: B) -> Response<Body>
    where
        B: HttpBody,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let mut said = Said::of(&head.headers);
        if let Err(refusal) = self.admit(memory, head, &said) {
            return refusal.into_response();
        }
        if let Some(metadata) = self.metadata(head) {
            return metadata.unwrap_or_else(Refusal::into_response);
        }
        if self.authorizer.is_some() {
            if let Err(refusal) = self.authorize(head).await {
                return refusal.into_response();
            }
            said = Said::of(&head.headers);
        }
        match self.route(memory, (head, &said), body).await {
            Ok(Answered::Json(status, text)) => json_within(std::mem::take(&mut head.headers), status, text),
            Ok(Answered::Whole(response)) => response,
            Err(refusal) => refusal.into_response(),
        }
    }

    /// What is looked at before anything of the request is read.
    fn admit(&self, memory: &Memory, head: &Parts, said: &Said<'_>) -> Result<(), Refusal> {
        if !memory.has_allowed(&head.uri, said) {
            if let Err(why) = self.guard.check(&head.uri, said) {
                self.engine.listeners.send(Event::Transport(TransportEvent::Refused(why.clone())));
                return Err(Refusal::new(StatusCode::FORBIDDEN, ErrorCode::InvalidRequest, why));
            }
            memory.allow(&head.uri, said);
        }
        match head.method {
            Method::POST | Method::GET | Method::DELETE => Ok(()),
            _ => Err(Refusal::method(METHODS)),
        }
    }

    async fn route<B>(
        self: &Arc<Self>,
        memory: &Memory,
        (head, said): (&Parts, &Said<'_>),
        body: B,
    ) -> Result<Answered, Refusal>
    where
        B: HttpBody,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        if *self.closing.borrow() {
            return Err(Refusal::busy("the server is shutting down"));
        }
        match head.method {
            Method::POST => {
                if !said.accepts_both(&head.headers) {
                    let why = "`Accept` must list `application/json` and `text/event-stream`";
                    return Err(Refusal::new(StatusCode::NOT_ACCEPTABLE, ErrorCode::InvalidRequest, why));
                }
                if !said.is_json() {
                    let why = "`Content-Type` must be `application/json`";
                    return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, ErrorCode::InvalidRequest, why));
                }
                let limits = (self.engine.limits.message, self.options.body_timeout);
                let text = Text::read(body, limits).await?;
                self.sessions.recall(self, head).await;
                let next = self.post(memory, (head, said), &text)?;
                let response = match next {
                    Next::Answer(status, text) => return Ok(Answered::Json(status, text)),
                    Next::Respond(response) => response,
                    Next::Wait(waiting) => self.wait(waiting).await,
                    Next::Open(opened) => self.open(opened).await?,
                    Next::Keep(session, response) => {
                        self.keep(&session).await;
                        response
                    }
                };
                Ok(Answered::Whole(response))
            }
            // apart, since it is large and rare
            Method::GET => Box::pin(self.get(head)).await.map(Answered::Whole),
            _ => self.delete(head).await.map(Answered::Whole),
        }
    }

    /// Takes the body of a POST as far as it goes without waiting.
    fn post(
        self: &Arc<Self>,
        memory: &Memory,
        (head, said): (&Parts, &Said<'_>),
        text: &Text,
    ) -> Result<Next, Refusal> {
        let Some(json) = text.as_str() else {
            return Err(self.unreadable(Unreadable::not_text()));
        };
        if json.trim_ascii_start().starts_with('[') {
            return self.batch((head, said), json);
        }
        let known = memory.get();
        // read where it stays: it is large, and passes through many hands
        let mut post = Post { head, said, text, message: Message::EMPTY, meta: None };
        post.message.read(json, &known.text).map_err(|fault| self.unreadable(Unreadable::new(json, fault)))?;
        post.meta = match post.message.params.meta {
            None => None,
            Some(meta) if *meta == *known.text => Some(Ok(known.clone())),
            Some(meta) => Some(Meta::parse(meta).map(|meta| {
                let meta = Arc::new(meta);
                memory.set(&meta);
                meta
            })),
        };
        match post.era()? {
            Era::Handshake => self.initialize(&post),
            Era::Session => self.in_session(&post),
            Era::Stateless => self.stateless(&post),
        }
    }

    fn unreadable(&self, unreadable: Unreadable) -> Refusal {
        let Unreadable { id, code, why } = unreadable;
        self.engine.listeners.send(Event::Transport(TransportEvent::BadMessage(why.clone())));
        Refusal::bad_request(code, why).of(id)
    }
}

/// A POST whose message was read.
struct Post<'p> {
    head: &'p Parts,
    said: &'p Said<'p>,
    text: &'p Text,
    message: Message<'p>,
    meta: Option<Result<Arc<Meta>, crate::protocol::MetaFault>>,
}

/// What a request is answered with.
enum Answered {
    Json(StatusCode, Bytes),
    Whole(Response<Body>),
}

/// What comes of a POST.
enum Next {
    /// A JSON text, and nothing beside it.
    Answer(StatusCode, Bytes),
    Respond(Response<Body>),
    /// A handler is under way, and nothing has been said yet.
    Wait(stateless::Waiting),
    /// A session was opened.
    Open(sessions::Opened),
    /// A session is not as it was, and a store is to know.
    Keep(Arc<session::Session>, Response<Body>),
}

/// Waits until a value turns true.
async fn turned(value: &mut watch::Receiver<bool>) {
    // whoever could turn it is there as long as we are
    let _ = value.wait_for(|value| *value).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_remembers_no_long_meta() {
        let memory = Memory::default();
        let meta = |length: usize| Arc::new(Meta::parse(&format!(r#"{{"x":"{}"}}"#, "y".repeat(length))).unwrap());
        let short = meta(100);
        memory.set(&short);
        memory.set(&meta(MAX_REMEMBERED));
        assert_eq!(memory.get().text, short.text);
    }

    #[test]
    fn a_connection_remembers_one_host_for_requests_that_name_nothing_else() {
        let memory = Memory::default();
        let head = |target: &str, headers: &[(&str, &str)]| {
            let request =
                headers.iter().fold(http::Request::post(target), |head, (name, value)| head.header(*name, *value));
            request.body(()).unwrap().into_parts().0
        };
        let with = |head: &Parts, allow: bool| {
            let said = Said::of(&head.headers);
            if allow {
                memory.allow(&head.uri, &said);
            }
            memory.has_allowed(&head.uri, &said)
        };
        let known = [("host", "localhost")];
        assert!(!with(&head("http://localhost/mcp", &known), true) && !with(&head("/mcp", &known), false));
        assert!(with(&head("/mcp", &known), true) && !with(&head("/mcp", &[("host", "evil.example")]), true));
        for headers in [&[][..], &[("host", "localhost"), ("host", "localhost")], &[known[0], ("origin", "null")]] {
            assert!(!with(&head("/mcp", headers), false), "{headers:?}");
        }
        assert!(!with(&head("http://evil.example/mcp", &known), false));
    }
}
