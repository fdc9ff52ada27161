//! A server over HTTP: many clients at once, each request stateless or in a session, on connections that break now and then.

use std::process::Stdio;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use fastrand::Rng;
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::Command;
use tokio::task::{JoinSet, LocalSet, spawn_local};

use crate::Fallible;
use crate::request::{Request, cancel, initialize};
use crate::tally::Tally;

/// Clients at once.
const CLIENTS: usize = 32;

/// One client, which is one connection after the other.
struct Client {
    address: String,
    rng: Rng,
    connection: Option<SendRequest<Full<Bytes>>>,
    session: Option<String>,
}

/// A response that was read to its end.
struct Reply {
    status: u16,
    session: Option<String>,
    messages: Vec<Value>,
}

pub(crate) async fn soak(total: u64, mut rng: Rng) -> Fallible<Tally> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("serve-http").stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
    let mut server = command.spawn()?;
    let mut address = String::new();
    BufReader::new(server.stdout.take().ok_or("no output")?).read_line(&mut address).await?;
    let tally = Rc::new(Tally::new(total, server.id().ok_or("it has ended")?));
    let local = LocalSet::new();
    let mut clients = JoinSet::new();
    for _ in 0..CLIENTS {
        let (address, rng, tally) = (address.trim().to_owned(), rng.fork(), Rc::clone(&tally));
        let client = Client { address, rng, connection: None, session: None };
        clients.spawn_local_on(client.run(tally), &local);
    }
    local
        .run_until(async {
            while let Some(client) = clients.join_next().await {
                client??;
            }
            Fallible::Ok(())
        })
        .await?;
    if server.try_wait()?.is_some() {
        return Err("the server has ended".into());
    }
    Rc::into_inner(tally).ok_or_else(|| "a client is still there".into())
}

impl Client {
    async fn run(mut self, tally: Rc<Tally>) -> Fallible {
        while let Some(id) = tally.next() {
            let request = Request::random(&mut self.rng);
            let stateless = self.rng.bool();
            if request.params["name"] == "nap" && self.rng.u32(..8) == 0 {
                self.give_up(&tally, (id, &request), stateless).await?;
                continue;
            }
            let reply =
                if stateless { self.stateless(id, &request).await } else { self.in_session(id, &request).await };
            let reply = reply?;
            let answer = reply.messages.iter().find(|message| message["id"] == id);
            let answer = answer.ok_or_else(|| format!("{id}: no answer with {} {:?}", reply.status, reply.messages))?;
            if !request.expected.is(answer) {
                return Err(format!("{:?} was expected of {id}, and not {answer}", request.expected).into());
            }
            tally.answered.fetch_add(1, Ordering::Relaxed);
            if self.rng.u32(..100) < 5 {
                tally.faults.fetch_add(1, Ordering::Relaxed);
                self.fault().await?;
            }
        }
        Ok(())
    }

    async fn stateless(&mut self, id: u64, request: &Request) -> Fallible<Reply> {
        let message = request.message(id, true);
        let post = stateless(&message);
        self.send(post).await
    }

    /// A session is opened when there is none, or the last one is over.
    async fn in_session(&mut self, id: u64, request: &Request) -> Fallible<Reply> {
        loop {
            let session = if let Some(session) = &self.session {
                session.clone()
            } else {
                let opened = self.send(post(&initialize())).await?;
                let session = opened.session.ok_or_else(|| format!("no session: {}", opened.status))?;
                self.session.insert(session).clone()
            };
            let reply = self.send(in_session(&session, &request.message(id, false))).await?;
            if reply.status != 404 {
                return Ok(reply);
            }
            self.session = None;
        }
    }

    /// A call whose client goes away, or cancels it: what comes of it is right, or nothing.
    async fn give_up(&mut self, tally: &Tally, (id, request): (u64, &Request), is_stateless: bool) -> Fallible {
        tally.faults.fetch_add(1, Ordering::Relaxed);
        tally.given_up.fetch_add(1, Ordering::Relaxed);
        if is_stateless {
            let message = request.message(id, true);
            let pause = Duration::from_micros(self.rng.u64(..1_500));
            let mut stream = TcpStream::connect(&self.address).await?;
            let cut = usize::from(self.rng.bool());
            let bytes = raw(&message);
            stream.write_all(&bytes[..bytes.len() - cut]).await?;
            tokio::time::sleep(pause).await;
            return Ok(());
        }
        let Some(session) = self.session.clone() else { return Ok(()) };
        let mut other = self.beside();
        let told = spawn_local({
            let session = session.clone();
            async move { other.send(in_session(&session, &cancel(id))).await.map(|reply| reply.status) }
        });
        let reply = self.send(in_session(&session, &request.message(id, false))).await?;
        let answers: Vec<_> = reply.messages.iter().filter(|message| message["id"] == id).collect();
        if answers.len() > 1 || answers.iter().any(|answer| !request.expected.is(answer) && reply.status != 404) {
            return Err(format!("{id} was given up: {answers:?}").into());
        }
        match told.await?? {
            202 | 404 => Ok(()),
            status => Err(format!("a cancellation was answered with {status}").into()),
        }
    }

