//! Lines in, lines out: so many requests in one write, then all their answers.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout};
use std::time::Instant;

use serde_json::Value;

use crate::contender::Contender;
use crate::process::{Figures, Server, Watch};
use crate::subject::{Era, Load, Subject, opening};

/// Both ends of a server.
struct Pipe {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: String,
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
    let start = Instant::now();
    let mut server = Server::start(contender.stdio(subject.manner()))?;
    let mut input = server.0.stdin.take().ok_or("no way in")?;
    let mut output = BufReader::with_capacity(1 << 16, server.0.stdout.take().ok_or("no way out")?);
    open_session(&mut input, &mut output, era)?;
    let mut pipe = Pipe { input, output, line: String::new() };
    pipe.exchange(subject, era, 0)?;
    let cold = start.elapsed();
    for round in 1..=load.warm {
        pipe.exchange(subject, era, round)?;
    }
    let watch = Watch::start(&server)?;
    for round in load.warm + 1..=load.warm + load.rounds {
        pipe.exchange(subject, era, round)?;
    }
    watch.stop(&server, load.rounds * subject.at_once, cold)
}

/// Opens the session, in the era that has them.
///
/// # Errors
///
/// Fails where the server ends.
pub(crate) fn open_session(input: &mut ChildStdin, output: &mut impl BufRead, era: Era) -> Result<(), Box<dyn Error>> {
    if era == Era::Sessions {
        let [initialize, initialized] = opening();
        writeln!(input, "{initialize}")?;
        if output.read_line(&mut String::new())? == 0 {
            return Err("the server ended".into());
        }
        writeln!(input, "{initialized}")?;
    }
    Ok(())
}

impl Pipe {
    /// Asks for as many as the subject has at once, and checks what comes back in whatever order.
    fn exchange(&mut self, subject: &Subject, era: Era, round: u32) -> Result<(), Box<dyn Error>> {
        let mut open: Vec<u32> = (round * subject.at_once..).take(subject.at_once as usize).collect();
        let requests: Vec<String> = open.iter().map(|id| subject.request(*id, era) + "\n").collect();
        // together they are below what a pipe holds, or there is only one: so no two sides wait for each other
        self.input.write_all(requests.concat().as_bytes())?;
        while !open.is_empty() {
            let answer = self.answer()?;
            let place = open.iter().position(|open| answer["id"] == *open).ok_or("an answer to nothing")?;
            subject.check(open.swap_remove(place), &answer)?;
        }
        Ok(())
    }

    /// The next message that answers something.
    fn answer(&mut self) -> Result<Value, Box<dyn Error>> {
        loop {
            self.line.clear();
            if self.output.read_line(&mut self.line)? == 0 {
                return Err("the server ended".into());
            }
            let message: Value = serde_json::from_str(&self.line)?;
            if message.get("method").is_none() {
                return Ok(message);
            }
        }
    }
}
