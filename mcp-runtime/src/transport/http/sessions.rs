//! All sessions: opened, found, restored, and ended when nobody uses them.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use http::header::HeaderValue;
use http::request::Parts;
use http::{Response, StatusCode};

use crate::connection::{Connection, Reply};
use crate::json::{self, Reader, Writer};
use crate::jsonrpc::ErrorCode;
use crate::listener::{Event, TransportEvent};
use crate::lock::lock;
use crate::log::LogLevel;
use crate::peer::{Peer, Principal, Way};
use crate::protocol::{self, ClientCapabilities, ClientInfo, Revision};
use crate::seal::random_bytes;
use crate::transport::http::body::Body;
use crate::transport::http::head::{self, Stated, single};
use crate::transport::http::refusal::{Refusal, json};
use crate::transport::http::session::Session;
use crate::transport::http::{Endpoint, Next, Post};

/// Bytes of randomness in a session's id.
const ID: usize = 24;
/// The shortest time between two looks for sessions that nobody uses.
const SWEEP: Duration = Duration::from_secs(10);

/// The sessions of a server.
pub(super) struct Sessions {
    open: Mutex<Open>,
    limit: usize,
    idle: Duration,
    /// Whoever listens, or has a call under way, is never unused for this long.
    silence: Duration,
}

struct Open {
    sessions: HashMap<String, Arc<Session>>,
    swept: Instant,
}

/// A session that was opened, and the answer that says so.
pub(super) struct Opened {
    session: Arc<Session>,
    response: Response<Body>,
}

impl Endpoint {
    /// Ends the sessions that nobody has used for long. Looks only now and then.
    pub(super) async fn sweep(&self) {
        if self.sessions.is_to_be_swept() {
            self.make_room().await;
        }
    }

    async fn make_room(&self) {
        for session in self.sessions.take_idle() {
            self.end(&session).await;
        }
    }

    /// `initialize`
    pub(super) fn initialize(self: &Arc<Self>, post: &Post<'_>) -> Result<Next, Refusal> {
        let id = post.id();
        let place = self.place().map_err(|refusal| refusal.of(id.clone()))?;
        let principal = post.head.extensions.get::<Principal>();
        let peer = Peer::new(Arc::clone(&self.engine));
        let way = Way { peer: &peer, outbox: &peer.outbox, principal };
        let mut connection = Connection::exchange(way, post.sound_meta());
        let mut out = Vec::new();
        let stated = Stated { headers: &post.head.headers, said: post.said, endpoint: self };
        let reply = connection.parsed(&post.message, &stated, &mut out);
        drop(place);
        if !matches!(reply, Reply::Written) || out.is_empty() {
            return Err(Refusal::busy("try again later").of(id));
        }
        let response = json(StatusCode::OK, out);
        if !self.options.sessions || peer.session.get().is_none() {
            return Ok(Next::Respond(response));
        }
        let session_id = new_id().map_err(|error| {
            let why = format!("no session can be opened: {error}");
            Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, ErrorCode::InternalError, why).of(id)
        })?;
        Ok(Next::Open(Opened { session: Session::new(session_id, peer, (principal.cloned(), 0)), response }))
    }

    /// Keeps a new session, and tells its id.
    pub(super) async fn open(&self, opened: Opened) -> Result<Response<Body>, Refusal> {
        let Opened { session, mut response } = opened;
        if !self.sessions.has_room() {
            self.make_room().await;
        }
        if let Some(longest_idle) = self.sessions.take_longest_idle() {
            self.engine.listeners.send(Event::Transport(TransportEvent::SessionDisplaced));
            self.end(&longest_idle).await;
        }
        let Ok(id) = HeaderValue::from_str(&session.id) else {
            return Err(Refusal::busy("try again later"));
        };
        if !self.sessions.keep(&session) {
            return Err(Refusal::busy("too many sessions: try again later"));
        }
        self.keep(&session).await;
        response.headers_mut().insert(head::SESSION_ID, id);
        Ok(response)
    }

    /// Puts a session into the store as it is now, if there is one.
    pub(super) async fn keep(&self, session: &Session) {
        if let Some(store) = &self.options.store {
            store.save(&session.id, record(session)).await;
        }
    }
}

impl Sessions {
    pub(super) fn new(limit: usize, idle: Duration, keep_alive: Duration) -> Self {
        let (open, silence) = (Open { sessions: HashMap::new(), swept: Instant::now() }, keep_alive * 2);
        Self { open: Mutex::new(open), limit, idle: idle.max(silence), silence }
    }

    /// The session with this id, if it belongs to the principal. Whose it is otherwise, nobody is told.
    pub(super) fn find(&self, id: &str, principal: Option<&Principal>) -> Option<Arc<Session>> {
        let session = self.lock().sessions.get(id).cloned()?;
        (session.principal.as_ref() == principal).then_some(session)
    }

    /// Brings a session back that another process opened, or this one before it was started again.
    pub(super) async fn recall(&self, endpoint: &Endpoint, head: &Parts) {
        let Some(store) = &endpoint.options.store else { return };
        let Ok(Some(id)) = single(&head.headers, &head::SESSION_ID) else { return };
        if self.lock().sessions.contains_key(id) || !self.has_room() {
            return;
        }
        let Some(record) = store.load(id).await else { return };
        if let Some(session) = restore(endpoint, id, &record) {
            self.keep(&session);
        }
    }

