//! A client of HTTP servers that knows no more of HTTP than it has to, so that a test can send what no library would.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mcp_runtime::Service;
use mcp_runtime::http::Http;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::official::Conversation;

/// What a server may take at most for anything that is not waiting by design.
const PATIENCE: Duration = Duration::from_secs(20);
const STATELESS: &str = "2026-07-28";

/// A server that listens on this machine.
#[derive(Debug)]
pub struct Site {
    address: SocketAddr,
    conversation: Arc<Mutex<Conversation>>,
    stop: oneshot::Sender<()>,
    served: JoinHandle<mcp_runtime::Result<()>>,
}

/// A request as it is written.
#[derive(Clone, Debug)]
pub struct Request {
    /// The method.
    pub method: &'static str,
    /// Where to.
    pub path: String,
    headers: Vec<(String, String)>,
    body: Option<String>,
}

/// A connection to a server.
#[derive(Debug)]
pub struct Connection {
    stream: BufReader<TcpStream>,
    /// All that was said to the server.
    all: Arc<Mutex<Conversation>>,
    /// What was said on this connection: ids are each client's own.
    own: Arc<Mutex<Conversation>>,
}

/// A response whose body is still to be read.
#[derive(Debug)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    headers: Vec<(String, String)>,
    framing: Framing,
    /// What was read of the body and not looked at yet.
    rest: Vec<u8>,
    connection: Connection,
}

/// An event of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// Its id.
    pub id: Option<String>,
    /// After how many milliseconds to come back.
    pub retry: Option<String>,
    /// The message.
    pub data: String,
    /// A comment, which is no event at all.
    pub comment: Option<String>,
}

#[derive(Clone, Copy, Debug)]
enum Framing {
    Chunked,
    Ended,
    Length(usize),
}

impl Site {
    /// Starts a server.
    pub async fn start(server: Http<impl Service>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (stop, stopped) = oneshot::channel();
        let server = server.shutdown(async move {
            // a test that ends without a word stops the server, too
            let _ = stopped.await;
        });
        let running = tokio::spawn(server.serve_on(listener));
        Self { address, conversation: Arc::default(), stop, served: running }
    }

    /// A server that something else has started.
    #[must_use]
    pub fn elsewhere(address: SocketAddr) -> Self {
        let (stop, stopped) = oneshot::channel();
        let served = tokio::spawn(async {
            // it goes on without us
            let _ = stopped.await;
            Ok(())
        });
        Self { address, conversation: Arc::default(), stop, served }
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Opens a connection.
    pub async fn connect(&self) -> Connection {
        let stream = TcpStream::connect(self.address).await.expect("a connection");
        Connection { stream: BufReader::new(stream), all: Arc::clone(&self.conversation), own: Arc::default() }
    }

    /// Sends a request on a connection of its own.
    pub async fn send(&self, request: &Request) -> Reply {
        let mut connection = self.connect().await;
        connection.write(&request.to_bytes()).await;
        connection.heard_of(request);
        connection.reply().await
    }

    /// Sends a message that needs no session; what came.
    pub async fn ask(&self, message: &Value) -> Value {
        self.send(&Request::stateless(message)).await.message().await
    }

    /// Opens a session: its id.
    pub async fn session(&self, version: &str, capabilities: Value) -> String {
        let info = json!({ "name": "test", "version": "1.0.0" });
        let params = json!({ "protocolVersion": version, "capabilities": capabilities, "clientInfo": info });
        let message = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        let mut reply = self.send(&Request::post(&message.to_string())).await;
        let id = reply.header("mcp-session-id").expect("a session").to_owned();
        assert_eq!(reply.message().await["result"]["protocolVersion"], version);
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(self.send(&Request::session(&id, &initialized)).await.status, 202);
        id
    }

    /// Tells the server to stop.
    pub fn stop(self) -> JoinHandle<mcp_runtime::Result<()>> {
        // it may have ended by itself
        let _ = self.stop.send(());
        self.served
    }
}

impl Request {
    /// A POST of JSON with all that any revision demands of the headers, and no more.
    #[must_use]
    pub fn post(body: &str) -> Self {
        let headers = [("Accept", "application/json, text/event-stream"), ("Content-Type", "application/json")];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        Self { method: "POST", path: "/mcp".to_owned(), headers, body: Some(body.to_owned()) }
    }

