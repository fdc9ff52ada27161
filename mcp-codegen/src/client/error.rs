//! Why a server could not be asked.

use std::fmt;
use std::io;
use std::time::Duration;

use super::message::Refusal;
use crate::lint::hidden;

/// Why a server could not be asked.
///
/// What the server wrote is part of the message, shortened and without characters that could deceive a terminal.
#[derive(Debug)]
pub struct Error {
    kind: Kind,
    /// What the program wrote to standard error, or where it should write nothing else.
    context: Vec<String>,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// What the user asked for makes no sense.
    Asked(String),
    /// The connection failed, at this step.
    Connection(String, Box<dyn std::error::Error + Send + Sync>),
    /// The program ended before this was answered.
    Ended(&'static str, String),
    /// The user wants no more.
    Interrupted,
    /// The server answers what no server should.
    NotMcp(String),
    /// The server says no.
    Refused(String, i64, String),
    Start(String, io::Error),
    Status(u16, String),
    Timeout(String, Duration),
    TooLarge(String),
}

impl Error {
    pub(super) fn new(kind: Kind) -> Self {
        Self { kind, context: Vec::new() }
    }

    pub(super) fn not_mcp(what: impl Into<String>) -> Self {
        Self::new(Kind::NotMcp(what.into()))
    }

    pub(super) fn refused(what: &str, refusal: &Refusal) -> Self {
        Self::new(Kind::Refused(what.to_owned(), refusal.code, shown(&refusal.message)))
    }

    pub(super) fn too_large(what: impl Into<String>) -> Self {
        Self::new(Kind::TooLarge(what.into()))
    }

    /// Adds what else is known, on a line of its own.
    pub(super) fn with(mut self, context: Option<String>) -> Self {
        self.context.extend(context);
        self
    }

    pub(super) fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Whether the server took too long.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        matches!(self.kind, Kind::Timeout(..))
    }

    /// Whether a message, a list or a stream was larger than the limits allow.
    #[must_use]
    pub fn is_too_large(&self) -> bool {
        matches!(self.kind, Kind::TooLarge(_))
    }

    /// Whether the server understood, and said no.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        matches!(self.kind, Kind::Refused(..))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Asked(what) | Kind::NotMcp(what) | Kind::TooLarge(what) => f.write_str(what)?,
            Kind::Connection(step, _) => f.write_str(step)?,
            Kind::Interrupted => f.write_str("interrupted")?,
            Kind::Ended(method, status) => write!(f, "the server ended before it answered `{method}` ({status})")?,
            Kind::Refused(what, code, message) => write!(f, "the server refuses {what}: {message} ({code})")?,
            Kind::Start(program, _) => write!(f, "`{program}` cannot be started")?,
            Kind::Status(status, help) => write!(f, "the server answers with the HTTP status {status}{help}")?,
            Kind::Timeout(method, limit) => {
                write!(f, "the server did not answer `{method}` within {}", seconds(*limit))?;
            }
        }
        self.context.iter().try_for_each(|line| write!(f, "\n{line}"))
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            Kind::Connection(_, error) => Some(&**error),
            Kind::Start(_, error) => Some(error),
            Kind::Asked(_)
            | Kind::Ended(..)
            | Kind::Interrupted
            | Kind::NotMcp(_)
            | Kind::Refused(..)
            | Kind::Status(..)
            | Kind::Timeout(..)
            | Kind::TooLarge(_) => None,
        }
    }
}

fn seconds(limit: Duration) -> String {
    match limit.as_millis() {
        1000 => "1 second".to_owned(),
        millis if millis % 1000 == 0 => format!("{} seconds", millis / 1000),
        millis => format!("{millis} ms"),
    }
}

/// A text of the server as people may see it: on one line, shortened, without what steers a terminal or hides.
pub(super) fn shown(text: &str) -> String {
    const SHOWN: usize = 300;
    let mut line: String = text.trim().chars().take(SHOWN).map(seen).collect();
    if text.trim().chars().count() > SHOWN {
        line.push('…');
    }
    line
}

fn seen(c: char) -> char {
    if c.is_control() || hidden(c, None).is_some() { ' ' } else { c }
}
