//! A server that is a child process: threads that read and write its pipes, and the end of all that it started.

#[cfg(unix)]
mod group;
#[cfg(windows)]
#[path = "stdio/group_windows.rs"]
mod group;

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::Stdio as Pipe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use self::group::Group;
use super::error::{Error, Kind, shown};
use super::message::{self, Incoming, Outcome, Request};
use super::{Limits, Program};

/// How long a program that has nothing more to do may take to end by itself.
const GRACE: Duration = Duration::from_secs(1);

/// How often to look whether the user has had enough.
const LOOK_AROUND: Duration = Duration::from_millis(100);

/// Lines that are no messages, before that is all that can be expected.
const MAX_STRAYS: usize = 1000;

/// Bytes of standard error that are kept.
const KEPT: usize = 4 << 10;

/// A running program.
pub(super) struct Stdio {
    group: Group,
    program: String,
    /// To the thread that writes; gone when standard input is closed.
    input: Option<Sender<String>>,
    output: Receiver<Output>,
    errors: Kept,
    waiting: VecDeque<Incoming>,
    limits: Limits,
    stop: Arc<AtomicBool>,
    strays: usize,
    first_stray: Option<String>,
}

/// What the reading thread has to say.
enum Output {
    Ended,
    Line(Vec<u8>),
    TooLong,
}

impl Stdio {
    pub(super) fn start(program: &Program, limits: Limits) -> Result<Self, Error> {
        let mut command = Group::command(&program.command);
        command.args(&program.arguments).envs(program.env.iter().map(|(key, value)| (key, value)));
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
        }
        command.stdin(Pipe::piped()).stdout(Pipe::piped()).stderr(Pipe::piped());
        let name = program.command.to_string_lossy().into_owned();
        let failed = |error| Error::new(Kind::Start(name.clone(), error));
        let mut group = Group::start(command).map_err(failed)?;
        let Some((stdin, stdout, stderr)) = group.pipes() else {
            return Err(failed(io::Error::other("it has no pipes")));
        };
        Ok(Self {
            input: Some(write_lines(stdin)),
            output: read_lines(stdout, limits.message_bytes),
            errors: keep_the_end(stderr),
            group,
            program: name,
            waiting: VecDeque::new(),
            limits,
            stop: Arc::clone(&program.stop),
            strays: 0,
            first_stray: None,
        })
    }

    /// Sends a request and waits for its answer.
    pub(super) fn ask(&mut self, request: &Request, deadline: Instant) -> Result<Outcome, Error> {
        self.send(&request.text);
        loop {
            let (id, outcome) = self.answer(request.method, deadline)?;
            if id.is_none_or(|id| id == request.id) {
                return Ok(outcome);
            }
        }
    }

    /// Writes a message. That nobody reads it is learned where the answer does not come.
    pub(super) fn send(&self, text: &str) {
        if let Some(input) = &self.input {
            let _ = input.send(format!("{text}\n"));
        }
    }

    /// The next answer to any request. What the server asks meanwhile is answered.
    pub(super) fn answer(&mut self, method: &'static str, deadline: Instant) -> Result<(Option<u64>, Outcome), Error> {
        loop {
            match self.message(method, deadline)? {
                Incoming::Answer(id, outcome) => return Ok((id, outcome)),
                Incoming::Notification => {}
                Incoming::Request(id, method) => self.send(&message::reply(&id, &method)),
            }
        }
    }

    fn message(&mut self, method: &'static str, deadline: Instant) -> Result<Incoming, Error> {
        loop {
            if let Some(message) = self.waiting.pop_front() {
                return Ok(message);
            }
            if self.stop.load(Ordering::Relaxed) {
                return Err(Error::new(Kind::Interrupted));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(self.explained(Kind::Timeout(method.to_owned(), self.limits.timeout)));
            }
            let line = match self.output.recv_timeout(left.min(LOOK_AROUND)) {
                Ok(Output::Line(line)) => line,
                Ok(Output::TooLong) => {
                    let most = self.limits.message_bytes >> 20;
                    return Err(Error::too_large(format!("the server writes a line of more than {most} MiB")));
                }
                Ok(Output::Ended) | Err(RecvTimeoutError::Disconnected) => return Err(self.ended(method)),
                Err(RecvTimeoutError::Timeout) => continue,
            };
            let text = std::str::from_utf8(&line);
            if text.is_err() && line.trim_ascii_start().starts_with(b"{") {
                // An answer may be lost: nobody waits for another.
                let said = shown(&String::from_utf8_lossy(&line));
                let what = format!("`{}` writes a message that is not UTF-8: {said}", self.program);
                return Err(self.explained(Kind::NotMcp(what)));
            }
            match text.map_err(|error| error.to_string()).and_then(message::read) {
                Ok(messages) => self.waiting.extend(messages),
                Err(_) if line.trim_ascii().is_empty() => {}
                Err(_) => self.note(&line)?,
            }
        }
    }

    /// A line that is no message. Programs greet people before they look who is there, so that a few are borne.
    fn note(&mut self, line: &[u8]) -> Result<(), Error> {
        self.strays += 1;
        self.first_stray.get_or_insert_with(|| shown(&String::from_utf8_lossy(line)));
        if self.strays <= MAX_STRAYS {
            return Ok(());
        }
        Err(self.explained(Kind::NotMcp(format!("`{}` writes what is no MCP", self.program))))
    }

    fn ended(&mut self, method: &'static str) -> Error {
        let deadline = Instant::now() + GRACE;
        self.group.wait(deadline);
        // Its last words may still be on their way, unless something that it started holds the pipe.
        while !self.errors.reader.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        let status = match self.group.status() {
            Ok(Some(status)) => status.to_string(),
            Ok(None) | Err(_) => "it closed its standard output, and runs on".to_owned(),
        };
        self.explained(Kind::Ended(method, status))
    }

    /// An error with what the program wrote elsewhere.
    fn explained(&self, kind: Kind) -> Error {
        let stray = self.first_stray.as_ref().map(|line| format!("it wrote to standard output: {line}"));
        let errors = self.errors.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let lines: Vec<String> = String::from_utf8_lossy(&errors).lines().map(shown).collect();
        let last: Vec<String> = lines.iter().filter(|line| !line.is_empty()).map(|line| format!("  {line}")).collect();
        let last = &last[last.len().saturating_sub(10)..];
        let said = (!last.is_empty()).then(|| format!("it wrote to standard error:\n{}", last.join("\n")));
        Error::new(kind).with(stray).with(said)
    }
}