    /// Whether another session may be opened.
    fn has_room(&self) -> bool {
        self.lock().sessions.len() < self.limit
    }

    /// Adds a session; `false` if there are too many.
    fn keep(&self, session: &Arc<Session>) -> bool {
        let mut open = self.lock();
        let has_room = open.sessions.len() < self.limit;
        if has_room {
            // of two that brought the same one back, the first did
            open.sessions.entry(session.id.clone()).or_insert_with(|| Arc::clone(session));
        }
        has_room
    }

    pub(super) fn forget(&self, session: &Session) {
        self.lock().sessions.remove(&session.id);
    }

    fn is_to_be_swept(&self) -> bool {
        self.lock().swept.elapsed() >= SWEEP.min(self.idle / 2)
    }

    /// Takes out what nobody has used for long, to be ended.
    fn take_idle(&self) -> Vec<Arc<Session>> {
        let mut open = self.lock();
        open.swept = Instant::now();
        let idle = self.idle;
        open.sessions
            .extract_if(|_, session| session.last_used().elapsed() > idle)
            .map(|(_, session)| session)
            .collect()
    }

    /// Takes out the session that has gone unused for longest and has nothing under way, if there is no room for another:
    /// who opens sessions and leaves them must not keep others out.
    fn take_longest_idle(&self) -> Option<Arc<Session>> {
        let mut open = self.lock();
        if open.sessions.len() < self.limit {
            return None;
        }
        let is_unused = |session: &Session| session.is_idle() || session.last_used().elapsed() > self.silence;
        let idle = open.sessions.values().filter(|session| is_unused(session));
        let id = idle.min_by_key(|session| session.last_used())?.id.clone();
        open.sessions.remove(&id)
    }

    /// All sessions, which are to be ended.
    pub(super) fn take_all(&self) -> Vec<Arc<Session>> {
        self.lock().sessions.drain().map(|(_, session)| session).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        lock(&self.open)
    }
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").field("open", &self.lock().sessions.len()).finish_non_exhaustive()
    }
}

/// An id that nobody guesses, in letters that a header may hold.
fn new_id() -> io::Result<String> {
    Ok(BASE64.encode(random_bytes::<ID>()?))
}

/// What a store keeps of a session.
fn record(session: &Session) -> String {
    let mut out = Vec::new();
    let mut writer = Writer::new(&mut out);
    writer.begin_object();
    writer.member(r#""revision":"#, &session.revision().as_str());
    writer.optional(r#""principal":"#, &session.principal.as_ref().map(Principal::as_str));
    if let Some(opened) = session.peer.session.get() {
        writer.member(r#""capabilities":"#, &&*opened.capabilities.json);
        if let Some(client) = &opened.client {
            writer.member(r#""name":"#, &client.name);
            writer.member(r#""version":"#, &client.version);
        }
    }
    writer.member(r#""logLevel":"#, &session.peer.log_level().as_str());
    writer.member(r#""subscriptions":"#, &json::encode(&session.peer.inbox.subscribed()));
    writer.end_object();
    String::from_utf8(out).unwrap_or_default()
}

fn restore(endpoint: &Endpoint, id: &str, record: &str) -> Option<Arc<Session>> {
    let (mut revision, mut principal, mut capabilities) = (None, None, ClientCapabilities::default());
    let (mut name, mut version, mut level, mut subscriptions) = (None, None, None, Vec::new());
    let members = ["revision", "principal", "capabilities", "name", "version", "logLevel", "subscriptions"];
    let read = Reader::new(record).object(&members, &mut |key, reader| {
        let text = reader.string()?;
        match key {
            0 => revision = Revision::named(&text).filter(|revision| revision.has_session()),
            1 => principal = Some(Principal::new(&text)),
            2 => capabilities = ClientCapabilities::parse(&text)?,
            3 => name = Some(text.into_owned()),
            4 => version = Some(text.into_owned()),
            5 => level = LogLevel::named(&text),
            6 => subscriptions = json::decode::<Vec<String>>(&text)?,
            _ => {}
        }
        Ok(())
    });
    read.ok()?;
    let client = name.zip(version).map(|(name, version)| ClientInfo { name, version });
    let peer = Peer::new(Arc::clone(&endpoint.engine));
    // the peer is new: nobody has set it before
    let _ = peer.session.set(protocol::Session { revision: revision?, client, capabilities });
    Connection::exchange(Way { peer: &peer, outbox: &peer.outbox, principal: None }, None).initialized();
    if let Some(level) = level {
        peer.set_log_level(level);
    }
    // no token is at hand: what needs a scope must be subscribed to again
    let announces = |uri: &&String| endpoint.engine.announces(uri, principal.as_ref()) == Some(true);
    for uri in subscriptions.iter().filter(announces) {
        peer.connect();
        // what was within the bounds then is now
        let _ = peer.inbox.subscribe(uri);
    }
    // numbers that no process before can have used
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_millis());
    Some(Session::new(id.to_owned(), peer, (principal, u64::try_from(now).unwrap_or_default())))
}
