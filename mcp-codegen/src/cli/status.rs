//! A line on the terminal that says what takes so long, while it does.

use std::env;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What is done sooner needs no words.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often the line is written anew.
const PACE: Duration = Duration::from_millis(200);

/// Characters that fit beside each other on any terminal.
const WIDTH: usize = 70;

/// Work that may take long. Once it has, a line on standard error says so, until this is dropped; nothing else may be
/// written there meanwhile. Where standard error is no terminal there is no line.
///
/// The line has no color, and no sign but returns and blanks: it is the same under `NO_COLOR` and on every terminal.
#[derive(Debug)]
pub(super) struct Status(Option<Line>);

#[derive(Debug)]
struct Line {
    text: Arc<Mutex<String>>,
    /// Dropped to end the thread.
    end: Option<Sender<()>>,
    writer: Option<JoinHandle<()>>,
}

impl Status {
    /// Begins work, such as `generating the code`.
    pub(super) fn of(work: &str) -> Self {
        let is_shown = io::stderr().is_terminal() && env::var_os("TERM").is_none_or(|term| term != "dumb");
        Self(is_shown.then(|| Line::start(work)))
    }

    /// Work that nobody is to be told of.
    pub(super) const fn silent() -> Self {
        Self(None)
    }

    /// Says how far the work is.
    pub(super) fn say(&self, words: impl FnOnce() -> String) {
        if let Some(line) = &self.0 {
            *line.text.lock().unwrap_or_else(PoisonError::into_inner) = words();
        }
    }
}

impl Line {
    fn start(work: &str) -> Self {
        let text = Arc::new(Mutex::new(work.to_owned()));
        let (end, ended) = mpsc::channel::<()>();
        let shared = Arc::clone(&text);
        let writer = thread::spawn(move || {
            let start = Instant::now();
            let (mut pause, mut shown) = (PATIENCE, 0);
            while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                let text = shared.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let line = format!("{text} … {} s", start.elapsed().as_secs());
                shown = write_over(&line, shown);
                pause = PACE;
            }
            if shown > 0 {
                write_over("", shown);
                write("\r");
            }
        });
        Self { text, end: Some(end), writer: Some(writer) }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.end = None;
        if let Some(writer) = self.writer.take() {
            // One that panicked leaves a line behind, which harms nobody.
            let _ = writer.join();
        }
    }
}

/// Writes a line over one of that many characters; gives the number of its own.
fn write_over(line: &str, before: usize) -> usize {
    let line: String = line.chars().take(WIDTH).collect();
    let count = line.chars().count();
    write(&format!("\r{line}{}", " ".repeat(before.saturating_sub(count))));
    count
}

/// Nobody can be told that standard error is closed.
fn write(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