impl Drop for Stdio {
    /// Closes standard input, which tells a server to end; then ends whatever is left.
    fn drop(&mut self) {
        self.input = None;
        self.group.wait(Instant::now() + GRACE);
        self.group.end(GRACE);
    }
}

/// A thread that writes, so that a program that does not read stops nobody.
fn write_lines(mut stdin: impl Write + Send + 'static) -> Sender<String> {
    let (sender, lines) = mpsc::channel::<String>();
    thread::spawn(move || {
        for line in lines {
            if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

/// A thread that reads lines, none longer than `most`.
fn read_lines(stdout: impl Read + Send + 'static, most: usize) -> Receiver<Output> {
    // The server waits where we do not keep up.
    let (sender, lines) = mpsc::sync_channel(1);
    thread::spawn(move || {
        let mut stdout = BufReader::with_capacity(64 << 10, stdout);
        while let Some(output) = next_line(&mut stdout, most) {
            let is_last = !matches!(output, Output::Line(_));
            if sender.send(output).is_err() || is_last {
                return;
            }
        }
        told(&sender);
    });
    lines
}

fn told(sender: &SyncSender<Output>) {
    // Nobody may be listening any more.
    let _ = sender.send(Output::Ended);
}

fn next_line(stdout: &mut impl BufRead, most: usize) -> Option<Output> {
    let mut line = Vec::new();
    let limit = most as u64 + 1;
    let read = stdout.take(limit).read_until(b'\n', &mut line).ok()?;
    match read {
        0 => None,
        _ if line.len() as u64 == limit && !line.ends_with(b"\n") => Some(Output::TooLong),
        _ => Some(Output::Line(line)),
    }
}

/// The last bytes that are written to a pipe, and the thread that reads it.
struct Kept {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

fn keep_the_end(mut stderr: impl Read + Send + 'static) -> Kept {
    let bytes = Arc::<Mutex<Vec<u8>>>::default();
    let shared = Arc::clone(&bytes);
    let reader = thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(read @ 1..) = stderr.read(&mut buffer) {
            let mut kept = shared.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend_from_slice(&buffer[..read]);
            let surplus = kept.len().saturating_sub(KEPT);
            kept.drain(..surplus);
        }
    });
    Kept { bytes, reader }
}