    /// A message of a stateless client, with its headers.
    #[must_use]
    pub fn stateless(message: &Value) -> Self {
        let mut request = Self::post(&message.to_string()).with("MCP-Protocol-Version", STATELESS);
        if let Some(method) = message["method"].as_str() {
            request = request.with("Mcp-Method", method);
        }
        let name = ["name", "uri", "taskId"].into_iter().find_map(|key| message["params"][key].as_str());
        if let Some(name) = name {
            request = request.with("Mcp-Name", name);
        }
        request
    }

    /// A message of a session.
    #[must_use]
    pub fn session(id: &str, message: &Value) -> Self {
        Self::post(&message.to_string()).with("Mcp-Session-Id", id)
    }

    /// A request without a body.
    #[must_use]
    pub fn bare(method: &'static str, id: &str) -> Self {
        let headers = vec![("Accept".to_owned(), "text/event-stream".to_owned())];
        Self { method, path: "/mcp".to_owned(), headers, body: None }.with("Mcp-Session-Id", id)
    }

    /// With a header, in place of one that is there.
    #[must_use]
    pub fn with(self, name: &str, value: &str) -> Self {
        let mut request = self.without(name);
        request.headers.push((name.to_owned(), value.to_owned()));
        request
    }

    /// With a header, beside one that is there.
    #[must_use]
    pub fn with_another(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Without a header.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    /// The bytes on the wire.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut text = format!("{} {} HTTP/1.1\r\n", self.method, self.path);
        if !self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            text.push_str("Host: localhost\r\n");
        }
        for (name, value) in &self.headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        if let Some(body) = &self.body {
            text.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        format!("{text}\r\n{}", self.body.as_deref().unwrap_or_default()).into_bytes()
    }
}

impl Connection {
    /// Writes bytes as they are.
    pub async fn write(&mut self, bytes: &[u8]) {
        self.stream.get_mut().write_all(bytes).await.expect("write to the server");
    }

    /// Sends a request and waits for the head of its response.
    pub async fn send(mut self, request: &Request) -> Reply {
        self.write(&request.to_bytes()).await;
        self.heard_of(request);
        self.reply().await
    }

    /// Waits for the head of a response.
    pub async fn reply(mut self) -> Reply {
        let status_line = self.line().await;
        let status = status_line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.unwrap_or_else(|| panic!("a status: {status_line:?}"));
        let mut headers = Vec::new();
        loop {
            let line = self.line().await;
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let value = |name| headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let framing = match (value("transfer-encoding"), value("content-length")) {
            (Some("chunked"), _) => Framing::Chunked,
            (_, Some(length)) => Framing::Length(length.parse().expect("a length")),
            _ => Framing::Ended,
        };
        Reply { status, headers, framing, rest: Vec::new(), connection: self }
    }

    /// All that comes until the server closes the connection.
    pub async fn rest(mut self) -> String {
        let mut bytes = Vec::new();
        // however it ends: a connection that is cut is closed, too
        let _ = timeout(PATIENCE, self.stream.read_to_end(&mut bytes)).await.expect("an end in time");
        String::from_utf8_lossy(&bytes).into_owned()
    }

    async fn line(&mut self) -> String {
        let mut line = String::new();
        let read = timeout(PATIENCE, self.stream.read_line(&mut line)).await.expect("an answer in time");
        read.expect("the connection is there");
        line.trim_end().to_owned()
    }

    fn heard_of(&mut self, request: &Request) {
        let Some(body) = &request.body else {
            // what is heard again belongs to what was asked elsewhere
            self.own = Arc::clone(&self.all);
            return;
        };
        let messages = match serde_json::from_str(body) {
            Ok(Value::Array(messages)) => messages,
            Ok(message) => vec![message],
            Err(_) => return,
        };
        for conversation in [&self.all, &self.own] {
            let mut conversation = conversation.lock().unwrap_or_else(PoisonError::into_inner);
            for message in &messages {
                conversation.sent(message.to_string().as_bytes());
            }
        }
    }
}

impl Reply {
    /// A header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The whole body.
    pub async fn text(&mut self) -> String {
        while self.more().await {}
        String::from_utf8(std::mem::take(&mut self.rest)).expect("text")
    }

