//! A client that writes and does not read: what does a server take into its memory, and is anything lost afterwards?

use std::collections::HashSet;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::ChildStdin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::contender::Contender;
use crate::process::Server;
use crate::stdio::open_session;
use crate::subject::{Era, Subject};

/// For so long nothing is read.
const SILENCE: Duration = Duration::from_secs(4);
/// Requests in one write.
const AT_ONCE: u32 = 64;

/// What came of it.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub(crate) struct Flood {
    /// Requests that the server and the pipes took while nobody read.
    pub(crate) taken: u32,
    /// What the server's memory grew by in that time, MiB.
    pub(crate) growth: f64,
    /// From the first read to the last answer, seconds.
    pub(crate) drained: f64,
    /// Requests without an answer.
    pub(crate) lost: u32,
}

/// Floods a server of its own with requests of this subject.
///
/// # Errors
///
/// Fails where the server ends early or answers wrongly.
pub(crate) fn measure(contender: &Contender, subject: &Subject, era: Era) -> Result<Flood, Box<dyn Error>> {
    let mut server = Server::start(contender.stdio(None))?;
    let mut input = server.0.stdin.take().ok_or("no way in")?;
    let mut output = BufReader::with_capacity(1 << 16, server.0.stdout.take().ok_or("no way out")?);
    open_session(&mut input, &mut output, era)?;
    writeln!(input, "{}", subject.request(0, era))?;
    output.read_line(&mut String::new())?;
    let before = server.resident()?;
    let over = &AtomicBool::new(false);
    thread::scope(|scope| {
        let writer = scope.spawn(move || write(input, subject, era, over));
        thread::sleep(SILENCE);
        let growth = server.resident()? - before;
        over.store(true, Ordering::Relaxed);
        let start = Instant::now();
        let mut answered = HashSet::new();
        for line in output.lines() {
            let answer: Value = serde_json::from_str(&line?)?;
            let Some(id) = answer["id"].as_u64().and_then(|id| u32::try_from(id).ok()) else { continue };
            subject.check(id, &answer)?;
            if !answered.insert(id) {
                return Err(format!("{id} was answered twice").into());
            }
        }
        let drained = start.elapsed().as_secs_f64();
        let taken = writer.join().map_err(|_| "a thread panicked")?;
        let lost = (1..=taken).filter(|id| !answered.contains(id)).count();
        Ok(Flood { taken, growth, drained, lost: u32::try_from(lost)? })
    })
}

/// Writes until it is over, closes the pipe, and says how many requests went in.
fn write(mut input: ChildStdin, subject: &Subject, era: Era, over: &AtomicBool) -> u32 {
    let mut taken = 0;
    while !over.load(Ordering::Relaxed) {
        let requests: Vec<String> =
            (taken + 1..).take(AT_ONCE as usize).map(|id| subject.request(id, era) + "\n").collect();
        // whoever ended is found out by what is missing
        if input.write_all(requests.concat().as_bytes()).is_err() {
            break;
        }
        taken += AT_ONCE;
    }
    taken
}