    /// Something that is no request, or comes to no end.
    async fn fault(&mut self) -> Fallible {
        match self.rng.u32(..6) {
            0 => {
                let broken = http::Request::from_parts(post(&Value::Null).into_parts().0, Full::from("{\"jsonrpc\":"));
                expect(&self.send(broken).await?, 400)
            }
            1 => {
                let foreign = with(post(&initialize()), "origin", "https://evil.example");
                expect(&self.send(foreign).await?, 403)
            }
            2 => expect(&self.send(in_session("made-up", &cancel(1))).await?, 404),
            // opened, and left
            3 => {
                self.session = None;
                expect(&self.send(post(&initialize())).await?, 200)
            }
            // a connection that says nothing, or little, and goes
            4 => {
                let mut stream = TcpStream::connect(&self.address).await?;
                let length = self.rng.usize(..60);
                Ok(stream.write_all(&raw(&initialize())[..length]).await?)
            }
            // the next request needs another connection
            _ => {
                self.connection = None;
                Ok(())
            }
        }
    }

    fn beside(&mut self) -> Self {
        Self { address: self.address.clone(), rng: self.rng.fork(), connection: None, session: None }
    }

    async fn send(&mut self, request: http::Request<Full<Bytes>>) -> Fallible<Reply> {
        let mut connection = match self.connection.take() {
            Some(connection) if !connection.is_closed() => connection,
            _ => self.connect().await?,
        };
        connection.ready().await?;
        let response = connection.send_request(request).await?;
        let (head, mut body) = response.into_parts();
        let mut text = Vec::new();
        while let Some(frame) = body.frame().await {
            if self.rng.u32(..2_000) == 0 {
                // a reader that takes its time
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            text.extend_from_slice(frame?.data_ref().map_or(&[], |data| data));
        }
        self.connection = Some(connection);
        let header = |name: &str| head.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let text = String::from_utf8(text)?;
        let messages = match header("content-type").as_deref() {
            Some("text/event-stream") => {
                let data = text.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim);
                data.filter(|data| !data.is_empty()).map(serde_json::from_str).collect::<Result<_, _>>()?
            }
            _ if text.is_empty() => Vec::new(),
            _ => vec![serde_json::from_str(&text)?],
        };
        Ok(Reply { status: head.status.as_u16(), session: header("mcp-session-id"), messages })
    }

    async fn connect(&self) -> Fallible<SendRequest<Full<Bytes>>> {
        let stream = TcpStream::connect(&self.address).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        // it ends with the sender
        spawn_local(connection);
        Ok(sender)
    }
}

fn expect(reply: &Reply, status: u16) -> Fallible {
    if reply.status == status { Ok(()) } else { Err(format!("{} in place of {status}", reply.status).into()) }
}

fn post(message: &Value) -> http::Request<Full<Bytes>> {
    let request = http::Request::post("/mcp").header("host", "localhost").header("content-type", "application/json");
    let request = request.header("accept", "application/json, text/event-stream");
    request.body(Full::from(message.to_string())).expect("a request")
}

fn with(mut request: http::Request<Full<Bytes>>, name: &'static str, value: &str) -> http::Request<Full<Bytes>> {
    request.headers_mut().insert(name, value.parse().expect("a header"));
    request
}

fn in_session(session: &str, message: &Value) -> http::Request<Full<Bytes>> {
    with(post(message), "mcp-session-id", session)
}

fn stateless(message: &Value) -> http::Request<Full<Bytes>> {
    let request = with(post(message), "mcp-protocol-version", "2026-07-28");
    let request = with(request, "mcp-method", message["method"].as_str().unwrap_or_default());
    match message["params"]["name"].as_str() {
        Some(name) => with(request, "mcp-name", name),
        None => request,
    }
}

/// The same message as bytes, for a connection that breaks.
fn raw(message: &Value) -> Vec<u8> {
    let (head, _) = stateless(message).into_parts();
    let body = message.to_string();
    let mut bytes = format!("POST /mcp HTTP/1.1\r\ncontent-length: {}\r\n", body.len()).into_bytes();
    for (name, value) in &head.headers {
        bytes.extend_from_slice(name.as_str().as_bytes());
        bytes.extend_from_slice(b": ");
        bytes.extend_from_slice(value.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(body.as_bytes());
    bytes
}
