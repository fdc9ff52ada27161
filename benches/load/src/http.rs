//! Connections that are kept: on each, one request after the other.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::contender::Contender;
use crate::process::{Figures, Server, Watch};
use crate::subject::{Era, Load, SESSIONS, STATELESS, Subject, opening};

/// A server that does not listen by then never will.
const PATIENCE: Duration = Duration::from_secs(30);

/// One connection.
struct Link {
    stream: BufReader<TcpStream>,
    port: u16,
    session: Option<String>,
}

/// What one response held.
#[derive(Default)]
struct Received {
    notices: usize,
    answer: Option<Value>,
}

/// Measures one contender with one subject, in a process of its own.
///
/// # Errors
///
/// Fails where the server ends or answers wrongly.
pub(crate) fn measure(
    contender: &Contender,
    subject: &Subject,
    era: Era,
    load: Load,
) -> Result<Figures, Box<dyn Error>> {
    let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
    let start = Instant::now();
    let server = Server::start(contender.http(port, subject.manner()))?;
    let mut first = Link::open(port, start, era)?;
    first.exchange(subject, era, 0)?;
    let cold = start.elapsed();
    let mut links = vec![first];
    while links.len() < subject.at_once as usize {
        links.push(Link::open(port, Instant::now(), era)?);
    }
    each(&mut links, |link| (1..=load.warm).try_for_each(|round| link.exchange(subject, era, round)))?;
    let watch = Watch::start(&server)?;
    each(&mut links, |link| {
        (load.warm + 1..=load.warm + load.rounds).try_for_each(|round| link.exchange(subject, era, round))
    })?;
    watch.stop(&server, load.rounds * subject.at_once, cold)
}

/// Does this on every connection at the same time.
fn each(
    links: &mut [Link],
    work: impl Fn(&mut Link) -> Result<(), Box<dyn Error>> + Sync,
) -> Result<(), Box<dyn Error>> {
    let work = &work;
    thread::scope(|scope| {
        let threads: Vec<_> =
            links.iter_mut().map(|link| scope.spawn(move || work(link).map_err(|error| error.to_string()))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| "a thread panicked")?.map_err(Into::into))
    })
}

impl Link {
    /// Connects as soon as somebody listens, and opens a session where the era has them.
    fn open(port: u16, start: Instant, era: Era) -> Result<Self, Box<dyn Error>> {
        let stream = loop {
            match TcpStream::connect(("127.0.0.1", port)) {
                Ok(stream) => break stream,
                Err(error) if start.elapsed() > PATIENCE => return Err(error.into()),
                Err(_) => thread::sleep(Duration::from_micros(200)),
            }
        };
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let mut link = Self { stream: BufReader::with_capacity(1 << 16, stream), port, session: None };
        if era == Era::Sessions {
            for message in opening() {
                link.post(&message, "")?;
                link.receive()?;
            }
        }
        Ok(link)
    }

    fn exchange(&mut self, subject: &Subject, era: Era, id: u32) -> Result<(), Box<dyn Error>> {
        let mut headers = String::new();
        if era == Era::Stateless {
            write!(headers, "mcp-protocol-version: {STATELESS}\r\nmcp-method: {}\r\n", subject.method())?;
            if let Some(tool) = subject.tool() {
                write!(headers, "mcp-name: {tool}\r\n")?;
            }
        } else {
            write!(headers, "mcp-protocol-version: {SESSIONS}\r\n")?;
        }
        self.post(&subject.request(id, era), &headers)?;
        let received = self.receive()?;
        if received.notices != subject.notices() {
            return Err(format!("{} notices came with an answer", received.notices).into());
        }
        subject.check(id, &received.answer.ok_or("no answer")?)?;
        Ok(())
    }

    fn post(&mut self, body: &str, headers: &str) -> io::Result<()> {
        let session = self.session.as_ref().map(|id| format!("mcp-session-id: {id}\r\n")).unwrap_or_default();
        let (port, length) = (self.port, body.len());
        let request = format!(
            "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\naccept: application/json, text/event-stream\r\n\
             content-type: application/json\r\n{session}{headers}content-length: {length}\r\n\r\n{body}"
        );
        self.stream.get_mut().write_all(request.as_bytes())
    }

    /// What a response holds: as JSON, or as events.
    fn receive(&mut self) -> Result<Received, Box<dyn Error>> {
        let status = self.line()?;
        let (mut length, mut chunked, mut events) = (0, false, false);
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else { break };
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse()?,
                "transfer-encoding" => chunked = value.eq_ignore_ascii_case("chunked"),
                "content-type" => events = value.starts_with("text/event-stream"),
                "mcp-session-id" => self.session = Some(value.to_owned()),
                _ => {}
            }
        }
        let body = if chunked { self.chunks()? } else { self.bytes(length)? };
        if !status.contains(" 200") {
            let accepted = status.contains(" 202");
            return if accepted { Ok(Received::default()) } else { Err(format!("{status}: {body:.300}").into()) };
        }
        if !events {
            return Ok(Received { notices: 0, answer: Some(serde_json::from_str(&body)?) });
        }
        let mut received = Received::default();
        for data in body.lines().filter_map(|line| line.strip_prefix("data:")) {
            // an event without data primes a stream
            let Ok(message) = serde_json::from_str::<Value>(data) else { continue };
            if message.get("method").is_some() {
                received.notices += 1;
            } else {
                received.answer = Some(message);
            }
        }
        Ok(received)
    }

    /// A line without its end.
    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        line.truncate(line.trim_end().len());
        Ok(line)
    }

    fn bytes(&mut self, length: usize) -> Result<String, Box<dyn Error>> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes)?;
        Ok(String::from_utf8(bytes)?)
    }

    fn chunks(&mut self) -> Result<String, Box<dyn Error>> {
        let mut body = String::new();
        loop {
            let length = usize::from_str_radix(&self.line()?, 16)?;
            body.push_str(&self.bytes(length)?);
            self.line()?;
            if length == 0 {
                return Ok(body);
            }
        }
    }
}