    /// The one message of the response, or the last of its stream.
    pub async fn message(&mut self) -> Value {
        self.messages().await.pop().expect("a message")
    }

    /// All messages up to the end of the response.
    pub async fn messages(&mut self) -> Vec<Value> {
        let mut messages = Vec::new();
        if self.header("content-type") != Some("text/event-stream") {
            let text = self.text().await;
            return if text.is_empty() { messages } else { vec![self.judged(&text)] };
        }
        while let Some(event) = self.event().await {
            if !event.data.is_empty() {
                messages.push(self.judged(&event.data));
            }
        }
        messages
    }

    /// The next message of a stream, which is not at its end.
    pub async fn next_message(&mut self) -> Value {
        loop {
            let event = self.event().await.expect("another event");
            if !event.data.is_empty() {
                return self.judged(&event.data);
            }
        }
    }

    /// The next event, or comment; `None` at the end of the stream.
    pub async fn event(&mut self) -> Option<Event> {
        let end = loop {
            if let Some(end) = self.rest.windows(2).position(|bytes| bytes == b"\n\n") {
                break end;
            }
            if !self.more().await {
                assert!(self.rest.is_empty(), "half an event: {}", String::from_utf8_lossy(&self.rest));
                return None;
            }
        };
        let text: Vec<u8> = self.rest.drain(..end + 2).collect();
        let mut event = Event::default();
        for line in String::from_utf8(text).expect("text").lines().filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(": ").unwrap_or((line, ""));
            match name {
                "" => event.comment = Some(value.to_owned()),
                "data" | "data:" => event.data.push_str(value),
                "id" => event.id = Some(value.to_owned()),
                "retry" => event.retry = Some(value.to_owned()),
                _ => panic!("an unknown field: {line:?}"),
            }
        }
        Some(event)
    }

    /// Reads some of the body; `false` at its end.
    async fn more(&mut self) -> bool {
        let length = match self.framing {
            Framing::Ended | Framing::Length(0) => return false,
            Framing::Length(length) => length,
            Framing::Chunked => {
                let line = self.connection.line().await;
                usize::from_str_radix(&line, 16).unwrap_or_else(|_| panic!("the length of a chunk: {line:?}"))
            }
        };
        let mut bytes = vec![0; length];
        let read = timeout(PATIENCE, self.connection.stream.read_exact(&mut bytes)).await;
        read.expect("a body in time").expect("the connection is there");
        self.rest.append(&mut bytes);
        if matches!(self.framing, Framing::Length(_)) {
            self.framing = Framing::Ended;
            return true;
        }
        self.connection.line().await;
        if length == 0 {
            self.framing = Framing::Ended;
        }
        length > 0
    }

    /// The connection, for the next request.
    #[must_use]
    pub fn into_connection(self) -> Connection {
        self.connection
    }

    fn judged(&self, text: &str) -> Value {
        let message: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("not JSON ({error}): {text}"));
        let conversation = self.connection.own.lock().unwrap_or_else(PoisonError::into_inner);
        let messages = message.as_array().map_or_else(|| vec![&message], |messages| messages.iter().collect());
        for message in messages {
            let faults = conversation.faults(message);
            assert!(faults.is_empty(), "the official schema refuses {message}\n{}", faults.join("\n"));
        }
        message
    }
}
