//! A server as a client's operating system sees it: a process, lines in, lines out.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, ErrorKind, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::messages::initialize;
use crate::official::Conversation;

/// What a server may take at most for anything that is not waiting by design.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server under test. Every line that it sends is judged by the official schemas, and kept in a transcript.
#[derive(Debug)]
pub struct Wire {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    conversation: Conversation,
    transcript: String,
}

impl Wire {
    /// Starts a server.
    #[must_use]
    pub fn start(program: &Path) -> Self {
        let mut command = Command::new(program);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("the output is a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut lines = BufReader::new(output).split(b'\n').map_while(Result::ok);
            // ends with the server, or with a test that hears no more
            lines.all(|line| sender.send(line).is_ok())
        });
        Self { child, input, lines, conversation: Conversation::default(), transcript: String::new() }
    }

    /// Starts a server and opens a session.
    #[must_use]
    pub fn session(program: &Path, version: &str) -> Self {
        let mut server = Self::start(program);
        server.ask(&initialize(0, version));
        server.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        server
    }

    /// Sends a message, and hears one.
    pub fn ask(&mut self, message: &str) -> Value {
        self.say(message);
        self.hear()
    }

    /// Sends a message.
    pub fn say(&mut self, message: &str) {
        self.say_bytes(message, format!("{message}\n").as_bytes());
    }

    /// Sends several messages on one line.
    pub fn say_batch(&mut self, messages: &[&str]) {
        for message in messages {
            self.conversation.sent(message.as_bytes());
        }
        self.say(&format!("[{}]", messages.join(",")));
    }

    /// Sends bytes of which the transcript shows only `what` they are.
    pub fn say_bytes(&mut self, what: &str, bytes: &[u8]) {
        let _ = writeln!(self.transcript, "→ {what}");
        self.conversation.sent(bytes);
        let input = self.input.as_mut().expect("the input is open");
        match input.write_all(bytes) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                panic!("the server is gone after\n{}", self.transcript)
            }
            written => written.expect("write to the server"),
        }
    }

    /// Waits for the next message.
    pub fn hear(&mut self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE);
        self.heard(line.unwrap_or_else(|error| panic!("no answer ({error}) after\n{}", self.transcript)))
    }

    /// Closes the input and hears what still comes; the transcript with the exit code at its end.
    #[must_use]
    pub fn close(mut self) -> String {
        self.input = None;
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            self.heard(line);
        }
        let code = self.wait();
        let _ = writeln!(self.transcript, "exit {code:?}");
        std::mem::take(&mut self.transcript)
    }

    /// The server's process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The most memory that the server has used so far, in bytes; `None` on systems that do not say it.
    #[must_use]
    pub fn peak_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
    }

    /// Stops hearing, as a client that is gone, and sends `message` until the server is gone too; its exit code.
    #[must_use]
    pub fn stop_hearing(mut self, message: &str) -> Option<i32> {
        self.lines = channel().1;
        let mut input = self.input.take().expect("the input is open");
        while writeln!(input, "{message}").is_ok() {
            thread::sleep(Duration::from_millis(5));
        }
        self.wait()
    }

    fn wait(&mut self) -> Option<i32> {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().expect("ask for the exit code") {
                return status.code();
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("the server does not end after\n{}", self.transcript)
    }

    fn heard(&mut self, line: Vec<u8>) -> Value {
        let line = String::from_utf8(line).expect("a message is UTF-8");
        let message = serde_json::from_str(&line).unwrap_or_else(|error| panic!("not JSON ({error}): {line}"));
        let _ = writeln!(self.transcript, "← {}", without_digest(&line, &message));
        let faults = self.conversation.faults(&message);
        assert!(faults.is_empty(), "the official schema refuses {message}\n{}", faults.join("\n"));
        message
    }
}

/// The line with a word for the contract's digest, which changes with every byte of the contract.
fn without_digest(line: &str, message: &Value) -> String {
    match message["result"]["_meta"]["io.github.mcp-codegen/contract-hash"].as_str() {
        Some(digest) if digest.len() == 64 => line.replace(digest, "DIGEST"),
        _ => line.to_owned(),
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        // a test that failed leaves no process behind
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
